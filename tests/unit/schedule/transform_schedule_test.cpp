// Calls that a transform may compute as it stores its result, and why others may not.
#include "schedule/transform_schedule.hpp"

#include <gtest/gtest.h>

#include "search/fusion_space.hpp"
#include "support/field_case.hpp"

namespace kasc::test {
namespace {

const std::string axes = "axis kx = half(x); float u[x,y], v[x,y], line[x], s[y,x]; float a[kx,y]; ";

SearchBounds storing(bool allowed = true) {
    SearchBounds bounds;
    bounds.storing_transforms = allowed;
    return bounds;
}
bool has_transform(const Graph& graph, const Fusion& fusion) {
    return std::any_of(fusion.calls.begin(), fusion.calls.end(),
                       [&](NodeId n) { return std::holds_alternative<Transform>(graph.nodes[n].what); });
}

/// What transforms may store with: the targets behind each, "u_ifft v w" by fusion; or, of those that are no schedule,
/// why.
std::vector<std::string> fusions(const std::string& text, bool allowed = true) {
    const FieldCase c(text);
    std::vector<std::string> all;
    const FusionSpace space = enumerate_fusions(c.program, c.graph, storing(allowed));
    for (const Fusion& fusion : space.fusions) {
        if (fusion.calls.size() == 1 || !has_transform(c.graph, fusion)) continue;
        const TransformScheduleResult result = schedule_transform(c.program, c.graph, fusion);
        std::string names;
        for (const NodeId call : fusion.calls)
            names += (names.empty() ? "" : " ") +
                     c.program.variables[c.graph.values[c.graph.nodes[call].writes.front()].variable].name;
        all.push_back(result.value ? names : names + ": " + result.reason);
    }
    return all;
}
/// The reason against the first pair with a transform.
std::string stored_refusal(const std::string& text) {
    const FieldCase c(text);
    const FusionSpace space = enumerate_fusions(c.program, c.graph, storing());
    for (const Refusal& r : space.refusals) {
        if (std::any_of(r.calls.begin(), r.calls.end(),
                        [&](NodeId n) { return std::holds_alternative<Transform>(c.graph.nodes[n].what); }))
            return r.reason;
    }
    return "";
}

TEST(TransformSchedule, CallsBehindATransformAreComputedAsItStores) {
    const std::string text = axes + "input u, v, line; v = v - line*ifft(fft(u)*(1 + kx)); u = 2*v; return u, v;";
    const auto found = fusions(text);
    EXPECT_NE(std::find(found.begin(), found.end(), "v_spectrum_fft v_spectrum"), found.end());
    EXPECT_NE(std::find(found.begin(), found.end(), "v_ifft v"), found.end());
    EXPECT_NE(std::find(found.begin(), found.end(), "v_ifft v u"), found.end()) << "a call behind the call behind it";
    EXPECT_TRUE(fusions(text, false).empty()) << "where transforms are calls of a library alone";
}

TEST(TransformSchedule, TheResultEntersTheCallsWordByWord) {
    const FieldCase c(axes + "input u, v, line; v = v - line*ifft(fft(u)*(1 + kx)); return v;");
    const FusionSpace space = enumerate_fusions(c.program, c.graph, storing());
    for (const Fusion& fusion : space.fusions) {
        const TransformScheduleResult result = schedule_transform(c.program, c.graph, fusion);
        if (fusion.calls.size() == 1 || fusion.calls.back() != c.graph.values[c.graph.outputs[0]].producer) continue;
        ASSERT_TRUE(result.value) << result.reason;
        ASSERT_TRUE(result.value->stored);
        const FieldSchedule& stored = *result.value->stored;
        EXPECT_EQ(stored.choice.walk, Walk::stored);
        EXPECT_EQ(stored.kept<StoredParts>()->given, c.graph.nodes[result.value->transform].writes.front());
        EXPECT_EQ(stored.work->loads.size(), 3U) << "the result, the former value, the line";
        EXPECT_EQ(result.value->choice.call, TransformCall::storing);
        return;
    }
    FAIL() << "no transform stores";
}

TEST(TransformSchedule, AResultThatIsNeededElsewhereIsStored) {
    EXPECT_EQ(fusions(axes + "input u; v = ifft(fft(u)*(1 + kx)); u = 2*v; return u, v;").back(),
              "v u: v is needed in memory too");
}

TEST(TransformSchedule, OneCellAtATime) {
    EXPECT_EQ(
        stored_refusal("complex P[x,y]; float u[x,y] boundary periodic, v[x,y], w[x,y] boundary periodic; input u; "
                       "w = real(ifft(fft(u)*(1 + x))); v = w[1,0] + w; return v;"),
        "");
    EXPECT_EQ(
        stored_refusal(axes + "float w[x,y] boundary periodic; input u; w = ifft(fft(u)*(1 + kx)); v = w[1,0] + w; "
                              "return v;"),
        "v reads other cells, a transform stores them one by one");
    EXPECT_NE(
        stored_refusal(axes + "param int n = 1; float w[x,y]; input u; w = ifft(fft(u)*(1 + kx)); v = w[x = n] + u; "
                              "return v;")
            .find("is read at one position by all cells"),
        std::string::npos);
}

TEST(TransformSchedule, WhatItTransformsIsNotReadAgain) {
    EXPECT_EQ(stored_refusal("float u[x,y], v[x,y]; complex P[x,y], Q[x,y]; input u; P = complex(u, u); Q = fft(P); "
                             "Q = Q + P; v = real(Q); return v;"),
              "a transform may destroy what it reads");
}

TEST(TransformSchedule, TransformsAlongSomeAxesAreSeveralCalls) {
    EXPECT_EQ(stored_refusal("axis kx = half(x); float u[x,y,z], v[x,y,z]; input u; v = u + ifft(fft(u, x, y)*(1 + "
                             "kx), x, y); return v;"),
              "a transform along some axes alone is several calls, which count their cells anew");
}

}  // namespace
}  // namespace kasc::test
