// Kernels whose blocks fold parts before their cells, against the reference: each number of threads, one part and more
// than there are lanes; and what a block would read without their barrier.
#include <gtest/gtest.h>

#include <limits>

#include "frontend/reduction.hpp"
#include "kernel/check_shared.hpp"
#include "lower/lower.hpp"
#include "search/set_rules.hpp"
#include "support/choice.hpp"
#include "support/without_barrier.hpp"
#include "unit/lower/lower_field_check.hpp"

namespace kasc::test {
namespace {

/// Some calls of a program: the sums' parts are another kernel's.
class PrologueCase {
public:
    PrologueCase(const std::string& text, const Members& calls)
        : case_(text), fusion_(FusionMaker(case_.graph).of(calls)), scheduler_(case_.program, case_.graph, fusion_) {}

    [[nodiscard]] std::optional<FieldSchedule> schedule(const std::string& chosen) const {
        const auto made = scheduler_.with(scheduler_.choice_of_fold(false).value_or(choice(chosen)));
        if (!made.value) reason = made.reason;
        return made.value;
    }
    [[nodiscard]] kernel::Kernel kernel(const std::string& chosen) const {
        const auto made = schedule(chosen);
        if (!made) throw std::runtime_error(reason.empty() ? scheduler_.reason() : reason);
        return lower_field(field_alternatives(*made, case_.program, case_.graph), case_.program, case_.graph, "k0")
            .alternatives.front();
    }
    /// "": the kernel computes what the reference does, for each of these lengths of what is summed up.
    [[nodiscard]] std::string compared(const std::string& chosen, const std::vector<long long>& lengths,
                                       const std::vector<long long>& others) const {
        const kernel::Kernel made = kernel(chosen);
        for (const long long length : lengths) {
            std::vector<long long> extents{length};
            extents.insert(extents.end(), others.begin(), others.end());
            for (const Axis& axis : case_.program.axes) {
                if (!axis.parts) continue;
                long long cells = 1;
                for (const AxisId of : axis.parts->of) cells *= extents.at(of.index);
                extents.push_back(part_count(cells, *axis.parts));
            }
            const Problem problem = make_problem(case_, extents, {});
            const FieldReference reference(case_.program, case_.graph, problem);
            const std::string fault = run_and_compare(case_, fusion_, made, reference, problem, [&](ValueId v) {
                return Cells(reference.words(v), std::numeric_limits<double>::quiet_NaN());
            });
            if (!fault.empty()) return fmt::format("{} of {}: {}", chosen, length, fault);
        }
        return "";
    }
    mutable std::string reason;

private:
    FieldCase case_;
    Fusion fusion_;
    FieldScheduler scheduler_;
};

constexpr const char* scaled =
    "float u[x], v[y, z], w[y, z] boundary mirror, r[], half[]; input u, w; r = sum(u); half = 0.5*r; "
    "v = w[y + 1]*half + r; return v, half;";
const std::vector<std::string> blocks{"grid 32x1",          "grid 64x1",           "grid 32x4",
                                      "grid 256x1 rows 2",  "grid 512x1",          "grid 1024x1",
                                      "grid 32x4 vector 4", "column 64x1 chunk 3", "grid 32x2 neighbours shared"};

TEST(Prologue, EachBlockHasTheSumInTheOrderOfTheLanguage) {
    const PrologueCase made(scaled, {1, 2, 3});
    for (const std::string& chosen : blocks) EXPECT_EQ(made.compared(chosen, {1, 5000, 160000}, {40, 5}), "") << chosen;
}

TEST(Prologue, LanesHaveSeveralParts) {
    const PrologueCase made(scaled, {1, 2, 3});
    for (const char* chosen : {"grid 64x1", "grid 1024x1"})
        EXPECT_EQ(made.compared(chosen, {4096 * 1500 + 7}, {8, 2}), "") << chosen;
}

TEST(Prologue, SeveralSumsAreFoldedBehindOneBarrier) {
    const std::string sums =
        "float u[x], w[y], r[], m[], e[y], s[]; int k[x], most[]; input u, w, k; m = minimum(u); most = maximum(k); "
        "r = m/(2 + most); ";
    const PrologueCase cells(sums + "e = (w - r)*(w - m); return r, e;", {1, 3, 4, 5});
    EXPECT_EQ(cells.compared("grid 128x1", {3, 9000}, {70}), "");
    const PrologueCase folded(sums + "s = sum((w - r)*(w - m)); return r, s;", {1, 3, 4, 5});
    EXPECT_EQ(folded.compared("grid 256x1", {3, 9000}, {9001}), "");
    EXPECT_EQ(barriers_met(*folded.schedule("grid 256x1")->prologue), 1);
}

TEST(Prologue, TheFirstBlockAloneStores) {
    const std::string text = kernel::print(PrologueCase(scaled, {1, 2, 3}).kernel("grid 32x4"));
    EXPECT_NE(text.find("thread == 0 && bx == 0 && by == 0"), std::string::npos) << text;
    EXPECT_NE(text.find("half[0] ="), std::string::npos) << text;
    EXPECT_EQ(text.find(" r[0] ="), std::string::npos) << "nobody else reads it: " << text;
}

TEST(Prologue, ItsBarrierIsNeeded) {
    const PrologueCase made(scaled, {1, 2, 3});
    for (const std::string& chosen : blocks) {
        const kernel::Kernel kernel = made.kernel(chosen);
        EXPECT_EQ(kernel::verify(kernel), "");
        EXPECT_TRUE(kernel::check_shared(kernel).empty()) << chosen << kernel::check_shared(kernel).front();
        const std::vector<kernel::Kernel> broken = without_each_barrier(kernel);
        // One warp has its own words.
        EXPECT_GE(broken.size(), chosen == "grid 32x1" ? 0U : 1U) << chosen;
        for (const kernel::Kernel& k : broken) EXPECT_FALSE(kernel::check_shared(k, 1).empty()) << chosen;
    }
}

TEST(Prologue, BlocksOfOtherThreadsHaveNone) {
    const PrologueCase made(scaled, {1, 2, 3});
    EXPECT_EQ(made.schedule("grid 16x1"), std::nullopt);
    EXPECT_EQ(made.reason, "blocks of 16 threads fold no parts: those of 32, 64, … 1024 do");
    EXPECT_EQ(made.schedule("grid 96x1"), std::nullopt);
}

}  // namespace
}  // namespace kasc::test
