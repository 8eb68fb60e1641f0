#include "rewrite/words_of_statement.hpp"

#include "frontend/make_expression.hpp"
#include "frontend/new_field.hpp"
#include "frontend/rewrite_expression.hpp"
#include "graph/field_target.hpp"
#include "rewrite/known_values.hpp"
#include "rewrite/statements.hpp"

namespace kasc::rewriting {

namespace {

ExpressionRef with_operands_behind(const ExpressionRef& e, std::size_t first) {
    return with_leaves(e, [&](const ExpressionRef& leaf) -> ExpressionRef {
        const auto* use = std::get_if<OperandUse>(&leaf->node);
        return use == nullptr ? leaf : make_expression(OperandUse{first + use->operand}, leaf->kind, leaf->span);
    });
}

}  // namespace

void WordsOfStatement::finish(FieldStatement statement) {
    statement.span = from_.span;
    made_.emplace_back(with_equal_operands_once(statement));
}

bool WordsOfStatement::is_taken_as_it_is(const FieldStatement& value) const {
    const auto* use = std::get_if<OperandUse>(&value.value->node);
    if (use != nullptr) return field_shape(program_, value.operands[use->operand].variable).type == type_;
    return value.value->kind == kind() && known_value(*value.value, value.precision);
}

ExpressionRef WordsOfStatement::behind_others(const FieldStatement& value, std::vector<Operand>& operands) {
    const std::size_t first = operands.size();
    for (Operand read : value.operands) {
        // Positions count the operands before them.
        for (AxisIndex& index : read.indices)
            if (auto* computed = std::get_if<Computed>(&index))
                computed->position = with_operands_behind(computed->position, first);
        operands.push_back(std::move(read));
    }
    return with_operands_behind(value.value, first);
}

VariableId WordsOfStatement::add_field(FieldStatement statement, CellType type) {
    const VariableId target = new_field(program_, program_.variables[from_.target].name + "_word",
                                        free_axes(program_, result_), type, from_.span);
    statement.target = target;
    statement.target_indices.assign(field_shape(program_, target).axes.size(), AxisIndex{Offset{0}});
    statement.listed.clear();
    statement.where = nullptr;
    finish(std::move(statement));
    return target;
}

ExpressionRef WordsOfStatement::read(VariableId field, std::vector<Operand>& operands) const {
    const FieldShape& shape = field_shape(program_, field);
    operands.push_back({field, std::vector<AxisIndex>(shape.axes.size(), AxisIndex{Offset{0}}), from_.span});
    return make_expression(OperandUse{operands.size() - 1}, scalar_kind(shape.type), from_.span);
}

FieldStatement WordsOfStatement::word_of(VariableId field) const {
    FieldStatement word = result_;
    word.operands.clear();
    word.value = read(field, word.operands);
    return word;
}

ExpressionRef WordsOfStatement::joined(BinaryOperator op, const ExpressionRef& left, const ExpressionRef& right,
                                       ScalarKind kind) const {
    return make_expression(BinaryOperation{op, left, right}, kind, from_.span);
}

FieldStatement WordsOfStatement::chosen(FoldOperator op, const FieldStatement& first, const FieldStatement& second) {
    FieldStatement choice = result_;
    choice.operands.clear();
    const ExpressionRef a = behind_others(first, choice.operands), b = behind_others(second, choice.operands);
    const BinaryOperator beyond = op == FoldOperator::minimum ? BinaryOperator::less : BinaryOperator::greater;
    ExpressionRef takes = joined(beyond, b, a, ScalarKind::boolean);
    if (is_real())
        takes = joined(BinaryOperator::logical_or, takes, joined(BinaryOperator::not_equal, a, a, ScalarKind::boolean),
                       ScalarKind::boolean);
    choice.value = make_expression(Conditional{takes, b, a}, kind(), from_.span);
    choice.precision = precision();
    return word_of(add_field(std::move(choice), type_));
}

}  // namespace kasc::rewriting
