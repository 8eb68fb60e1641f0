#include "frontend/token_words.hpp"

#include <algorithm>
#include <cctype>

namespace kasc::frontend {

namespace {

constexpr std::size_t longest_written = 48;

bool opens(std::string_view text) { return text == "(" || text == "[" || text == "{"; }
bool closes(std::string_view text) { return text == ")" || text == "]" || text == "}"; }

}  // namespace

std::string_view word_at(std::span<const Span> tokens, std::size_t at) {
    return at < tokens.size() ? text_of(tokens[at]) : std::string_view();
}

bool is_word(std::string_view text) {
    return !text.empty() && (std::isalpha(static_cast<unsigned char>(text.front())) != 0 || text.front() == '_');
}

bool is_number(std::string_view text) {
    const std::size_t digit = text.starts_with('.') ? 1 : 0;
    return text.size() > digit && std::isdigit(static_cast<unsigned char>(text[digit])) != 0;
}

bool starts_line(std::span<const Span> tokens, std::size_t at) {
    if (at == 0 || at >= tokens.size()) return true;
    const std::size_t before = tokens[at - 1].end;
    return std::string_view(tokens[at].source->text).substr(before, tokens[at].begin - before).find('\n') !=
           std::string_view::npos;
}

std::size_t line_end(std::span<const Span> tokens, std::size_t at) {
    std::size_t end = std::min(at + 1, tokens.size());
    while (end < tokens.size() && !starts_line(tokens, end)) ++end;
    return end;
}

bool adjoin(const Span& left, const Span& right) { return left.source && right.source && left.end == right.begin; }

std::size_t closing(std::span<const Span> tokens, std::size_t open) {
    std::size_t depth = 0;
    for (std::size_t i = open; i < tokens.size(); ++i) {
        if (opens(text_of(tokens[i]))) ++depth;
        if (closes(text_of(tokens[i])) && --depth == 0) return i;
    }
    return tokens.size();
}

std::vector<TokenRange> in_brackets(std::span<const Span> tokens, std::size_t open) {
    const std::size_t close = closing(tokens, open);
    std::vector<TokenRange> parts;
    if (close == tokens.size() || close == open + 1) return parts;
    std::size_t begin = open + 1;
    for (std::size_t i = open + 1; i <= close; ++i) {
        if (opens(text_of(tokens[i]))) i = closing(tokens, i);
        if (i != close && text_of(tokens[i]) != ",") continue;
        parts.push_back({begin, i});
        begin = i + 1;
    }
    return parts;
}

std::string short_text(const Span& span) {
    const std::string_view text = span.source ? text_of(span) : std::string_view();
    const bool plain = text.size() <= longest_written && text.find_first_of("\n\r\t") == std::string_view::npos;
    return plain ? std::string(text) : std::string();
}

std::string written(std::span<const Span> tokens, TokenRange range) {
    if (range.empty() || range.end > tokens.size()) return {};
    return short_text({tokens[range.begin].source, tokens[range.begin].begin, tokens[range.end - 1].end});
}

std::size_t statement_of(std::span<const Span> tokens, std::size_t first, std::size_t at) {
    std::size_t begin = first, open = 0;
    for (std::size_t i = first; i < std::min(at, tokens.size()); ++i) {
        const std::string_view text = text_of(tokens[i]);
        if (text == "(" || text == "[") ++open;
        if ((text == ")" || text == "]") && open > 0) --open;
        if (open == 0 && (text == ";" || text == "{" || text == "}")) begin = i + 1;
    }
    return begin;
}

std::optional<std::vector<std::string>> axes_in_text(std::span<const Span> tokens, std::size_t at,
                                                     std::string_view field) {
    for (std::size_t i = 1; i + 1 < std::min(at, tokens.size()); ++i) {
        if (text_of(tokens[i]) != field || text_of(tokens[i + 1]) != "[") continue;
        std::vector<std::string> axes;
        for (const TokenRange& part : in_brackets(tokens, i + 1)) {
            const std::string axis = written(tokens, part);
            if (part.end != part.begin + 1 || !is_word(axis)) return std::nullopt;
            axes.push_back(axis);
        }
        return axes;
    }
    return std::nullopt;
}

}  // namespace kasc::frontend
