// Reads a start expression as C would: one pass of the shunting yard into postfix, then an evaluation for each thread.
//
//     (tx/2)*2 with tx = 0, 1, 2, 3: real arithmetic gives 0, 1, 2, 3, C gives 0, 0, 2, 2: refused.
//     ty*3+tx:                       both give the same; accepted without a division to look at.

#include "schedule/stream/code.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <vector>

namespace kasc {

namespace {

struct Symbol {
    enum class Kind { number, coordinate, operation } kind = Kind::number;
    std::int64_t number = 0;
    std::size_t dimension = 0;  ///< of a coordinate
    char operation = 0;         ///< 'n' negates
};

int rank(char operation) {
    if (operation == 'n') return 3;
    return operation == '*' || operation == '/' || operation == '%' ? 2 : 1;
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

class Reader {
public:
    Reader(const std::string& text, const DeviceFunction& function, const std::string& prefix, const BlockShape& block)
        : text_(text), function_(function), prefix_(prefix), block_(block) {}

    /// Postfix; where `fault` is set afterwards, none.
    std::vector<Symbol> run() {
        for (std::size_t i = 0; i < text_.size() && fault.empty();) {
            const char c = text_[i];
            if (std::isspace(static_cast<unsigned char>(c)) != 0) {
                ++i;
            } else if (is_word(c)) {
                std::size_t end = i;
                while (end < text_.size() && is_word(text_[end])) ++end;
                word(text_.substr(i, end - i));
                i = end;
            } else {
                symbol(c);
                ++i;
            }
        }
        if (fault.empty() && operand_next_) refuse("it ends too early");
        while (fault.empty() && !waiting_.empty()) {
            if (waiting_.back() == '(') refuse("a parenthesis is not closed");
            pop();
        }
        return std::move(postfix_);
    }

    std::string fault;

private:
    const std::string& text_;
    const DeviceFunction& function_;
    const std::string& prefix_;
    const BlockShape& block_;
    std::vector<Symbol> postfix_;
    std::vector<char> waiting_;
    bool operand_next_ = true;

    void refuse(const std::string& why) {
        if (fault.empty()) fault = fmt::format("the start \"{}\" cannot stand in {}: {}", text_, function_.name, why);
    }
    void pop() {
        postfix_.push_back({Symbol::Kind::operation, 0, 0, waiting_.back()});
        waiting_.pop_back();
    }
    void number(std::int64_t value) { postfix_.push_back({Symbol::Kind::number, value, 0, 0}); }

    void word(const std::string& text) {
        if (!operand_next_) return refuse(fmt::format("an operator is missing before '{}'", text));
        operand_next_ = false;
        static constexpr std::array<const char*, 6> coordinates{"tx", "ty", "tz", "bx", "by", "bz"};
        static constexpr std::array<const char*, 3> dimensions{"_BX", "_BY", "_BZ"};
        for (std::size_t d = 0; d < dimensions.size(); ++d)
            if (text == prefix_ + dimensions[d]) return number(block_[d]);
        for (std::size_t c = 0; c < coordinates.size(); ++c) {
            if (text != coordinates[c]) continue;
            const auto& taken = function_.coordinates;
            if (std::find(taken.begin(), taken.end(), static_cast<Coordinate>(c)) == taken.end())
                return refuse(fmt::format("the function does not take {}", text));
            if (c >= 3) return number(0);  // the block's place is in the pointers that it gets
            postfix_.push_back({Symbol::Kind::coordinate, 0, c, 0});
            return;
        }
        const bool digits = std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
        if (!digits || text.size() > 9 || (text.size() > 1 && text.front() == '0'))
            return refuse(fmt::format("'{}' is no coordinate, block dimension or decimal integer", text));
        number(std::stoll(text));
    }

    void symbol(char c) {
        if (c == '(') {
            if (!operand_next_) return refuse("an operator is missing before '('");
            waiting_.push_back(c);
        } else if (c == ')') {
            if (operand_next_) return refuse("an operand is missing before ')'");
            while (!waiting_.empty() && waiting_.back() != '(') pop();
            if (waiting_.empty()) return refuse("a parenthesis is not opened");
            waiting_.pop_back();
        } else if (std::string("+-*/%").find(c) != std::string::npos) {
            if (operand_next_ && c == '+') return;
            if (operand_next_ && c != '-') return refuse(fmt::format("an operand is missing before '{}'", c));
            const char operation = operand_next_ ? 'n' : c;
            while (operation != 'n' && !waiting_.empty() && waiting_.back() != '(' &&
                   rank(waiting_.back()) >= rank(operation))
                pop();
            waiting_.push_back(operation);
            operand_next_ = true;
        } else {
            refuse(fmt::format("'{}' means something else in C, or nothing", c));
        }
    }
};

/// None where C divides by zero or leaves 32 bits.
std::optional<std::int64_t> evaluate(const std::vector<Symbol>& postfix, const std::array<int, 3>& thread) {
    std::vector<std::int64_t> stack;
    for (const Symbol& symbol : postfix) {
        if (symbol.kind == Symbol::Kind::number) {
            stack.push_back(symbol.number);
            continue;
        }
        if (symbol.kind == Symbol::Kind::coordinate) {
            stack.push_back(thread[symbol.dimension]);
            continue;
        }
        const std::int64_t right = stack.back();
        stack.pop_back();
        std::int64_t left = 0;
        if (symbol.operation != 'n') {
            left = stack.back();
            stack.pop_back();
        }
        std::int64_t value = 0;
        switch (symbol.operation) {
            case '+':
                value = left + right;
                break;
            case '*':
                value = left * right;
                break;
            case '/':
            case '%':
                if (right == 0) return std::nullopt;
                value = symbol.operation == '/' ? left / right : left % right;
                break;
            default:
                value = left - right;
        }
        if (value < INT32_MIN || value > INT32_MAX) return std::nullopt;
        stack.push_back(value);
    }
    return stack.back();
}

}  // namespace

std::string code_fault(const std::string& start, const DeviceFunction& function, const std::string& prefix,
                       const BlockShape& block, const std::vector<std::int32_t>& starts) {
    Reader reader(start, function, prefix, block);
    const std::vector<Symbol> postfix = reader.run();
    if (!reader.fault.empty()) return reader.fault;
    if (start.find_first_of("/%") == std::string::npos) return {};
    for (std::size_t t = 0; t < starts.size(); ++t) {
        const int linear = static_cast<int>(t);
        const std::array<int, 3> thread{linear % block[0], linear / block[0] % block[1],
                                        linear / (block[0] * block[1])};
        const auto value = evaluate(postfix, thread);
        if (!value || *value != starts[t])
            return fmt::format("the start \"{}\" of thread {} is {} by its pattern, but C computes {}", start, linear,
                               starts[t], value ? std::to_string(*value) : "no value");
    }
    return {};
}

std::string spread_start(const std::string& start, const TilePitch& pitch) {
    if (pitch.padding == 0) return start;
    return fmt::format("({0}) + ({0}) / {1} * {2}", start, pitch.element_words, pitch.padding);
}

std::string macro_prefix(const std::string& implementation) {
    std::string upper = implementation;
    for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return upper;
}

}  // namespace kasc
