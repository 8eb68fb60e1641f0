#include "kernel/c_spelling.hpp"

#include <utility>

#include "frontend/real_function.hpp"

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
        case BinaryOperator::divide_by_number:
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
        case BinaryOperator::bit_and:
            return "&";
        case BinaryOperator::bit_or:
            return "|";
        case BinaryOperator::bit_xor:
            return "^";
        case BinaryOperator::shift_left:
            return "<<";
        case BinaryOperator::shift_right:
            return ">>";
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
        case Type::f16:
            return "kasc_half";
        case Type::bf16:
            return "kasc_bfloat16";
    }
    return "?";
}

std::string math_name(const char* function, Precision precision) {
    return precision == Precision::dual ? function : std::string(function) + "f";
}

std::string c_spelling(Intrinsic intrinsic, Precision precision) {
    const RealFunction* function = real_function(intrinsic);
    // The others are no functions: the lowering takes complex numbers apart, and converts.
    return function == nullptr ? "?" : math_name(function->name, precision);
}

ExprRef whole_call(Intrinsic intrinsic, std::vector<ExprRef> arguments, Precision precision, bool is_long) {
    if (intrinsic == Intrinsic::to_integer)
        return math_call(math_name(is_long ? whole_function::long_of_real : whole_function::of_real, precision),
                         std::move(arguments));
    const char* name = intrinsic == Intrinsic::minimum   ? whole_function::minimum
                       : intrinsic == Intrinsic::maximum ? whole_function::maximum
                                                         : whole_function::absolute;
    return math_call(name, std::move(arguments));
}

namespace {

const Integer* number_in(const ExprRef& e) {
    const auto* converted = std::get_if<Wide>(&e->node);
    return std::get_if<Integer>(&(converted != nullptr ? converted->operand : e)->node);
}

/// A number, which the front end takes where integers have such a bit alone, or what is made to be less than `bits`.
bool counts_bits(const ExprRef& e, int bits) {
    if (number_in(e) != nullptr) return true;
    const auto* masked = std::get_if<Binary>(&e->node);
    const Integer* mask = masked != nullptr && masked->op == "&" ? number_in(masked->right) : nullptr;
    return mask != nullptr && mask->value >= 0 && mask->value < bits;
}

}  // namespace

ExprRef whole_operation(BinaryOperator op, ExprRef left, ExprRef right, bool is_long) {
    const int bits = is_long ? 64 : 32;
    const bool shifts = op == BinaryOperator::shift_left || op == BinaryOperator::shift_right;
    if (shifts && !counts_bits(right, bits)) right = binary("&", std::move(right), integer(bits - 1));
    return binary(c_spelling(op), std::move(left), std::move(right));
}

ExprRef real_operation(BinaryOperator op, ExprRef left, ExprRef right, Precision precision) {
    if (op == BinaryOperator::modulo)
        return math_call(math_name("fmod", precision), {std::move(left), std::move(right)});
    if (op == BinaryOperator::divide_by_number)
        return math_call(math_name(over_number, precision), {std::move(left), std::move(right)});
    return binary(c_spelling(op), std::move(left), std::move(right));
}

}  // namespace kasc::kernel
