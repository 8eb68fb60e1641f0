// Folders that commands work in: only in a temporary folder that is there, nobody else's, and cleared.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>

#include "support/heat_folder.hpp"
#include "support/shell.hpp"

namespace kasc {
namespace {

namespace fs = std::filesystem;

class TemporaryFolders : public test::HeatFolder {
protected:
    TemporaryFolders() {
        test::write_file(file("work/kept.txt"), "kept");
        fs::create_directories(file("tmp"));
        fs::create_directories(file("closed"));
        chmod(file("closed").c_str(), 0500);
    }
    [[nodiscard]] std::string in_work(const std::string& temporary, const std::string& call) const {
        return "cd " + file("work") + " && TMPDIR=" + temporary + " " + call;
    }
    [[nodiscard]] std::vector<std::string> names_in(const std::string& folder) const {
        std::vector<std::string> names;
        for (const auto& entry : fs::directory_iterator(file(folder))) names.push_back(entry.path().filename());
        std::sort(names.begin(), names.end());
        return names;
    }
};

const std::string run_elsewhere = KASC_COMMAND " run ../heat.kas --target cpu --in ../in.h5 --out ../out.h5";

TEST_F(TemporaryFolders, OneThatCannotBeUsedEndsTheCommand) {
    std::vector<std::string> unusable{file("nowhere"), file("heat.kas")};
    if (geteuid() != 0) unusable.push_back(file("closed"));
    for (const std::string& temporary : unusable) {
        for (const std::string& call :
             {run_elsewhere,
              std::string(KASC_COMMAND " tune ../heat.kas --target cpu --db ../t.db --set x=8 --set y=8"),
              std::string(KASC_COMMAND " bench --target cpu --function madd33"),
              std::string(KASC_COMMAND " check-lib --function madd33")}) {
            const auto ended = test::shell(in_work(temporary, call));
            EXPECT_EQ(ended.status, 1) << call << ended.output;
            EXPECT_NE(ended.output.find("error[K0724]: no temporary folder can be made in '" + temporary + "'"),
                      std::string::npos)
                << ended.output;
            EXPECT_NE(ended.output.find("set TMPDIR to a folder"), std::string::npos) << ended.output;
            EXPECT_EQ(names_in("work"), std::vector<std::string>{"kept.txt"}) << call;
        }
    }
    EXPECT_FALSE(fs::exists(file("out.h5")));
}

TEST_F(TemporaryFolders, WhatIsMadeInOneIsGoneInTheEnd) {
    const auto ended = test::shell(in_work(file("tmp"), run_elsewhere));
    EXPECT_EQ(ended.status, 0) << ended.output;
    EXPECT_EQ(names_in("tmp"), std::vector<std::string>{});
    EXPECT_EQ(names_in("work"), std::vector<std::string>{"kept.txt"});
}

/// What the run after a killed one finds. A compiler that does not come back holds the first one up.
TEST_F(TemporaryFolders, WhatKilledRunsLeftIsClearedAndNothingElse) {
    test::write_file(file("waits"), "#!/bin/sh\ntouch " + file("begun") + "\nexec sleep 60\n");
    chmod(file("waits").c_str(), 0755);
    const auto start = [&] {
        fs::remove(file("begun"));
        const pid_t child = fork();
        if (child == 0) {
            setpgid(0, 0);
            const std::string call =
                "exec 2>/dev/null >&2; " + in_work(file("tmp"), "CXX=" + file("waits") + " exec " + run_elsewhere);
            execl("/bin/sh", "sh", "-c", call.c_str(), nullptr);
            _exit(127);
        }
        while (!fs::exists(file("begun")) && waitpid(child, nullptr, WNOHANG) == 0) usleep(5000);
        return child;
    };
    const auto end = [](pid_t child) {
        kill(-child, SIGKILL);
        waitpid(child, nullptr, 0);
    };
    const pid_t killed = start();
    ASSERT_EQ(names_in("tmp").size(), 1U);
    const std::string left = names_in("tmp").front();
    const std::string prefix = left.substr(0, left.size() - 6);
    end(killed);
    EXPECT_EQ(names_in("tmp"), std::vector<std::string>{left});

    // Things of that name that are no folder of kasc's, and one that leads to what is dear to somebody.
    fs::create_directory_symlink(file("work"), file("tmp/" + prefix + "linked"));
    fs::create_directory_symlink(file("work"), file("tmp/" + left + "/inside"));
    fs::create_directories(file("tmp/" + prefix + "longer-name"));
    const pid_t alive = start();
    auto names = names_in("tmp");
    EXPECT_EQ(names.size(), 3U);
    EXPECT_EQ(std::count(names.begin(), names.end(), left), 0);
    EXPECT_TRUE(fs::exists(file("work/kept.txt")));
    // The one that is alive stays when others come and go.
    EXPECT_EQ(test::shell(in_work(file("tmp"), run_elsewhere)).status, 0);
    EXPECT_EQ(names_in("tmp"), names);
    end(alive);
    EXPECT_EQ(test::shell(in_work(file("tmp"), run_elsewhere)).status, 0);
    names = names_in("tmp");
    EXPECT_EQ(names, (std::vector<std::string>{prefix + "linked", prefix + "longer-name"}));
}

TEST_F(TemporaryFolders, AnotherUsersFolderStays) {
    if (geteuid() != 0) GTEST_SKIP() << "only root makes folders of others";
    ASSERT_EQ(test::shell(in_work(file("tmp"), run_elsewhere + " --keep ../kept")).status, 0);
    std::array<char, 65> machine{};
    gethostname(machine.data(), machine.size() - 1);
    std::string name = machine.data();
    for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '-';
    const std::string others = file("tmp/.kasc." + name + ".abcdef");
    test::write_file(others + "/file", "another's");
    ASSERT_EQ(chown(others.c_str(), 12345, 12345), 0);
    EXPECT_EQ(test::shell(in_work(file("tmp"), run_elsewhere)).status, 0);
    EXPECT_TRUE(fs::exists(others + "/file"));
}

}  // namespace
}  // namespace kasc
