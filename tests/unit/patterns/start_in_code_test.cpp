#include "patterns/start_in_code.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <random>

#include "patterns/pattern.hpp"

namespace kasc {
namespace {

Verdict verdict(const std::string& start) {
    DeviceFunction function;
    function.name = "d_f_1_compute";
    function.coordinates = {Coordinate::tx, Coordinate::ty, Coordinate::bx};
    Pattern pattern;
    pattern.start = start;
    return patterns::start_in_code(pattern, function, "f_1");
}

TEST(StartInCode, MayUseWhatTheFunctionTakesAndTheBlock) {
    for (const char* start : {"ty*3+tx", " (bx*F_1_BY + ty) * F_1_BX - -tx ", "ty*4/2 + tx%2*3"})
        EXPECT_TRUE(verdict(start)) << start;
}

TEST(StartInCode, MayNotUseWhatTheFunctionDoesNotTake) {
    EXPECT_EQ(verdict("tz*3").reason(),
              "the start \"tz*3\" cannot stand in d_f_1_compute: the function does not take tz");
    EXPECT_EQ(verdict("by+tx").reason(),
              "the start \"by+tx\" cannot stand in d_f_1_compute: the function does not take by");
    for (const char* start : {"G_1_BX*3", "i*3", "tx^2", "010", "", "(tx))"}) EXPECT_FALSE(verdict(start)) << start;
}

TEST(StartInCode, MayNotChoose) {
    for (const char* start : {"tx < 2 ? tx : 0", "tx == 1", "tx != 1"})
        EXPECT_EQ(verdict(start).reason(), "the start \"" + std::string(start) +
                                               "\" cannot stand in d_f_1_compute: it is a choice by a condition");
}

// --- a start means in C what it means here ---

/// An expression that is made and computed as a tree, and printed with the parentheses that C's grammar asks for, so
/// that nothing but the evaluator under test reads text.
struct Tree {
    std::string text;
    int rank = 0;  ///< 0 a sum, 1 a product, 2 an operand
    std::optional<std::int64_t> value;
};

std::string within(const Tree& tree, int least_rank) {
    return tree.rank < least_rank ? "(" + tree.text + ")" : tree.text;
}

class Trees {
public:
    Trees(unsigned seed, const std::array<int, 2>& thread) : random_(seed), thread_(thread) {}

    Tree draw(int depth) {
        const int kind = depth == 0 ? number(3) : number(10);
        if (kind == 0) {
            const int value = number(20);
            return leaf(std::to_string(value), value);
        }
        if (kind == 1) return leaf("tx", thread_[0]);
        if (kind == 2) return leaf("ty", thread_[1]);
        if (kind == 3) {
            const Tree of = draw(depth - 1);
            // A second minus would be another operator of C.
            const std::string text = within(of, 2);
            return {"-" + (text.front() == '-' ? "(" + text + ")" : text), 2, kept(of.value, std::int64_t{0}, '-')};
        }
        const char operation = "+-*/%"[number(5)];
        const int rank = operation == '+' || operation == '-' ? 0 : 1;
        const Tree left = draw(depth - 1), right = draw(depth - 1);
        std::string text = within(right, rank + 1);
        if (text.front() == '-') text = "(" + text + ")";
        return {within(left, rank) + operation + text, rank, kept(right.value, left.value, operation)};
    }

private:
    std::mt19937 random_;
    std::array<int, 2> thread_;

    int number(int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); }
    static Tree leaf(std::string text, int value) { return {std::move(text), 2, value}; }
    /// None where C divides by zero or leaves an int.
    static std::optional<std::int64_t> kept(std::optional<std::int64_t> b, std::optional<std::int64_t> a,
                                            char operation) {
        if (!a || !b || ((operation == '/' || operation == '%') && *b == 0)) return std::nullopt;
        const std::int64_t value = operation == '+'   ? *a + *b
                                   : operation == '-' ? *a - *b
                                   : operation == '*' ? *a * *b
                                   : operation == '/' ? *a / *b
                                                      : *a % *b;
        if (value < INT32_MIN || value > INT32_MAX) return std::nullopt;
        return value;
    }
};

TEST(StartInCode, MeansWhatCComputes) {
    const BlockShape block{3, 2, 1};
    int computed = 0;
    for (unsigned seed = 0; seed < 400; ++seed) {
        const Tree first = Trees(seed, {0, 0}).draw(4);
        if (first.text.size() > 400) continue;
        std::vector<std::int32_t> wanted;
        for (int t = 0; t < 6; ++t) {
            const Tree tree = Trees(seed, {t % 3, t / 3}).draw(4);
            ASSERT_EQ(tree.text, first.text);
            if (tree.value && *tree.value >= 0 && *tree.value < 1 << 20) wanted.push_back(int(*tree.value));
        }
        Pattern pattern;
        pattern.start = first.text;
        pattern.block = pattern.stride = "1";
        pattern.count = 1;
        const auto got = enumerate(pattern, block, "f_1");
        if (wanted.size() < 6) {
            EXPECT_FALSE(got) << first.text;
            continue;
        }
        ASSERT_TRUE(got) << first.text << "\n" << render_text(got.diagnostics);
        EXPECT_EQ(got->start, wanted) << first.text;
        ++computed;
    }
    EXPECT_GT(computed, 50);
}

}  // namespace
}  // namespace kasc
