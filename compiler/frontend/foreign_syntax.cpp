#include "frontend/foreign_syntax.hpp"

#include <fmt/format.h>

#include "frontend/foreign_parts.hpp"
#include "frontend/foreign_types.hpp"
#include "frontend/foreign_words.hpp"
#include "frontend/report.hpp"

namespace kasc::frontend {

namespace {

/// T *= a + b is T = T*(a + b); of a target with a bracket, T[x = 0] -= 1, the name is not all of it.
std::string assignment_here(const SyntaxFault& fault, const std::string& target) {
    const std::size_t begin = fault.at + 2;
    const std::string value = shown(fault, {begin, next_sign(fault, begin)}, "...");
    const std::string whole = shown(fault, {fault.statement, fault.at}, target);
    const bool one = next_sign(fault, begin) == begin + 1;
    const std::string_view sign = text_of(fault.found);
    const std::string space = sign == "-" || sign == "&" || sign == "|" || sign == "^" || sign == "%" ? " " : "";
    return fmt::format("write '{0} = {0}{3}{1}{3}{2};'; '{0} += ...;' alone adds", whole, sign,
                       one || value == "..." ? value : fmt::format("({})", value), space);
}

/// Operators of C and of Python that the language does not have: a ** b, T *= 2, n++.
bool report_foreign_operator(const SyntaxFault& fault, Report& report) {
    const std::string_view found = text_of(fault.found), previous = text_of(fault.previous);
    const std::string& text = fault.found.source->text;
    if (found == "*" && previous == "*") {
        const Span both{fault.found.source, fault.previous.begin, fault.found.end};
        const std::string base = fault.at > 1 && is_word(word_at(fault.tokens, fault.at - 2))
                                     ? std::string(word_at(fault.tokens, fault.at - 2))
                                     : "a";
        const std::string_view power = word_at(fault.tokens, fault.at + 1);
        report.error("K0101", "there is no '**'", both).help = fmt::format(
            "a power is 'pow({0}, {1})', a square '{0}*{0}'", base, is_word(power) || is_number(power) ? power : "b");
        return true;
    }
    if (found == ":" && fault.found.end < text.size() && text[fault.found.end] == '=') {
        const Span both{fault.found.source, fault.found.begin, fault.found.end + 1};
        report.error("K0101", "there is no ':='", both).help = "an assignment is 'T = ...;'";
        return true;
    }
    const bool assigns = fault.rule == SyntaxRule::item || fault.rule == SyntaxRule::assignment;
    if (!assigns || found.empty() || !fault.previous.source) return false;
    const std::string target = is_word(previous) ? std::string(previous) : "T";
    if (found == "++" || found == "--") {
        report.error("K0101", fmt::format("there is no '{}' here", found), fault.found).help =
            fmt::format("write '{0} = {0} {1} 1;'", target, found.front());
        return true;
    }
    const bool combines = found.size() < 3 && found.find_first_not_of("-*/%&|^<>") == std::string_view::npos;
    if (!combines || fault.found.end >= text.size() || text[fault.found.end] != '=') return false;
    const Span both{fault.found.source, fault.found.begin, fault.found.end + 1};
    report.error("K0101", fmt::format("there is no '{}='", found), both).help = assignment_here(fault, target);
    return true;
}

/// (float)T
bool is_cast(const SyntaxFault& fault) {
    return fault.at > 2 && text_of(fault.previous) == ")" && is_type_here(word_at(fault.tokens, fault.at - 2)) &&
           word_at(fault.tokens, fault.at - 3) == "(";
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

/// Where the condition ends, or begins, that stands beside the token at `at`.
std::size_t end_of_condition(const SyntaxFault& fault, std::size_t at) {
    while (at < fault.tokens.size()) {
        const std::string_view text = word_at(fault.tokens, at);
        if (text == "?" || text == ";" || text == ")" || text == "," || text == "{" || text == ":" || text == "and" ||
            text == "or" || text == "." || text == "]")
            break;
        at = text == "(" || text == "[" ? closing(fault.tokens, at) + 1 : at + 1;
    }
    return std::min(at, fault.tokens.size());
}

std::size_t begin_of_condition(const SyntaxFault& fault, std::size_t at) {
    std::size_t depth = 0;
    while (at > fault.statement) {
        const std::string_view text = word_at(fault.tokens, at - 1);
        if (text == ")" || text == "]") ++depth;
        const bool opens = text == "(" || text == "[";
        if (opens && depth > 0) {
            --depth;
        } else if (depth == 0 && (opens || text == "=" || text == "," || text == "?" || text == ":" || text == "and" ||
                                  text == "or" || text == "return")) {
            break;
        }
        --at;
    }
    return at;
}

/// 'T > 0 && u > 0' for 'T > 0 and u > 0', whose word stands from `begin` to `end`.
std::string joined(const SyntaxFault& fault, std::size_t begin, std::size_t end, std::string_view sign) {
    const std::string left = shown(fault, {begin_of_condition(fault, begin), begin}, ""),
                      right = shown(fault, {end, end_of_condition(fault, end)}, "");
    const bool plain = !left.empty() && !right.empty() && !right.starts_with("not ") && !left.starts_with("not ");
    return plain ? fmt::format("write '{} {} {}'", left, sign, right)
                 : fmt::format("conditions are joined by '{}'", sign);
}

std::string turned(const SyntaxFault& fault, std::size_t begin) {
    std::string text = shown(fault, {begin, end_of_condition(fault, begin)}, "a > b");
    const bool bracketed = text.front() == '(' && text.find(')') == text.size() - 1;
    return fmt::format("a condition is turned round by '!': '!{}'", bracketed ? text : fmt::format("({})", text));
}

/// T > 0 and u > 0, not T > 0, .not. (T > 0), (T > 0) .and. (u > 0)
std::string help_for_words_between(const SyntaxFault& fault) {
    const std::string_view found = text_of(fault.found), previous = text_of(fault.previous);
    if (found == "and") return joined(fault, fault.at, fault.at + 1, "&&");
    if (found == "or") return joined(fault, fault.at, fault.at + 1, "||");
    if (previous == "not") return turned(fault, fault.at);
    if (found == "." && lower_case(std::string(word_at(fault.tokens, fault.at + 1))) == "not")
        return turned(fault, fault.at + 3);
    if (previous == "." && fault.at > 3 && word_at(fault.tokens, fault.at - 3) == ".") {
        const std::string word = lower_case(std::string(word_at(fault.tokens, fault.at - 2)));
        if (word == "and" || word == "or") return joined(fault, fault.at - 3, fault.at, word == "and" ? "&&" : "||");
    }
    return {};
}

/// u.{a} and {a}[x], by the habit of u_{a}
std::string help_for_name_in_braces(const SyntaxFault& fault) {
    const std::string_view name = word_at(fault.tokens, fault.at + 1);
    if (text_of(fault.found) != "{" || !is_word(name)) return {};
    if (text_of(fault.previous) == "." && fault.at > 1)
        return fmt::format("write '{}.{}': behind a dot a name of the loop is the word",
                           word_at(fault.tokens, fault.at - 2), name);
    if (word_at(fault.tokens, fault.at + 2) != "}") return {};
    return fmt::format(
        "write '{0}': by itself a name of the loop is the entry, braces are around parts of names, 'u_{{{0}}}'", name);
}

std::string help_for_operator(std::string_view found, std::string_view previous) {
    if (found == "if") return "choose with 'condition ? a : b'";
    if (found == "^" && previous == ".") return "operators go cell by cell: a power is 'pow(a, b)', a square 'a*a'";
    if (previous == "." && !found.empty() && found.find_first_not_of("*/+-%<>&|") == std::string_view::npos)
        return fmt::format("operators go cell by cell: 'a{}b'", found);
    if (previous == "." && found == "=") return "an assignment goes cell by cell: 'T = ...;'";
    if ((found == "=" && previous == "/") || (found == ">" && previous == "<")) return "unequal is '!='";
    if (found == ">" && (previous == "=" || previous == "-"))
        return "a function is written 'function square(u) = u*u;', a choice 'condition ? a : b'";
    if (found == ";" && previous == "}") return "a block ends with its '}', without a ';'";
    if (found == ":" && previous == ":") return "functions have no prefix: 'exp(a)'";
    if (found == "==") return "an assignment is 'T = ...;'";
    if (found == ";" && previous == ";") return "one ';' ends a statement";
    return {};
}

}  // namespace

bool report_foreign_syntax(const SyntaxFault& fault, Report& report) {
    return report_foreign_word(fault, report) || report_foreign_operator(fault, report) ||
           report_foreign_call(fault, report) || report_foreign_number(fault, report);
}

std::string foreign_help(const SyntaxFault& fault) {
    const std::string_view first = text_of(fault.first), found = text_of(fault.found),
                           previous = text_of(fault.previous);
    if (first == "printf") return "results are returned, 'return T;', and looked at with 'kasc view'";
    const std::string names = shown(fault, {fault.statement + 1, next_sign(fault, fault.statement + 1)}, "T");
    if (std::string help = statement_here(first, names);
        !help.empty() && fault.at > fault.statement && first != "axis" && first != "call")
        return help;
    if (previous == "lambda" && is_word(found)) return "a function is written 'function square(u) = u*u;'";
    if ((first == "import" || first == "from" || first == "using" || first == "use") && is_word(previous))
        return "'import \"waves.kas\";' is of a file; 'exp', 'sum' and 'fft' are there without";
    if (fault.previous.source && is_division_by_comment(fault))
        return "'//' begins a comment; 'a/b' cuts where integers are needed, 'floor(a/b)' does of reals";
    if (fault.previous.source && is_cast(fault))
        return "'int(a)' makes an integer of a real, 'float(i)' a real of an integer; others are converted as needed";
    if (std::string help = help_for_words_between(fault); !help.empty()) return help;
    if (std::string help = help_for_name_in_braces(fault); !help.empty()) return help;
    if (std::string help = help_for_statement(fault); !help.empty()) return help;
    // T .gt. 0
    if (previous == "." && fault.at > 3 && word_at(fault.tokens, fault.at - 3) == ".")
        if (std::string help =
                word_here(word_at(fault.tokens, fault.at - 2), std::string(word_at(fault.tokens, fault.at - 4)), {});
            !help.empty())
            return help;
    const bool bars = found == "|" || found == "||";
    if (bars && fault.expected == std::vector<std::string>{"an expression"})
        return fmt::format("{} '{}({})'", found == "|" ? "an absolute value is" : "a norm is",
                           found == "|" ? "abs" : "norm",
                           is_word(word_at(fault.tokens, fault.at + 1)) ? word_at(fault.tokens, fault.at + 1) : "a");
    if (found == "=" && (previous == "axis" || previous == "dim" || previous == "dims") &&
        fault.rule == SyntaxRule::call)
        if (std::string help = help_for_keyword(fault); !help.empty()) return help;
    if (std::string help = help_for_operator(found, previous); !help.empty()) return help;
    if (std::string help = help_for_brackets(fault); !help.empty()) return help;
    if (std::string help = help_for_declaration(fault); !help.empty()) return help;
    if (previous == ")" && found == "(")
        return fmt::format("a product is written with '*': '(...)*{}'",
                           shown(fault, {fault.at, closing(fault.tokens, fault.at) + 1}, "(...)"));
    if (found == "," && is_number(previous) && is_number(word_at(fault.tokens, fault.at + 1)) &&
        adjoin(fault.found, fault.tokens[fault.at + 1]))
        return fmt::format("a number has a point: '{}.{}'", previous, word_at(fault.tokens, fault.at + 1));
    if (found == "in" && fault.at > fault.statement && first != "for") {
        std::string any;
        for (const TokenRange& part : in_brackets(fault.tokens, fault.at + 1))
            any += fmt::format("{}{} == {}", any.empty() ? "" : " || ", previous, shown(fault, part, "0"));
        return any.empty() ? "a condition compares: 'x == 0 || x == 1'" : fmt::format("write '({})'", any);
    }
    const bool of_value =
        fault.rule == SyntaxRule::other || (fault.rule == SyntaxRule::assignment && fault.expected.size() < 2);
    const bool beside = of_value && (is_word(previous) || previous == ")" || previous == "]");
    if (beside && is_word(found) && !starts_line(fault.tokens, fault.at))
        return fmt::format("an operator stands between two values: '{}*{}'",
                           is_word(previous) ? previous : std::string_view("a"), found);
    return {};
}

}  // namespace kasc::frontend
