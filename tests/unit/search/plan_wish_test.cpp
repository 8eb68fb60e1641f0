// What a plan says: read, printed and read again; faults with the word at fault; names, numbers and sets of calls.
#include "search/plan_wish.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/choice.hpp"
#include "support/field_case.hpp"

namespace kasc::test {
namespace {

Outcome<std::vector<WrittenKernel>> read(const std::string& text) { return parse_plan(make_source("--plan", text)); }

std::string fault(const std::string& text) {
    const auto plan = read(text);
    if (plan) return "no fault";
    const Diagnostic& d = plan.diagnostics.front();
    return d.code + " " + std::string(text_of(d.span)) + " | " + d.message + " | " + d.label + " | " + d.help;
}

TEST(ChoiceText, PrintAndParseAreInverse) {
    for (const Walk walk : {Walk::grid, Walk::column, Walk::warp}) {
        for (const Neighbours neighbours : {Neighbours::registers, Neighbours::cache, Neighbours::shared}) {
            for (const Borders borders : {Borders::cell, Borders::mapped, Borders::uniform}) {
                FieldChoice c{walk, 16, 8, 2, walk == Walk::grid ? 1 : 24};
                c.threads_z = walk == Walk::grid ? 3 : 1;
                c.rows = 4;
                c.unroll = walk == Walk::grid ? 1 : 2;
                c.neighbours = neighbours;
                c.borders = borders;
                EXPECT_EQ(choice(print(Choice{c})), c) << print(Choice{c});
            }
        }
    }
    FieldChoice histogram{Walk::histogram, 512, 1, 8, 16};
    histogram.unroll = 4;
    EXPECT_EQ(choice(print(Choice{histogram})), histogram) << print(Choice{histogram});
    const FieldChoice staged{Walk::staged, 128, 1, 1, 1};
    EXPECT_EQ(choice(print(Choice{staged})), staged) << print(Choice{staged});
    FieldChoice last{Walk::grid, 256, 1, 1, 1};
    last.launch = KernelLaunch::last;
    EXPECT_EQ(choice(print(Choice{last})), last) << print(Choice{last});
    EXPECT_EQ(choice("grid 256x1 launch own"), choice("grid 256x1"));
    EXPECT_EQ(choice("row 4096"), (FieldChoice{Walk::row, 4096, 1, 1, 1}));
    const std::string stream = "implementations 2-1-3 elements 96 rounds 2 transfer staged padding 4";
    const auto source = make_source("plan", stream);
    const auto wish = parse_choice({source, 0, stream.size()});
    ASSERT_TRUE(wish);
    EXPECT_EQ(print(Choice{wished(StreamChoice{}, *wish)}), stream);
    EXPECT_TRUE(wish->of_streams());
    EXPECT_FALSE(wish->of_fields());
}

TEST(ChoiceText, WhatIsLeftOutStaysOpen) {
    FieldChoice other{Walk::column, 64, 4, 4, 32};
    other.rows = 2;
    const std::string text = "chunk 8 borders uniform";
    const auto wish = parse_choice({make_source("plan", text), 0, text.size()});
    ASSERT_TRUE(wish);
    FieldChoice expected = other;
    expected.chunk = 8;
    expected.borders = Borders::uniform;
    EXPECT_EQ(wished(other, *wish), expected);
}

TEST(PlanText, FaultsPointAtTheWord) {
    EXPECT_EQ(fault("T: column 32x8 vektor 4"),
              "K0920 vektor | a plan has no word 'vektor' | not a word of a choice | did you mean 'vector'?");
    EXPECT_EQ(fault("column 32y8").find("K0920 32y8 | 'column' needs a value | expected a block"), 0U);
    EXPECT_NE(fault("grid 8x8 vector").find("expected a whole number"), std::string::npos);
    EXPECT_NE(fault("grid 8x8 vector -4").find("K0920 -4"), std::string::npos);
    EXPECT_NE(fault("neighbours sharde").find("expected registers, cache, shared"), std::string::npos);
    EXPECT_NE(fault("grid 8x8 rows 2 rows 4").find("says again"), std::string::npos);
    EXPECT_NE(fault("grid 8x8 column 8x8").find("says again"), std::string::npos);
    EXPECT_NE(fault("implementations 1-0").find("from 1 on"), std::string::npos);
    EXPECT_NE(fault("T+: grid 8x8").find("no name"), std::string::npos);
    EXPECT_NE(fault(" ; ").find("empty"), std::string::npos);
    EXPECT_NE(fault("grid 99999999999x1").find("expected a block"), std::string::npos);
}

const char* const heat_with_source =
    "float T[x,y] boundary keep(1), L[x,y], q[x,y]; param int steps = 3; input T, q; q = 2.0 * q; "
    "for (n = 0; n < steps; n++) { L = T[-1,0] + T[1,0] - 2.0 * T; T = T + 0.1 * L; T = T + q; } return T;";

struct PlanCase : FieldCase {
    PlanCase() : FieldCase(heat_with_source) {}
    [[nodiscard]] Outcome<PlanWish> resolved(const std::string& text,
                                             const std::vector<PlannedCalls>& planned = {}) const {
        return resolve_plan(*read(text), program, graph, planned);
    }
    [[nodiscard]] const Graph& body() const { return *std::get<LoopNode>(graph.nodes[NodeId{1}].what).body; }
    [[nodiscard]] std::string fault(const std::string& text) const {
        const auto wish = resolved(text);
        return wish ? "no fault"
                    : wish.diagnostics.front().code + " " + wish.diagnostics.front().message + " | " +
                          wish.diagnostics.front().help;
    }
};

TEST(PlanWish, CallsAreNamedByTheVariableTheyAssign) {
    const PlanCase c;
    std::vector<std::string> names;
    for (const NamedCall& n : named_calls(c.program, c.graph)) names.push_back(n.name);
    EXPECT_EQ(names, (std::vector<std::string>{"q", "loop.n", "L", "T", "T.2"}));
    const auto wish = c.resolved("T.2+L + T: grid 32x8; q: vector 4; rows 2");
    ASSERT_TRUE(wish);
    ASSERT_EQ(wish->of(c.body()).size(), 1U);
    EXPECT_EQ(wish->of(c.body())[0].calls, (std::vector<NodeId>{NodeId{0}, NodeId{1}, NodeId{2}}));
    EXPECT_EQ(wish->of(c.graph)[0].choice.vector, 4);
    EXPECT_EQ(wish->others->rows, 2);
}

TEST(PlanWish, NumbersMeanTheKernelsOfThePlanWithoutIt) {
    const PlanCase c;
    const std::vector<PlannedCalls> planned{{&c.graph, {NodeId{0}}}, {&c.body(), {NodeId{2}, NodeId{1}}}};
    const auto wish = c.resolved("k1: chunk 4", planned);
    ASSERT_TRUE(wish);
    EXPECT_EQ(wish->of(c.body())[0].calls, (std::vector<NodeId>{NodeId{1}, NodeId{2}}));
    EXPECT_FALSE(c.resolved("k2: chunk 4", planned));
}

TEST(PlanWish, NamesThatDoNotFitAreFaults) {
    const PlanCase c;
    EXPECT_EQ(c.fault("T.3: chunk 4"), "K0921 no call of the program is called 'T.3' | did you mean 'T.2'?");
    EXPECT_NE(c.fault("q+L: chunk 4").find("different loops"), std::string::npos);
    EXPECT_NE(c.fault("L+T: chunk 4; T: chunk 8").find("twice"), std::string::npos);
    EXPECT_NE(c.fault("chunk 4; chunk 8").find("two choices"), std::string::npos);
}

TEST(PlanWish, FusionsThatContradictAreLeftOut) {
    const PlanCase c;
    FusionSpace space = enumerate_fusions(c.program, c.body(), {});
    ASSERT_EQ(space.fusions.size(), 6U);
    const auto wish = c.resolved("L+T: chunk 4");
    ASSERT_TRUE(keep_wished(space, wish->of(c.body()), c.program, c.body(), {}).empty());
    ASSERT_EQ(space.fusions.size(), 2U) << "T.2 alone, and the wished";
    const auto apart = c.resolved("L+T.2: chunk 4");
    const Diagnostics said = keep_wished(space, apart->of(c.body()), c.program, c.body(), {});
    ASSERT_EQ(said.size(), 1U);
    EXPECT_EQ(said.front().code, "K0922");
}

}  // namespace
}  // namespace kasc::test
