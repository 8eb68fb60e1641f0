// One a sum or product. What CUDA's functions take was counted in code compiled for sm_90 without fast math, on the
// path that common arguments take (sin and cos of less than 10^5). A kernel that raises the modulus of a wave number to
// a power for each cell of a spectrum of 512³ takes 0.448 ms, 197 issue slots a cell.
// asin, acos, atan, atan2, sinh, cosh, cbrt, hypot, erf, erfc, expm1 and the other logarithms: seven tenths of their
// PTX instructions (CUDA 13.0), which is what the ones that were counted come to.
#include "model/field/instruction_count.hpp"

#include "frontend/expression_parts.hpp"

namespace kasc::model {

namespace {

double instructions_of(Intrinsic intrinsic) {
    switch (intrinsic) {
        case Intrinsic::pow:
            return 110;
        case Intrinsic::atan2:
        case Intrinsic::erfc:
            return 50;
        case Intrinsic::tan:
            return 45;
        case Intrinsic::sin:
        case Intrinsic::cos:
            return 35;
        case Intrinsic::log1p:
            return 32;
        case Intrinsic::acos:
        case Intrinsic::sinh:
        case Intrinsic::expm1:
        case Intrinsic::hypot:
            return 27;
        case Intrinsic::log:
        case Intrinsic::log2:
        case Intrinsic::log10:
        case Intrinsic::asin:
        case Intrinsic::atan:
            return 25;
        case Intrinsic::tanh:
        case Intrinsic::cosh:
        case Intrinsic::erf:
            return 20;
        case Intrinsic::exp:
        case Intrinsic::cbrt:
            return 12;
        case Intrinsic::sqrt:
            return 9;
        case Intrinsic::exp2:
        case Intrinsic::round:
            return 4;
        default:
            return 1;
    }
}

constexpr double division = 9;

/// Of the node itself, without its operands.
struct Own {
    double operator()(const UnaryOperation& node) const { return node.op == UnaryOperator::logical_not ? 0 : 1; }
    double operator()(const BinaryOperation& node) const { return node.op == BinaryOperator::divide ? division : 1; }
    double operator()(const IntrinsicCall& node) const { return instructions_of(node.intrinsic); }
    /// One an operation that the library states.
    double operator()(const FunctionWord& node) const { return node.operations; }
    template <class Other>
    double operator()(const Other&) const {
        return 0;
    }
};

}  // namespace

double own_instructions(const Expression& expression) { return std::visit(Own{}, expression.node); }

double instruction_count(const Expression& expression) {
    double count = own_instructions(expression);
    for_each_operand_part(expression, [&](const Expression& part) { count += instruction_count(part); });
    return count;
}

}  // namespace kasc::model
