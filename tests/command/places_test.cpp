// Files of a call: none is written over another, and none that another run goes on with.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <regex>

#include "support/heat_folder.hpp"
#include "support/shell.hpp"

namespace kasc {
namespace {

namespace fs = std::filesystem;

const char* const heat_program =
    "param int steps = 20;\nfloat T[x, y] boundary keep(1), movie[x, y, t];\ninput T;\n"
    "for (n = 0; n < steps; n++) { T = T + 0.1*laplace2(T, 1); movie[t = n] = T; }\nreturn T, movie;\n";

class Places : public test::HeatFolder {
protected:
    Places() : HeatFolder(heat_program) {
        // Held up by a compiler that does not come back.
        test::write_file(file("waits"), "#!/bin/sh\ntouch " + file("begun") + "\nexec sleep 60\n");
        chmod(file("waits").c_str(), 0755);
    }
    [[nodiscard]] test::ShellResult kasc(const std::string& arguments, const std::string& before = "") const {
        return test::shell("cd " + here_.path().string() + " && " + before + " " KASC_COMMAND " " + arguments);
    }
    [[nodiscard]] std::map<std::string, std::string> contents() const {
        std::map<std::string, std::string> all;
        for (const auto& entry : fs::recursive_directory_iterator(here_.path())) {
            if (entry.is_regular_file()) all[entry.path().string()] = test::read_file(entry.path());
        }
        return all;
    }
    void expect_refused(const std::string& arguments, const std::string& text, int status = 1) const {
        const auto before = contents();
        const auto run = kasc(arguments);
        EXPECT_EQ(run.status, status) << arguments << "\n" << run.output;
        EXPECT_NE(run.output.find(text), std::string::npos) << arguments << "\n" << run.output;
        EXPECT_EQ(run.output.find("ran on"), std::string::npos) << run.output;
        EXPECT_TRUE(contents() == before) << arguments;
    }
    /// Asked without a lock of the test's own, which would be in the way of the run's.
    [[nodiscard]] bool locked(const std::string& name) const {
        struct stat status {};
        if (stat(file(name).c_str(), &status) != 0) return false;
        std::ifstream locks("/proc/locks");
        const std::string inode = ":" + std::to_string(status.st_ino) + " ";
        for (std::string line; std::getline(locks, line);) {
            if (line.find(inode) != std::string::npos) return true;
        }
        return false;
    }
    /// A run that waits for its compiler and holds this file, which it takes later than it calls the compiler.
    [[nodiscard]] pid_t start(const std::string& arguments, const std::string& held) const {
        fs::remove(file("begun"));
        const pid_t child = fork();
        if (child == 0) {
            setpgid(0, 0);
            const std::string call = "exec >/dev/null 2>&1; cd " + here_.path().string() + "; CXX=" + file("waits") +
                                     " exec " KASC_COMMAND " " + arguments;
            execl("/bin/sh", "sh", "-c", call.c_str(), nullptr);
            _exit(127);
        }
        while (!(fs::exists(file("begun")) && locked(held)) && waitpid(child, nullptr, WNOHANG) == 0) usleep(5000);
        return child;
    }
    static void end(pid_t child) {
        kill(-child, SIGKILL);
        waitpid(child, nullptr, 0);
    }
};

const std::string run_heat_here = "run heat.kas --target cpu --in in.h5 --out out.h5 ";

TEST_F(Places, NoResultTakesThePlaceOfAFileOfTheCall) {
    fs::create_hard_link(file("in.h5"), file("hard.h5"));
    fs::create_symlink("heat.kas", file("soft"));
    fs::create_symlink("new.h5", file("dangling"));
    fs::create_directory(file("sub"));
    const std::string same = "run heat.kas --target cpu --in in.h5 --out ";
    for (const char* out : {"in.h5", "./in.h5", "sub/../in.h5", "hard.h5"})
        expect_refused(same + out, "': it is the input file");
    for (const char* out : {"heat.kas", "soft"}) expect_refused(same + out, "': it is the program");
    for (const char* picture : {"T=in.h5", "T=hard.h5"})
        expect_refused(run_heat_here + "--picture " + picture, "it is the input");
    expect_refused(run_heat_here + "--picture T=./out.h5", "it is the output file");
    expect_refused(run_heat_here + "--picture T=soft", "it is the program");
    expect_refused(run_heat_here + "--picture T=", "does not say what to draw", 2);
    expect_refused(run_heat_here + "--checkpoint out.h5", "it is the output file");
    expect_refused(run_heat_here + "--checkpoint out.h5.part", "it is the output file while it is not finished");
    expect_refused(run_heat_here + "--checkpoint hard.h5", "it is the input file");
    expect_refused(run_heat_here + "--checkpoint c.h5 --picture T=sub/../c.h5", "it is the checkpoint");
    expect_refused(same + "new.h5 --checkpoint dangling", "it is the output file");
    expect_refused(run_heat_here + "--keep out.h5", "it is the folder that the source is kept in");
    test::write_file(file("old.h5"), "a checkpoint");
    expect_refused(same + "old.h5 --restart old.h5 --checkpoint c.h5",
                   "it is the checkpoint that the run goes on from");
    // Other commands.
    expect_refused("tune heat.kas --target cpu --in in.h5 --db t.db --export hard.h5", "it is the input file");
    expect_refused("tune heat.kas --target cpu --in in.h5 --db t.db --export soft", "it is the program");
    expect_refused("tune heat.kas --target cpu --in in.h5 --db t.db --export ./t.db", "it is the tuning database");
    expect_refused("bench --target cpu --function madd33 -o nowhere/table.json", "no file can be made in folder");
    fs::rename(file("in.h5"), file("in.png"));
    expect_refused("view in.png T -o ./in.png", "it is the file that is shown");
}

TEST_F(Places, PicturesOfDatasetsOfLikeNamesDoNotReplaceEachOther) {
    const std::vector<float> T(12, 1.0F);
    ASSERT_TRUE(runtime::write_hdf5(file("two.h5"), {{"a/b", {3, 4}, T}, {"a-b", {3, 4}, T}}, {}).empty());
    expect_refused("view two.h5", "it is the picture of 'a/b'");
    EXPECT_EQ(kasc("view two.h5 a/b").status, 0);
}

TEST_F(Places, WhatKascDidNotWriteStaysInAFolder) {
    test::write_file(file("mine/heat.cu"), "mine");
    expect_refused("compile heat.kas -o mine",
                   "error[K0725]: the folder 'mine' has files that kasc did not write: 'heat.cu'");
    expect_refused("compile heat.kas -o .", "K0725");
    expect_refused(run_heat_here + "--keep mine", "K0725");
    EXPECT_EQ(kasc("compile heat.kas -o mine --force").status, 0);
    EXPECT_NE(test::read_file(file("mine/heat.cu")), "mine");
    // Its own, again and of another target, and with a build beside it.
    EXPECT_EQ(kasc("compile heat.kas -o out").status, 0);
    test::write_file(file("out/build/a.o"), "built");
    EXPECT_EQ(kasc("compile heat.kas -o out").status, 0);
    EXPECT_EQ(kasc("compile heat.kas -o out --target cpu").status, 0);
    EXPECT_EQ(test::read_file(file("out/build/a.o")), "built");
    std::ofstream(file("out/heat.cu"), std::ios::app) << "// mine\n";
    expect_refused("compile heat.kas -o out", "'heat.cu'");
    EXPECT_EQ(kasc("compile heat.kas -o out --force").status, 0);
    EXPECT_EQ(kasc(run_heat_here + "--keep kept").status, 0);
    EXPECT_EQ(kasc(run_heat_here + "--keep kept").status, 0);
}

TEST_F(Places, LinksAreFollowedByAllOutputsAlike) {
    fs::create_directory(file("sub"));
    for (const char* name : {"out.h5", "hot.png", "c.h5", "kept"})
        fs::create_symlink(std::string("sub/") + name, file(name));  // there is nothing yet
    const std::string call = run_heat_here + "--picture T=hot.png --checkpoint c.h5 --every 10 --keep kept";
    for (int k = 0; k < 2; ++k) {
        const auto ran = kasc(call);
        ASSERT_EQ(ran.status, 0) << ran.output;
        for (const char* name : {"out.h5", "hot.png", "c.h5", "kept"}) {
            EXPECT_TRUE(fs::is_symlink(file(name))) << name;
            EXPECT_TRUE(fs::exists(file(std::string("sub/") + name))) << name;
        }
    }
}

TEST_F(Places, OfTwoRunsThatGoOnWithOneFileOneWins) {
    const std::string call = run_heat_here + "--checkpoint c.h5 --every 10";
    const pid_t first = start(call, "out.h5.part");
    const auto second = kasc(call);
    EXPECT_EQ(second.status, 1) << second.output;
    EXPECT_NE(second.output.find("error[K0726]: cannot write 'out.h5': another run goes on writing"), std::string::npos)
        << second.output;
    EXPECT_FALSE(fs::exists(file("out.h5")));
    // By a link as well; another output is nobody's.
    fs::create_symlink("out.h5", file("link.h5"));
    EXPECT_NE(kasc("run heat.kas --target cpu --in in.h5 --out link.h5 --checkpoint d.h5").output.find("K0726"),
              std::string::npos);
    EXPECT_EQ(kasc("run heat.kas --target cpu --in in.h5 --out other.h5 --checkpoint d.h5").status, 0);
    end(first);
    // What the killed run held is free.
    const auto third = kasc(call);
    EXPECT_EQ(third.status, 0) << third.output;
    EXPECT_TRUE(fs::exists(file("out.h5")));
    EXPECT_FALSE(fs::exists(file("out.h5.part")));
    // One that ends before it computes leaves nothing to go on with.
    fs::remove(file("out.h5"));
    EXPECT_EQ(kasc(call, "CXX=/bin/false").status, 1);
    EXPECT_FALSE(fs::exists(file("out.h5.part")));
}

TEST_F(Places, OfTwoRunsOfKwaveInPiecesOneWins) {
    const std::string input = KASC_SOURCE_DIR "/tests/kwave/data/2d_p_dirichlet_one.input.h5";
    const std::string call =
        "kwave --target cpu -i " + input + " -o k.h5 --checkpoint_file c.h5 --checkpoint_timesteps 5";
    test::write_file(file("k.h5"), "former");
    const pid_t first = start(call, "k.h5");
    const auto second = kasc(call);
    EXPECT_EQ(second.status, 1) << second.output;
    EXPECT_NE(second.output.find("K0726"), std::string::npos) << second.output;
    EXPECT_EQ(test::read_file(file("k.h5")), "former");
    end(first);
    EXPECT_EQ(kasc(call).status, 0);
    EXPECT_NE(test::read_file(file("k.h5")), "former");
}

TEST_F(Places, AnUnfinishedFileOfAnotherIsNotWrittenTo) {
    if (geteuid() != 0) GTEST_SKIP() << "only root makes files of others";
    test::write_file(file("out.h5.part"), "theirs");
    ASSERT_EQ(chown(file("out.h5.part").c_str(), 12345, 12345), 0);
    expect_refused(run_heat_here + "--checkpoint c.h5", "is not a file of yours alone");
    fs::remove(file("out.h5.part"));
    test::write_file(file("dear"), "dear");
    fs::create_hard_link(file("dear"), file("out.h5.part"));
    expect_refused(run_heat_here + "--checkpoint c.h5", "is not a file of yours alone");
    fs::remove(file("out.h5.part"));
    fs::create_symlink("dear", file("out.h5.part"));
    EXPECT_NE(kasc(run_heat_here + "--checkpoint c.h5").status, 0);
    EXPECT_EQ(test::read_file(file("dear")), "dear");
}

TEST_F(Places, NamesOfFilesDoNotSteerTheTerminal) {
    const std::vector<float> T(12, 1.0F);
    const std::string name =
        "\x1b[31mT\n\xc2\x9b"
        "2J\xe2\x80\xae";
    ASSERT_TRUE(runtime::write_hdf5(file("hostile.h5"), {{name, {3, 4}, T}}, {}).empty());
    for (const char* call : {"view hostile.h5 --list", "view hostile.h5", "view hostile.h5 nothing",
                             "run heat.kas --target cpu --in hostile.h5 --out out.h5",
                             "run heat.kas --target cpu --in 'no\x1b[31m.h5' --out out.h5",
                             "compile heat.kas --plan '\x1b[31m: vector 4' -o out", "compile '\x1b[31m.kas' -o out",
                             "check-lib --function '\x1b[31m'", "explain heat.kas --device '\x1b[31m'"}) {
        const auto said = kasc(call);
        EXPECT_EQ(said.output.find('\x1b'), std::string::npos) << call << said.output;
        EXPECT_EQ(said.output.find("\xc2\x9b"), std::string::npos) << call;
        EXPECT_EQ(said.output.find("\xe2\x80\xae"), std::string::npos) << call;
        EXPECT_NE(said.output.find("\\x1b[31m"), std::string::npos) << call << said.output;
    }
    for (const auto& entry : fs::directory_iterator(here_.path()))
        EXPECT_EQ(entry.path().filename().string().find_first_of("\x1b\n"), std::string::npos);
}

}  // namespace
}  // namespace kasc
