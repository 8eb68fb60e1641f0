#include "kernel/text.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "kernel/c_spelling.hpp"

namespace kasc::kernel {

namespace {

// C's precedences, tighter binds higher.
constexpr int lowest = 0, conditional = 1, unary = 12, primary = 13;

int precedence(const std::string& op) {
    static const std::array<std::pair<const char*, int>, 18> table{{{"||", 2},
                                                                    {"&&", 3},
                                                                    {"|", 4},
                                                                    {"^", 5},
                                                                    {"&", 6},
                                                                    {"==", 7},
                                                                    {"!=", 7},
                                                                    {"<", 8},
                                                                    {"<=", 8},
                                                                    {">", 8},
                                                                    {">=", 8},
                                                                    {"<<", 9},
                                                                    {">>", 9},
                                                                    {"+", 10},
                                                                    {"-", 10},
                                                                    {"*", 11},
                                                                    {"/", 11},
                                                                    {"%", 11}}};
    for (const auto& [name, level] : table) {
        if (op == name) return level;
    }
    return lowest;
}

std::string print(const ExprRef& e, const Spelling& spelling, int outer);

struct ExpressionPrinter {
    const Spelling& spelling;
    int outer;

    [[nodiscard]] std::string wrapped(std::string text, int level) const {
        return level < outer ? "(" + std::move(text) + ")" : std::move(text);
    }

    std::string operator()(const Integer& i) const {
        // Its digits alone are no literal of 64 bits: the sign stands apart.
        if (i.value == std::numeric_limits<std::int64_t>::min()) return wrapped("-9223372036854775807LL - 1", 10);
        const bool wide =
            i.value > std::numeric_limits<std::int32_t>::max() || i.value < std::numeric_limits<std::int32_t>::min();
        return wrapped(fmt::format("{}{}", i.value, wide ? "LL" : ""), i.value < 0 ? unary : primary);
    }
    std::string operator()(const Real& r) const {
        const std::string digits =
            r.precision == Precision::dual ? double_text(r.value) : float_text(static_cast<float>(r.value));
        return wrapped(digits, std::signbit(r.value) ? unary : primary);
    }
    std::string operator()(const Name& n) const { return n.name; }
    std::string operator()(const ThreadIndex& t) const { return spelling.thread_index(t.dimension); }
    std::string operator()(const LinearThread&) const { return spelling.linear_thread(); }
    std::string operator()(const BlockIndex& b) const { return spelling.block_index(b.dimension); }
    std::string operator()(const Binary& b) const {
        const int level = precedence(b.op);
        // Few know how operators on bits bind: their operands stand in parentheses, and compilers ask for these.
        if (is_of_bits(b.op))
            return wrapped(
                fmt::format("{} {} {}", print(b.left, spelling, unary), b.op, print(b.right, spelling, unary)), level);
        // Left associative: the right operand of equal precedence needs parentheses, so that order is kept as built.
        return wrapped(
            fmt::format("{} {} {}", print(b.left, spelling, level), b.op, print(b.right, spelling, level + 1)), level);
    }
    std::string operator()(const Negate& n) const { return wrapped("-" + print(n.operand, spelling, primary), unary); }
    std::string operator()(const Not& n) const { return wrapped("!" + print(n.operand, spelling, primary), unary); }
    std::string operator()(const Select& s) const {
        return wrapped(fmt::format("{} ? {} : {}", print(s.condition, spelling, conditional + 1),
                                   print(s.then, spelling, conditional + 1), print(s.otherwise, spelling, conditional)),
                       conditional);
    }
    std::string operator()(const MathCall& c) const {
        std::string arguments;
        for (const ExprRef& argument : c.arguments) {
            arguments += (arguments.empty() ? "" : ", ") + print(argument, spelling, lowest);
        }
        return fmt::format("{}({})", spelling.function(c.function), arguments);
    }
    std::string operator()(const Element& e) const {
        return spelling.element(e.array, print(e.index, spelling, lowest));
    }
    std::string operator()(const Wide& w) const {
        if (const auto* i = std::get_if<Integer>(&w.operand->node)) {
            const std::string digits = (*this)(*i);
            return digits.ends_with(')') || digits.find("LL") != std::string::npos ? digits : digits + "LL";
        }
        std::string operand = print(w.operand, spelling, primary);
        // One conversion is enough: CUDA's unsigned indices are spelled with a cast to int of their own.
        if (operand.starts_with("(int)")) operand.erase(0, 5);
        return wrapped("(long long)" + operand, unary);
    }
    std::string operator()(const Convert& c) const {
        return wrapped(fmt::format("({}){}", c_spelling(c.to), print(c.operand, spelling, primary)), unary);
    }
    std::string operator()(const Part& p) const {
        return print(p.operand, spelling, primary) + (p.imaginary ? ".y" : ".x");
    }
};

std::string print(const ExprRef& e, const Spelling& spelling, int outer) {
    return std::visit(ExpressionPrinter{spelling, outer}, e->node);
}

}  // namespace

namespace {

template <class Real>
std::string digits_of(Real value) {
    std::string digits = fmt::format("{}", value);
    if (digits.find_first_of(".e") == std::string::npos) digits += ".0";
    return digits;
}

}  // namespace

std::string float_text(float value) {
    if (std::isnan(value)) return "NAN";
    if (std::isinf(value)) return value > 0 ? "INFINITY" : "-INFINITY";
    return digits_of(value) + "f";
}

std::string double_text(double value) {
    if (std::isnan(value)) return "NAN";
    if (std::isinf(value)) return value > 0 ? "INFINITY" : "-INFINITY";
    return digits_of(value);
}

char letter(Dimension dimension) { return dimension == Dimension::x ? 'x' : dimension == Dimension::y ? 'y' : 'z'; }

std::string host_function(const std::string& function) {
    const bool named = function == whole_function::minimum || function == whole_function::maximum;
    return named ? "kasc_" + function : function;
}

Spelling plain_spelling() {
    Spelling s;
    s.thread_index = [](Dimension d) { return fmt::format("t{}", letter(d)); };
    s.linear_thread = [] { return std::string("thread"); };
    s.block_index = [](Dimension d) { return fmt::format("b{}", letter(d)); };
    s.element = [](const std::string& array, const std::string& index) { return fmt::format("{}[{}]", array, index); };
    return s;
}

std::string text(const ExprRef& expression, const Spelling& spelling) { return print(expression, spelling, lowest); }

}  // namespace kasc::kernel
