#include "rewrite/whole_numbers.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "frontend/make_expression.hpp"
#include "frontend/rewrite_expression.hpp"

namespace kasc::rewriting {

namespace {

/// The expression with another for the index of a loop.
class Indexed {
public:
    Indexed(LoopId loop, ExpressionRef index) : loop_(loop), index_(std::move(index)) {}

    /// `in_reals`: as of with_leaves.
    [[nodiscard]] ExpressionRef operator()(const ExpressionRef& e, bool in_reals = false) const {
        const auto leaf = [&](const ExpressionRef& of) {
            const auto* index = std::get_if<LoopIndexUse>(&of->node);
            return index != nullptr && index->loop == loop_ ? index_ : of;
        };
        return with_leaves(e, leaf, in_reals);
    }

private:
    LoopId loop_;
    ExpressionRef index_;
};

void move_positions(std::vector<AxisIndex>& indices, const Indexed& indexed) {
    for (AxisIndex& index : indices) {
        if (auto* absolute = std::get_if<Absolute>(&index)) absolute->position = indexed(absolute->position);
        if (auto* computed = std::get_if<Computed>(&index)) computed->position = indexed(computed->position);
    }
}

Statement moved(const Statement& statement, LoopId loop, const ExpressionRef& index) {
    const Indexed indexed(loop, index);
    if (const auto* inner = std::get_if<std::shared_ptr<const LoopStatement>>(&statement)) {
        LoopStatement made = **inner;
        made.from = indexed(made.from);
        made.to = indexed(made.to);
        made.body = at_index(made.body, loop, index);
        return std::make_shared<const LoopStatement>(std::move(made));
    }
    const auto* field = std::get_if<FieldStatement>(&statement);
    if (field == nullptr) return statement;
    FieldStatement made = *field;
    made.value = indexed(made.value);
    if (made.where) made.where = indexed(made.where);
    move_positions(made.target_indices, indexed);
    move_positions(made.at, indexed);
    for (Operand& operand : made.operands) move_positions(operand.indices, indexed);
    return made;
}

ExpressionRef chosen(Intrinsic which, const ExpressionRef& left, const ExpressionRef& right) {
    return make_expression(IntrinsicCall{which, {left, right}}, ScalarKind::integer, left->span);
}

}  // namespace

std::optional<long long> whole_number_of(const ExpressionRef& e) {
    const auto* literal = std::get_if<Literal>(&e->node);
    return literal == nullptr ? std::nullopt : std::make_optional(std::llround(literal->value));
}

ExpressionRef counted(long long value) {
    return make_expression(Literal{static_cast<double>(value)}, ScalarKind::integer, {});
}

ExpressionRef arithmetic(BinaryOperator op, const ExpressionRef& left, const ExpressionRef& right) {
    const auto a = whole_number_of(left), b = whole_number_of(right);
    if (a && b && op == BinaryOperator::add) return counted(*a + *b);
    if (a && b && op == BinaryOperator::subtract) return counted(*a - *b);
    if (a && b && op == BinaryOperator::multiply) return counted(*a * *b);
    if (op == BinaryOperator::add && a == 0) return right;
    if (b == 0 && op != BinaryOperator::divide && op != BinaryOperator::multiply) return left;
    return make_expression(BinaryOperation{op, left, right}, ScalarKind::integer, left->span);
}

ExpressionRef smaller(const ExpressionRef& left, const ExpressionRef& right) {
    const auto a = whole_number_of(left), b = whole_number_of(right);
    return a && b ? counted(std::min(*a, *b)) : chosen(Intrinsic::minimum, left, right);
}

ExpressionRef larger(const ExpressionRef& left, const ExpressionRef& right) {
    const auto a = whole_number_of(left), b = whole_number_of(right);
    return a && b ? counted(std::max(*a, *b)) : chosen(Intrinsic::maximum, left, right);
}

ExpressionRef at_index(const ExpressionRef& e, LoopId loop, const ExpressionRef& index) {
    return Indexed(loop, index)(e);
}

Statements at_index(const Statements& body, LoopId loop, const ExpressionRef& index) {
    Statements made;
    std::transform(body.begin(), body.end(), std::back_inserter(made),
                   [&](const Statement& statement) { return moved(statement, loop, index); });
    return made;
}

}  // namespace kasc::rewriting
