// C's usual conversions: of two operands, both become f64 if one is, else f32 if one is, else i64 if one is, else i32.
// Reals are computed in their own precision, one rounding an operation, as emitted code is compiled.
#include "kernel/host_value.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "frontend/real_function.hpp"

namespace kasc::kernel {

namespace {

Type common(const HostNumber& a, const HostNumber& b) {
    const auto either = [&](Type t) { return a.type == t || b.type == t; };
    if (either(Type::f64)) return Type::f64;
    if (either(Type::f32)) return Type::f32;
    return either(Type::i64) ? Type::i64 : Type::i32;
}

HostNumber host_truth(bool value) { return host_integer(value ? 1 : 0, Type::boolean); }

bool is_true(const HostNumber& n) { return n.is_real() ? n.real != 0 : n.integer != 0; }

template <class T>
bool compare(const std::string& op, T a, T b) {
    if (op == "<") return a < b;
    if (op == "<=") return a <= b;
    if (op == ">") return a > b;
    if (op == ">=") return a >= b;
    if (op == "==") return a == b;
    if (op == "!=") return a != b;
    throw std::logic_error("the host has no operator " + op);
}

template <class Real>
Real arithmetic(char op, Real a, Real b) {
    switch (op) {
        case '+':
            return a + b;
        case '-':
            return a - b;
        case '*':
            return a * b;
        default:
            return a / b;
    }
}

/// Unsigned where it could overflow, as hardware computes.
std::int64_t arithmetic(char op, std::int64_t a, std::int64_t b) {
    const auto x = static_cast<std::uint64_t>(a), y = static_cast<std::uint64_t>(b);
    switch (op) {
        case '+':
            return static_cast<std::int64_t>(x + y);
        case '-':
            return static_cast<std::int64_t>(x - y);
        case '*':
            return static_cast<std::int64_t>(x * y);
        case '/':
            return b == 0 ? 0 : b == -1 ? static_cast<std::int64_t>(0 - x) : a / b;
        default:
            return b == 0 || b == -1 ? 0 : a % b;
    }
}

std::int64_t bits(const std::string& op, std::int64_t a, std::int64_t b) {
    if (op == "&") return a & b;
    if (op == "|") return a | b;
    if (op == "^") return a ^ b;
    return op == "<<" ? static_cast<std::int64_t>(static_cast<std::uint64_t>(a) << (b & 63)) : a >> (b & 63);
}

HostNumber operate(const std::string& op, const HostNumber& left, const HostNumber& right) {
    const Type type = common(left, right);
    const HostNumber a = convert(left, type), b = convert(right, type);
    if (op.size() == 1 && std::string("+-*/%").find(op[0]) != std::string::npos) {
        if (type == Type::f64) return host_real(arithmetic(op[0], a.real, b.real), type);
        if (type == Type::f32)
            return host_real(arithmetic(op[0], static_cast<float>(a.real), static_cast<float>(b.real)), type);
        return convert(host_integer(arithmetic(op[0], a.integer, b.integer)), type);
    }
    if (is_of_bits(op)) return convert(host_integer(bits(op, a.integer, b.integer)), type);
    return host_truth(a.is_real() ? compare(op, a.real, b.real) : compare(op, a.integer, b.integer));
}

HostNumber call(const std::string& function, const std::vector<HostNumber>& arguments) {
    if (function == whole_function::minimum || function == whole_function::maximum) {
        const std::int64_t a = arguments.at(0).as_integer(), b = arguments.at(1).as_integer();
        return host_integer(function == whole_function::minimum ? std::min(a, b) : std::max(a, b));
    }
    if (function == whole_function::absolute) {
        const HostNumber& n = arguments.at(0);
        return n.integer < 0 ? operate("-", host_integer(0, n.type), n) : n;
    }
    if (function == whole_function::of_real || function == std::string(whole_function::of_real) + "f")
        return host_integer(cut_to_integer(arguments.at(0).real), Type::i32);
    if (function == "fma")
        return host_real(::fma(arguments.at(0).real, arguments.at(1).real, arguments.at(2).real), Type::f64);
    if (function == "fmaf") {
        const auto f = [&](std::size_t i) { return static_cast<float>(arguments.at(i).real); };
        return host_real(::fmaf(f(0), f(1), f(2)), Type::f32);
    }
    const bool dual = real_function(function) != nullptr;  // erf ends with an f, too
    const RealFunction* called = real_function(dual ? function : function.substr(0, function.size() - 1));
    if (called != nullptr && arguments.size() == (called->two != nullptr ? 2U : 1U)) {
        const double a = convert(arguments[0], Type::f64).real;
        const double b = arguments.size() > 1 ? convert(arguments[1], Type::f64).real : 0;
        if (dual) return host_real(called->two != nullptr ? called->two(a, b) : called->one(a), Type::f64);
        const auto x = static_cast<float>(a), y = static_cast<float>(b);
        return host_real(called->two != nullptr ? called->two_single(x, y) : called->one_single(x), Type::f32);
    }
    throw std::logic_error("the host has no function " + function);
}

class HostEvaluator {
public:
    explicit HostEvaluator(const std::function<HostNumber(const std::string&)>& named) : named_(named) {}

