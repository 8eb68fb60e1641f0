// The pattern grammar, by recursive descent over one line:
//
//     start "ty*3+tx", block "1", stride "1", count 1, noreg 0

#include <fmt/format.h>

#include <algorithm>

#include "library/values.hpp"

namespace kasc::library {

namespace {

constexpr std::size_t longest_expression = 512;  // letters; published ones stay below 60
constexpr int most_rounds = 1 << 16;             // more words than a block's shared memory holds

class PatternReader {
public:
    PatternReader(const Entry& entry, Faults& faults) : entry_(entry), text_(entry.value), faults_(faults) {}

    std::optional<Pattern> run() {
        Pattern pattern;
        pattern.span = entry_.value_span;
        const bool complete = expression("start", pattern.start, pattern.start_span) && comma("block") &&
                              expression("block", pattern.block, pattern.block_span) && comma("stride") &&
                              expression("stride", pattern.stride, pattern.stride_span) && comma("count") &&
                              number("count", 1, most_rounds, pattern.count) && comma("noreg") && noreg(pattern) &&
                              end();
        return complete ? std::optional(pattern) : std::nullopt;
    }

private:
    [[nodiscard]] Span span(std::size_t begin, std::size_t end) const {
        return faults_.span(entry_.value_span.begin + begin, entry_.value_span.begin + end);
    }

    void skip_blanks() { at_ = std::min(text_.find_first_not_of(" \t\r", at_), text_.size()); }

    /// The caret stands under the word, number or character that is there instead.
    bool expected(const std::string& what) {
        std::size_t end = at_;
        while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]))) ++end;
        faults_.add("K0309", span(at_, std::max(end, at_ + 1)), fmt::format("expected {} in a pattern", what), "",
                    "a pattern is: start \"ty*3+tx\", block \"1\", stride \"1\", count 1, noreg 0");
        return false;
    }

    bool comma(const std::string& next) {
        skip_blanks();
        if (at_ >= text_.size() || text_[at_] != ',') return expected(fmt::format("a comma and '{}'", next));
        ++at_;
        return true;
    }

    bool word(const std::string& name) {
        skip_blanks();
        const std::size_t after = at_ + name.size();
        const bool ends = after >= text_.size() || !(is_letter(text_[after]) || is_digit(text_[after]));
        if (text_.substr(at_, name.size()) != name || !ends) return expected(fmt::format("'{}'", name));
        at_ = after;
        return true;
    }

    bool expression(const std::string& name, std::string& value, Span& where) {
        if (!word(name)) return false;
        skip_blanks();
        if (at_ >= text_.size() || text_[at_] != '"')
            return expected(fmt::format("a quoted expression after '{}'", name));
        const std::size_t close = text_.find('"', at_ + 1);
        if (close == std::string_view::npos) return expected("a closing quote");
        value = std::string(text_.substr(at_ + 1, close - at_ - 1));
        where = span(at_ + 1, close);
        if (value.size() > longest_expression) {
            faults_.add("K0309", where, fmt::format("an expression has at most {} letters", longest_expression), "",
                        "compute the address in fewer terms");
            return false;
        }
        at_ = close + 1;
        return true;
    }

    bool number(const std::string& name, int least, int most, int& value) {
        if (!word(name)) return false;
        skip_blanks();
        std::size_t end_of_word = at_;
        while (end_of_word < text_.size() && (is_letter(text_[end_of_word]) || is_digit(text_[end_of_word])))
            ++end_of_word;
        if (end_of_word == at_) return expected(fmt::format("a number after '{}'", name));
        const Word digits{std::string(text_.substr(at_, end_of_word - at_)), span(at_, end_of_word)};
        const auto read = read_integer(digits, least, most, faults_);
        value = read.value_or(value);
        at_ = end_of_word;
        return read.has_value();
    }

    bool noreg(Pattern& pattern) {
        int flag = 0;
        const bool read = number("noreg", 0, 1, flag);
        pattern.noreg = flag == 1;
        return read;
    }

    bool end() {
        skip_blanks();
        return at_ == text_.size() || expected("the end of the line");
    }

    const Entry& entry_;
    std::string_view text_;
    Faults& faults_;
    std::size_t at_ = 0;
};

}  // namespace

std::optional<Pattern> read_pattern(const Entry& entry, Faults& faults) { return PatternReader(entry, faults).run(); }

}  // namespace kasc::library
