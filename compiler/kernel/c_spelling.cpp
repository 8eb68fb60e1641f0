#include "kernel/c_spelling.hpp"

#include <utility>

namespace kasc::kernel {

const char* c_spelling(BinaryOperator op) {
    switch (op) {
        case BinaryOperator::add:
            return "+";
        case BinaryOperator::subtract:
            return "-";
        case BinaryOperator::multiply:
            return "*";
        case BinaryOperator::divide:
            return "/";
        case BinaryOperator::modulo:
            return "%";
        case BinaryOperator::less:
            return "<";
        case BinaryOperator::less_equal:
            return "<=";
        case BinaryOperator::greater:
            return ">";
        case BinaryOperator::greater_equal:
            return ">=";
        case BinaryOperator::equal:
            return "==";
        case BinaryOperator::not_equal:
            return "!=";
        case BinaryOperator::logical_and:
            return "&&";
        case BinaryOperator::logical_or:
            return "||";
    }
    return "?";
}

const char* c_spelling(Intrinsic intrinsic) {
    switch (intrinsic) {
        case Intrinsic::exp:
            return "expf";
        case Intrinsic::log:
            return "logf";
        case Intrinsic::sqrt:
            return "sqrtf";
        case Intrinsic::pow:
            return "powf";
        case Intrinsic::sin:
            return "sinf";
        case Intrinsic::cos:
            return "cosf";
        case Intrinsic::tan:
            return "tanf";
        case Intrinsic::tanh:
            return "tanhf";
        case Intrinsic::abs:
            return "fabsf";
        case Intrinsic::floor:
            return "floorf";
        case Intrinsic::minimum:
            return "fminf";
        case Intrinsic::maximum:
            return "fmaxf";
    }
    return "?";
}

ExprRef operation(BinaryOperator op, ExprRef left, ExprRef right, bool real) {
    if (real && op == BinaryOperator::modulo) return math_call("fmodf", {std::move(left), std::move(right)});
    return binary(c_spelling(op), std::move(left), std::move(right));
}

}  // namespace kasc::kernel
