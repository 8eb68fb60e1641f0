// What an expression computes more than once has a name, unless it is short or a condition may leave it out.
#include "kernel/equal_parts.hpp"

#include <gtest/gtest.h>

#include "kernel/text.hpp"

namespace kasc::kernel {
namespace {

struct Named {
    std::vector<std::string> held;
    std::string expression;
    bool operator==(const Named&) const = default;
};
void PrintTo(const Named& n, std::ostream* out) {
    for (const std::string& h : n.held) *out << h << "; ";
    *out << n.expression;
}

/// Everything is of f32 but what `untyped` is.
Named named(const ExprRef& e, const ExprRef& untyped = nullptr) {
    Named all;
    const ExprRef result = with_equal_parts_named(
        e, [&](const Expr* part) { return part == untyped.get() ? std::nullopt : std::optional(Type::f32); },
        [&](Type, const ExprRef& part) {
            all.held.push_back(text(part, plain_spelling()));
            return name("p" + std::to_string(all.held.size()));
        });
    all.expression = text(result, plain_spelling());
    return all;
}

const ExprRef of_a = name("a"), of_b = name("b"), of_c = name("c");
ExprRef times(const ExprRef& l, const ExprRef& r) { return binary("*", l, r); }
ExprRef plus(const ExprRef& l, const ExprRef& r) { return binary("+", l, r); }

TEST(EqualParts, WhatIsComputedTwiceHasANameAndWhatIsWithinItOnceHasNone) {
    const ExprRef inner = plus(of_a, times(of_b, of_c)), twice = times(inner, of_a);
    EXPECT_EQ(named(times(twice, twice)), (Named{{"(a + b * c) * a"}, "p1 * p1"}));
}

TEST(EqualParts, ANameStandsWithinTheNext) {
    const ExprRef inner = plus(of_a, times(of_b, of_c)), outer = times(inner, inner);
    EXPECT_EQ(named(plus(outer, outer)), (Named{{"a + b * c", "p1 * p1"}, "p2 + p2"}));
}

TEST(EqualParts, OneOperationIsWrittenWhereItStands) {
    const ExprRef sum = plus(of_a, of_b), word = element("T", plus(plus(of_a, of_b), of_c));
    EXPECT_EQ(named(times(sum, sum)), (Named{{}, "(a + b) * (a + b)"}));
    EXPECT_EQ(named(times(word, word)), (Named{{}, "T[a + b + c] * T[a + b + c]"}));
}

TEST(EqualParts, WhatAConditionMayLeaveOutStaysWhereItStands) {
    const ExprRef part = plus(of_a, times(of_b, of_c));
    const ExprRef chosen = select(binary("<", of_a, of_b), times(part, part), of_c);
    EXPECT_EQ(named(chosen), (Named{{}, "a < b ? (a + b * c) * (a + b * c) : c"}));
    EXPECT_EQ(named(binary("&&", of_a, binary("<", plus(element("T", of_a), part), part))),
              (Named{{}, "a && T[a] + (a + b * c) < a + b * c"}));
    // A part is computed in any case where it stands outside as well, even behind.
    EXPECT_EQ(named(plus(chosen, part)), (Named{{"a + b * c"}, "(a < b ? p1 * p1 : c) + p1"}));
    // A condition is.
    EXPECT_EQ(named(select(binary("<", part, part), of_a, of_b)), (Named{{"a + b * c"}, "p1 < p1 ? a : b"}));
}

TEST(EqualParts, AComparisonBehindAConditionIsComputedAnywayWhereItCostsLittle) {
    const ExprRef part = plus(of_a, times(of_b, of_c)), near = binary("&&", of_a, binary("<", part, of_c));
    EXPECT_EQ(named(select(near, times(part, of_b), of_c)), (Named{{"a + b * c"}, "a && p1 < c ? p1 * b : c"}));
    const ExprRef waits = math_call("expf", {part});
    EXPECT_EQ(named(binary("&&", of_a, binary("<", waits, waits))),
              (Named{{}, "a && expf(a + b * c) < expf(a + b * c)"}));
    EXPECT_EQ(named(select(near, times(part, of_b), of_c), part),
              (Named{{}, "a && a + b * c < c ? (a + b * c) * b : c"}))
        << "integers might overflow";
}

TEST(EqualParts, WhatHasNoTypeHasNoName) {
    const ExprRef part = plus(of_a, times(of_b, of_c));
    EXPECT_EQ(named(times(part, part), part), (Named{{}, "(a + b * c) * (a + b * c)"}));
}

}  // namespace
}  // namespace kasc::kernel
