#include "basis/wave_numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <map>

#include "basis/scales.hpp"
#include "frontend/evaluate.hpp"
#include "frontend/expression_parts.hpp"
#include "graph/statements.hpp"

namespace kasc::basis {

namespace {

using Number = std::complex<double>;

/// Where a cell of a statement stands, in a grid of so many cells.
struct Place {
    std::map<AxisId, long long> at;
    std::vector<long long> extents;
};

/// What a statement computes at a place. Operands are numbers that are told apart: whatever they hold, it is the same
/// of the same wave. What has no value here is NaN.
class Value {
public:
    Value(const Place& place, const std::vector<double>& parameters) : place_(place), parameters_(parameters) {}

    [[nodiscard]] Number of(const Expression& e) const {
        const Number value = std::visit([&](const auto& node) { return of_node(node, e); }, e.node);
        return e.kind == ScalarKind::integer ? Number(std::trunc(value.real())) : value;
    }

private:
    const Place& place_;
    const std::vector<double>& parameters_;

    [[nodiscard]] static Number none() { return std::nan(""); }
    [[nodiscard]] Number of_node(const Literal& node, const Expression&) const { return node.value; }
    [[nodiscard]] Number of_node(const ParameterUse& node, const Expression&) const {
        return parameters_.at(node.parameter.index);
    }
    [[nodiscard]] Number of_node(const LoopIndexUse&, const Expression&) const { return 3; }
    [[nodiscard]] Number of_node(const CoordinateUse& node, const Expression&) const {
        return static_cast<double>(place_.at.at(node.axis));
    }
    [[nodiscard]] Number of_node(const ExtentUse& node, const Expression&) const {
        return static_cast<double>(place_.extents.at(node.axis.index));
    }
    [[nodiscard]] Number of_node(const OperandUse& node, const Expression& e) const {
        const double real = 1.25 + 0.5 * static_cast<double>(node.operand);
        return e.kind == ScalarKind::complex ? Number(real, 0.375) : Number(real);
    }
    [[nodiscard]] Number of_node(const UnaryOperation& node, const Expression&) const {
        const Number operand = of(*node.operand);
        return node.op == UnaryOperator::negate ? -operand : Number(apply(node.op, operand.real()));
    }
    [[nodiscard]] Number of_node(const BinaryOperation& node, const Expression&) const {
        const Number left = of(*node.left), right = of(*node.right);
        switch (node.op) {
            case BinaryOperator::add:
                return left + right;
            case BinaryOperator::subtract:
                return left - right;
            case BinaryOperator::multiply:
                return left * right;
            case BinaryOperator::divide:
            case BinaryOperator::divide_by_number:
                return left / right;
            default:
                return apply(node.op, left.real(), right.real());
        }
    }
    [[nodiscard]] Number of_node(const Conditional& node, const Expression&) const {
        return of(of(*node.condition).real() != 0 ? *node.then : *node.otherwise);
    }
    [[nodiscard]] Number of_node(const IntrinsicCall& node, const Expression&) const {
        std::vector<Number> arguments;
        for (const ExpressionRef& argument : node.arguments) arguments.push_back(of(*argument));
        const bool complex = node.arguments.front()->kind == ScalarKind::complex;
        switch (node.intrinsic) {
            case Intrinsic::make_complex:
                return {arguments[0].real(), arguments[1].real()};
            case Intrinsic::conjugate:
                return std::conj(arguments[0]);
            case Intrinsic::real_part:
                return arguments[0].real();
            case Intrinsic::imaginary_part:
                return arguments[0].imag();
            case Intrinsic::phase:
                return std::arg(arguments[0]);
            case Intrinsic::random:
                return none();
            default:
                break;
        }
        if (complex && node.intrinsic == Intrinsic::exp) return std::exp(arguments[0]);
        if (complex && node.intrinsic == Intrinsic::sqrt) return std::sqrt(arguments[0]);
        if (complex) return node.intrinsic == Intrinsic::abs ? Number(std::abs(arguments[0])) : none();
        return apply(node.intrinsic, arguments[0].real(), arguments.size() > 1 ? arguments[1].real() : 0);
    }
    [[nodiscard]] Number of_node(const FunctionWord&, const Expression&) const { return none(); }
};

class Trials {
public:
    Trials(const Program& program, const Domains& domains, const std::vector<long long>& extents,
           const std::vector<double>& parameters)
        : program_(program), domains_(domains), extents_(extents), parameters_(parameters) {}

