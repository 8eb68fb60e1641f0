#include "frontend/syntax_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "frontend/foreign_functions.hpp"

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
    if (first == "param" && (fault.rule == SyntaxRule::parameter || fault.rule == SyntaxRule::item ||
                             fault.rule == SyntaxRule::declaration)) {
        return "a parameter is written 'param float dt;' or 'param int steps = 100;'";
    }
    if (!found.empty() && found.front() == '"')
        return "a text is the name of a file, as in 'import \"waves.kas\";'; words that are options' values have no "
               "quotes";
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
                return "a value in a declaration has a parameter, 'param float dt = 0.1;', or a table, 'float w[q] = "
                       "{1, 4, 1};'";
            return {};
        case SyntaxRule::assignment:
            if (fault.expected == std::vector<std::string>{"'='", "'+='"} && !found.empty() &&
                std::isalpha(static_cast<unsigned char>(found.front())) != 0) {
                return "declarations stand before the inputs, outside of loops";
            }
            break;
        default:
            break;
    }
    if (found == "=") return "to compare, write '=='";
    return {};
}

/// Statements of C that the language does not have: at the beginning of an item, or in a loop.
bool report_foreign_word(const SyntaxFault& fault, Report& report) {
    if (fault.rule == SyntaxRule::choice) return false;  // an 'else' that has an 'if'
    const bool of_item = fault.rule == SyntaxRule::item && text_of(fault.previous) != "break";
    const Span& span = of_item ? fault.first : fault.previous;
    const std::string_view word = text_of(span);
    std::string_view help;
    if (word == "else" || word == "switch") help = "choose a value: 'condition ? a : b'";
    if (word == "while" || word == "do")
        help = "loops are 'for (n = 0; n < steps; n++) { ... }' and 'while (error > least) { ... }'";
    if (word == "break" || word == "continue")
        help = "a loop ends where its condition says so: 'for (n = 0; n < most && error > least; n++) { ... }'";
    if (help.empty() || !span.source) return false;
    report.error("K0101", fmt::format("there is no '{}'", word), span).help = help;
    return true;
}

/// Operators of C and of Python that the language does not have: a ** b, T *= 2, n++.
bool report_foreign_operator(const SyntaxFault& fault, Report& report) {
    const std::string_view found = text_of(fault.found), previous = text_of(fault.previous);
    const std::string& text = fault.found.source->text;
    if (found == "*" && previous == "*") {
        const Span both{fault.found.source, fault.previous.begin, fault.found.end};
        report.error("K0101", "there is no '**'", both).help = "a power is 'pow(a, b)', a square 'a*a'";
        return true;
    }
    const bool assigns = fault.rule == SyntaxRule::item || fault.rule == SyntaxRule::assignment;
    if (!assigns || found.empty() || !fault.previous.source) return false;
    const bool is_name = std::isalpha(static_cast<unsigned char>(previous.front())) != 0 || previous.front() == '_';
    const std::string target = is_name ? std::string(previous) : "T";
    if (found == "++" || found == "--") {
        report.error("K0101", fmt::format("there is no '{}' here", found), fault.found).help =
            fmt::format("write '{0} = {0} {1} 1;'", target, found.front());
        return true;
    }
    const bool combines = found.size() < 3 && found.find_first_not_of("-*/%&|^<>") == std::string_view::npos;
    if (!combines || fault.found.end >= text.size() || text[fault.found.end] != '=') return false;
    const Span both{fault.found.source, fault.found.begin, fault.found.end + 1};
    report.error("K0101", fmt::format("there is no '{}='", found), both).help =
        fmt::format("write '{0} = {0} {1} ...;'; 'T += ...;' alone adds", target, found);
    return true;
}

/// np.sqrt(a): the call of a word.
bool report_prefix(const SyntaxFault& fault, Report& report) {
    if (text_of(fault.found) != "(" || !fault.previous.source || fault.previous.begin < 2) return false;
    const std::string& text = fault.found.source->text;
    const auto is_of_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    if (text[fault.previous.begin - 1] != '.' || !is_of_name(text[fault.previous.begin - 2])) return false;
    const std::string here = form_here(text_of(fault.previous));
    report.error("K0101", "a function has no prefix", fault.previous).help =
        fmt::format("write '{}'", here.empty() ? fmt::format("{}(...)", text_of(fault.previous)) : here);
    return true;
}

}  // namespace

void report_syntax_fault(const SyntaxFault& fault, Report& report) {
    if (report_foreign_word(fault, report) || report_foreign_operator(fault, report) || report_prefix(fault, report))
        return;
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
