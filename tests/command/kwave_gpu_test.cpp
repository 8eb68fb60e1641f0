// -g of kasc kwave, on a machine of pretended GPUs: which it takes, and what it says where there is none.
#include "command/kwave_case.hpp"

#include "support/temporary.hpp"

namespace kasc {
namespace {

class KWaveGpu : public testing::Test {
protected:
    [[nodiscard]] test::ShellResult run(const std::string& environment, const std::string& flags) const {
        return test::shell("env -u CUDA_VISIBLE_DEVICES LD_LIBRARY_PATH=" PRETENDED_CUDA " " + environment +
                           " " KASC_COMMAND " kwave -i " + test::kwave_input("2d_p_dirichlet_one") + " -o " +
                           (here_.path() / "out.h5").string() + " " + flags);
    }
    void expect_refused(int status, const std::string& text, const std::string& environment,
                        const std::string& flags) const {
        const auto ended = run(environment, flags);
        EXPECT_EQ(ended.status, status) << ended.output;
        EXPECT_NE(ended.output.find(text), std::string::npos) << ended.output;
        EXPECT_FALSE(std::filesystem::exists(here_.path() / "out.h5"));
    }

    test::Temporary here_;
};

TEST_F(KWaveGpu, OneThatIsNotThereIsRefusedWithThoseThatAre) {
    const std::string there =
        "error[K0913]: there is no GPU 2\n"
        "   = note: GPU 0 is a Pretended GPU 0\n"
        "   = note: GPU 1 is a Pretended GPU 1\n";
    for (const char* flags : {"-g 2", "-g 2 --target cuda"}) expect_refused(2, there, "PRETENDED_GPUS=2", flags);
    // Numbers are those of what CUDA_VISIBLE_DEVICES leaves.
    expect_refused(2, "there is no GPU 1\n   = note: GPU 0 is a Pretended GPU 3\n",
                   "PRETENDED_GPUS=4 CUDA_VISIBLE_DEVICES=3", "-g 1");
    for (const char* flags : {"-g -1", "-g first", "-g 1.5"}) expect_refused(2, "-g", "PRETENDED_GPUS=2", flags);
}

TEST_F(KWaveGpu, AMachineWithoutAnyIsNoCpuInItsPlace) {
    for (const char* flags : {"-g 0", "-g 0 --target cuda"})
        expect_refused(1, "error[K0805]: no GPU found\n   = help: run it on the CPU: ", "PRETENDED_GPUS=0", flags);
    expect_refused(1, "error[K0805]", "PRETENDED_GPUS=2 CUDA_VISIBLE_DEVICES=", "-g 0");
    expect_refused(2, "error[K0912]: -g 0 names a GPU, and --target cpu takes none", "PRETENDED_GPUS=1",
                   "-g 0 --target cpu");
}

TEST_F(KWaveGpu, TheOneThatIsNamedIsTheOneThatIsLeft) {
    const std::string told = (here_.path() / "told").string();
    const std::string with = "PRETENDED_COMPILER_SAW=" + told + " PRETENDED_GPUS=4 ";
    const auto left = [&](const std::string& environment, const std::string& flags) {
        const auto ended = run(with + environment, flags);
        EXPECT_EQ(ended.status, 1) << ended.output;  // K0802: what the compiler says
        return test::read_file(told);
    };
    EXPECT_EQ(left("", "-g 2"), "2\n");
    EXPECT_EQ(left("CUDA_VISIBLE_DEVICES=3,1", "-g 1"), "1\n");
    EXPECT_EQ(left("CUDA_VISIBLE_DEVICES=3,1", "-g 0"), "3\n");
}

}  // namespace
}  // namespace kasc