    [[nodiscard]] bool is_right(const FieldStatement& s) const {
        std::vector<AxisId> waves, all;
        for (const AxisId axis : program_.axes.ids()) {
            if (asks_for(*s.value, axis) || domains_.along(s, axis)) all.push_back(axis);
            if (domains_.cut(axis) != nullptr && domains_.along(s, axis) == Along::waves) waves.push_back(axis);
        }
        Place one{{}, extents_};
        for (const AxisId axis : all) one.at[axis] = std::min(3LL, extents_.at(axis.index) - 1);
        Place other = one;
        for (const AxisId axis : waves) double_axis(axis, other);
        for (const AxisId axis : waves) {
            const long long n = extents_.at(axis.index), kept = one.at[axis];
            for (const long long i : {0LL, 1LL, 2LL, n / 4, n / 2 - 1, n / 2, n / 2 + 1, n - 2, n - 1}) {
                if (i < 0 || i >= n) continue;
                one.at[axis] = i;
                other.at[axis] = 2 * i;
                if (!alike(Value(one, parameters_).of(*s.value), Value(other, parameters_).of(*s.value))) return false;
            }
            one.at[axis] = kept;
            other.at[axis] = 2 * kept;
        }
        return true;
    }

private:
    const Program& program_;
    const Domains& domains_;
    const std::vector<long long>& extents_;
    const std::vector<double>& parameters_;

    void double_axis(AxisId axis, Place& place) const {
        const AxisId whole = domains_.cut(axis)->axis;
        place.at[axis] *= 2;
        place.extents[whole.index] = 2 * extents_.at(whole.index);
        for (const AxisId half : program_.axes.ids()) {
            if (program_.axes[half].half_of == whole) place.extents[half.index] = extents_.at(whole.index) + 1;
        }
    }
    [[nodiscard]] static bool alike(const Number& a, const Number& b) {
        constexpr double rounding = 1e-6;
        const auto near = [&](double x, double y) {
            const double largest = std::max({std::abs(x), std::abs(y), std::abs(a), std::abs(b)});
            return x == y || (std::isnan(x) && std::isnan(y)) || std::abs(x - y) <= rounding * largest;
        };
        return near(a.real(), b.real()) && near(a.imag(), b.imag());
    }
};

}  // namespace

Diagnostics check_wave_numbers(const Program& program, const Domains& domains, const std::vector<long long>& extents,
                               const std::vector<double>& parameters) {
    const Trials trials(program, domains, extents, parameters);
    Diagnostics found;
    const std::vector<BackScale> scales = scales_back(program);
    // What a transform back is scaled by is the block's own.
    const auto without_scale = [&](const FieldStatement& s) {
        FieldStatement made = s;
        for (const BackScale& scale : scales) {
            if (scale.where_made && scale.source == s.target)
                made.value = std::get<BinaryOperation>(s.value->node).right;
        }
        return made;
    };
    statements::each_statement(program.statements, [&](const Statement& statement) {
        const auto* s = std::get_if<FieldStatement>(&statement);
        if (s == nullptr || !domains.runs_along_waves(*s) || trials.is_right(without_scale(*s))) return;
        found.push_back(basis_fault(
            fmt::format("'{}' is made of the numbers of waves, and not of these over extents: a block has others",
                        program.variables[s->target].name),
            s->span, "of the same wave it would be another number there",
            "write the number of cells as extent(x), and what is as long as the grid as extent(x) times its cells"));
    });
    return tidy(std::move(found));
}

}  // namespace kasc::basis
