// kasc run --ranks where several GPUs cannot share a run.
#include <gtest/gtest.h>

#include "support/launched.hpp"
#include "support/shell.hpp"
#include "support/temporary.hpp"

namespace kasc {
namespace {

class RefusedRanks : public testing::Test {
protected:
    void SetUp() override { test::write_file(folder_.path() / "ones.kas", "float a[x]; a = 1; return a;\n"); }
    [[nodiscard]] test::ShellResult run(const std::string& environment, const std::string& flags,
                                        const std::string& launcher = "") const {
        return test::shell("cd '" + folder_.path().string() +
                           "'; export LD_LIBRARY_PATH=" PRETENDED_CUDA "; unset CUDA_VISIBLE_DEVICES; export " +
                           environment + "; " + launcher + KASC_COMMAND " run ones.kas --out o.h5 --set x=9 " + flags +
                           " 2>&1");
    }

private:
    test::Temporary folder_;
};

TEST_F(RefusedRanks, ThereAreTooFew) {
    const auto run = this->run("PRETENDED_GPUS=2", "--ranks 3");
    EXPECT_EQ(run.status, 1) << run.output;
    EXPECT_NE(run.output.find("error[K0808]: 3 GPUs cannot share the run: there are 2"), std::string::npos)
        << run.output;
}

TEST_F(RefusedRanks, TheyHaveNoMemoryInCommon) {
    const auto run = this->run("PRETENDED_GPUS=4", "--ranks 2");
    EXPECT_NE(run.output.find("too old for memory that several GPUs share"), std::string::npos) << run.output;
}

TEST_F(RefusedRanks, ItIsACpu) {
    const auto run = this->run("PRETENDED_GPUS=4", "--ranks 2 --target cpu");
    EXPECT_EQ(run.status, 2) << run.output;
    EXPECT_NE(run.output.find("error[K0917]"), std::string::npos) << run.output;
}

TEST_F(RefusedRanks, AProcessHasAGpuWhoseDriverReservesNoMemory) {
    if (!test::can_launch()) GTEST_SKIP() << "kasc was built without MPI";
    // The second of three has the second GPU, the third the first one again.
    const auto run = this->run("PRETENDED_GPUS=2", "", test::launcher(3));
    EXPECT_NE(run.status, 0);
    EXPECT_NE(run.output.find("error[K0808]: GPU 0 cannot share the run with those of other processes: the driver is "
                              "too old for memory that is reserved"),
              std::string::npos)
        << run.output;
}

/// What kasc explain says of two GPUs, of a program of the repository.
test::ShellResult explained(const std::string& path, const std::string& flags) {
    return test::shell(KASC_COMMAND " explain " KASC_SOURCE_DIR "/" + path + " --device h200 --ranks 2 " + flags);
}

TEST(ExplainedRanks, HaveCopiesOfPlanesBesideTheirs) {
    const auto large = explained("examples/diffusion.kas", "--set x=512 --set y=512 --set z=512 --steps 1");
    ASSERT_EQ(large.status, 0) << large.output;
    EXPECT_NE(large.output.find("cut: 268.4 MB a rank, and copies of what lies beside it as far as 3072 kB"),
              std::string::npos)
        << large.output;
    EXPECT_NE(large.output.find("those at the cuts first"), std::string::npos) << large.output;
    // A step is over before the host could ask for copies.
    const auto small = explained("examples/diffusion.kas", "--set x=128 --set y=256 --set z=256");
    EXPECT_EQ(small.output.find("copies"), std::string::npos) << small.output;
    EXPECT_NE(small.output.find("diffusion_k0             shared along z"), std::string::npos) << small.output;
}

TEST(ExplainedRanks, PutPartsOfSumsTogetherOnTheFirst) {
    const auto said = explained("benchmarks/gpu/ranks/bicgk.kas", "--set column=32768 --set row=32768");
    ASSERT_EQ(said.status, 0) << said.output;
    for (const char* line :
         {"A                        cut: 2147.5 MB a rank\n", "a rank, and copies of it on the others",
          "s_parts                  on the first device: parts of what is cut, which are put "
          "together there\n"})
        EXPECT_NE(said.output.find(line), std::string::npos) << said.output;
}

}  // namespace
}  // namespace kasc
