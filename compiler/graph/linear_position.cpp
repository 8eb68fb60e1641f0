#include "graph/linear_position.hpp"

#include <cmath>

#include "frontend/expression_parts.hpp"

namespace kasc {

namespace {

/// Numbers of programs are far below: products of two of them do not overflow.
constexpr long long largest = 1LL << 31;

LinearPosition sum(LinearPosition a, const LinearPosition& b, long long times) {
    a.coefficient += times * b.coefficient;
    a.constant += times * b.constant;
    for (const auto& [term, factor] : b.terms)
        if ((a.terms[term] += times * factor) == 0) a.terms.erase(term);
    return a;
}

std::optional<LinearPosition> bounded(const LinearPosition& position) {
    const auto small = [](long long n) { return -largest < n && n < largest; };
    bool all = small(position.coefficient) && small(position.constant);
    for (const auto& [term, factor] : position.terms) all = all && small(factor);
    return all ? std::optional(position) : std::nullopt;
}

std::optional<long long> number(const LinearPosition& position) {
    return position.coefficient == 0 && position.terms.empty() ? std::optional(position.constant) : std::nullopt;
}

}  // namespace

std::optional<LinearPosition> linear_position(const Expression& e, LoopId loop, const Program& program) {
    if (const auto* literal = std::get_if<Literal>(&e.node)) {
        if (literal->value != std::trunc(literal->value) || std::abs(literal->value) >= largest) return std::nullopt;
        return LinearPosition{0, {}, static_cast<long long>(literal->value)};
    }
    if (const auto* use = std::get_if<LoopIndexUse>(&e.node); use != nullptr && use->loop == loop)
        return LinearPosition{1, {}, 0};
    if (const auto* u = std::get_if<UnaryOperation>(&e.node); u != nullptr && u->op == UnaryOperator::negate) {
        const auto operand = linear_position(*u->operand, loop, program);
        return operand ? bounded(sum({}, *operand, -1)) : std::nullopt;
    }
    const auto* b = std::get_if<BinaryOperation>(&e.node);
    const bool sums = b != nullptr && (b->op == BinaryOperator::add || b->op == BinaryOperator::subtract);
    if (sums || (b != nullptr && b->op == BinaryOperator::multiply)) {
        const auto left = linear_position(*b->left, loop, program), right = linear_position(*b->right, loop, program);
        if (!left || !right) return std::nullopt;
        if (sums) return bounded(sum(*left, *right, b->op == BinaryOperator::add ? 1 : -1));
        if (const auto factor = number(*right)) return bounded(sum({}, *left, *factor));
        if (const auto factor = number(*left)) return bounded(sum({}, *right, *factor));
    }
    if (uses_loop(e, loop)) return std::nullopt;
    return LinearPosition{0, {{to_text(e, program, {}), 1}}, 0};
}

}  // namespace kasc
