// What is checked, and the source that is made for it: functions of the library alone.

#include <gtest/gtest.h>

#include <algorithm>

#include "libcheck/check_sources.hpp"
#include "libcheck/finding.hpp"

namespace kasc::libcheck {
namespace {

const Library& library() {
    static const Outcome<Library> read = read_library({KASC_SOURCE_DIR "/elementlib"});
    return *read;
}

CheckPlan plan_of(const std::vector<std::string>& functions) {
    const auto plan = plan_checks(library(), {{}, functions});
    EXPECT_TRUE(plan) << render_text(plan.diagnostics);
    return *plan;
}

TEST(CheckPlan, TakesTheBlocksOfTheSearch) {
    const CheckPlan plan = plan_of({"mmul33"});
    ASSERT_EQ(plan.size(), 1U);
    ASSERT_GE(plan.front().implementations.size(), 2U);
    std::vector<BlockShape> blocks;
    for (const EnumeratedImplementation& block : plan.front().implementations[0].blocks) blocks.push_back(block.block);
    EXPECT_EQ(blocks.size(), 3U);
    for (const int elements : {32, 96, 256})
        EXPECT_NE(std::find(blocks.begin(), blocks.end(), BlockShape{3, elements, 1}), blocks.end()) << elements;
}

TEST(CheckPlan, NamesAFunctionThatIsNotThere) {
    const auto plan = plan_checks(library(), {{}, {"mmul3"}});
    EXPECT_FALSE(plan);
    EXPECT_EQ(render_text(plan.diagnostics),
              "error[K0905]: the library has no function 'mmul3'\n   = help: did you mean 'mmul33'?\n");
}

TEST(CheckPlan, LeavesOutOtherFolders) {
    const auto plan = plan_checks(library(), {{"elsewhere"}, {}});
    ASSERT_TRUE(plan);
    EXPECT_TRUE(plan->empty());
}

TEST(CheckSources, AreOneVariantABlockAndResidence) {
    const CheckPlan plan = plan_of({"svmul3"});
    const CheckSources sources = check_sources(library(), plan, 1);
    ASSERT_EQ(sources.units.size(), 1U);
    const std::string& text = sources.units.front();
    EXPECT_NE(text.find("d_svmul3_1_compute_3_32_1_sss("), std::string::npos);
    EXPECT_NE(text.find("d_svmul3_1_compute_3_96_1_rrr("), std::string::npos);
    EXPECT_NE(text.find("#define APIN0 (ty*3+tx)"), std::string::npos);
    EXPECT_NE(text.find("#define APIN0 0"), std::string::npos);
    EXPECT_NE(text.find("namespace r_svmul3"), std::string::npos);
    EXPECT_EQ(sources.functions.front().reference, 0);
    EXPECT_EQ(text, check_sources(library(), plan, 1).units.front());
}

TEST(CheckSources, AreSharedOutInOrder) {
    const CheckPlan plan = plan_of({});
    const CheckSources sources = check_sources(library(), plan, 3);
    EXPECT_EQ(sources.units.size(), 3U);
    ASSERT_EQ(sources.functions.size(), plan.size());
    EXPECT_TRUE(std::is_sorted(sources.functions.begin(), sources.functions.end(),
                               [](const auto& a, const auto& b) { return a.unit < b.unit; }));
    EXPECT_EQ(sources.functions.back().unit, 2U);
}

TEST(Findings, ComeBackFromTheirText) {
    Findings findings;
    const Site site{1, PartKind::compute, 2, false, true};
    for (int t = 0; t < 5; ++t) findings.add({Fault::undeclared, site}, "thread " + std::to_string(t));
    const Findings back = Findings::restore(findings.store());
    ASSERT_TRUE(back.has(Fault::undeclared, site));
    EXPECT_EQ(back.all().begin()->second.count, 5);
    EXPECT_EQ(back.all().begin()->second.examples, (std::vector<std::string>{"thread 0", "thread 1", "thread 2"}));
    EXPECT_TRUE(Findings::restore("nothing of the kind\n").all().empty());
    EXPECT_TRUE(Findings::restore(findings.store().substr(0, 9)).all().empty());
}

}  // namespace
}  // namespace kasc::libcheck
