// C's usual conversions: of two operands, both become f64 if one is, else f32 if one is, else i64 if one is, else i32.
// Reals are computed in their own precision, one rounding an operation, as emitted code is compiled.
#include "kernel/host_value.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <utility>

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

HostNumber operate(const std::string& op, const HostNumber& left, const HostNumber& right) {
    const Type type = common(left, right);
    const HostNumber a = convert(left, type), b = convert(right, type);
    if (op.size() == 1 && std::string("+-*/%").find(op[0]) != std::string::npos) {
        if (type == Type::f64) return host_real(arithmetic(op[0], a.real, b.real), type);
        if (type == Type::f32)
            return host_real(arithmetic(op[0], static_cast<float>(a.real), static_cast<float>(b.real)), type);
        return convert(host_integer(arithmetic(op[0], a.integer, b.integer)), type);
    }
    return host_truth(a.is_real() ? compare(op, a.real, b.real) : compare(op, a.integer, b.integer));
}

template <class Real>
using OfOne = Real (*)(Real);
template <class Real>
using OfTwo = Real (*)(Real, Real);

/// A function of the mathematics library in both precisions.
struct Mathematics {
    const char* name;
    OfOne<double> one = nullptr;
    OfOne<float> one_single = nullptr;
    OfTwo<double> two = nullptr;
    OfTwo<float> two_single = nullptr;
};

const std::array<Mathematics, 14>& mathematics() {
    static const std::array<Mathematics, 14> table{{{"exp", ::exp, ::expf},
                                                    {"exp2", ::exp2, ::exp2f},
                                                    {"log", ::log, ::logf},
                                                    {"sqrt", ::sqrt, ::sqrtf},
                                                    {"sin", ::sin, ::sinf},
                                                    {"cos", ::cos, ::cosf},
                                                    {"tan", ::tan, ::tanf},
                                                    {"tanh", ::tanh, ::tanhf},
                                                    {"fabs", ::fabs, ::fabsf},
                                                    {"floor", ::floor, ::floorf},
                                                    {"pow", nullptr, nullptr, ::pow, ::powf},
                                                    {"fmod", nullptr, nullptr, ::fmod, ::fmodf},
                                                    {"fmin", nullptr, nullptr, ::fmin, ::fminf},
                                                    {"fmax", nullptr, nullptr, ::fmax, ::fmaxf}}};
    return table;
}

HostNumber call(const std::string& function, const std::vector<HostNumber>& arguments) {
    if (function == "min" || function == "max") {
        const std::int64_t a = arguments.at(0).as_integer(), b = arguments.at(1).as_integer();
        return host_integer(function == "min" ? std::min(a, b) : std::max(a, b));
    }
    if (function == "fma")
        return host_real(::fma(arguments.at(0).real, arguments.at(1).real, arguments.at(2).real), Type::f64);
    if (function == "fmaf") {
        const auto f = [&](std::size_t i) { return static_cast<float>(arguments.at(i).real); };
        return host_real(::fmaf(f(0), f(1), f(2)), Type::f32);
    }
    const bool single = function.back() == 'f';
    const std::string name = single ? function.substr(0, function.size() - 1) : function;
    for (const Mathematics& m : mathematics()) {
        if (name != m.name || arguments.size() != (m.one != nullptr ? 1U : 2U)) continue;
        const double a = convert(arguments[0], Type::f64).real;
        const double b = arguments.size() > 1 ? convert(arguments[1], Type::f64).real : 0;
        if (single) {
            const auto x = static_cast<float>(a), y = static_cast<float>(b);
            return host_real(m.one != nullptr ? m.one_single(x) : m.two_single(x, y), Type::f32);
        }
        return host_real(m.one != nullptr ? m.one(a) : m.two(a, b), Type::f64);
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
