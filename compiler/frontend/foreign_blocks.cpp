#include "frontend/foreign_blocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "frontend/token_words.hpp"

//     for i in 1:10                    while error > least:              do {
//         T = T/2;                         T = T/2                           T = T/2;
//     end                              S = T                             } while (error > least);

namespace kasc::frontend {

namespace {

using Tokens = std::span<const Span>;

/// How far the value of a function is looked for.
constexpr std::size_t most_of_function = 60;

template <std::size_t Size>
bool is_one_of(const std::array<std::string_view, Size>& words, std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

/// Fortran has no upper and lower case.
std::string lower(std::string_view word) { return lower_case(std::string(word)); }

bool opens_block(std::string_view word) {
    static constexpr std::array<std::string_view, 17> words{
        "program", "module", "for",    "while",      "if",   "function", "def",    "do",    "begin",
        "unless",  "loop",   "repeat", "subroutine", "with", "where",    "select", "forall"};
    return is_one_of(words, lower(word));
}

bool ends_block(std::string_view word) {
    static constexpr std::array<std::string_view, 8> words{"end",      "endif",       "enddo",         "endfor",
                                                           "endwhile", "endfunction", "endsubroutine", "fi"};
    return is_one_of(words, lower(word));
}

/// The word begins its line and is no name, by the sign behind it: 'end = 5;' is an assignment.
bool is_plain(Tokens tokens, std::size_t at) {
    const std::string_view next = word_at(tokens, at + 1);
    return starts_line(tokens, at) && next != "=" && next != "[" && next != "(" && next != "+=";
}

bool holds(Tokens tokens, TokenRange range, std::string_view word) {
    return std::any_of(tokens.begin() + static_cast<std::ptrdiff_t>(range.begin),
                       tokens.begin() + static_cast<std::ptrdiff_t>(range.end),
                       [&](const Span& token) { return text_of(token) == word; });
}

/// Behind the 'end' of the block that begins here; none: it has no such.
std::optional<std::size_t> behind_end(Tokens tokens, std::size_t begin) {
    std::size_t depth = 1;
    for (std::size_t i = line_end(tokens, begin); i < tokens.size(); i = line_end(tokens, i)) {
        if (ends_block(text_of(tokens[i])) && is_plain(tokens, i)) {
            if (--depth == 0) return line_end(tokens, i);
        } else if (opens_block(text_of(tokens[i])) && !holds(tokens, {i, line_end(tokens, i)}, "{")) {
            ++depth;
        }
    }
    return std::nullopt;
}

std::size_t indentation(const Span& token) {
    const std::size_t line = std::string_view(token.source->text).substr(0, token.begin).rfind('\n');
    return token.begin - (line == std::string_view::npos ? 0 : line + 1);
}

/// Behind the lines that are indented more than the head of the block; what goes on with it has a head of its own.
std::size_t behind_indented(Tokens tokens, std::size_t begin) {
    const std::size_t margin = indentation(tokens[begin]);
    std::size_t i = line_end(tokens, begin);
    while (i < tokens.size()) {
        const std::size_t next = line_end(tokens, i);
        const bool goes_on = goes_on_with(text_of(tokens[i])) && word_at(tokens, next - 1) == ":";
        if (indentation(tokens[i]) <= margin && !goes_on) break;
        i = next;
    }
    return i;
}

/// Where a loop that counts has its words: for i in 0:n, for i in range(0, n), do i = 0, n.
std::vector<TokenRange> bounds_there(Tokens tokens, TokenRange range, std::string_view sign) {
    if (word_at(tokens, range.begin) == "range" && word_at(tokens, range.begin + 1) == "(")
        return in_brackets(tokens, range.begin + 1);
    std::vector<TokenRange> parts;
    std::size_t begin = range.begin;
    for (std::size_t i = range.begin; i <= range.end; ++i) {
        if (i < range.end && (word_at(tokens, i) == "(" || word_at(tokens, i) == "[")) i = closing(tokens, i);
        if (i < range.end && word_at(tokens, i) != sign) continue;
        parts.push_back({begin, std::min(i, range.end)});
        begin = i + 1;
    }
    return parts;
}

/// One more than the last number of a loop.
std::string one_more(const std::string& last) {
    if (last.size() < 9 && !last.empty() &&
        std::all_of(last.begin(), last.end(), [](char c) { return c >= '0' && c <= '9'; }))
        return std::to_string(std::stoi(last) + 1);
    for (const std::string_view less : {" - 1", "-1"})
        if (last.ends_with(less)) return last.substr(0, last.size() - less.size());
    return last + " + 1";
}

}  // namespace

std::string loop_here(std::span<const Span> tokens, TokenRange head) {
    std::size_t at = head.begin + 1;
    if (word_at(tokens, at) == "(" && closing(tokens, at) == head.end - 1) ++at, --head.end;
    const std::string variable(word_at(tokens, at));
    const std::string_view sign = word_at(tokens, at + 1);
    const bool counts = is_word(variable) && (sign == "in" || sign == "=");
    const std::vector<TokenRange> given =
        counts ? bounds_there(tokens, {at + 2, head.end}, lower(word_at(tokens, head.begin)) == "do" ? "," : ":")
               : std::vector<TokenRange>();
    const bool half_open = word_at(tokens, at + 2) == "range";
    // 0..10 reads as two reals.
    const std::string_view low = word_at(tokens, at + 2), high = word_at(tokens, at + 3);
    if (counts && is_number(low) && low.ends_with('.') && high.starts_with('.') && high.size() > 1)
        return fmt::format("write 'for ({0} = {1}; {0} < {2}; {0}++) {{ ... }}'", variable,
                           low.substr(0, low.size() - 1), high.substr(1));
    if (given.empty() || given.size() > 2 || (given.size() == 1 && !half_open))
        return "a loop counts by one: 'for (n = 0; n < steps; n++) { ... }'";
    const std::string first = given.size() == 1 ? "0" : written(tokens, given.front());
    const std::string last = written(tokens, given.back());
    if (first.empty() || last.empty()) return "a loop is written 'for (n = 0; n < steps; n++) { ... }'";
    return fmt::format("write 'for ({0} = {1}; {0} < {2}; {0}++) {{ ... }}'", variable, first,
                       half_open ? last : one_more(last));
}

std::string condition_here(std::span<const Span> tokens, TokenRange range) {
    while (word_at(tokens, range.begin) == "(" && closing(tokens, range.begin) == range.end - 1)
        ++range.begin, --range.end;
    return written(tokens, range);
}

namespace {

std::string help_of_block(Tokens tokens, TokenRange head, TokenRange body) {
    const std::string word = lower(text_of(tokens[head.begin]));
    const std::string last = lower(word_at(tokens, head.end - 1));
    if (last == ":" || last == "then" || (last == "do" && head.end - head.begin > 1) || last == "loop") --head.end;
    if (word == "for" || (word == "do" && head.end > head.begin + 1)) return loop_here(tokens, head);
    const std::string condition = condition_here(tokens, {head.begin + 1, head.end});
    if (word == "while") {
        const bool endless = condition == "True" || condition == "true" || condition == "1" || condition.empty();
        return fmt::format("{} 'while ({}) {{ ... }}'", endless ? "a loop ends by what it computes:" : "write",
                           endless ? "error > least" : condition);
    }
    if (word == "if" || word == "unless")
        return fmt::format("write 'if ({}) {{ ... }}{}'",
                           condition.empty()  ? "n > 0"
                           : word == "unless" ? fmt::format("!({})", condition)
                                              : condition,
                           (holds(tokens, body, "else") || holds(tokens, body, "ELSE")) ? " else { ... }" : "");
    if (word == "function" || word == "def" || word == "subroutine") return function_here(tokens, head.begin + 1);
    if (word == "program" || word == "module")
        return "leave it out: a program has no head, and its name is that of its file";
    return "blocks are 'for (n = 0; n < steps; n++) { ... }', 'while (c) { ... }', 'if (c) { ... } else { ... }'";
}

Span span_of(Tokens tokens, TokenRange range) {
    return {tokens[range.begin].source, tokens[range.begin].begin, tokens[range.end - 1].end};
}

/// Where the head of a block ends that stands on one line with what it holds: 'for n = 1:10' of 'for n = 1:10 T = 0;
/// end'.
std::size_t end_of_head(Tokens tokens, TokenRange line) {
    const auto ends = [](std::string_view text) { return text == ")" || text == "]"; };
    for (std::size_t i = line.begin + 2; i < line.end; ++i) {
        const std::string_view before = text_of(tokens[i - 1]), text = text_of(tokens[i]);
        if (text == "," || text == ";" || text == "then" || text == "do" || text == ":") {
            const bool range = text == ":" && (is_word(word_at(tokens, i + 1)) || is_number(word_at(tokens, i + 1)) ||
                                               word_at(tokens, i + 1) == "-" || word_at(tokens, i + 1) == "(");
            if (!range) return i;
        }
        const bool operand = is_number(before) || ends(before) || (is_word(before) && before != "in");
        if (operand && is_word(text) && text != "in" && i > line.begin + 2) return i;
    }
    return line.end;
}

/// for n = 1:10 T = T + 1; end
std::optional<ForeignBlock> on_one_line(Tokens tokens, TokenRange line) {
    std::size_t last = line.end;
    for (std::size_t i = line.begin + 1; i < line.end && last == line.end; ++i)
        if (ends_block(text_of(tokens[i])) && word_at(tokens, i + 1) != "=") last = i;
    const std::string word = lower(text_of(tokens[line.begin]));
    const bool loop = word == "for" || word == "while" || word == "if";
    if (last == line.end || !loop || holds(tokens, line, "{")) return std::nullopt;
    const TokenRange head{line.begin, end_of_head(tokens, {line.begin, last})};
    std::size_t body = head.end;
    for (const std::string_view sign : {",", ";", "then", "do", ":"})
        if (word_at(tokens, body) == sign) ++body;
    std::string help = help_of_block(tokens, head, {body, last});
    std::string held = body < last ? written(tokens, {body, last}) : std::string();
    if (!held.empty() && held.back() != ';') held += ';';
    if (const std::size_t at = help.find("{ ... }"); at != std::string::npos && !held.empty())
        help.replace(at, 7, fmt::format("{{ {} }}", held));
    std::size_t end = last + 1;
    if (word_at(tokens, end) == ";") ++end;
    return ForeignBlock{span_of(tokens, head), "a block stands in braces, not before an 'end'", help, end};
}

/// do { … } while (c);    repeat { … } until (c);
std::optional<ForeignBlock> looking_behind(Tokens tokens, std::size_t begin) {
    const std::string_view word = text_of(tokens[begin]);
    if ((word != "do" && word != "repeat") || word_at(tokens, begin + 1) != "{") return std::nullopt;
    const std::size_t condition = closing(tokens, begin + 1) + 1;
    const std::string_view until = word_at(tokens, condition);
    if (until != "while" && until != "until") return std::nullopt;
    std::size_t end = condition + 1;
    if (word_at(tokens, end) == "(") end = std::min(closing(tokens, end) + 1, tokens.size());
    std::string text = condition_here(tokens, {condition + 1, end});
    if (text.empty()) text = "error > least";
    if (until == "until") text = fmt::format("!({})", text);
    if (word_at(tokens, end) == ";") ++end;
    return ForeignBlock{tokens[begin], fmt::format("there is no '{} ... {}'", word, until),
                        fmt::format("a loop looks first: 'while ({}) {{ ... }}', and what it compares has a value "
                                    "before",
                                    text),
                        end};
}

}  // namespace

bool begins_choice(std::string_view word) { return word == "if" || word == "unless" || goes_on_with(word); }

bool goes_on_with(std::string_view word) {
    static constexpr std::array<std::string_view, 5> words{"else", "elif", "elseif", "elsif", "except"};
    return is_one_of(words, word);
}

std::string function_here(std::span<const Span> tokens, std::size_t name) {
    const std::string called(word_at(tokens, name));
    const std::size_t open = name + 1;
    if (!is_word(called) || word_at(tokens, open) != "(" || closing(tokens, open) == tokens.size())
        return "a function is written 'function square(u) = u*u;', a procedure 'procedure smooth(u) { u = u/2; }'";
    std::string arguments;
    for (const TokenRange& part : in_brackets(tokens, open)) {
        // The name stands last, 'float a', but for a type behind it, 'a: float', or a value, 'a = 1'.
        std::size_t last = part.end - 1;
        for (std::size_t i = part.begin; i < part.end; ++i) {
            if (word_at(tokens, i) != ":" && word_at(tokens, i) != "=") continue;
            last = i - 1;
            break;
        }
        arguments += (arguments.empty() ? "" : ", ") + std::string(word_at(tokens, last));
    }
    const std::size_t body = closing(tokens, open) + 1;
    std::size_t value = word_at(tokens, body) == ";" ? tokens.size() : body;  // a prototype has no body
    while (value < tokens.size() && value < body + most_of_function && text_of(tokens[value]) != "return" &&
           (value > body || text_of(tokens[value]) != "=") && text_of(tokens[value]) != "end")
        ++value;
    const std::string_view gives = word_at(tokens, value);
    std::size_t end = value;
    while (end < tokens.size() && text_of(tokens[end]) != ";" && (end == value || !starts_line(tokens, end))) ++end;
    const std::string text = gives == "return" || gives == "=" ? written(tokens, {value + 1, end}) : std::string();
    if (text.empty())
        return fmt::format("write 'function {0}({1}) = ...;', or of statements 'procedure {0}({1}) {{ ... }}'", called,
                           arguments);
    // What stands before the value are names for its parts.
    return value > body + 1
               ? fmt::format("write 'function {}({}) {{ let a = ...; return {}; }}'", called, arguments, text)
               : fmt::format("write 'function {}({}) = {};'", called, arguments, text);
}

std::optional<ForeignBlock> foreign_block(std::span<const Span> tokens, std::size_t begin) {
    if (begin >= tokens.size()) return std::nullopt;
    const std::string_view first = text_of(tokens[begin]);
    const std::string_view before = begin > 0 ? text_of(tokens[begin - 1]) : ";";
    const bool begins = before == ";" || before == "{" || before == "}";
    if ((first == "%" || first == "!") && (begins || starts_line(tokens, begin)))
        return ForeignBlock{tokens[begin], fmt::format("no comment begins with '{}'", first),
                            "a comment begins with '//'", line_end(tokens, begin)};
    if (!opens_block(first)) return std::nullopt;
    if (auto block = looking_behind(tokens, begin)) return block;
    const TokenRange head{begin, line_end(tokens, begin)};
    if (auto block = on_one_line(tokens, head)) return block;
    if (!starts_line(tokens, begin) || holds(tokens, head, "{") || holds(tokens, head, "}")) return std::nullopt;
    const bool indented = text_of(tokens[head.end - 1]) == ":";
    const auto end = indented ? behind_indented(tokens, begin) : behind_end(tokens, begin);
    if (!end) return std::nullopt;
    return ForeignBlock{
        span_of(tokens, head),
        indented ? "a block stands in braces, not behind a ':'" : "a block stands in braces, not before an 'end'",
        help_of_block(tokens, head, {head.end, *end}), *end};
}

void report_foreign_block(const ForeignBlock& block, Report& report) {
    report.error("K0101", block.message, block.head).help = block.help;
}

}  // namespace kasc::frontend
