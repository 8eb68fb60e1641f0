// What kasc builds is kept from call to call; a compiler of the test's own counts what it is asked to build.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "runtime/hdf5/file.hpp"
#include "support/shell.hpp"
#include "support/temporary.hpp"

namespace kasc {
namespace {

namespace fs = std::filesystem;

class CacheTest : public ::testing::Test {
protected:
    test::Temporary folder_;

    CacheTest() {
        test::write_file(file("heat.kas"),
                         "float T[x, y] boundary mirror; param int steps = 4; input T;\n"
                         "for (n = 0; n < steps; n++) { T = T + 0.1*laplace2(T, 1); } return T;\n");
        const std::vector<float> T(std::size_t{64} * 64, 37);
        EXPECT_TRUE(runtime::write_hdf5(file("in.h5"), {{"T", {64, 64}, T}}, {}).empty());
        use_compiler("");
        fs::create_directory(file("tmp"));
    }
    [[nodiscard]] std::string file(const std::string& name) const { return (folder_.path() / name).string(); }
    /// A compiler that writes a line to `builds`, then does what `script` says, then compiles.
    void use_compiler(const std::string& script) const {
        test::write_file(file("cc"),
                         "#!/bin/bash\ncase \"$*\" in *--version*|*-dumpversion*) echo 12; exit;; esac\necho >> " +
                             file("builds") + "\n" + script + "\nexec $REMEMBERING_CXX \"${@/-O3/-O0}\"\n");
        fs::permissions(file("cc"), fs::perms::owner_all);
    }
    [[nodiscard]] std::size_t builds() const { return test::read_file(file("builds")).size(); }
    [[nodiscard]] test::ShellResult kasc(const std::string& arguments, const std::string& before = "") const {
        return test::shell("cd " + folder_.path().string() + " && " + before + " TMPDIR=" + file("tmp") +
                           " KASC_CACHE=" + file("cache") + " KASC_CACHE_SIZE=100M CXX=" + file("cc") +
                           " " KASC_COMMAND " " + arguments);
    }
    [[nodiscard]] test::ShellResult run(const std::string& more = "", const std::string& before = "") const {
        return kasc("run heat.kas --target cpu --in in.h5 --out out.h5 " + more, before);
    }
    [[nodiscard]] nlohmann::json listing() const {
        return nlohmann::json::parse(kasc("cache --format json").output, nullptr, false);
    }
};

TEST_F(CacheTest, ASecondRunIsNotBuilt) {
    auto first = run();
    ASSERT_EQ(first.status, 0) << first.output;
    EXPECT_EQ(builds(), 1U);
    const std::string result = test::read_file(file("out.h5"));
    ASSERT_EQ(run("--keep kept").status, 0);
    EXPECT_EQ(builds(), 1U);
    EXPECT_TRUE(test::read_file(file("out.h5")) == result);
    EXPECT_TRUE(fs::exists(file("kept/heat.cpp")));
    ASSERT_EQ(run("--set steps=5").status, 0);
    EXPECT_EQ(builds(), 1U) << "a parameter's value is no part of the code";
    ASSERT_EQ(run("--no-cache").status, 0);
    EXPECT_EQ(builds(), 2U);
    ASSERT_EQ(run("--check").status, 0);
    EXPECT_EQ(builds(), 3U);
    const nlohmann::json list = listing();
    EXPECT_EQ(list["folder"], file("cache"));
    ASSERT_EQ(list["built"].size(), 2U);
    EXPECT_EQ(list["built"][0]["program"], "heat");
    EXPECT_EQ(list["built"][0]["target"], "cpu");
    EXPECT_EQ(list["most_bytes"], 100 << 20);
    const auto text = kasc("cache");
    EXPECT_NE(text.output.find("2 built, "), std::string::npos) << text.output;
    EXPECT_TRUE(fs::is_empty(file("tmp")));
}

TEST_F(CacheTest, IsBroughtDownAndCleared) {
    EXPECT_EQ(kasc("cache").output, file("cache") + ": 0 built, 0 B of at most 100.0 MiB\n");
    EXPECT_FALSE(fs::exists(file("cache"))) << "it is not made for being looked at";
    ASSERT_EQ(run().status, 0);
    EXPECT_EQ(kasc("cache --size 10M").output.find("removed"), std::string::npos);
    EXPECT_NE(kasc("cache --size 1K").output.find("1 removed\n"), std::string::npos);
    ASSERT_EQ(run().status, 0);
    EXPECT_EQ(builds(), 2U);
    EXPECT_NE(kasc("cache --clear").output.find("1 removed\n"), std::string::npos);
    EXPECT_TRUE(fs::is_empty(file("cache")));
    EXPECT_EQ(kasc("cache --clear --size 1K").status, 2);
    EXPECT_EQ(kasc("cache --size none").status, 2);
}

TEST_F(CacheTest, AFolderThatOthersMayWriteIsLeftAlone) {
    fs::create_directory(file("cache"));
    fs::permissions(file("cache"), fs::perms::all);
    const auto told = run();
    EXPECT_EQ(told.status, 0) << told.output;
    EXPECT_NE(told.output.find("warning[K0806]"), std::string::npos) << told.output;
    EXPECT_TRUE(fs::is_empty(file("cache")));
    EXPECT_NE(kasc("cache").output.find("warning[K0806]"), std::string::npos);
}

TEST_F(CacheTest, EveryCommandThatBuildsKeeps) {
    const auto twice = [&](const std::string& arguments) {
        const auto before = builds();
        EXPECT_EQ(kasc(arguments).status, 0);
        const auto first = builds();
        EXPECT_GT(first, before) << arguments;
        const auto again = kasc(arguments);
        EXPECT_EQ(again.status, 0) << again.output;
        EXPECT_EQ(builds(), first) << arguments;
        EXPECT_EQ(kasc(arguments + " --no-cache").status, 0);
        EXPECT_EQ(builds(), 2 * first - before) << arguments;
    };
    twice("check-lib --function shalf");
    twice("bench --function shalf --target cpu --elements 32 --repeats 1 -o table.json");
    // The database would remember the times.
    twice("tune heat.kas --target cpu --set x=64 --set y=64 --top 2 --repeats 1 --db \"$(mktemp -d)\"/db");
}

TEST_F(CacheTest, TheTimingSaysWhereTheTimeWent) {
    use_compiler("sleep 1");
    const auto timing = [&](const std::string& more) {
        const auto told = run("--timing=json " + more);
        EXPECT_EQ(told.status, 0) << told.output;
        const std::size_t begin = told.output.rfind("{\"timing\"");
        return begin == std::string::npos ? nlohmann::json()
                                          : nlohmann::json::parse(told.output.substr(begin))["timing"];
    };
    const auto began = std::chrono::steady_clock::now();
    const nlohmann::json first = timing("");
    const std::chrono::duration<double> whole = std::chrono::steady_clock::now() - began;
    EXPECT_EQ(first["found_in_cache"], false);
    EXPECT_GT(first["compiler_seconds"], 1);
    double sum = 0;
    for (const auto& [name, seconds] : first["phases"].items()) {
        EXPECT_GE(seconds, 0) << name;
        sum += seconds.get<double>();
    }
    EXPECT_NEAR(sum, first["total_seconds"], 1e-6);
    EXPECT_LE(first["total_seconds"], whole.count());
    EXPECT_GE(first["total_seconds"], 0.8 * whole.count()) << "the rest is the shell's and the process's end";
    EXPECT_LE(first["kernel_seconds"], first["phases"]["compute"]);
    EXPECT_LE(first["compiler_seconds"], whole.count());

    const nlohmann::json second = timing("");
    EXPECT_EQ(second["found_in_cache"], true);
    EXPECT_EQ(second["compiler_seconds"], 0);
    EXPECT_LT(second["total_seconds"], 1);
    const auto text = run("--timing").output;
    EXPECT_NE(text.find("building: found in the cache\n"), std::string::npos) << text;
    EXPECT_NE(text.find("  in all\n"), std::string::npos) << text;
    EXPECT_EQ(run().output.find("in all"), std::string::npos);
    EXPECT_EQ(run("--timing=xml").status, 2);
}

TEST_F(CacheTest, TheCompilerWorksWhileTheInputIsRead) {
    // 32 MB, so that reading and examining them takes a time that counts.
    constexpr std::uint64_t rows = 2048, columns = 4096;
    const std::vector<float> T(rows * columns, 37);
    EXPECT_TRUE(runtime::write_hdf5(file("in.h5"), {{"T", {rows, columns}, T}}, {}).empty());
    use_compiler("sleep 2");
    const auto told = run("--timing=json --set steps=1");
    ASSERT_EQ(told.status, 0) << told.output;
    const auto timing = nlohmann::json::parse(told.output.substr(told.output.rfind("{\"timing\"")))["timing"];
    // Where one comes after the other, who waits waits for all of it.
    const double waited = timing["phases"]["build"], took = timing["compiler_seconds"];
    EXPECT_LT(waited, took) << told.output;
}

TEST_F(CacheTest, AnInputsFaultEndsTheCompiler) {
    use_compiler("sleep 30");
    const std::vector<float> T(std::size_t{64} * 64, std::nanf(""));
    EXPECT_TRUE(runtime::write_hdf5(file("in.h5"), {{"T", {64, 64}, T}}, {}).empty());
    const auto began = std::chrono::steady_clock::now();
    const auto ended = run();
    EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(15)) << "the compiler is not awaited";
    EXPECT_EQ(ended.status, 1);
    EXPECT_NE(ended.output.find("error[K0712]"), std::string::npos) << ended.output;
    EXPECT_EQ(ended.output.find("K0802"), std::string::npos) << ended.output;
    EXPECT_TRUE(fs::is_empty(file("tmp"))) << "sources and all are gone";
}

TEST_F(CacheTest, AnInputsFaultComesBeforeTheCompilers) {
    const std::vector<float> T(std::size_t{64} * 64, std::nanf(""));
    EXPECT_TRUE(runtime::write_hdf5(file("in.h5"), {{"T", {64, 64}, T}}, {}).empty());
    use_compiler("echo error: no; exit 1");
    auto ended = run();
    EXPECT_NE(ended.output.find("error[K0712]"), std::string::npos) << ended.output;
    EXPECT_EQ(ended.output.find("K0802"), std::string::npos) << ended.output;
    ended = run("--allow not-finite");
    EXPECT_EQ(ended.status, 1);
    EXPECT_NE(ended.output.find("error[K0802]"), std::string::npos) << ended.output;
    // Nor is the folder of the sources a fault before those of the input.
    test::write_file(file("kept"), "no folder");
    EXPECT_EQ(run("--keep kept").output.find("K0720"), std::string::npos);
    EXPECT_NE(run("--keep kept --allow not-finite").output.find("error[K0720]"), std::string::npos);
}

TEST_F(CacheTest, TheCompilerEndsWithKasc) {
    use_compiler("echo $$ > compiler; sleep 30 & echo $! > child; wait");
    static_cast<void>(test::shell("cd " + folder_.path().string() + "; KASC_CACHE_SIZE=0 TMPDIR=" + file("tmp") +
                                  " CXX=" + file("cc") +
                                  " " KASC_COMMAND
                                  " run heat.kas --target cpu --in in.h5 --out out.h5 & until [ -s child ]; do sleep "
                                  "0.05; done; kill -KILL $!; wait"));
    const auto runs = [&](const std::string& name) {
        const std::string stat =
            test::read_file("/proc/" + std::to_string(std::stoi(test::read_file(file(name)))) + "/stat");
        return !stat.empty() && stat.find(") Z") == std::string::npos;
    };
    for (int i = 0; i < 100 && (runs("compiler") || runs("child")); ++i) usleep(20'000);
    EXPECT_FALSE(runs("compiler"));
    EXPECT_FALSE(runs("child"));
}

}  // namespace
}  // namespace kasc
