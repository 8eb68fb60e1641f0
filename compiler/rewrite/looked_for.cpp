#include "rewrite/looked_for.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "graph/linear_position.hpp"
#include "rewrite/statements.hpp"
#include "rewrite/whole_numbers.hpp"

namespace kasc::rewriting {

namespace {

class Looking {
public:
    Looking(const Program& program, const LoopStatement& loop) : program_(program), loop_(loop) {}

    LoopStatement run() {
        LoopStatement made = loop_;
        std::set<VariableId> assigned;
        for (const Statement& statement : loop_.body) assigned.merge(targets(statement));
        for (Statement& statement : made.body) {
            auto* field = std::get_if<FieldStatement>(&statement);
            if (field == nullptr || field->fold || field->adding || field->running) continue;
            const std::vector<AxisId> axes = free_axes(program_, *field);
            FieldStatement looking = *field;
            bool changed = false;
            for (Operand& operand : looking.operands)
                if (assigned.contains(operand.variable)) changed = look_for(operand, axes) || changed;
            if (changed) *field = with_equal_operands_once(looking);
        }
        return made;
    }

private:
    const Program& program_;
    const LoopStatement& loop_;

    /// Along axes that the statement has cells of.
    bool look_for(Operand& operand, const std::vector<AxisId>& axes) const {
        bool changed = false;
        for (std::size_t k = 0; k < operand.indices.size(); ++k) {
            const AxisId axis = field_shape(program_, operand.variable).axes[k];
            const auto* absolute = std::get_if<Absolute>(&operand.indices[k]);
            if (absolute == nullptr || std::find(axes.begin(), axes.end(), axis) == axes.end()) continue;
            const ExpressionRef position = absolute->position;
            if (!stays_on_grid(*position, axis)) continue;
            operand.indices[k] = Computed{position};
            changed = true;
        }
        return changed;
    }

    /// In all iterations, whatever lengths and parameters are.
    [[nodiscard]] bool stays_on_grid(const Expression& position, AxisId axis) const {
        const auto at = linear_position(position, loop_.loop, program_);
        if (!at || !at->terms.empty()) return false;
        const auto cells = declared_length(program_.axes[axis]);
        if (at->coefficient == 0) return at->constant >= 0 && at->constant < cells.value_or(1);
        const auto* extent = std::get_if<ExtentUse>(&loop_.to->node);
        const auto from = whole_number_of(loop_.from),
                   to = extent ? declared_length(program_.axes[extent->axis]) : whole_number_of(loop_.to);
        const auto place = [&](long long n) { return at->coefficient * n + at->constant; };
        if (!from || place(*from) < 0) return false;
        if (extent != nullptr && extent->axis == axis) return at->coefficient == 1 && at->constant <= 0;
        return to && cells && place(*from) < *cells && place(*to - 1) >= 0 && place(*to - 1) < *cells;
    }
};

}  // namespace

LoopStatement with_cells_looked_for(const Program& program, const LoopStatement& loop) {
    return Looking(program, loop).run();
}

}  // namespace kasc::rewriting
