#include "schedule/field/calls_functions.hpp"

#include "frontend/expression_parts.hpp"

namespace kasc {

namespace {

bool is_function(const Expression& part) {
    if (std::holds_alternative<FunctionWord>(part.node)) return true;
    const auto* call = std::get_if<IntrinsicCall>(&part.node);
    if (call == nullptr) return false;
    switch (call->intrinsic) {
        case Intrinsic::abs:
        case Intrinsic::floor:
        case Intrinsic::ceil:
        case Intrinsic::round:
        case Intrinsic::to_integer:
        case Intrinsic::to_real:
        case Intrinsic::sqrt:
        case Intrinsic::minimum:
        case Intrinsic::maximum:
        case Intrinsic::make_complex:
        case Intrinsic::conjugate:
        case Intrinsic::real_part:
        case Intrinsic::imaginary_part:
            return false;
        default:
            return true;
    }
}

}  // namespace

bool calls_functions(const Expression& expression) { return any_part(expression, is_function); }

int functions_called(const Expression& expression) {
    int count = 0;
    for_each_part(expression, [&](const Expression& part) { count += is_function(part) ? 1 : 0; });
    return count;
}

bool has_slow_path(const Expression& expression) {
    return any_part(expression, [](const Expression& part) {
        if (is_uniform(part)) return false;
        if (std::holds_alternative<FunctionWord>(part.node)) return true;
        if (const auto* b = std::get_if<BinaryOperation>(&part.node))
            return b->op == BinaryOperator::divide && part.kind != ScalarKind::integer;
        const auto* call = std::get_if<IntrinsicCall>(&part.node);
        if (call == nullptr) return false;
        switch (call->intrinsic) {
            case Intrinsic::sqrt:
            case Intrinsic::hypot:
            case Intrinsic::pow:
            case Intrinsic::atan2:
            case Intrinsic::sin:
            case Intrinsic::cos:
            case Intrinsic::tan:
            case Intrinsic::tanh:
                return true;
            default:
                return false;
        }
    });
}

}  // namespace kasc
