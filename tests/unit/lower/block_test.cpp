// Block programs as statements: where barriers stand, and which of them await copies.
#include "lower/block.hpp"

#include <gtest/gtest.h>

namespace kasc::test::blocks {
namespace {

using namespace kernel;

/// copy (asynchronous or not); loop { compute }; store; with barriers where they are given.
block::BlockProgram looped(bool asynchronous, bool may_skip, const std::vector<int>& barriers) {
    block::BlockProgram made;
    made.steps = {{block::StepKind::copy},
                  {block::StepKind::loop_begin},
                  {block::StepKind::compute},
                  {block::StepKind::loop_end},
                  {block::StepKind::store}};
    made.steps[0].asynchronous = asynchronous;
    made.steps[1].may_skip = may_skip;
    for (const int before : barriers) made.barriers.push_back({before, true, "", "why " + std::to_string(before)});
    return made;
}

std::string text_of(const Body& body) {
    std::string text;
    for (const kernel::Statement& s : body) {
        if (const auto* loop = std::get_if<For>(&s.node)) text += "{ " + text_of(loop->body) + "} ";
        if (const auto* comment = std::get_if<Comment>(&s.node)) text += comment->text + " ";
        if (const auto* barrier = std::get_if<Barrier>(&s.node)) text += barrier->awaits_all_but ? "await " : "| ";
    }
    return text;
}

std::string lowered(const block::BlockProgram& program) {
    const Body loop{{For{"i", integer(0), integer(4), 1, 0, {}}}};
    return text_of(lower_block(program, {{{Comment{"copy"}}}, loop, {{Comment{"compute"}}}, {}, {{Comment{"store"}}}}));
}

TEST(LowerBlock, TheFirstBarrierBehindACopyAwaitsIt) {
    EXPECT_EQ(lowered(looped(true, false, {1, 4})), "copy await { compute } | store ");
    EXPECT_EQ(lowered(looped(false, false, {1, 4})), "copy | { compute } | store ");
}

TEST(LowerBlock, ABarrierInALoopThatMayNotRunAwaitsNothingForWhatFollows) {
    EXPECT_EQ(lowered(looped(true, false, {2, 4})), "copy { await compute } | store ");
    EXPECT_EQ(lowered(looped(true, true, {2, 4})), "copy { await compute } await store ");
}

TEST(LowerBlock, ABarrierMayStandAtTheEndOfALoopAndOfARound) {
    EXPECT_EQ(lowered(looped(false, false, {3, 5})), "copy { compute | } store | ");
}

TEST(LowerBlock, ARegionIsAnArrayWhereItLies) {
    block::Region region{"A", block::Residence::shared, 8, 2, 4, "its tile"};
    region.place = 12;
    const auto shared = std::get<SharedArray>(declare(region, "s_A", Type::f32).node);
    EXPECT_EQ(shared.offset, 12);
    EXPECT_EQ(shared.words, 16);
    EXPECT_EQ(shared.comment, "its tile");
    region.where = block::Residence::registers;
    EXPECT_EQ(std::get<PrivateArray>(declare(region, "r_A", Type::f64).node).words, 16);
}

}  // namespace
}  // namespace kasc::test::blocks
