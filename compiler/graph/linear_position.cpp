#include "graph/linear_position.hpp"

#include <cmath>
#include <utility>

#include "frontend/expression_parts.hpp"
#include "frontend/make_expression.hpp"

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

/// In an iteration that is a sum of terms itself.
LinearPosition in_iteration(const LinearPosition& position, const LinearPosition& iteration) {
    LinearPosition there = position;
    there.coefficient = 0;
    return sum(there, iteration, position.coefficient);
}

/// a - b, as far as both differ by a number alone.
std::optional<long long> difference(const LinearPosition& a, const LinearPosition& b) { return number(sum(a, b, -1)); }

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

std::optional<LinearPosition> position_behind_first(const Expression& position, LoopId loop, const ExpressionRef& from,
                                                    const ExpressionRef& to, const Program& program) {
    if (auto evenly = linear_position(position, loop, program)) return evenly;
    const auto* call = std::get_if<IntrinsicCall>(&position.node);
    if (call == nullptr || call->arguments.size() != 2) return std::nullopt;
    const bool most = call->intrinsic == Intrinsic::minimum;
    if (!most && call->intrinsic != Intrinsic::maximum) return std::nullopt;
    auto moves = linear_position(*call->arguments[0], loop, program),
         stays = linear_position(*call->arguments[1], loop, program);
    const auto begin = linear_position(*from, loop, program), end = linear_position(*to, loop, program);
    if (!moves || !stays || !begin || !end) return std::nullopt;
    if (moves->coefficient == 0) std::swap(moves, stays);
    if (moves->coefficient == 0 || stays->coefficient != 0) return std::nullopt;
    // Where it comes closest to what bounds it: in the second iteration, or in the last.
    LinearPosition closest = (moves->coefficient > 0) == most ? *end : *begin;
    closest.constant += (moves->coefficient > 0) == most ? -1 : 1;
    const auto beyond = difference(in_iteration(*moves, closest), *stays);
    return beyond && (most ? *beyond <= 0 : *beyond >= 0) ? moves : std::nullopt;
}

namespace {

PositionRange of_sides(BinaryOperator op, const PositionRange& left, const PositionRange& right,
                       const ExpressionRef& like) {
    const bool turns = op == BinaryOperator::subtract;  // the more is taken away, the less is left
    return {make_integer(BinaryOperation{op, left.low, turns ? right.high : right.low}, like->span),
            make_integer(BinaryOperation{op, left.high, turns ? right.low : right.high}, like->span)};
}

/// Between two multiples of `by` remainders grow; over a multiple they begin again.
PositionRange of_remainder(const PositionRange& of, const ExpressionRef& by, const ExpressionRef& like) {
    const auto of_by = [&](BinaryOperator op, const ExpressionRef& e) {
        return make_integer(BinaryOperation{op, e, by}, like->span);
    };
    const auto number = [&](int n) { return make_integer(Literal{static_cast<double>(n)}, like->span); };
    const ExpressionRef within =
        make_expression(BinaryOperation{BinaryOperator::equal, of_by(BinaryOperator::divide, of.low),
                                        of_by(BinaryOperator::divide, of.high)},
                        ScalarKind::boolean, like->span);
    const ExpressionRef most = make_integer(BinaryOperation{BinaryOperator::subtract, by, number(1)}, like->span);
    // Remainders of negative numbers are negative.
    const ExpressionRef least = make_integer(IntrinsicCall{Intrinsic::minimum, {of.low, number(0)}}, like->span);
    return {make_integer(Conditional{within, of_by(BinaryOperator::modulo, of.low), least}, like->span),
            make_integer(Conditional{within, of_by(BinaryOperator::modulo, of.high), most}, like->span)};
}

}  // namespace

std::optional<PositionRange> position_range(const ExpressionRef& e, LoopId loop, const ExpressionRef& first,
                                            const ExpressionRef& last) {
    if (e->kind != ScalarKind::integer) return std::nullopt;
    if (!uses_loop(*e, loop)) return PositionRange{e, e};
    if (std::holds_alternative<LoopIndexUse>(e->node)) return PositionRange{first, last};
    const auto range_of = [&](const ExpressionRef& part) { return position_range(part, loop, first, last); };
    if (const auto* u = std::get_if<UnaryOperation>(&e->node); u != nullptr && u->op == UnaryOperator::negate) {
        const auto of = range_of(u->operand);
        if (!of) return std::nullopt;
        return PositionRange{make_integer(UnaryOperation{u->op, of->high}, e->span),
                             make_integer(UnaryOperation{u->op, of->low}, e->span)};
    }
    if (const auto* call = std::get_if<IntrinsicCall>(&e->node)) {
        const bool bounds = call->intrinsic == Intrinsic::minimum || call->intrinsic == Intrinsic::maximum;
        if (!bounds || call->arguments.size() != 2) return std::nullopt;
        const auto left = range_of(call->arguments[0]), right = range_of(call->arguments[1]);
        if (!left || !right || (uses_loop(*call->arguments[0], loop) && uses_loop(*call->arguments[1], loop)))
            return std::nullopt;
        return PositionRange{make_integer(IntrinsicCall{call->intrinsic, {left->low, right->low}}, e->span),
                             make_integer(IntrinsicCall{call->intrinsic, {left->high, right->high}}, e->span)};
    }
    const auto* b = std::get_if<BinaryOperation>(&e->node);
    if (b == nullptr) return std::nullopt;
    const auto left = range_of(b->left), right = range_of(b->right);
    if (!left || !right || (uses_loop(*b->left, loop) && uses_loop(*b->right, loop))) return std::nullopt;
    const auto factor = written_integer(*b->right);
    switch (b->op) {
        case BinaryOperator::add:
        case BinaryOperator::subtract:
            return of_sides(b->op, *left, *right, e);
        case BinaryOperator::multiply: {
            const auto other = written_integer(*b->left);
            if (!factor && !other) return std::nullopt;
            const PositionRange made = of_sides(b->op, *left, *right, e);
            return factor.value_or(0) + other.value_or(0) >= 0 ? made : PositionRange{made.high, made.low};
        }
        case BinaryOperator::divide:
            return factor && *factor > 0 ? std::optional(of_sides(b->op, *left, *right, e)) : std::nullopt;
        case BinaryOperator::modulo:
            return uses_loop(*b->right, loop) ? std::nullopt : std::optional(of_remainder(*left, b->right, e));
        default:
            return std::nullopt;
    }
}

}  // namespace kasc
