// The kernel IR as text for people (`--emit kernel`) and golden tests: one line a statement, block level to the left.
#include <fmt/format.h>

#include <cstdlib>
#include <iterator>

#include "kernel/kernel.hpp"
#include "kernel/text.hpp"

namespace kasc::kernel {

namespace {

const char* type_name(Type type) {
    switch (type) {
        case Type::f32:
            return "f32";
        case Type::f64:
            return "f64";
        case Type::i32:
            return "i32";
        case Type::i64:
            return "i64";
        case Type::u8:
            return "u8";
        case Type::boolean:
            return "bool";
        case Type::c32:
            return "c32";
        case Type::c64:
            return "c64";
        case Type::f16:
            return "f16";
        case Type::bf16:
            return "bf16";
    }
    return "?";
}

class Printer {
public:
    explicit Printer(std::string& out) : out_(out) {}

    void body(const Body& statements, int depth) {
        for (const Statement& s : statements) std::visit([&](const auto& node) { print(node, depth); }, s.node);
    }

private:
    std::string& out_;
    Spelling spelling_ = plain_spelling();

    std::string t(const ExprRef& e) { return e ? text(e, spelling_) : "true"; }
    template <class... Args>
    void line(int depth, fmt::format_string<Args...> format, Args&&... args) {
        out_.append(static_cast<std::size_t>(depth) * 2, ' ');
        fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
        out_.push_back('\n');
    }

    static std::string typed(Type type) { return type == Type::f32 ? "" : fmt::format(" {}", type_name(type)); }