    [[nodiscard]] HostNumber value(const ExprRef& e) const {
        return std::visit([&](const auto& node) { return of(node); }, e->node);
    }

private:
    const std::function<HostNumber(const std::string&)>& named_;

    [[nodiscard]] static HostNumber of(const Integer& i) {
        const bool narrow = i.value == static_cast<std::int32_t>(i.value);
        return host_integer(i.value, narrow ? Type::i32 : Type::i64);
    }
    [[nodiscard]] static HostNumber of(const Real& r) {
        return r.precision == Precision::dual ? host_real(r.value, Type::f64)
                                              : host_real(static_cast<float>(r.value), Type::f32);
    }
    [[nodiscard]] HostNumber of(const Name& n) const { return named_(n.name); }
    [[nodiscard]] HostNumber of(const Binary& b) const {
        if (b.op == "&&") return host_truth(is_true(value(b.left)) && is_true(value(b.right)));
        if (b.op == "||") return host_truth(is_true(value(b.left)) || is_true(value(b.right)));
        return operate(b.op, value(b.left), value(b.right));
    }
    [[nodiscard]] HostNumber of(const Negate& n) const {
        const HostNumber operand = value(n.operand);
        return operand.is_real() ? host_real(-operand.real, operand.type)
                                 : operate("-", host_integer(0, Type::i32), operand);
    }
    [[nodiscard]] HostNumber of(const Not& n) const { return host_truth(!is_true(value(n.operand))); }
    [[nodiscard]] HostNumber of(const Select& s) const {
        const HostNumber then = value(s.then), otherwise = value(s.otherwise);
        return convert(is_true(value(s.condition)) ? then : otherwise, common(then, otherwise));
    }
    [[nodiscard]] HostNumber of(const MathCall& c) const {
        std::vector<HostNumber> arguments;
        for (const ExprRef& a : c.arguments) arguments.push_back(value(a));
        return call(c.function, arguments);
    }
    [[nodiscard]] HostNumber of(const Wide& w) const { return convert(value(w.operand), Type::i64); }
    [[nodiscard]] HostNumber of(const Convert& c) const { return convert(value(c.operand), c.to); }
    template <class Other>
    [[nodiscard]] static HostNumber of(const Other&) {
        throw std::logic_error("the host has no threads, blocks or elements of arrays");
    }
};

}  // namespace

HostNumber host_integer(std::int64_t value, Type type) { return {type, value, 0}; }

HostNumber host_real(double value, Type type) { return {type, 0, value}; }

HostNumber convert(const HostNumber& number, Type to) {
    const double real = number.is_real() ? number.real : static_cast<double>(number.integer);
    switch (to) {
        case Type::f64:
            return host_real(real, to);
        case Type::f32:
            return host_real(number.is_real() ? static_cast<float>(number.real) : static_cast<float>(number.integer),
                             to);
        case Type::boolean:
            return host_truth(is_true(number));
        case Type::u8:
            return host_integer(static_cast<std::uint8_t>(number.as_integer()), to);
        case Type::i32:
            return host_integer(static_cast<std::int32_t>(number.as_integer()), to);
        default:
            return host_integer(number.as_integer(), Type::i64);
    }
}

HostNumber host_value(const ExprRef& expression, const std::function<HostNumber(const std::string&)>& named) {
    return HostEvaluator(named).value(expression);
}

}  // namespace kasc::kernel
