#include "frontend/foreign_syntax.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "frontend/foreign_functions.hpp"

namespace kasc::frontend {

namespace {

constexpr std::string_view loop_form = "a loop is written 'for (n = 0; n < steps; n++) { ... }'";
constexpr std::string_view function_form =
    "a function is written 'function square(u) = u*u;', a procedure 'procedure smooth(u) { u = u/2; }'";

bool is_type(std::string_view word) {
    static constexpr std::array<std::string_view, 5> types{"float", "double", "int", "uint8", "complex"};
    return std::find(types.begin(), types.end(), word) != types.end();
}

bool is_word(std::string_view text) {
    return !text.empty() && (std::isalpha(static_cast<unsigned char>(text.front())) != 0 || text.front() == '_');
}

/// Statements of C that the language does not have: at the beginning of an item, or in a loop.
bool report_foreign_word(const SyntaxFault& fault, Report& report) {
    const auto leaves = [](const Span& span) { return text_of(span) == "break" || text_of(span) == "continue"; };
    const bool of_item = fault.rule == SyntaxRule::item && !leaves(fault.previous);
    const Span& span = leaves(fault.found) ? fault.found : of_item ? fault.first : fault.previous;
    const std::string_view word = text_of(span);
    if (fault.rule == SyntaxRule::choice && !leaves(span)) return false;  // an 'else' that has an 'if'
    std::string_view help;
    if (word == "else" || word == "switch") help = "choose a value: 'condition ? a : b'";
    if (word == "while" || word == "do")
        help = "loops are 'for (n = 0; n < steps; n++) { ... }' and 'while (error > least) { ... }'";
    if (word == "continue") help = "what some iterations do stands in 'if (n > 0) { ... }'";
    if (word == "break")
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
    if (found == ":" && fault.found.end < text.size() && text[fault.found.end] == '=') {
        const Span both{fault.found.source, fault.found.begin, fault.found.end + 1};
        report.error("K0101", "there is no ':='", both).help = "an assignment is 'T = ...;'";
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

/// What stands before `end` but for spaces: a word, or one sign.
std::string_view word_before(std::string_view text, std::size_t& end) {
    const auto is_of_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    while (end > 0 && text[end - 1] == ' ') --end;
    std::size_t begin = end;
    while (begin > 0 && is_of_word(text[begin - 1])) --begin;
    if (begin == end && begin > 0) --begin;
    const std::string_view word = text.substr(begin, end - begin);
    end = begin;
    return word;
}

/// (float)T
bool is_cast(const SyntaxFault& fault) {
    if (text_of(fault.previous) != ")") return false;
    std::size_t end = fault.previous.begin;
    const std::string_view text = fault.found.source->text;
    return is_type(word_before(text, end)) && word_before(text, end) == "(";
}

/// S = T // 2;    what was meant to be computed looks like a comment that ends with a semicolon.
bool is_division_by_comment(const SyntaxFault& fault) {
    const std::string_view text = fault.found.source->text;
    const std::size_t begin = fault.previous.end;
    const std::string_view line = text.substr(begin, text.find('\n', begin) - begin);
    const std::size_t comment = line.find_first_not_of(' ');
    const std::size_t last = line.find_last_not_of(" \r");
    return comment != std::string_view::npos && line.substr(comment).starts_with("//") && line[last] == ';';
}

std::string help_for_loop(std::string_view found, std::string_view previous, bool one_text) {
    if (found == "<=") return "write 'n < steps + 1'";
    if (found == "+=") return "a loop counts by one, and '2*n' is every second number";
    if (found == ">" || found == ">=" || found == "--") return "a loop counts up, and 'steps - 1 - n' goes down";
    if (is_type(previous)) return fmt::format("{}, without a type", loop_form);
    if (one_text && (previous == "range" || found == "=")) return std::string(loop_form);
    return {};
}

std::string help_for_operator(std::string_view found, std::string_view previous, bool needs_expression) {
    if (found == "and") return "conditions are joined by '&&'";
    if (found == "or") return "conditions are joined by '||'";
    if (previous == "not") return "a condition is turned round by '!', as in '!(a > b)'";
    if (found == "if") return "choose with 'condition ? a : b'";
    if (found == "*" && previous == ".") return "operators go cell by cell: 'a*b'";
    if (found == "|" && needs_expression) return "an absolute value is 'abs(a)'";
    if (found == "==") return "an assignment is 'T = ...;'";
    if (found == "=" && previous == "axis") return "axes are named by themselves: 'sum(T, x)'";
    if (found == ";" && previous == ";") return "one ';' ends a statement";
    return {};
}

std::string help_for_brackets(const SyntaxFault& fault, std::string_view found, std::string_view previous) {
    if (found == "[" && previous == "]") return "axes stand in one bracket: 'T[x - 1, y + 1]'";
    if (found == "[" && previous == "shape") return "the length along an axis is 'extent(x)'";
    if (found == ":" && (previous == "[" || fault.rule == SyntaxRule::indices))
        return "a statement computes every cell: a neighbour is 'T[x - 1]', a slice stands at a position, 'T[x = 0]'";
    if (found == "]" && previous == "[") return "the cell itself is the name alone: 'T'";
    const bool of_axes = previous == "[" || (!fault.expected.empty() && fault.expected.back() == "']'");
    if (is_type(text_of(fault.first)) && of_axes)
        return "axes have names, 'float q[i];', and lengths where no input has them, 'axis i = 10;'";
    return {};
}

}  // namespace

bool report_foreign_syntax(const SyntaxFault& fault, Report& report) {
    return report_foreign_word(fault, report) || report_foreign_operator(fault, report) || report_prefix(fault, report);
}

std::string foreign_help(const SyntaxFault& fault) {
    const std::string_view first = text_of(fault.first), found = text_of(fault.found),
                           previous = text_of(fault.previous);
    if (first == "for") {
        const bool one_text = fault.rule == SyntaxRule::for_each || fault.rule == SyntaxRule::choice;
        if (fault.rule == SyntaxRule::loop_head || one_text)
            if (std::string help = help_for_loop(found, previous, one_text); !help.empty()) return help;
    }
    if (first == "print" || first == "printf")
        return "results are returned, 'return T;', and looked at with 'kasc view'";
    if (first == "const") return "a constant is a parameter, 'param float a = 2;', or a name, 'let a = 2;'";
    if (first == "def" || first == "void" || (previous == "lambda" && is_word(found)))
        return std::string(function_form);
    if (found == "(" && fault.rule == SyntaxRule::declaration && is_type(first)) return std::string(function_form);
    if (first == "import" && is_word(previous))
        return "'import \"waves.kas\";' is of a file; 'exp', 'sum' and 'fft' are there without";
    if (fault.previous.source && is_division_by_comment(fault))
        return "'//' begins a comment; 'a/b' cuts where integers are needed, 'floor(a/b)' does of reals";
    if (fault.previous.source && is_cast(fault))
        return "'int(a)' makes an integer of a real, 'float(i)' a real of an integer; others are converted as needed";
    const bool needs_expression = fault.expected == std::vector<std::string>{"an expression"};
    if (std::string help = help_for_operator(found, previous, needs_expression); !help.empty()) return help;
    return help_for_brackets(fault, found, previous);
}

}  // namespace kasc::frontend
