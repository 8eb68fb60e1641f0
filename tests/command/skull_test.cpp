// examples/kwave/skull.py as its README has it, on a coarse grid.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/recorded.hpp"
#include "support/shell.hpp"
#include "support/temporary.hpp"

namespace kasc {
namespace {

TEST(Skull, APulsePassesAndIsSeen) {
    const std::string python = KASC_SOURCE_DIR "/tests/with_numpy.sh ";
    if (test::shell(python + "-c ''").status == 77) GTEST_SKIP() << "python3 without h5py or numpy";
    const test::Temporary here;
    const std::string examples = KASC_SOURCE_DIR "/examples/kwave/", kasc = KASC_COMMAND;
    const auto call = [&](const std::string& command) {
        const auto run = test::shell("cd " + here.path().string() + " && OMP_NUM_THREADS=1 " + command);
        EXPECT_EQ(run.status, 0) << run.output;
    };
    call(python + examples + "skull.py skull.h5 --cell 0.8");
    call(kasc + " run " + examples + "kwave.kas --target cpu --in skull.h5 --out through.h5 --set record_p_max_all=1");
    call(kasc + " view skull.h5 c0");
    call(kasc + " view through.h5 --grid skull.h5");
    for (const char* picture : {"skull-c0.png", "through-p_max_all.png", "through-p.png"})
        EXPECT_TRUE(std::filesystem::exists(here.path() / picture)) << picture;

    test::Recorded found = test::read_recorded((here.path() / "through.h5").string(), {"p", "p_max_all"});
    const std::vector<double>&p = found["p"], &highest = found["p_max_all"];
    ASSERT_EQ(highest.size(), 144U * 96);
    std::vector<double> largest(3);  // before the skin, in the brain, at the focus
    for (std::size_t i = 0; i < p.size(); ++i) largest[i % 3] = std::max(largest[i % 3], p[i]);
    EXPECT_NEAR(largest[0], 1.2e6, 0.2e6);  // the bowl's 1 MPa, a third of the way to the focus
    EXPECT_GT(largest[1], 0.5e6);
    EXPECT_GT(largest[2], 1e6);
    EXPECT_LT(largest[2], 2.5e6);
    // The echo of the bone makes the pressure largest before it.
    const auto at = static_cast<std::size_t>(std::max_element(highest.begin(), highest.end()) - highest.begin());
    constexpr double cell = 0.8, inside = 48;  // mm from the bowl
    EXPECT_LT((static_cast<double>(at % 144) - 24) * cell, inside);
    EXPECT_GT(highest[at], 2e6);
}

}  // namespace
}  // namespace kasc
