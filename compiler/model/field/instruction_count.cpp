// One a sum or product. What CUDA's functions take was counted in code compiled for sm_90 without fast math, on the
// path that common arguments take (sin and cos of less than 10^5). A kernel that raises the modulus of a wave number to
// a power for each cell of a spectrum of 512³ takes 0.448 ms, 197 issue slots a cell.
// asin, acos, atan, atan2, sinh, cosh, cbrt, hypot, erf, erfc, expm1 and the other logarithms: seven tenths of their
// PTX instructions (CUDA 13.0), which is what the ones that were counted come to.
#include "model/field/instruction_count.hpp"

#include <unordered_set>

#include "foundation/divisors.hpp"
#include "frontend/expression_parts.hpp"
#include "frontend/same_expression.hpp"

namespace kasc::model {

namespace {

double instructions_of(Intrinsic intrinsic) {
    switch (intrinsic) {
        case Intrinsic::pow:
            return 110;
        case Intrinsic::random:
            return 72;  // ten rounds of two products of 64 bits and what joins them
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

/// Whether a quotient is a division, and no product.
bool divides(const BinaryOperation& quotient) {
    const auto* number = std::get_if<Literal>(&quotient.right->node);
    return quotient.op == BinaryOperator::divide && (number == nullptr || !is_power_of_two(number->value));
}
double instructions_of(const BinaryOperation& operation) {
    return divides(operation) ? division : operation.op == BinaryOperator::divide_by_number ? 2 : 1;
}

/// Cost of double, in slots of float32 (two each: 64 lanes in place of 128, CUDA C++ Programming Guide, 8.0 and 9.0),
/// against the same in float32. Code compiled for sm_90: a division has 17 instructions, 7 of them of double, a root 22
/// and 8, exp 61 and 18, log 84 and 30, tanh 102 and 34.
constexpr double double_sum = 2, double_quotient = 2.7, double_function = 4.5;

/// Instructions of the node itself, without its operands.
struct Own {
    double operator()(const UnaryOperation& node) const { return node.op == UnaryOperator::logical_not ? 0 : 1; }
    double operator()(const BinaryOperation& node) const { return instructions_of(node); }
    double operator()(const IntrinsicCall& node) const { return instructions_of(node.intrinsic); }
    /// One an operation that the library states.
    double operator()(const FunctionWord& node) const { return node.operations; }
    template <class Other>
    double operator()(const Other&) const {
        return 0;
    }
};

/// Several expressions, whose common parts count once.
class Counting {
public:
    explicit Counting(Precision precision) : precision_(precision) {}

    double counted(const Expression& e) {
        if (is_uniform(e) || !seen_.insert(&e).second) return 0;  // the host computes what is the same for all cells
        double count = own_instructions(e, precision_);
        for_each_operand_part(e, [&](const Expression& part) { count += counted(part); });
        return count;
    }

private:
    Precision precision_;
    std::unordered_set<const Expression*> seen_;
};

}  // namespace

double own_instructions(const Expression& expression, Precision precision) {
    const double own = std::visit(Own{}, expression.node);
    if (precision == Precision::single || expression.kind == ScalarKind::integer) return own;
    const auto* operation = std::get_if<BinaryOperation>(&expression.node);
    if (own <= 1 || (operation != nullptr && !divides(*operation))) return own * double_sum;
    const auto* call = std::get_if<IntrinsicCall>(&expression.node);
    const bool root = call != nullptr && call->intrinsic == Intrinsic::sqrt;
    return own * (root || call == nullptr ? double_quotient : double_function);
}

int slow_paths(const Expression& expression) {
    std::vector<std::pair<ExpressionRef, ExpressionRef>> all;  // of a root the second is null
    for_each_distinct_part(expression, [&](const Expression& part) {
        if (is_uniform(part)) return;  // the host computes it
        const auto* operation = std::get_if<BinaryOperation>(&part.node);
        const auto* call = std::get_if<IntrinsicCall>(&part.node);
        if (operation != nullptr && part.kind != ScalarKind::integer && divides(*operation))
            all.emplace_back(operation->left, operation->right);
        if (call != nullptr && call->intrinsic == Intrinsic::sqrt) all.emplace_back(call->arguments.front(), nullptr);
    });
    int count = 0;
    for (auto one = all.begin(); one != all.end(); ++one) {
        const bool known = std::any_of(all.begin(), one, [&](const auto& before) {
            if ((before.second == nullptr) != (one->second == nullptr)) return false;
            return same_expression(before.first, one->first) &&
                   (one->second == nullptr || same_expression(before.second, one->second));
        });
        count += known ? 0 : 1;
    }
    return count;
}

double instruction_count(const Expression& expression, Precision precision) {
    return Counting(precision).counted(expression);
}

double instruction_count(const FieldStatement& statement) {
    Counting counting(statement.precision);
    double count = counting.counted(*statement.value);
    const auto positions = [&](const std::vector<AxisIndex>& indices) {
        for (const AxisIndex& index : indices)
            if (const auto* computed = std::get_if<Computed>(&index)) count += counting.counted(*computed->position);
    };
    for (const Operand& operand : statement.operands) positions(operand.indices);
    positions(statement.target_indices);
    return count;
}

}  // namespace kasc::model
