#include "basis/bell.hpp"

#include <numbers>

#include "basis/integers.hpp"

namespace kasc::basis {

namespace {

ExpressionRef real(decltype(Expression::node) node) { return make_expression(std::move(node), ScalarKind::real, {}); }

ExpressionRef product(const ExpressionRef& left, const ExpressionRef& right) {
    return real(BinaryOperation{BinaryOperator::multiply, left, right});
}
ExpressionRef sine(double factor, const ExpressionRef& of) {
    return real(IntrinsicCall{Intrinsic::sin, {product(real(Literal{factor}), of)}});
}
ExpressionRef as_real(const ExpressionRef& integer) { return real(IntrinsicCall{Intrinsic::to_real, {integer}}); }

/// sin(pi/2 sin^2(pi/2 s)), s = (distance + 1/2) / length: flat at both ends.
ExpressionRef rise(const ExpressionRef& distance, const ExpressionRef& length) {
    const ExpressionRef middle = real(BinaryOperation{BinaryOperator::add, as_real(distance), real(Literal{0.5})});
    const ExpressionRef s = real(BinaryOperation{BinaryOperator::divide, middle, as_real(length)});
    const ExpressionRef once = sine(std::numbers::pi / 2, s);
    return sine(std::numbers::pi / 2, product(once, once));
}

}  // namespace

ExpressionRef bell_value(AxisId axis, ParameterId own, ParameterId low) {
    const ExpressionRef x = nowhere.coordinate(axis);
    const ExpressionRef cells = nowhere.extent(axis);
    const ExpressionRef end = both(BinaryOperator::add, value(low), value(own));
    const ExpressionRef from_end = both(BinaryOperator::subtract, both(BinaryOperator::subtract, cells, number(1)), x);
    const ExpressionRef behind = choose(both(BinaryOperator::greater_equal, x, end),
                                        rise(from_end, both(BinaryOperator::subtract, cells, end)), real(Literal{1}));
    return choose(both(BinaryOperator::less, x, value(low)), rise(x, value(low)), behind);
}

}  // namespace kasc::basis
