// Places that kasc kwave cannot write to, and disks that are full: each is told with its code, exit status 1, and
// nothing half written is left.
#include <sys/prctl.h>
#include <unistd.h>
// After them: it needs their types.
#include <linux/capability.h>

#include <cstdlib>

#include "command/kwave_case.hpp"
#include "support/remember_builds.hpp"
#include "support/temporary.hpp"

namespace kasc {
namespace {

namespace fs = std::filesystem;

class KWavePlaces : public testing::Test {
protected:
    /// What the compiler writes does not count where files may not grow.
    static void SetUpTestSuite() {
        builds_ = new test::Temporary;
        test::build_with("-O0");
        const std::string compiler = (builds_->path() / "unlimited-c++").string();
        test::write_file(compiler, "#!/bin/sh\nulimit -S -f unlimited; exec $REMEMBERING_CXX \"$@\"\n");
        fs::permissions(compiler, fs::perms::owner_all);
        setenv("CXX", compiler.c_str(), 1);
        setenv("OMP_NUM_THREADS", "1", 1);
        setenv("SOURCE_DATE_EPOCH", "1000000000", 1);
    }
    static void TearDownTestSuite() {
        unsetenv("SOURCE_DATE_EPOCH");
        test::build_as_ever();
        setenv("CXX", std::getenv("REMEMBERING_CXX"), 1);
        delete builds_;
        builds_ = nullptr;
    }
    KWavePlaces() {
        fs::create_directory(here_.path() / "disk");
        fs::copy_file(test::kwave_input("3d_p0_odd_size"), here_.path() / "in.h5");
    }

    [[nodiscard]] std::string file(const std::string& name) const { return (here_.path() / name).string(); }
    /// Nine fields of 64 KB each.
    [[nodiscard]] std::string call(const std::string& out, const std::string& more = "") const {
        return KASC_COMMAND " kwave --target cpu -i " + file("in.h5") + " -o " + out +
               " -p --p_max_all --p_min_all --p_final --u_max_all --u_final " + more;
    }
    /// In which files may grow to some KiB; the sources that are compiled take 200.
    static std::string within(int kibibytes, const std::string& call) {
        return "trap '' XFSZ; ulimit -S -f " + std::to_string(2 * kibibytes) + "; " + call;
    }
    static void expect_fault(const std::string& call, const std::string& text) {
        const auto run = test::shell(call);
        EXPECT_EQ(run.status, 1) << call << "\n" << run.output;
        EXPECT_NE(run.output.find("error[" + text), std::string::npos) << run.output;
    }
    [[nodiscard]] std::size_t files_on_disk() const {
        return static_cast<std::size_t>(std::distance(fs::directory_iterator(file("disk")), {}));
    }

