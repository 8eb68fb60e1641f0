#include "frontend/syntax_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "frontend/foreign_syntax.hpp"

// What the parser expected is a set of tokens; what its author forgot is mostly the separator at the end of the line
// before. So a separator that is missing at an end of line is pointed at where it is missing:
//
//     M1 = mmul33(A, B)         error: expected ';' after ')'
//                      ^
//     M2 = …

namespace kasc::frontend {

namespace {

bool found_end(const SyntaxFault& fault) { return text_of(fault.found).empty(); }

bool on_later_line(const SyntaxFault& fault) {
    if (!fault.previous.source) return false;
    if (found_end(fault)) return true;
    const Source& source = *fault.found.source;
    return line_column(source, fault.previous.begin).line < line_column(source, fault.found.begin).line;
}

/// Lists can go on where the grammar's next token closes them.
std::vector<std::string> with_separators(const SyntaxFault& fault) {
    std::vector<std::string> expected = fault.expected;
    if (expected.size() != 1) return expected;
    if (fault.rule == SyntaxRule::loop_body && expected.front() == "'}'") return {"a statement", "'}'"};
    const bool list = fault.rule == SyntaxRule::list || fault.rule == SyntaxRule::declaration;
    if (list && expected.front() == "';'") expected.insert(expected.begin(), "','");
    if (fault.rule == SyntaxRule::call && expected.front() == "')'") expected.insert(expected.begin(), "','");
    if (fault.rule == SyntaxRule::parameter && expected.front() == "';'") expected.insert(expected.begin(), "','");
    if (fault.rule == SyntaxRule::indices && expected.front() == "']'") expected.insert(expected.begin(), "','");
    return expected;
}

std::string alternatives(const std::vector<std::string>& expected) {
    std::string list;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        list += (i == 0 ? "" : i + 1 == expected.size() ? " or " : ", ") + expected[i];
    }
    return list;
}

std::string help_for(const SyntaxFault& fault) {
    const std::string_view first = text_of(fault.first);
    const std::string_view found = text_of(fault.found);
    if (std::string foreign = foreign_help(fault); !foreign.empty()) return foreign;
    if (first == "param" && (fault.rule == SyntaxRule::parameter || fault.rule == SyntaxRule::item ||
                             fault.rule == SyntaxRule::declaration)) {
        return "a parameter is written 'param float dt;' or 'param int steps = 100;'";
    }
    if (!found.empty() && found.front() == '"')
        return "a text is the name of a file, as in 'import \"waves.kas\";'; words that are options' values have no "
               "quotes";
    if (first == "function" && found == "{" && text_of(fault.previous) == "=")
        return "a function in braces has no '=': 'function f(u) { let g = u*u; return g/(1 + g); }'";
    if (first == "let" && fault.rule != SyntaxRule::other) return "a name for an expression is written 'let g = u*u;'";
    switch (fault.rule) {
        case SyntaxRule::loop_head:
            if (found == "in") return "a block for each entry of a list is written 'for a in (x, y) { ... }'";
            return "a loop is written 'for (n = 0; n < steps; n++) { ... }'";
        case SyntaxRule::choice:
            if (std::find(fault.expected.begin(), fault.expected.end(), "'{'") != fault.expected.end())
                return "what an 'if' keeps stands in braces: 'if (option) { ... } else { ... }'";
            break;
        case SyntaxRule::boundary:
            return "a boundary is 'keep(n)', 'value(v)', 'mirror', '-mirror' or 'periodic'";
        case SyntaxRule::function:
            return "a function is written 'function square(u) = u*u;' or 'function f(u) { let g = u*u; return g/(1 + "
                   "g); }'";
        case SyntaxRule::procedure:
            return "a procedure is written 'procedure smooth(u, f) { u = u + 0.1*(laplace2(u, 1) - f); }'";
        case SyntaxRule::for_each:
            return "a block for each entry is written 'for a in (x, y) { ... }'";
        case SyntaxRule::table:
            return "a table is written 'float w[q] = {1, 4, 1};'";
        case SyntaxRule::item:
            if (found == "(") return "the result of a call is assigned, as in 'M = mmul33(A, B);'";
            return {};
        case SyntaxRule::declaration:
            if (found == "=")
                return "a field is declared, and then assigned: 'float v[x]; v = 2*u;'; a value in a declaration has a "
                       "parameter, 'param float dt = 0.1;', or a table, 'float w[q] = {1, 4, 1};'";
            return {};
        default:
            break;
    }
    if (found == "=") return "to compare, write '=='";
    return {};
}

/// A word of the language where a name is meant: what follows are axes, a value, arguments or the next name.
bool report_reserved_word(const SyntaxFault& fault, Report& report) {
    const std::string_view found = text_of(fault.found);
    constexpr std::array<std::string_view, 5> reserved{"input", "return", "for", "if", "else"};
    if (std::find(reserved.begin(), reserved.end(), found) == reserved.end()) return false;
    const std::string_view next = fault.at + 1 < fault.tokens.size() ? text_of(fault.tokens[fault.at + 1]) : "";
    const bool has_head = found == "for" || found == "if";
    if (next != "[" && next != "=" && next != "," && (next != "(" || has_head)) return false;
    report.error("K0101", fmt::format("'{}' is a word of the language", found), fault.found).help =
        "give it another name: 'input', 'return', 'for', 'if' and 'else' are reserved";
    return true;
}

}  // namespace

void report_syntax_fault(const SyntaxFault& fault, Report& report) {
    if (report_reserved_word(fault, report)) return;
    if (report_foreign_syntax(fault, report)) return;
    const std::vector<std::string> expected = with_separators(fault);
    const std::string found = found_end(fault) ? "the end of the program" : fmt::format("'{}'", text_of(fault.found));
    const bool separators = !expected.empty() && expected.back().front() == '\'';
    if (separators && on_later_line(fault)) {
        const Span after{fault.previous.source, fault.previous.end, fault.previous.end + 1};
        report
            .error("K0101", fmt::format("expected {} after '{}'", alternatives(expected), text_of(fault.previous)),
                   after, "here")
            .help = help_for(fault);
        return;
    }
    const std::string message = expected.empty() ? fmt::format("{} cannot stand here", found)
                                                 : fmt::format("expected {}, found {}", alternatives(expected), found);
    report.error("K0101", message, fault.found).help = help_for(fault);
}

}  // namespace kasc::frontend
