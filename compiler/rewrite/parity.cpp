#include "rewrite/parity.hpp"

#include <algorithm>

#include "rewrite/statements.hpp"

namespace kasc::rewriting {

namespace {

using Sign = Parity::Sign;
using Signs = Parity::Signs;
using State = Parity::State;

const Sign even_sign{State::flips, {}}, zero_sign{State::zero, {}}, unknown_sign{State::unknown, {}};

/// The sign of a sum, of two branches, of two assignments to a field: both must flip alike; 0 does as the other does.
Sign alike(const Sign& a, const Sign& b) {
    if (a.state == State::unknown || b.state == State::unknown) return unknown_sign;
    if (a.state == State::unseen || b.state == State::unseen) return a.state == State::unseen ? b : a;
    if (a.state == State::zero || b.state == State::zero) return a.state == State::zero ? b : a;
    return a == b ? a : unknown_sign;
}
Signs alike(const Signs& a, const Signs& b) { return {alike(a.real, b.real), alike(a.imaginary, b.imaginary)}; }

Sign times(const Sign& a, const Sign& b) {
    if (a.state == State::unseen || b.state == State::unseen) return {};
    if (a.state == State::zero || b.state == State::zero) return zero_sign;
    if (a.state == State::unknown || b.state == State::unknown) return unknown_sign;
    Sign product{State::flips, {}};
    std::set_symmetric_difference(a.axes.begin(), a.axes.end(), b.axes.begin(), b.axes.end(),
                                  std::inserter(product.axes, product.axes.end()));
    return product;
}

/// One that even functions alone pass through unharmed.
Sign only_even(const Sign& a) {
    return a.state == State::zero || a == even_sign ? even_sign : a.state == State::unseen ? a : unknown_sign;
}

const ExtentUse* extent(const Expression& e) { return std::get_if<ExtentUse>(&e.node); }
bool is_number(const Expression& e, double value) {
    const auto* literal = std::get_if<Literal>(&e.node);
    return literal && literal->value == value;
}

/// `y < (extent(y) + 1) / 2 ? y : y - extent(y)`, or `y <= extent(y) / 2 ? …`: the axis.
std::optional<AxisId> wave_number(const Conditional& c) {
    const auto* at = std::get_if<CoordinateUse>(&c.then->node);
    const auto* wrapped = std::get_if<BinaryOperation>(&c.otherwise->node);
    const auto* test = std::get_if<BinaryOperation>(&c.condition->node);
    if (!at || !wrapped || !test || wrapped->op != BinaryOperator::subtract) return std::nullopt;
    const auto is_axis = [&](const ExpressionRef& e) {
        const auto* coordinate = std::get_if<CoordinateUse>(&e->node);
        return coordinate && coordinate->axis == at->axis;
    };
    const auto is_extent = [&](const ExpressionRef& e) { return extent(*e) && extent(*e)->axis == at->axis; };
    if (!is_axis(wrapped->left) || !is_extent(wrapped->right) || !is_axis(test->left)) return std::nullopt;
    const auto* half = std::get_if<BinaryOperation>(&test->right->node);
    if (!half || half->op != BinaryOperator::divide || !is_number(*half->right, 2)) return std::nullopt;
    if (test->op == BinaryOperator::less_equal && is_extent(half->left)) return at->axis;
    const auto* next = std::get_if<BinaryOperation>(&half->left->node);
    const bool above = next && next->op == BinaryOperator::add && is_extent(next->left) && is_number(*next->right, 1);
    return test->op == BinaryOperator::less && above ? std::optional(at->axis) : std::nullopt;
}

struct Evaluation {
    const std::set<AxisId>& mirrored;
    const std::vector<Signs>& fields;
    const Program& program;
    const FieldStatement& statement;

    [[nodiscard]] Signs of(const Expression& e) const {
        return std::visit([&](const auto& node) { return (*this)(node); }, e.node);
    }
    [[nodiscard]] Sign real(const ExpressionRef& e) const { return of(*e).real; }

