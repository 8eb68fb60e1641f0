// One a sum or product. What CUDA's functions take was counted in code compiled for sm_90 without fast math, on the
// path that common arguments take (sin and cos of less than 10^5). A kernel that raises the modulus of a wave number to
// a power for each cell of a spectrum of 512³ takes 0.448 ms, 197 issue slots a cell.
#include "model/field/instruction_count.hpp"

namespace kasc::model {

namespace {

double instructions_of(Intrinsic intrinsic) {
    switch (intrinsic) {
        case Intrinsic::pow:
            return 110;
        case Intrinsic::tan:
            return 45;
        case Intrinsic::sin:
        case Intrinsic::cos:
            return 35;
        case Intrinsic::log:
            return 25;
        case Intrinsic::tanh:
            return 20;
        case Intrinsic::exp:
            return 12;
        case Intrinsic::sqrt:
            return 9;
        case Intrinsic::exp2:
            return 4;
        default:
            return 1;
    }
}

constexpr double division = 9;

struct Count {
    double operator()(const UnaryOperation& node) const {
        return instruction_count(*node.operand) + (node.op == UnaryOperator::negate ? 1 : 0);
    }
    double operator()(const BinaryOperation& node) const {
        return instruction_count(*node.left) + instruction_count(*node.right) +
               (node.op == BinaryOperator::divide ? division : 1);
    }
    double operator()(const Conditional& node) const {
        return instruction_count(*node.condition) + instruction_count(*node.then) + instruction_count(*node.otherwise);
    }
    double operator()(const IntrinsicCall& node) const {
        double count = instructions_of(node.intrinsic);
        for (const ExpressionRef& argument : node.arguments) count += instruction_count(*argument);
        return count;
    }
    /// One an operation that the library states.
    double operator()(const FunctionWord& node) const {
        double count = node.operations;
        for (const ExpressionRef& argument : node.arguments) count += instruction_count(*argument);
        return count;
    }
    template <class Leaf>
    double operator()(const Leaf&) const {
        return 0;
    }
};

}  // namespace

double instruction_count(const Expression& expression) { return std::visit(Count{}, expression.node); }

}  // namespace kasc::model