    void print(const Comment& s, int d) { line(d, "# {}", s.text); }
    void print(const Let& s, int d) { line(d, "let {} {} = {}", type_name(s.type), s.name, t(s.value)); }
    void print(const Variable& s, int d) { line(d, "var {} {} = {}", type_name(s.type), s.name, t(s.value)); }
    void print(const RegisterArray& s, int d) {
        std::string values;
        for (const ExprRef& value : s.values) values += (values.empty() ? " = " : ", ") + t(value);
        line(d, "registers{} {}[{}]{}", typed(s.type), s.name, s.words, values);
    }
    void print(const PrivateArray& s, int d) { line(d, "private{} {}[{}]", typed(s.type), s.name, s.words); }
    void print(const SharedArray& s, int d) {
        const std::string at = s.offset ? fmt::format(" at {}", *s.offset) : "";
        line(d, "shared{} {}[{}]{}  # {}", typed(s.type), s.name, s.words, at, s.comment);
    }
    void print(const Assign& s, int d) { line(d, "{} {} {}", t(s.target), s.adds ? "+=" : "=", t(s.value)); }
    void print(const Fetch& s, int d) {
        const std::string words = s.words > 1 ? fmt::format(" :+ {}", s.words) : "";
        line(d, "fetch {}[{}{}] = {}[{}{}]", s.into, t(s.into_index), words, s.from, t(s.from_index), words);
    }
    void print(const Prefetch& s, int d) {
        line(d, "prefetch {}[{}{}]", s.array, t(s.index), s.words > 1 ? fmt::format(" :+ {}", s.words) : "");
    }
    void print(const LoadVector& s, int d) {
        line(d, "{}[{} :+ {}] = {}[{} :+ {}]", s.registers, t(s.first), s.width, s.array, t(s.index), s.width);
    }
    void print(const StoreVector& s, int d) {
        line(d, "{}[{} :+ {}] = {}[{} :+ {}]", s.array, t(s.index), s.width, s.registers, t(s.first), s.width);
    }
    void print(const Butterfly& s, int d) {
        line(d, "{} of {}[{} :+ {}]{}", s.backward ? "backward" : "forward", s.registers, s.first, s.numbers,
             s.turn ? ", with " + t(s.turn) + "^j" : "");
    }
    void print(const For& s, int d) {
        line(d, "for {} in {} .. {} step {}{}{}", s.variable, t(s.from), t(s.to),
             s.stride ? t(s.stride) : std::to_string(s.step), s.going ? " while " + t(s.going) : "",
             s.unroll == 0  ? ""
             : s.unroll < 0 ? " unrolled"
                            : fmt::format(" unroll {}", s.unroll));
        body(s.body, d + 1);
    }
    void print(const If& s, int d) {
        line(d, "if {}", t(s.condition));
        body(s.then, d + 1);
        if (s.otherwise.empty()) return;
        line(d, "else");
        body(s.otherwise, d + 1);
    }
    void print(const CommitCopies&, int d) { line(d, "commit copies"); }
    void print(const Barrier& s, int d) {
        const int but = s.awaits_all_but.value_or(0);
        line(d, "barrier{}{}  # {}", s.awaits_all_but ? " await copies" : "",
             but > 0 ? fmt::format(" but {}", but) : "", s.reason);
    }
    void print(const Exchange& s, int d) {
        if (s.group > 0)
            return line(d, "exchange {}[{} :+ {}] = {}[{} :+ {}] of the first of {} threads", s.into, s.into_first,
                        s.words, s.from, s.from_first, s.words, s.group);
        line(d, "exchange {}[{} :+ {}] = {}[{} :+ {}] of thread {} {}{}", s.into, s.into_first, s.words, s.from,
             s.from_first, s.words, s.distance < 0 ? "-" : "+", std::abs(s.distance), s.or_own ? ", or own" : "");
    }
    void print(const Threads& s, int d) {
        line(d, "threads");
        body(s.body, d + 1);
    }
    void print(const Cells& s, int d) {
        line(d, "cells");
        for (const CellAxis& a : s.axes) {
            line(d + 2, "{} = {}{} in [{}, {})", a.name, t(a.origin),
                 a.dimension ? fmt::format(" + {} * t{} (of {})", a.step, letter(*a.dimension), a.count) : "", t(a.low),
                 t(a.high));
        }
        body(s.body, d + 1);
    }
    void print(const Call& s, int d) {
        std::string arguments;
        for (const CallArgument& argument : s.arguments) {
            if (!arguments.empty()) arguments += ", ";
            if (const auto* array = std::get_if<ArrayArgument>(&argument)) {
                arguments += array->array + (array->offset ? " + " + t(array->offset) : "");
            } else {
                arguments += t(std::get<ExprRef>(argument));
            }
        }
        line(d, "call {}({})", s.function, arguments);
    }
    void print(const Stage& s, int d) {
        const std::string global = s.global + (s.global_offset ? " + " + t(s.global_offset) : "");
        const char* arrow = s.direction == StageDirection::into_shared ? "<-" : "->";
        const std::string pitch = s.padding == 0 ? "" : fmt::format(", {} after each {}", s.padding, s.element_words);
        line(d, "stage {} {} {}, {} words{}", s.shared, arrow, global, s.words, pitch);
    }
    void print(const CountBlock& s, int d) {
        line(d, "{}[{}] = is the last of {} blocks, counted in {}", s.into, t(s.index), t(s.blocks), s.finished);
    }
};

}  // namespace

std::string print(const Kernel& kernel) {
    std::string out =
        fmt::format("kernel {} block {}x{}x{}", kernel.name, kernel.block[0], kernel.block[1], kernel.block[2]);
    const Spelling spelling = plain_spelling();
    for (const ExprRef& g : kernel.grid) out += (g == kernel.grid[0] ? " grid " : " x ") + text(g, spelling);
    out += fmt::format(" shared {} words\n", kernel.shared_words);
    for (const std::string& c : kernel.comment) out += "  # " + c + "\n";
    for (const Parameter& p : kernel.parameters) {
        out += fmt::format("  param {} {}{}\n", type_name(p.type), p.name,
                           std::holds_alternative<ArrayIn>(p.source)    ? "[] in"
                           : std::holds_alternative<ArrayOut>(p.source) ? "[] out"
                           : p.is_count()                               ? "[] counts blocks"
                                                                        : "");
    }
    for (const auto& [axis, cells] : kernel.lengths)
        out += fmt::format("  requires extent of axis {} to be {}\n", axis.index, cells);
    if (kernel.requirement) {
        const Kernel::Requirement& needs = *kernel.requirement;
        const auto extent = [](AxisId axis) { return axis.index; };
        if (needs.multiple > 1 || needs.most)
            out += fmt::format("  requires extent of axis {}", extent(needs.axes.front()));
        if (needs.multiple > 1) out += fmt::format(" to be a multiple of {}", needs.multiple);
        if (needs.multiple > 1 && needs.most) out += fmt::format(", of axis {}", extent(needs.axes.front()));
        for (std::size_t k = 1; needs.most && k < needs.axes.size(); ++k)
            out += fmt::format(" times {}", extent(needs.axes[k]));
        if (needs.most) out += fmt::format(" to be at most {}", *needs.most);
        if (needs.multiple > 1 || needs.most) out += "\n";
        for (const Kernel::Requirement::Product& other : needs.others) {
            out += fmt::format("  requires extent of axis {}", extent(other.axes.front()));
            for (std::size_t k = 1; k < other.axes.size(); ++k) out += fmt::format(" times {}", extent(other.axes[k]));
            out += fmt::format(" to be at most {}\n", other.most);
        }
    }
    for (const std::string& word : kernel.guards) out += fmt::format("  where {}[0] > 0\n", word);
    Printer(out).body(kernel.body, 1);
    return out;
}

}  // namespace kasc::kernel