    Signs operator()(const Literal& n) const { return {n.value == 0 ? zero_sign : even_sign, zero_sign}; }
    Signs operator()(const ParameterUse&) const { return {even_sign, zero_sign}; }
    Signs operator()(const LoopIndexUse&) const { return {even_sign, zero_sign}; }
    Signs operator()(const ExtentUse&) const { return {even_sign, zero_sign}; }
    Signs operator()(const CoordinateUse& n) const {
        return {mirrored.contains(n.axis) ? unknown_sign : even_sign, zero_sign};
    }
    Signs operator()(const OperandUse& n) const {
        const Operand& operand = statement.operands.at(n.operand);
        if (!is_plain(operand)) return {unknown_sign, unknown_sign};
        return fields.at(operand.variable.index);
    }
    Signs operator()(const UnaryOperation& n) const {
        const Signs signs = of(*n.operand);
        return n.op == UnaryOperator::negate ? signs : Signs{only_even(signs.real), zero_sign};
    }
    Signs operator()(const BinaryOperation& n) const {
        const Signs l = of(*n.left), r = of(*n.right);
        switch (n.op) {
            case BinaryOperator::add:
            case BinaryOperator::subtract:
                return alike(l, r);
            case BinaryOperator::multiply:
                return multiplied(l, r);
            case BinaryOperator::divide:
            case BinaryOperator::divide_by_number:
                // 1/w flips as w does; by a complex number it is a product with its conjugate over an even number.
                if (r == Signs{zero_sign, zero_sign}) return {unknown_sign, unknown_sign};
                return multiplied(l, r);
            default:
                return {alike(only_even(l.real), only_even(r.real)), zero_sign};
        }
    }
    static Signs multiplied(const Signs& l, const Signs& r) {
        return {alike(times(l.real, r.real), times(l.imaginary, r.imaginary)),
                alike(times(l.real, r.imaginary), times(l.imaginary, r.real))};
    }
    Signs operator()(const Conditional& n) const {
        if (const auto axis = wave_number(n); axis && mirrored.contains(*axis))
            return {{State::flips, {*axis}}, zero_sign};
        const Sign condition = only_even(real(n.condition));
        if (condition.state == State::unknown) return {unknown_sign, unknown_sign};
        return alike(of(*n.then), of(*n.otherwise));
    }
    Signs operator()(const IntrinsicCall& n) const {
        const Sign first = real(n.arguments.front());
        switch (n.intrinsic) {
            case Intrinsic::make_complex:
                return {first, real(n.arguments[1])};
            case Intrinsic::conjugate:
                return of(*n.arguments.front());
            case Intrinsic::real_part:
                return {first, zero_sign};
            case Intrinsic::imaginary_part:
                return {of(*n.arguments.front()).imaginary, zero_sign};
            case Intrinsic::sin:
            case Intrinsic::tan:
            case Intrinsic::asin:
            case Intrinsic::atan:
            case Intrinsic::sinh:
            case Intrinsic::tanh:
            case Intrinsic::cbrt:
            case Intrinsic::erf:
            case Intrinsic::round:
                return {first, zero_sign};
            case Intrinsic::cos:
            case Intrinsic::cosh:
            case Intrinsic::abs:
                // What flips with any axes is, at -k, itself or its negative.
                return {first.state == State::flips ? even_sign : only_even(first), zero_sign};
            default:
                break;
        }
        return even_of_even(n.arguments);
    }
    Signs operator()(const FunctionWord& n) const { return even_of_even(n.arguments); }
    [[nodiscard]] Signs even_of_even(const std::vector<ExpressionRef>& arguments) const {
        Sign all = arguments.empty() ? even_sign : only_even(real(arguments.front()));
        for (const ExpressionRef& argument : arguments) all = alike(all, only_even(real(argument)));
        return {all, zero_sign};
    }
};

}  // namespace

// What is known of fields is the largest set of claims that all assignments keep: every field starts unseen, and a pass
// over all assignments can only take claims back, so that passes end.
Parity::Parity(const Program& program, std::set<AxisId> mirrored)
    : program_(program), mirrored_(std::move(mirrored)), fields_(program.variables.size()) {
    for (const VariableId input : program.inputs) fields_[input.index] = {unknown_sign, unknown_sign};
    for (bool changed = true; changed;) {
        changed = false;
        each_statement(program.statements, [&](const Statement& statement) {
            const auto* field = std::get_if<FieldStatement>(&statement);
            Signs found{unknown_sign, unknown_sign};
            if (field && is_whole(program, *field))
                found = Evaluation{mirrored_, fields_, program_, *field}.of(*field->value);
            for (const VariableId target : targets(statement)) {
                const Signs joined = alike(fields_[target.index], found);
                changed = changed || joined != fields_[target.index];
                fields_[target.index] = joined;
            }
        });
    }
}

bool Parity::even(const Expression& e, const FieldStatement& statement) const {
    const Signs signs = Evaluation{mirrored_, fields_, program_, statement}.of(e);
    return only_even(signs.real) == even_sign && signs.imaginary == zero_sign;
}

}  // namespace kasc::rewriting
