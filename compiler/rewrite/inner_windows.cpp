// Lists of statements are gone through from their ends, so that what a field is made of in turn is met behind it.
#include "rewrite/inner_windows.hpp"

#include <algorithm>
#include <optional>

#include "frontend/expression_parts.hpp"
#include "frontend/reduction.hpp"
#include "rewrite/moved_expression.hpp"
#include "rewrite/statements.hpp"

namespace kasc {

namespace {

using namespace rewriting;

/// Operations of all cells of a window: 49 cells of nine squares each have 1300.
constexpr long long most_operations = 3000;

bool is_own_cell(const AxisIndex& index) {
    const auto* offset = std::get_if<Offset>(&index);
    return offset != nullptr && offset->cells == 0;
}
bool is_own_cell(const Operand& operand) {
    return std::all_of(operand.indices.begin(), operand.indices.end(),
                       [](const AxisIndex& i) { return is_own_cell(i); });
}

class InnerWindows {
public:
    InnerWindows(const Program& program, Statements list) : program_(program), list_(std::move(list)) {}

    Statements run() {
        for (std::size_t k = list_.size(); k-- > 0;) {
            const auto* field = std::get_if<FieldStatement>(&list_[k]);
            if (field == nullptr || !is_made_of_cells(*field, k)) continue;
            const FieldStatement made = *field;
            for (std::size_t r = k + 1; r < list_.size(); ++r)
                if (reads(list_[r], made.target)) list_[r] = reading_parts(std::get<FieldStatement>(list_[r]), made);
            list_.erase(list_.begin() + static_cast<std::ptrdiff_t>(k));
        }
        return std::move(list_);
    }

private:
    const Program& program_;
    Statements list_;

    /// Cells of windows alone read it, each at its own place, and what it is made of is what it was there.
    [[nodiscard]] bool is_made_of_cells(const FieldStatement& s, std::size_t at) const {
        if (s.fold || s.running || s.adding || s.where || !s.listed.empty() || !is_whole(program_, s)) return false;
        const CellType reals = s.precision == Precision::dual ? CellType::float64 : CellType::float32;
        if (field_shape(program_, s.target).type != reals || fusing_product(*s.value) != nullptr) return false;
        if (is_seen_outside(program_, list_, s.target)) return false;
        std::optional<std::size_t> last;
        for (std::size_t k = 0; k < list_.size(); ++k) {
            if (k != at && assigns(list_[k], s.target)) return false;
            if (!reads(list_[k], s.target)) continue;
            const auto* reader = std::get_if<FieldStatement>(&list_[k]);
            if (k <= at || reader == nullptr || !is_window_of(*reader, s)) return false;
            last = k;
        }
        return last && std::all_of(s.operands.begin(), s.operands.end(), [&](const Operand& operand) {
                   return unchanged(list_, operand.variable, at + 1, *last);
               });
    }

    [[nodiscard]] bool is_window_of(const FieldStatement& reader, const FieldStatement& s) const {
        if (!reader.fold || !reader.fold->parts || reader.precision != s.precision) return false;
        const std::vector<AxisId>& own = field_shape(program_, s.target).axes;
        long long cells = 1;
        for (const AxisId axis : reader.fold->axes) {
            const auto length = declared_length(program_.axes[axis]);
            if (!length || *length > most_window_cells || program_.axes[axis].own) return false;
            if (std::find(own.begin(), own.end(), axis) == own.end()) return false;
            cells *= *length;
        }
        return own.size() > reader.fold->axes.size() && cells <= most_window_cells &&
               cells * operation_count(*s.value) <= most_operations && operands_of_positions(reader).empty() &&
               std::all_of(reader.operands.begin(), reader.operands.end(), [&](const Operand& operand) {
                   return operand.variable != s.target || is_own_cell(operand);
               });
    }

    [[nodiscard]] FieldStatement reading_parts(FieldStatement reader, const FieldStatement& made) const {
        const std::vector<Operand> before = reader.operands;
        Moved moved(program_, made, reader, [](AxisId) { return ExpressionRef{}; });
        const ExpressionRef value = moved.expression(made.value);
        reader.value = with_leaves(reader.value, [&](const ExpressionRef& leaf) {
            const auto* use = std::get_if<OperandUse>(&leaf->node);
            const bool is_made =
                use != nullptr && use->operand < before.size() && before[use->operand].variable == made.target;
            return is_made ? value : leaf;
        });
        return with_equal_operands_once(reader);
    }
};

}  // namespace

Program with_inner_windows_read(const Program& program) {
    Program made = program;
    made.statements =
        with_lists(program.statements, [&](Statements list) { return InnerWindows(program, std::move(list)).run(); });
    return made;
}

}  // namespace kasc
