// Expressions of interpreted kernels become values that know where their operands lie.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <concepts>

#include "support/few_numbers.hpp"
#include "support/field_arithmetic.hpp"
#include "support/ir_interpreter.hpp"
#include "support/random_number.hpp"
#include "support/real_functions.hpp"

namespace kasc::test {

Value Interpreter::compile(const kernel::ExprRef& e) {
    return std::visit([&](const auto& node) { return value(node); }, e->node);
}

Value Interpreter::value(const kernel::Real& n) {
    return number(n.precision == Precision::dual ? Scalar::dual(n.value) : Scalar::single(static_cast<float>(n.value)));
}

Value Interpreter::value(const kernel::ThreadIndex& n) {
    return [this, k = static_cast<std::size_t>(n.dimension)] { return whole(thread_[k]); };
}

Value Interpreter::value(const kernel::LinearThread&) {
    return [this] { return whole(thread()); };
}

Value Interpreter::value(const kernel::BlockIndex& n) {
    return [this, k = static_cast<std::size_t>(n.dimension)] { return whole(block_[k]); };
}

Value Interpreter::value(const kernel::Negate& n) {
    return [v = compile(n.operand)] {
        const Scalar s = v();
        return s.kind == Scalar::Kind::whole ? whole(-s.i, s.is_long) : Scalar::real(s.kind, -s.f);
    };
}

Value Interpreter::value(const kernel::Not& n) {
    return [v = compile(n.operand)] { return whole(v().i == 0); };
}

Value Interpreter::value(const kernel::Select& n) {
    return [c = compile(n.condition), t = compile(n.then), o = compile(n.otherwise)] { return c().i != 0 ? t() : o(); };
}

Value Interpreter::value(const kernel::Element& n) {
    return [this, array = memory_.number(n.array), at = compile(n.index)] { return memory_.load(array, at().i); };
}

Value Interpreter::value(const kernel::Wide& n) {
    return [v = compile(n.operand)] { return whole(v().i, true); };
}

Value Interpreter::value(const kernel::Convert& n) {
    return [this, to = n.to, v = compile(n.operand)] {
        const Scalar from = v();
        const Scalar::Kind kind = Scalar::kind_of(to);
        if (kind == Scalar::Kind::whole && from.kind != kind) fault("makes an integer of a real");
        if (to == kernel::Type::u8) return whole(static_cast<std::uint8_t>(from.i));
        if (to == kernel::Type::i32) return whole(static_cast<std::int32_t>(from.i));
        return kind == Scalar::Kind::whole ? whole(from.i, to == kernel::Type::i64)
                                           : rounded(kind, in_memory(to, from.cell()));
    };
}

Value Interpreter::value(const kernel::Binary& n) {
    const Value l = compile(n.left), r = compile(n.right);
    if (n.op == "&&") return [l, r] { return whole(l().i != 0 && r().i != 0); };
    if (n.op == "||") return [l, r] { return whole(l().i != 0 || r().i != 0); };
    // Floats are computed in double and rounded once: what the operation gives in float (Figueroa, When is double
    // rounding innocuous?, 1995).
    const auto with = [this, l, r, op = n.op](auto of) -> Value {
        return [this, l, r, op, of] {
            const Scalar a = l(), b = r();
            if (a.kind != b.kind) fault(fmt::format("'{}' of two kinds of numbers", op));
            ++(a.kind == Scalar::Kind::whole ? work_.wholes : work_.reals);
            if (a.kind == Scalar::Kind::whole) return whole(of(a.i, b.i), a.is_long || b.is_long);
            if constexpr (std::invocable<decltype(of), double, double>) return rounded(a.kind, of(a.f, b.f));
            fault(fmt::format("'{}' of reals", op));
        };
    };
    if (n.op == "+") return with([](auto a, auto b) { return a + b; });
    if (n.op == "-") return with([](auto a, auto b) { return a - b; });
    if (n.op == "*") return with([](auto a, auto b) { return a * b; });
    if (n.op == "/") return with([](auto a, auto b) { return a / b; });
    if (n.op == "%") return with([](std::integral auto a, std::integral auto b) { return a % b; });
    if (n.op == "&") return with([](std::integral auto a, std::integral auto b) { return a & b; });
    if (n.op == "|") return with([](std::integral auto a, std::integral auto b) { return a | b; });
    if (n.op == "^") return with([](std::integral auto a, std::integral auto b) { return a ^ b; });
    if (n.op == "<<" || n.op == ">>") {
        return [this, l, r, left = n.op == "<<"] {
            const Scalar shifted = l();
            const std::int64_t a = shifted.i, count = r().i;
            if (count < 0 || count > (shifted.is_long ? 63 : 31)) fault("shifts by more bits than an integer has");
            ++work_.wholes;
            if (!left) return whole(a >> count, shifted.is_long);
            const std::uint64_t all = static_cast<std::uint64_t>(a) << count;
            return shifted.is_long ? whole(static_cast<std::int64_t>(all), true)
                                   : whole(static_cast<std::int32_t>(all));
        };
    }
    const auto compare = [this, l, r, op = n.op](auto holds) -> Value {
        return [this, l, r, op, holds] {
            const Scalar a = l(), b = r();
            if (a.kind != b.kind) fault(fmt::format("'{}' of two kinds of numbers", op));
            ++(a.kind == Scalar::Kind::whole ? work_.wholes : work_.reals);
            return whole(a.kind == Scalar::Kind::whole ? holds(a.i, b.i) : holds(a.f, b.f));
        };
    };
    if (n.op == "<") return compare([](auto a, auto b) { return a < b; });
    if (n.op == "<=") return compare([](auto a, auto b) { return a <= b; });
    if (n.op == ">") return compare([](auto a, auto b) { return a > b; });
    if (n.op == ">=") return compare([](auto a, auto b) { return a >= b; });
    if (n.op == "==") return compare([](auto a, auto b) { return a == b; });
    if (n.op == "!=") return compare([](auto a, auto b) { return a != b; });
    fault("unknown operator " + n.op);
}

Value Interpreter::value(const kernel::MathCall& n) {
    std::vector<Value> a;
    for (const kernel::ExprRef& e : n.arguments) a.push_back(compile(e));
    if (n.function == "min") return [a] { return of_two(a[0](), a[1](), std::min<std::int64_t>); };
    if (n.function == "max") return [a] { return of_two(a[0](), a[1](), std::max<std::int64_t>); };
    if (n.function == "kasc_kept") return a[0];
    if (n.function == "abs") return [a] { return whole(std::abs(a[0]().i), a[0]().is_long); };
    const bool cuts_long = n.function.starts_with("kasc_long");
    if (cuts_long || n.function.starts_with("kasc_int")) {
        const auto kind = n.function.ends_with("f") ? Scalar::Kind::single : Scalar::Kind::dual;
        return [this, a, kind, cuts_long] {
            const Scalar s = a[0]();
            if (s.kind != kind) fault("makes an integer of another kind of number");
            return whole(cut(s.f, cuts_long), cuts_long);
        };
    }
    if (n.function.starts_with(kernel::turn_of_unity))
        return [a, f = n.function] { return part_of_turn(f, a[0]().i, a[1]().i); };
    if (n.function == "kasc_random" || n.function == "kasc_randomf")
        return [a, dual = n.function == "kasc_random"] {
            std::array<std::uint32_t, 5> numbers{};
            for (std::size_t k = 0; k < 5; ++k) numbers[k] = static_cast<std::uint32_t>(a[k]().i);
            return dual ? Scalar::dual(random_number<double>(numbers)) : Scalar::single(random_number<float>(numbers));
        };
    if (const Value v = real_function<float>(n.function, a, "f", Scalar::Kind::single)) return v;
    if (const Value v = real_function<double>(n.function, a, "", Scalar::Kind::dual)) return v;
    fault("unknown function " + n.function);
}

template <class Real>
Value Interpreter::real_function(const std::string& name, const std::vector<Value>& a, const std::string& ending,
                                 Scalar::Kind kind) {
    const auto& one = functions_of_one<Real>();
    const auto& two = functions_of_two<Real>();
    const auto real = [this, name, a, kind](std::size_t k) {
        const Scalar s = a[k]();
        if (s.kind != kind) fault(fmt::format("{} of another kind of number", name));
        return static_cast<Real>(s.f);
    };
    const auto result = [this, kind](Real value, int operations = 1) {
        work_.reals += operations;
        return Scalar::real(kind, static_cast<double>(value));
    };
    if (name == "fma" + ending) {
        return [real, result] { return result(std::fma(real(0), real(1), real(2)), 2); };
    }
    if (name == kernel::over_number + ending) {
        if (a.size() == 2) return [real, result] { return result(over(real(0), real(1))); };
        return [real, result] { return result(over(real(0), real(1), real(2))); };
    }
    if (!name.ends_with(ending)) return {};
    const std::string plain = name.substr(0, name.size() - ending.size());
    if (const auto f = one.find(plain); f != one.end())
        return [real, result, g = f->second] { return result(g(real(0))); };
    if (const auto f = two.find(plain); f != two.end())
        return [real, result, g = f->second] { return result(g(real(0), real(1))); };
    return {};
}

}  // namespace kasc::test
