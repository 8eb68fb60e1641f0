#pragma once
// Expressions of one statement within another, whose cells stand elsewhere.

#include <functional>
#include <map>

#include "frontend/make_expression.hpp"
#include "frontend/program.hpp"
#include "frontend/rewrite_expression.hpp"

namespace kasc {

/// A statement's expressions within another statement, which has the entry's coordinates otherwise.
class Moved {
public:
    /// `coordinate`: of an axis of the entries; null: it stays.
    Moved(const Program& program, const FieldStatement& from, FieldStatement& to,
          std::function<ExpressionRef(AxisId)> coordinate)
        : program_(program), from_(from), to_(to), coordinate_(std::move(coordinate)) {}

    [[nodiscard]] ExpressionRef expression(const ExpressionRef& e) {
        return with_leaves(e, [&](const ExpressionRef& leaf) -> ExpressionRef {
            if (const auto* at = std::get_if<CoordinateUse>(&leaf->node)) {
                const ExpressionRef moved = coordinate_(at->axis);
                return moved ? moved : leaf;
            }
            const auto* use = std::get_if<OperandUse>(&leaf->node);
            return use == nullptr ? leaf : make_expression(OperandUse{number(use->operand)}, leaf->kind, leaf->span);
        });
    }
    /// The number of an operand that stands for this one.
    void stands_for(std::size_t before, std::size_t now) { numbers_[before] = now; }

private:
    const Program& program_;
    const FieldStatement& from_;
    FieldStatement& to_;
    std::function<ExpressionRef(AxisId)> coordinate_;
    std::map<std::size_t, std::size_t> numbers_;

    std::size_t number(std::size_t before) {
        if (const auto known = numbers_.find(before); known != numbers_.end()) return known->second;
        Operand operand = from_.operands.at(before);
        const std::vector<AxisId>& axes = field_shape(program_, operand.variable).axes;
        for (std::size_t k = 0; k < axes.size(); ++k) {
            AxisIndex& index = operand.indices[k];
            if (const auto* computed = std::get_if<Computed>(&index)) {
                index = Computed{expression(computed->position)};
            } else if (std::holds_alternative<Offset>(index)) {
                const ExpressionRef moved = coordinate_(axes[k]);
                if (moved) index = is_uniform(*moved) ? AxisIndex{Absolute{moved}} : AxisIndex{Computed{moved}};
            }
        }
        to_.operands.push_back(std::move(operand));
        return numbers_[before] = to_.operands.size() - 1;
    }
};

}  // namespace kasc
