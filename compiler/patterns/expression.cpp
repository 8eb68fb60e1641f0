// ty*3+tx  →  name * number + name. Blanks are skipped; parentheses are counted; the grammar itself is muparserx's.

#include "patterns/expression.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace kasc::patterns {

namespace {

constexpr std::size_t longest_text = 512;
constexpr std::size_t deepest_nesting = 32;
constexpr std::size_t longest_number = 9;  // below 2^31

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

class Checker {
public:
    Checker(const std::string& text, const Span& span, ExpressionRole role, const std::vector<std::string>& dimensions)
        : text_(text), span_(span), role_(role), dimensions_(dimensions) {}

    CheckedExpression run() {
        if (text_.size() > longest_text) {
            fail("K0401", 0, text_.size(), fmt::format("an expression has at most {} letters", longest_text),
                 "compute the address in fewer terms");
        }
        while (!failed_ && at_ < text_.size()) next();
        if (!failed_ && text_.find_first_not_of(" \t") == std::string::npos) {
            fail("K0401", 0, text_.size(), "the expression is empty", "write for example \"0\" or \"tx\"");
        }
        if (failed_) return {std::nullopt, *failed_};
        return {used_, {}};
    }

private:
    void next() {
        const std::size_t begin = at_;
        const char c = text_[at_];
        if (is_letter(c)) {
            while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
            name(begin);
        } else if (is_digit(c)) {
            while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]) || text_[at_] == '.')) ++at_;
            number(begin);
        } else {
            symbol(c);
        }
    }

    void name(std::size_t begin) {
        const std::string word = text_.substr(begin, at_ - begin);
        if (std::find(dimensions_.begin(), dimensions_.end(), word) != dimensions_.end()) return;
        const auto coordinate = static_cast<std::size_t>(
            std::find(coordinate_names.begin(), coordinate_names.end(), word) - coordinate_names.begin());
        const bool place = coordinate < coordinate_names.size();  // of a thread or a block
        if (role_ == ExpressionRole::start && place) {
            used_.coordinates[coordinate] = true;
        } else if (role_ != ExpressionRole::start && word == "i") {
            used_.round = true;
        } else if (place) {
            fail("K0405", begin, at_, fmt::format("block and stride may not use '{}'", word),
                 "the words that a thread touches, relative to its start, are the same for all threads");
        } else if (word == "i") {
            fail("K0405", begin, at_, "start may not use 'i'", "i counts the rounds: use it in block and stride");
        } else {
            std::vector<std::string> known = dimensions_;
            known.insert(known.end(), coordinate_names.begin(), coordinate_names.end());
            const auto near = word.size() < 64 ? nearest_name(word, known) : std::nullopt;
            fail("K0402", begin, at_, fmt::format("unknown name '{}' in a pattern", word),
                 near ? fmt::format("did you mean '{}'?", *near)
                      : fmt::format("an expression may use {}{}",
                                    role_ == ExpressionRole::start ? "tx ty tz bx by bz, " : "i, ",
                                    fmt::join(dimensions_, ", ")));
        }
    }

    void number(std::size_t begin) {
        const std::string_view digits = std::string_view(text_).substr(begin, at_ - begin);
        const bool decimal = std::all_of(digits.begin(), digits.end(), is_digit) && digits.size() <= longest_number &&
                             (digits.size() == 1 || digits.front() != '0');
        if (!decimal) {
            fail("K0401", begin, at_, "expected a decimal integer",
                 fmt::format("at most {} digits, without a leading zero, point or suffix", longest_number));
        }
    }

    void symbol(char c) {
        const std::size_t begin = at_++;
        if (c == ' ' || c == '\t') return;
        const bool equals = at_ < text_.size() && text_[at_] == '=';
        if (c == '(' && ++depth_ > deepest_nesting) {
            fail("K0401", begin, at_, fmt::format("parentheses are nested more than {} deep", deepest_nesting),
                 "compute the address in fewer terms");
        } else if (c == ')' && depth_-- == 0) {
            fail("K0401", begin, at_, "this parenthesis closes nothing", "remove it, or add '(' before");
        } else if (c == '-' && at_ < text_.size() && text_[at_] == '-') {
            fail("K0401", begin, at_ + 1, "'--' is another operator in C", "write '- -', or use parentheses");
        } else if ((c == '<' || c == '>' || c == '=' || c == '!') && equals) {
            ++at_;
        } else if (std::string_view("()+-*/%<>?:").find(c) == std::string_view::npos) {
            fail("K0401", begin, at_, "this letter has no meaning in a pattern",
                 "an expression has integers, names, + - * / %, comparisons, ?: and parentheses");
        }
    }

    void fail(const char* code, std::size_t begin, std::size_t end, std::string message, std::string help) {
        if (!failed_) failed_ = pattern_fault(code, part_of(span_, begin, end), std::move(message), std::move(help));
    }

    const std::string& text_;
    const Span& span_;
    ExpressionRole role_;
    const std::vector<std::string>& dimensions_;
    std::size_t at_ = 0, depth_ = 0;
    UsedNames used_;
    std::optional<Diagnostic> failed_;
};

}  // namespace

std::vector<std::string> dimension_names(const std::string& implementation) {
    std::string upper = implementation;
    std::transform(upper.begin(), upper.end(), upper.begin(),
                   [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
    return {upper + "_BX", upper + "_BY", upper + "_BZ"};
}

Span part_of(const Span& span, std::size_t begin, std::size_t end) {
    if (!span.source) return span;
    return {span.source, std::min(span.begin + begin, span.end), std::min(span.begin + end, span.end)};
}

Diagnostic pattern_fault(const char* code, const Span& at, std::string message, std::string help) {
    Diagnostic d;
    d.code = code;
    d.span = at;
    d.message = std::move(message);
    d.help = std::move(help);
    return d;
}

CheckedExpression check_expression(const std::string& text, const Span& span, ExpressionRole role,
                                   const std::vector<std::string>& dimensions) {
    return Checker(text, span, role, dimensions).run();
}

}  // namespace kasc::patterns
