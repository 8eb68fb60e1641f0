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

const char* c_spelling(Type type) {
    switch (type) {
        case Type::f32:
            return "float";
        case Type::f64:
            return "double";
        case Type::i32:
            return "int";
        case Type::i64:
            return "long long";
        case Type::u8:
            return "unsigned char";
        case Type::boolean:
            return "bool";
        case Type::c32:
            return "float2";
        case Type::c64:
            return "double2";
    }
    return "?";
}

namespace {

const char* name_in_c(Intrinsic intrinsic) {
    switch (intrinsic) {
        case Intrinsic::exp:
            return "exp";
        case Intrinsic::exp2:
            return "exp2";
        case Intrinsic::log:
            return "log";
        case Intrinsic::sqrt:
            return "sqrt";
        case Intrinsic::pow:
            return "pow";
        case Intrinsic::sin:
            return "sin";
        case Intrinsic::cos:
            return "cos";
        case Intrinsic::tan:
            return "tan";
        case Intrinsic::tanh:
            return "tanh";
        case Intrinsic::abs:
            return "fabs";
        case Intrinsic::floor:
            return "floor";
        case Intrinsic::minimum:
            return "fmin";
        case Intrinsic::maximum:
            return "fmax";
        case Intrinsic::make_complex:
        case Intrinsic::conjugate:
        case Intrinsic::real_part:
        case Intrinsic::imaginary_part:
            break;  // no functions: the lowering takes complex numbers apart
    }
    return "?";
}

}  // namespace

std::string math_name(const char* function, Precision precision) {
    return precision == Precision::dual ? function : std::string(function) + "f";
}

std::string c_spelling(Intrinsic intrinsic, Precision precision) { return math_name(name_in_c(intrinsic), precision); }

ExprRef real_operation(BinaryOperator op, ExprRef left, ExprRef right, Precision precision) {
    if (op == BinaryOperator::modulo)
        return math_call(math_name("fmod", precision), {std::move(left), std::move(right)});
    return binary(c_spelling(op), std::move(left), std::move(right));
}

}  // namespace kasc::kernel
