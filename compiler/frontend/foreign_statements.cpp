#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "frontend/foreign_blocks.hpp"
#include "frontend/foreign_functions.hpp"
#include "frontend/foreign_parts.hpp"
#include "frontend/foreign_types.hpp"

// Statements by the word that they begin with, and assignments to several names.

namespace kasc::frontend {

namespace {

struct ForeignWord {
    std::string_view there;
    std::string_view here;       ///< {a} is what follows it in brackets
    std::string_view otherwise;  ///< for {a} where no brackets follow
};

constexpr std::array<ForeignWord, 20> foreign_words{
    {{"else", "choose a value: 'condition ? a : b'", ""},
     {"elif", "write 'else if ({a}) { ... }'", "n > 0"},
     {"elseif", "write 'else if ({a}) { ... }'", "n > 0"},
     {"elsif", "write 'else if ({a}) { ... }'", "n > 0"},
     {"unless", "write 'if (!({a})) { ... }'", "n > 0"},
     {"switch", "write 'if ({a} == 0) { ... } else if ({a} == 1) { ... }'; a cell's value is 'condition ? a : b'", "k"},
     {"select", "write 'if (k == 0) { ... } else if (k == 1) { ... }'; a cell's value is 'condition ? a : b'", ""},
     {"case", "write 'if (k == 0) { ... } else if (k == 1) { ... }'; a cell's value is 'condition ? a : b'", ""},
     {"do", "loops are 'for (n = 0; n < steps; n++) { ... }' and 'while (error > least) { ... }'", ""},
     {"while", "loops are 'for (n = 0; n < steps; n++) { ... }' and 'while (error > least) { ... }'", ""},
     {"goto", "loops are 'for (n = 0; n < steps; n++) { ... }' and 'while (error > least) { ... }'", ""},
     {"until", "a loop looks first: 'while (!({a})) { ... }'", "error < least"},
     {"loop", "write 'for (n = 0; n < {a}; n++) { ... }'", "steps"},
     {"repeat", "write 'for (n = 0; n < {a}; n++) { ... }'", "steps"},
     {"times", "write 'for (n = 0; n < {a}; n++) { ... }'", "steps"},
     {"foreach", "a statement computes every cell; a loop is written 'for (n = 0; n < steps; n++) { ... }'", ""},
     {"forall", "a statement computes every cell; a loop is written 'for (n = 0; n < steps; n++) { ... }'", ""},
     {"parfor", "a statement computes every cell; a loop is written 'for (n = 0; n < steps; n++) { ... }'", ""},
     {"continue", "what some iterations do stands in 'if (n > 0) { ... }'", ""},
     {"break", "a loop ends where its condition says so: 'for (n = 0; n < most && error > least; n++) { ... }'", ""}}};

const ForeignWord* known_word(std::string_view word) {
    const auto found = std::find_if(foreign_words.begin(), foreign_words.end(),
                                    [&](const ForeignWord& known) { return known.there == word; });
    return found == foreign_words.end() ? nullptr : &*found;
}

std::vector<std::string> parts_of(const SyntaxFault& fault, TokenRange range) {
    if (word_at(fault.tokens, range.begin) == "(" && closing(fault.tokens, range.begin) + 1 == range.end)
        ++range.begin, --range.end;
    std::vector<std::string> parts;
    for (std::size_t i = range.begin; i < range.end;) {
        const std::size_t end = std::min(next_sign(fault, i, ","), range.end);
        parts.push_back(written(fault.tokens, {i, end}));
        i = end + 1;
    }
    return parts;
}

/// S, T = T, S;
std::string pairs_here(const SyntaxFault& fault) {
    const std::size_t end = next_sign(fault, fault.statement);
    std::size_t sign = fault.statement;
    while (sign < end && word_at(fault.tokens, sign) != "=") ++sign;
    const std::vector<std::string> names = parts_of(fault, {fault.statement, sign}),
                                   values = parts_of(fault, {sign + 1, end});
    if (names.size() == 2 && values.size() == 2 && names[0] == values[1] && names[1] == values[0])
        return fmt::format("write 'former = {0}; {0} = {1}; {1} = former;'", names[0], names[1]);
    std::string all;
    for (std::size_t k = 0; k < names.size() && names.size() == values.size(); ++k)
        all += fmt::format("{}{} = {};", k == 0 ? "" : " ", names[k], values[k]);
    return fmt::format("each assignment is a statement: '{}'", all.empty() ? "S = 1; T = 1;" : all);
}

/// T(i) = 3, f(x) = x*x
std::string called_target(const SyntaxFault& fault) {
    const std::string name(text_of(fault.first));
    const auto axes = axes_in_text(fault.tokens, fault.statement, name);
    if (!axes) return function_here(fault.tokens, fault.statement);
    std::string positions;
    const std::vector<TokenRange> parts = in_brackets(fault.tokens, fault.statement + 1);
    for (std::size_t k = 0; k < parts.size() && k < axes->size(); ++k)
        positions += fmt::format("{}{} = {}", k == 0 ? "" : ", ", (*axes)[k], shown(fault, parts[k], "0"));
    return fmt::format("one place is '{0}[{1}] = ...;', and '{0} = ...;' assigns every cell", name, positions);
}

/// The name that the last statement before assigns.
std::string last_assigned(const SyntaxFault& fault) {
    for (std::size_t i = std::min(fault.statement, fault.tokens.size()); i-- > 1;) {
        const std::string_view before = word_at(fault.tokens, i - 1);
        const bool begins = before == ";" || before == "{" || before == "}";
        const std::string_view sign = word_at(fault.tokens, i + 1);
        if (begins && is_word(word_at(fault.tokens, i)) && (sign == "=" || sign == "+=" || sign == "["))
            return std::string(word_at(fault.tokens, i));
    }
    return "T";
}

std::string help_for_return(const SyntaxFault& fault) {
    const std::string_view found = text_of(fault.found);
    if (fault.rule != SyntaxRule::list) return {};
    if (fault.statement > 1 && word_at(fault.tokens, fault.statement - 1) == "{" &&
        word_at(fault.tokens, fault.statement - 2) == ")") {
        std::size_t head = fault.statement - 2;
        while (head > 0 && word_at(fault.tokens, head) != "procedure" && word_at(fault.tokens, head) != ";") --head;
        if (word_at(fault.tokens, head) == "procedure")
            return "a procedure gives no value: " + function_here(fault.tokens, head + 1);
    }
    const std::string name = last_assigned(fault);
    if (found == "(" || found == "[" || found == "{") {
        std::string names;
        for (const TokenRange& part : in_brackets(fault.tokens, fault.at))
            names += (names.empty() ? "" : ", ") + shown(fault, part, name);
        return fmt::format("write 'return {};'", names.empty() ? name : names);
    }
    if (found == ";") return fmt::format("name what the program gives: 'return {};'", name);
    const std::string value = shown(fault, {fault.statement + 1, next_sign(fault, fault.statement + 1, ",")}, "");
    if (!is_word(value) || is_word(found) || starts_line(fault.tokens, fault.at)) return {};
    return fmt::format("an output is a name: '{0} = {1}; return {0};'", name, value);
}

/// for (int i = 0; i <= n; ++i)
std::string help_for_head(const SyntaxFault& fault) {
    const std::string_view found = text_of(fault.found), previous = text_of(fault.previous);
    const std::string bound = shown(fault, {fault.at + 1, next_sign(fault, fault.at + 1)}, "steps");
    if (found == "<=") return fmt::format("write '{} < {} + 1'", previous, bound);
    if (found == "=" && fault.expected.size() == 1 && fault.expected.front() == "'++'")
        return fmt::format("a loop counts by one, and '2*{}' is every second number", previous);
    if (found == "in" && word_at(fault.tokens, fault.at + 1) != "(")
        return fmt::format("a statement computes every cell, without a loop over '{}'",
                           shown(fault, {fault.at + 1, next_sign(fault, fault.at + 1)}, "x"));
    if (found == "+=") {
        const std::string step = shown(fault, {fault.at + 1, next_sign(fault, fault.at + 1)}, "2");
        if (step == "1") return fmt::format("write '{}++'", previous);
        return fmt::format("a loop counts by one, and '{}*{}' {}", step, previous,
                           step == "2" ? "is every second number" : "goes in such steps");
    }
    if (found == ">" || found == ">=" || found == "--")
        return fmt::format("a loop counts up, and 'steps - 1 - {}' goes down", previous);
    if (found == "++" && is_word(word_at(fault.tokens, fault.at + 1)))
        return fmt::format("write '{}++'", word_at(fault.tokens, fault.at + 1));
    if (is_word(previous) && is_word(found) && word_at(fault.tokens, fault.at + 1) == "=") {
        const std::size_t open = fault.at - 2;
        return fmt::format("a loop has no type: 'for ({}) {{ ... }}'",
                           word_at(fault.tokens, open) == "("
                               ? shown(fault, {fault.at, closing(fault.tokens, open)}, "n = 0; n < steps; n++")
                               : "n = 0; n < steps; n++");
    }
    return {};
}

/// if c > 0 { … }    while c { … }
std::string without_brackets(const SyntaxFault& fault) {
    std::size_t end = fault.statement + 1;
    const auto ends = [](std::string_view text) { return text == "{" || text == ":" || text == "?" || text == ";"; };
    while (end < fault.tokens.size() && !ends(word_at(fault.tokens, end)) && !starts_line(fault.tokens, end)) ++end;
    const std::string_view last = word_at(fault.tokens, end);
    if ((last != "{" && last != ":") || word_at(fault.tokens, fault.statement + 1) == "(") return {};
    const std::string condition = written(fault.tokens, {fault.statement + 1, end});
    return fmt::format("write '{} ({}) {{ ... }}'", text_of(fault.first), condition.empty() ? "n > 0" : condition);
}

}  // namespace

bool report_foreign_word(const SyntaxFault& fault, Report& report) {
    const auto leaves = [](std::string_view word) { return word == "break" || word == "continue"; };
    const bool inner = leaves(text_of(fault.found));
    const Span& span = inner ? fault.found : fault.first;
    const std::string_view word = text_of(span);
    const ForeignWord* known = known_word(word);
    // 'while' and 'else' have their faults where they are rightly begun; other words are names where a sign follows.
    const bool begun = word == "while" || (word == "else" && fault.rule == SyntaxRule::choice);
    const std::size_t next = fault.statement + 1;
    const bool name = !inner && (word_at(fault.tokens, next) == "=" || word_at(fault.tokens, next) == "[");
    if (!known || !span.source || begun || name) return false;
    std::vector<std::string> given{std::string(known->otherwise)};
    if (word_at(fault.tokens, next) == "(") {
        const std::string text = condition_here(fault.tokens, {next, closing(fault.tokens, next) + 1});
        if (!text.empty()) given.front() = text;
    } else if (is_number(word_at(fault.tokens, next))) {
        given.front() = std::string(word_at(fault.tokens, next));
    }
    report.error("K0101", fmt::format("there is no '{}'", word), span).help =
        given.front().empty() ? std::string(known->here) : filled(known->here, given);
    return true;
}

std::string help_for_statement(const SyntaxFault& fault) {
    const std::string_view first = text_of(fault.first), found = text_of(fault.found);
    const std::size_t next = fault.statement + 1;
    if (fault.rule == SyntaxRule::loop_body && fault.expected == std::vector<std::string>{"'{'"} && found != "{")
        return fmt::format("what is repeated stands in braces: '{{ {}; }}'",
                           shown(fault, {fault.at, next_sign(fault, fault.at)}, "..."));
    if (first == "for") {
        if (fault.rule == SyntaxRule::loop_head)
            if (std::string help = help_for_head(fault); !help.empty()) return help;
        const std::string_view sign = word_at(fault.tokens, fault.statement + 2);
        std::size_t end = next;
        while (end < fault.tokens.size() && word_at(fault.tokens, end) != "{" && !starts_line(fault.tokens, end)) ++end;
        const bool of_entries = word_at(fault.tokens, fault.statement + 3) == "(";
        bool of_numbers = word_at(fault.tokens, fault.statement + 3) == "range" ||
                          is_number(word_at(fault.tokens, fault.statement + 3));
        for (std::size_t i = next; i < end; ++i) of_numbers = of_numbers || word_at(fault.tokens, i) == ":";
        if ((sign == "in" && !of_entries && of_numbers) || sign == "=")
            return loop_here(fault.tokens, {fault.statement, end});
        return {};
    }
    if (first == "if" || first == "while") return without_brackets(fault);
    if (first == "return") return help_for_return(fault);
    if (found == ":" && fault.at == next && is_word(first) && word_at(fault.tokens, next + 1) != ":")
        return "nothing jumps to a label: loops are 'for (n = 0; n < steps; n++) { ... }' and 'while (c) { ... }'";
    if (first == "input" && found == "=")
        return fmt::format("the values of an input are a file's, others are assigned: '{} = {};'",
                           text_of(fault.previous),
                           shown(fault, {fault.at + 1, next_sign(fault, fault.at + 1, ",")}, "0"));
    const std::string_view before = fault.at > 1 ? word_at(fault.tokens, fault.at - 2) : std::string_view();
    const bool begins = before == "(" || before == ",";  // an argument
    if (found == "=" && fault.rule == SyntaxRule::call && begins && first != "require" &&
        text_of(fault.previous) != "axis" && !text_of(fault.previous).starts_with("dim"))
        return "arguments have no names: they stand in the order of the function";
    if (fault.expected == std::vector<std::string>{"':'"})
        return fmt::format("a choice has two sides: '{} : 0'", shown(fault, {fault.statement + 2, fault.at}, "c ? a"));
    if (first == "input" && found == "from") return "a run names the file: 'kasc run --in data.h5'";
    if (first == "input" && is_type_here(word_at(fault.tokens, next)))
        return fmt::format("write '{};' and 'input {};'", shown(fault, {next, next_sign(fault, next)}, "float T[x]"),
                           word_at(fault.tokens, next + 1));
    if ((first == "int" || first == "void") && word_at(fault.tokens, next) == "main")
        return "a program has no 'main': its declarations and statements stand by themselves";
    if (fault.rule == SyntaxRule::function && is_word(found) && word_at(fault.tokens, fault.at + 1) == "=")
        return fmt::format("a name in a function is 'let g = {};'",
                           shown(fault, {fault.at + 2, next_sign(fault, fault.at + 2)}, "u*u"));
    if (fault.at > 1 && found.starts_with('"') && word_at(fault.tokens, fault.at - 2) == "einsum")
        return "products are summed along the axes that are named: 'sum(A*B, k)'";
    if (first == "axis" && found == ",")
        return fmt::format("write '{}; axis {};'", shown(fault, {fault.statement, fault.at}, "axis x = 10"),
                           shown(fault, {fault.at + 1, next_sign(fault, fault.at + 1)}, "y = 10"));
    const bool pairs = (found == "," && fault.at == next) || (first == "(" && fault.at == fault.statement);
    if (pairs && next_sign(fault, fault.statement, "=") < next_sign(fault, fault.statement)) return pairs_here(fault);
    if (pairs && first == "(" && word_at(fault.tokens, closing(fault.tokens, fault.statement) + 1) == "=")
        return pairs_here(fault);
    if (found == "=" && word_at(fault.tokens, next) == "(" && closing(fault.tokens, next) + 1 == fault.at)
        return called_target(fault);
    if (found == "=" && word_at(fault.tokens, next) == "=" && fault.at == fault.statement + 3)
        return fmt::format("each assignment is a statement: '{0} = {2}; {1} = {0};'", text_of(fault.previous), first,
                           shown(fault, {fault.at + 1, next_sign(fault, fault.at + 1)}, "0"));
    if (first == "call" && is_word(word_at(fault.tokens, next)))
        return fmt::format("a procedure is called by its name: '{};'",
                           shown(fault, {next, next_sign(fault, next)}, "smooth(T)"));
    return {};
}

}  // namespace kasc::frontend