    test::Temporary here_;
    static test::Temporary* builds_;
};
test::Temporary* KWavePlaces::builds_ = nullptr;

TEST_F(KWavePlaces, AFullDiskLeavesWhatWasThere) {
    const std::string out = file("disk/out.h5");
    for (const std::string& flags :
         std::vector<std::string>{"", "-c 9", "--checkpoint_timesteps 25 --checkpoint_file " + file("ck.h5")}) {
        expect_fault(within(300, call(out, flags)), "K0721]: cannot write '" + out);
        EXPECT_EQ(files_on_disk(), 0U) << flags;
        test::write_file(out, "old");
        expect_fault(within(300, call(out, flags)), "K0721]: cannot write '" + out);
        EXPECT_EQ(test::read_file(out), "old") << flags;
        EXPECT_EQ(files_on_disk(), 1U) << flags;
        EXPECT_FALSE(fs::exists(file("ck.h5")));
        fs::remove(out);
    }
}

TEST_F(KWavePlaces, ADiskThatFillsUpLaterLeavesTheLastCheckpoint) {
    const std::string legs =
        call(file("disk/out.h5"), "--checkpoint_timesteps 25 --checkpoint_file " + file("disk/ck.h5"));
    ASSERT_EQ(test::shell(legs).status, 0);
    const std::string checkpoint = test::read_file(file("disk/ck.h5")), output = test::read_file(file("disk/out.h5"));
    // The output stands there in full size; the checkpoint, which is larger, would have to be written anew.
    ASSERT_GT(checkpoint.size(), output.size() + 16384);
    expect_fault(within(static_cast<int>(output.size() / 1024 + 8), legs), "K0721]");
    EXPECT_TRUE(test::read_file(file("disk/ck.h5")) == checkpoint);
    EXPECT_EQ(files_on_disk(), 2U);
    while (fs::exists(file("disk/ck.h5"))) ASSERT_EQ(test::shell(legs).status, 0);
    ASSERT_EQ(test::shell(call(file("whole.h5"))).status, 0);
    EXPECT_TRUE(test::read_file(file("disk/out.h5")) == test::read_file(file("whole.h5")));
}

TEST_F(KWavePlaces, AFileSystemOfItsOwnThatIsFull) {
    const std::string mounted = "mount -t tmpfs -o size=640k none " + file("disk");
    if (test::shell("unshare -m sh -c '" + mounted + "'").status != 0) GTEST_SKIP() << "no file system can be mounted";
    // Too little is left from the beginning.
    const auto run =
        test::shell("unshare -m sh -c '" + mounted + " && head -c 480000 /dev/zero > " + file("disk/other") + " && { " +
                    call(file("disk/out.h5")) + "; echo status $?; ls -A " + file("disk") + "; }'");
    EXPECT_NE(run.output.find("error[K0722]: the outputs need"), std::string::npos) << run.output;
    EXPECT_NE(run.output.find("status 1\nother\n"), std::string::npos) << run.output;
}

TEST_F(KWavePlaces, AFolderThatCannotBeWritten) {
    fs::permissions(file("disk"), fs::perms::owner_read | fs::perms::owner_exec);
    // Root writes wherever it likes, unless it has given that away: what is executed from here on has.
    ASSERT_TRUE(geteuid() != 0 || prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE) == 0);
    ASSERT_NE(test::shell("touch " + file("disk/x")).status, 0);
    expect_fault(call(file("disk/out.h5")), "K0720]: cannot write '" + file("disk/out.h5"));
    expect_fault(call(file("out.h5"), "--checkpoint_timesteps 9 --checkpoint_file " + file("disk/ck.h5")),
                 "K0720]: cannot write '" + file("disk/ck.h5"));
    EXPECT_FALSE(fs::exists(file("out.h5")));
    EXPECT_EQ(files_on_disk(), 0U);
    fs::permissions(file("disk"), fs::perms::owner_all);
}

TEST_F(KWavePlaces, WhatIsNoPlaceForAFile) {
    expect_fault(call(file("disk")), "K0720]: cannot write '" + file("disk") + "': it is a folder");
    expect_fault(call(file("disk/")), "K0720]");
    expect_fault(call(file("nowhere/out.h5")), "K0720]");
    expect_fault(call("/dev/full"), "K0720]: cannot write '/dev/full': it is no regular file");
    expect_fault(call(file("out.h5"), "--checkpoint_timesteps 9 --checkpoint_file " + file("disk")),
                 "K0720]: cannot write '" + file("disk") + "': it is a folder");
    expect_fault(KASC_COMMAND " kwave -i " + file("disk") + " -o " + file("out.h5"), "K070");
    EXPECT_EQ(files_on_disk(), 0U);
    EXPECT_FALSE(fs::exists(file("out.h5")));
}

TEST_F(KWavePlaces, FilesThatAreEachOther) {
    const std::string input = test::read_file(file("in.h5"));
    fs::create_symlink(file("in.h5"), file("link.h5"));
    fs::create_hard_link(file("in.h5"), file("hard.h5"));
    for (const char* name : {"in.h5", "link.h5", "hard.h5", "disk/../in.h5"})
        expect_fault(call(file(name)), "K0720]: cannot write '" + file(name) + "': it is the input file");
    const std::string legs = "--checkpoint_timesteps 9 --checkpoint_file ";
    expect_fault(call(file("out.h5"), legs + file("in.h5")), "K0720]: cannot write '" + file("in.h5"));
    // One that is not there yet.
    expect_fault(call(file("out.h5"), legs + file("disk/../out.h5")),
                 "K0720]: cannot write '" + file("disk/../out.h5") + "': it is the output file");
    EXPECT_TRUE(test::read_file(file("in.h5")) == input);
    EXPECT_FALSE(fs::exists(file("out.h5")));
}

}  // namespace
}  // namespace kasc
