#include "frontend/constant.hpp"

#include <cmath>
#include <stdexcept>

#include "frontend/evaluate.hpp"
#include "frontend/number_value.hpp"
#include "frontend/operators.hpp"

namespace kasc::frontend {

namespace {

std::optional<Constant> number_of(const ast::Number& number) {
    if (number.form == ast::NumberForm::real) {
        const auto value = real_value(number.text);
        return value ? std::optional(Constant{*value, false}) : std::nullopt;
    }
    const auto value = integer_value(number.text);
    return value ? std::optional(Constant{static_cast<double>(*value), true}) : std::nullopt;
}

std::optional<Constant> binary_of(BinaryOperator op, const Constant& l, const Constant& r) {
    const bool whole = l.whole && r.whole;
    const auto truth = [](bool value) { return Constant{value ? 1.0 : 0.0, true}; };
    switch (op) {
        case BinaryOperator::add:
            return Constant{l.value + r.value, whole};
        case BinaryOperator::subtract:
            return Constant{l.value - r.value, whole};
        case BinaryOperator::multiply:
            return Constant{l.value * r.value, whole};
        case BinaryOperator::divide:
        case BinaryOperator::divide_by_number:
            if (whole && r.value == 0) return std::nullopt;
            return Constant{whole ? std::trunc(l.value / r.value) : l.value / r.value, whole};
        case BinaryOperator::modulo:
            if (r.value == 0) return std::nullopt;
            return Constant{std::fmod(l.value, r.value), whole};
        case BinaryOperator::less:
            return truth(l.value < r.value);
        case BinaryOperator::less_equal:
            return truth(l.value <= r.value);
        case BinaryOperator::greater:
            return truth(l.value > r.value);
        case BinaryOperator::greater_equal:
            return truth(l.value >= r.value);
        case BinaryOperator::equal:
            return truth(l.value == r.value);
        case BinaryOperator::not_equal:
            return truth(l.value != r.value);
        case BinaryOperator::logical_and:
            return truth(l.value != 0 && r.value != 0);
        case BinaryOperator::logical_or:
            return truth(l.value != 0 || r.value != 0);
        case BinaryOperator::bit_and:
        case BinaryOperator::bit_or:
        case BinaryOperator::bit_xor:
        case BinaryOperator::shift_left:
        case BinaryOperator::shift_right:
            return whole ? std::optional(Constant{apply(op, l.value, r.value), true}) : std::nullopt;
    }
    throw std::logic_error("a constant of an unknown operator");
}

}  // namespace

std::optional<Constant> constant_of(const ast::Expression& e,
                                    const std::function<std::optional<Constant>(const std::string&)>& option) {
    if (const auto* number = std::get_if<ast::Number>(&e.node)) return number_of(*number);
    if (const auto* use = std::get_if<ast::NameUse>(&e.node)) return option(use->name);
    if (const auto* u = std::get_if<ast::Unary>(&e.node)) {
        const auto value = constant_of(*u->operand, option);
        if (!value) return std::nullopt;
        if (u->op == UnaryOperator::negate) return Constant{-value->value, value->whole};
        if (u->op == UnaryOperator::complement && !value->whole) return std::nullopt;
        return Constant{apply(u->op, value->value), true};
    }
    if (const auto* b = std::get_if<ast::Binary>(&e.node)) {
        const auto left = constant_of(*b->left, option), right = constant_of(*b->right, option);
        return left && right ? binary_of(b->op, *left, *right) : std::nullopt;
    }
    if (const auto* c = std::get_if<ast::Conditional>(&e.node)) {
        const auto condition = constant_of(*c->condition, option);
        return condition ? constant_of(condition->value != 0 ? *c->then : *c->otherwise, option) : std::nullopt;
    }
    return std::nullopt;
}

}  // namespace kasc::frontend
