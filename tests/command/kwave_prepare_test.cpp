// Programs of k-Wave simulations that come with kasc: built for an installation, and run where there is no compiler.
#include <gtest/gtest.h>

#include <filesystem>

#include "command/kwave_case.hpp"
#include "runtime/building/prebuilt.hpp"
#include "support/temporary.hpp"

namespace kasc {
namespace {

namespace fs = std::filesystem;

class KWavePrepare : public testing::Test {
protected:
    /// An installation's data, with the programs of some simulations.
    static void SetUpTestSuite() {
        here_ = new test::Temporary;
        fs::create_directory(file("data"));
        for (const char* part : {"elementlib", "devices", "support", "examples"})
            fs::create_directory_symlink(fs::path(KASC_SOURCE_DIR) / part, file("data") + "/" + part);
        if (!runtime::has_portable_level()) return;
        const auto prepared = test::shell(std::string(KASC_COMMAND) + " kwave-prepare --into " + file("data/built") +
                                          " 2d/uniform/p-one-dirichlet");
        EXPECT_EQ(prepared.status, 0) << prepared.output;
        EXPECT_EQ(prepared.output, "2d/uniform/p-one-dirichlet/p\n");
    }
    static void TearDownTestSuite() {
        delete here_;
        here_ = nullptr;
    }
    void SetUp() override {
        if (!runtime::has_portable_level()) GTEST_SKIP() << "no processor that such programs are for";
    }
    [[nodiscard]] static std::string file(const std::string& name) { return (here_->path() / name).string(); }
    /// A simulation of that kind, of other sizes.
    static test::ShellResult run(const std::string& out, const std::string& before, const std::string& flags = "") {
        return test::shell("OMP_NUM_THREADS=1 SOURCE_DATE_EPOCH=1000000000 KASC_DATA=" + file("data") +
                           " KASC_CACHE=" + file("cache") + " " + before + " " KASC_COMMAND " kwave --target cpu -i " +
                           test::kwave_input("2d_p_dirichlet_one") + " -o " + file(out) + " " + flags);
    }
    static constexpr const char* no_compiler = "CXX=no-such-compiler PATH=/nowhere";

    static test::Temporary* here_;
};
test::Temporary* KWavePrepare::here_ = nullptr;

TEST_F(KWavePrepare, WhatComesWithKascRunsWithoutACompiler) {
    const auto without = run("without.h5", no_compiler, "--p_raw --timing=json");
    ASSERT_EQ(without.status, 0) << without.output;
    EXPECT_NE(without.output.find("\"prebuilt\":true"), std::string::npos) << without.output;
    EXPECT_NE(without.output.find("\"found_in_cache\":false"), std::string::npos) << without.output;
    const auto built = run("built.h5", "", "--p_raw --no-cache --timing");
    ASSERT_EQ(built.status, 0) << built.output;
    EXPECT_NE(built.output.find("building: the compiler took"), std::string::npos) << built.output;
    EXPECT_TRUE(test::read_file(file("without.h5")) == test::read_file(file("built.h5"))) << "the same, byte for byte";
    EXPECT_NE(run("o.h5", "", "--p_raw --timing").output.find("building: built when kasc was installed\n"),
              std::string::npos);
}

TEST_F(KWavePrepare, OtherSimulationsAreBuilt) {
    const auto other = run("other.h5", no_compiler, "--p_max_all");
    EXPECT_EQ(other.status, 1);
    EXPECT_NE(other.output.find("error[K0801]"), std::string::npos) << other.output;
}

TEST_F(KWavePrepare, IsReadByAllAndWrittenByOne) {
    EXPECT_EQ(fs::status(file("data/built")).permissions(), fs::perms(0755));
    for (const auto& entry : fs::directory_iterator(file("data/built")))
        EXPECT_EQ(entry.status().permissions(), fs::perms(0644)) << entry.path();
    fs::permissions(file("data/built"), fs::perms::others_write, fs::perm_options::add);
    const auto run_there = run("o.h5", no_compiler);
    const auto prepare_there = test::shell(KASC_COMMAND " kwave-prepare 2d/uniform/p0/p --into " + file("data/built"));
    fs::permissions(file("data/built"), fs::perms(0755));
    EXPECT_NE(run_there.output.find("error[K0801]"), std::string::npos) << run_there.output;
    EXPECT_EQ(prepare_there.status, 1);
    EXPECT_NE(prepare_there.output.find("error[K0720]"), std::string::npos) << prepare_there.output;
}

TEST_F(KWavePrepare, NamesAreListedAndChecked) {
    const auto list = test::shell(KASC_COMMAND " kwave-prepare --list");
    EXPECT_EQ(list.status, 0);
    for (const char* name :
         {"2d/uniform/p0/p\n", "2d/varying-absorbing/p-many/p_final\n", "3d/varying-nonlinearity/transducer/p\n"})
        EXPECT_NE(list.output.find(name), std::string::npos) << name;
    const auto some = test::shell(KASC_COMMAND " kwave-prepare --list 2d/uniform/p0");
    EXPECT_EQ(
        some.output,
        "2d/uniform/p0/p\n2d/uniform/p0/p,p_final\n2d/uniform/p0/p_final\n2d/uniform/p0/p_max\n2d/uniform/p0/p,u\n");
    const auto none = test::shell(KASC_COMMAND " kwave-prepare 4d");
    EXPECT_EQ(none.status, 2);
    EXPECT_EQ(none.output,
              "error[K0924]: no simulation that is prepared has the name '4d', or begins with it\n"
              "   = help: kasc kwave-prepare --list prints the names\n");
}

}  // namespace
}  // namespace kasc
