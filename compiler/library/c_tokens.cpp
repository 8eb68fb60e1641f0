// One pass over the bytes with one byte of look-ahead:
//
//     #define W 3          → directive
//     /*# a metadata #*/   → metadata
//     int x = "}"[0];      → word word punct literal punct literal punct punct
//
// A comment that starts with /*## is a banner, no metadata.

#include "library/c_tokens.hpp"

#include <algorithm>

namespace kasc::library {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_identifier(std::string_view text) {
    return !text.empty() && is_letter(text.front()) &&
           std::all_of(text.begin(), text.end(), [](char c) { return is_letter(c) || is_digit(c); });
}

namespace {

class Tokenizer {
public:
    explicit Tokenizer(Faults& faults) : faults_(faults), text_(faults.source()->text) {}

    std::vector<Token> run() {
        while (at_ < text_.size()) next();
        return std::move(tokens_);
    }

private:
    [[nodiscard]] char peek(std::size_t ahead = 0) const {
        return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
    }

    void next() {
        const std::size_t begin = at_;
        const char c = text_[at_];
        if (c == '\n') {
            line_has_code_ = false;
            ++at_;
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
            ++at_;
        } else if (c == '/' && peek(1) == '/') {
            at_ = std::min(text_.find('\n', at_), text_.size());
        } else if (c == '/' && peek(1) == '*') {
            comment();
        } else if (c == '#' && !line_has_code_) {
            directive();
        } else {
            line_has_code_ = true;
            put(code(c), begin);
        }
    }

    TokenKind code(char c) {
        if (is_letter(c)) {
            while (is_letter(peek()) || is_digit(peek())) ++at_;
            return TokenKind::word;
        }
        if (is_digit(c) || (c == '.' && is_digit(peek(1)))) {
            // A quote between digits separates them (1'000'000) and starts no character.
            while (is_letter(peek()) || is_digit(peek()) || peek() == '.' || (peek() == '\'' && is_digit(peek(1))))
                ++at_;
            return TokenKind::literal;
        }
        if (c == '"' || c == '\'') {
            quoted(c);
            return TokenKind::literal;
        }
        ++at_;
        return TokenKind::punctuation;
    }

    void comment() {
        const std::size_t begin = at_;
        const bool metadata = peek(2) == '#' && peek(3) != '#';
        const std::size_t close = text_.find("*/", at_ + 2);
        if (close == std::string_view::npos) {
            faults_.add("K0303", faults_.span(begin, begin + (metadata ? 3 : 2)),
                        metadata ? "this metadata block has no end" : "this comment has no end", "starts here",
                        metadata ? "close the block with '#*/'" : "close the comment with '*/'");
            at_ = text_.size();
            return;
        }
        at_ = close + 2;
        if (!metadata) return;
        if (text_[close - 1] != '#' || close - 1 == begin + 2) {
            faults_.add("K0303", faults_.span(close, close + 2), "this metadata block ends in '*/'", "",
                        "close the block with '#*/'");
            return;
        }
        put(TokenKind::metadata, begin);
    }

    void directive() {
        const std::size_t begin = at_;
        while (at_ < text_.size() && text_[at_] != '\n') {
            if (text_[at_] == '/' && peek(1) == '/') {
                at_ = std::min(text_.find('\n', at_), text_.size());
            } else if (text_[at_] == '/' && peek(1) == '*') {
                const std::size_t close = text_.find("*/", at_ + 2);
                at_ = close == std::string_view::npos ? text_.size() : close + 2;
            } else if (text_[at_] == '\\' && (peek(1) == '\n' || (peek(1) == '\r' && peek(2) == '\n'))) {
                at_ += peek(1) == '\n' ? 2 : 3;
            } else {
                ++at_;
            }
        }
        put(TokenKind::directive, begin);
    }

    void quoted(char quote) {
        const std::size_t begin = at_++;
        while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n') {
            at_ += text_[at_] == '\\' && at_ + 1 < text_.size() ? 2U : 1U;
        }
        if (peek() == quote) {
            ++at_;
        } else {
            at_ = std::min(at_, text_.size());
            faults_.add("K0303", faults_.span(begin, begin + 1), "this literal has no end", "starts here",
                        "close it on the same line");
        }
    }

    void put(TokenKind kind, std::size_t begin) {
        tokens_.push_back({kind, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at_)});
    }

    Faults& faults_;
    std::string_view text_;
    std::size_t at_ = 0;
    bool line_has_code_ = false;
    std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> tokenize(Faults& faults) { return Tokenizer(faults).run(); }

}  // namespace kasc::library
