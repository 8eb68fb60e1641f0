#include "rewrite/alike_cells.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "frontend/make_expression.hpp"
#include "frontend/new_field.hpp"
#include "graph/field_target.hpp"
#include "rewrite/whole_numbers.hpp"

namespace kasc::rewriting {

namespace {

bool is_along(const std::vector<AxisId>& axes, AxisId axis) {
    return std::find(axes.begin(), axes.end(), axis) != axes.end();
}

class Widening {
public:
    Widening(Program& program, const LoopStatement& loop) : program_(program), loop_(loop) {}

    std::optional<AlikeCells> run() {
        if (program_.loops[loop_.loop].alive) return std::nullopt;  // says of each cell by itself whether it goes on
        const auto fewer = over_fewer();
        if (!fewer || fewer->empty()) return std::nullopt;
        for (const VariableId field : *fewer) add_wide(field);
        AlikeCells made{{}, loop_, {}};
        for (Statement& statement : made.loop.body) statement = widened(std::get<FieldStatement>(statement));
        for (const auto& [field, wide] : wide_) {
            if (has_value_before(field)) made.before.emplace_back(copy(wide, whole(field, wide, false), field));
            made.behind.emplace_back(copy(field, whole(wide, field, true), field));
        }
        return made;
    }

private:
    Program& program_;
    const LoopStatement& loop_;
    std::vector<AxisId> cells_;  ///< of the statement with the most axes
    std::map<VariableId, VariableId> wide_;

    /// Fields that statements over fewer cells assign, whole; none: see with_alike_cells.
    std::optional<std::set<VariableId>> over_fewer() {
        for (const Statement& statement : loop_.body) {
            const auto* s = std::get_if<FieldStatement>(&statement);
            if (s == nullptr || joins_cells(*s) || s->where || is_listed(*s)) return std::nullopt;
            if (const std::vector<AxisId> axes = free_axes(program_, *s); axes.size() > cells_.size()) cells_ = axes;
        }
        std::set<VariableId> fewer;
        for (const Statement& statement : loop_.body) {
            const auto& s = std::get<FieldStatement>(statement);
            const std::vector<AxisId> axes = free_axes(program_, s);
            if (!std::all_of(axes.begin(), axes.end(), [&](AxisId axis) { return is_along(cells_, axis); }))
                return std::nullopt;
            if (axes.size() == cells_.size()) continue;
            if (!is_whole(program_, s)) return std::nullopt;
            fewer.insert(s.target);
        }
        return fewer;
    }

    void add_wide(VariableId field) {
        const Variable narrow = program_.variables[field];
        const auto& shape = std::get<FieldShape>(narrow.shape);
        const VariableId wide = new_field(program_, narrow.name + "_alike", cells_, shape.type, narrow.span);
        auto& made = std::get<FieldShape>(program_.variables[wide].shape);
        for (std::size_t k = 0; k < shape.axes.size(); ++k) made.faces[place_of(shape.axes[k])] = shape.faces[k];
        wide_.emplace(field, wide);
    }
    [[nodiscard]] std::size_t place_of(AxisId axis) const {
        return static_cast<std::size_t>(std::find(cells_.begin(), cells_.end(), axis) - cells_.begin());
    }

    /// Something assigns it outside of the loop, or the caller does.
    [[nodiscard]] bool has_value_before(VariableId field) const {
        const auto assigning = [&](const Statements& list) {
            int count = 0;
            each_statement(list, [&](const Statement& s) { count += assigns(s, field) ? 1 : 0; });
            return count;
        };
        const auto& inputs = program_.inputs;
        return std::find(inputs.begin(), inputs.end(), field) != inputs.end() ||
               assigning(program_.statements) > assigning(loop_.body);
    }

    FieldStatement widened(const FieldStatement& s) const {
        FieldStatement made = s;
        for (Operand& operand : made.operands) {
            const auto wide = wide_.find(operand.variable);
            if (wide == wide_.end()) continue;
            std::vector<AxisIndex> indices(cells_.size(), AxisIndex{Offset{0}});
            const std::vector<AxisId>& axes = field_shape(program_, operand.variable).axes;
            for (std::size_t k = 0; k < axes.size(); ++k) indices[place_of(axes[k])] = operand.indices[k];
            operand = {wide->second, std::move(indices), operand.span};
        }
        if (const auto wide = wide_.find(s.target); wide != wide_.end()) {
            made.target = wide->second;
            made.target_indices.assign(cells_.size(), AxisIndex{Offset{0}});
        }
        return with_equal_operands_once(made);
    }

    /// A field read over the cells of another. `first`: along axes that only it has at their first cells.
    [[nodiscard]] Operand whole(VariableId field, VariableId over, bool first) const {
        const std::vector<AxisId>&axes = field_shape(program_, field).axes, all = field_shape(program_, over).axes;
        std::vector<AxisIndex> indices;
        for (const AxisId axis : axes)
            indices.push_back(first && !is_along(all, axis) ? AxisIndex{Absolute{counted(0)}} : AxisIndex{Offset{0}});
        return {field, std::move(indices), loop_.span};
    }
    [[nodiscard]] FieldStatement copy(VariableId to, Operand from, VariableId field) const {
        const CellType type = field_shape(program_, to).type;
        const Span& span = program_.variables[field].span;
        return written(program_, to, make_expression(OperandUse{0}, scalar_kind(type), span), {std::move(from)},
                       is_dual(type) ? Precision::dual : Precision::single, span);
    }
};

}  // namespace

std::optional<AlikeCells> with_alike_cells(Program& program, const LoopStatement& loop) {
    return Widening(program, loop).run();
}

}  // namespace kasc::rewriting
