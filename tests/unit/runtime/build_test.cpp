// Emitted code from source to result, with a hand-written stand-in for what the compiler emits.

#include "runtime/building/build.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include "runtime/devices/gpu.hpp"
#include "runtime/processes/process.hpp"
#include "runtime/runs/entry_library.hpp"
#include "unit/runtime/scratch.hpp"

namespace kasc::runtime {
namespace {

/// Emitted code has its own copy of the struct; it must be the one of entry.hpp.
constexpr const char* call_struct = R"(
extern "C" {
struct kasc_entry_call {
    const long long* extents; const double* parameters; const float* const* inputs; float* const* outputs;
    int (*progress)(void*, long long, long long); void* user; double* kernel_seconds; char* message;
    long long message_bytes; const long long* rows;
};
}
)";

/// outputs[0] = inputs[0] * parameters[0], in extents[0] steps; parameters[0] < 0 is answered with code -parameters[0].
constexpr const char* scale_program = R"(
#include "scale.h"
#include <cstdio>
extern "C" int scale_entry(const struct kasc_entry_call* call) {
    if (call->parameters[0] < 0) {
        std::snprintf(call->message, (std::size_t)call->message_bytes, "told so");
        return (int)-call->parameters[0];
    }
    for (long long i = 0; i < call->extents[0]; ++i) {
        call->outputs[0][i] = call->inputs[0][i] * (float)call->parameters[0];
        if (call->progress && call->progress(call->user, i + 1, call->extents[0])) return 4;
    }
    *call->kernel_seconds = 0.25;
    return 0;
}
)";

class Environment {
public:
    Environment(std::string name, const std::string& value) : name_(std::move(name)) {
        if (const char* before = std::getenv(name_.c_str())) before_ = before;
        setenv(name_.c_str(), value.c_str(), 1);
    }
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;
    ~Environment() {
        if (before_) {
            setenv(name_.c_str(), before_->c_str(), 1);
        } else {
            unsetenv(name_.c_str());
        }
    }

private:
    std::string name_;
    std::optional<std::string> before_;
};

class BuildTest : public ScratchTest {
protected:
    /// A process that is there and no zombie, which nobody may wait for in a container.
    static bool runs(int process) {
        const std::string stat = read_text("/proc/" + std::to_string(process) + "/stat");
        return !stat.empty() && stat.find(") Z") == std::string::npos;
    }
    static Outcome<std::string> build(const std::string& source) {
        write_text("scale.h", call_struct);
        write_text("scale.cpp", source);
        BuildRequest request;
        request.sources = {"scale.cpp"};
        request.library = "libscale.so";
        return build_shared_library(request);
    }
};

TEST_F(BuildTest, BuiltCodeRunsAndReports) {
    const auto library = build(scale_program);
    ASSERT_TRUE(library) << render_text(library.diagnostics);
    const auto entry = load_entry(*library, "scale");
    ASSERT_TRUE(entry) << render_text(entry.diagnostics);

    const std::vector<float> in = {1, 2, 3};
    std::vector<float> out(3);
    long long steps = 0;
    EntryArguments arguments{{3}, {2.0}, {in.data()}, {out.data()}, [&](long long done, long long) {
                                 steps = done;
                                 return true;
                             }};
    const auto report = invoke(*entry, arguments);
    ASSERT_TRUE(report) << render_text(report.diagnostics);
    EXPECT_EQ(out, (std::vector<float>{2, 4, 6}));
    EXPECT_EQ(report->kernel_seconds, 0.25);
    EXPECT_EQ(steps, 3);

    arguments.go_on = [](long long done, long long) { return done < 2; };
    out = {0, 0, 0};
    const auto stopped = invoke(*entry, arguments);
    EXPECT_EQ(render_text(stopped.diagnostics), "error[K0814]: 'scale' was stopped on request\n");
    EXPECT_EQ(out, (std::vector<float>{2, 4, 0}));

    arguments.go_on = nullptr;
    EXPECT_TRUE(invoke(*entry, arguments));

    const std::vector<std::string> expected = {
        "error[K0811]: the input of 'scale' is at fault: told so\n",
        "error[K0812]: the device failed while running 'scale': told so\n",
        "error[K0813]: a check of 'scale' failed: told so\n",
        "error[K0814]: 'scale' was stopped on request: told so\n",
        "error[K0815]: 'scale' calls functions that have no reference in the library: told so\n",
        "error[K0810]: 'scale' ended with unknown code 6: told so\n",
    };
    for (std::size_t code = 1; code <= expected.size(); ++code) {
        arguments.parameters = {-static_cast<double>(code)};
        EXPECT_EQ(render_text(invoke(*entry, arguments).diagnostics), expected[code - 1]);
    }
    EXPECT_EQ(load_entry(*library, "other").diagnostics.at(0).code, "K0804");
}

TEST_F(BuildTest, TheCompilersErrorsAreShown) {
    const auto library = build("int f( { return 0; }\n");
    ASSERT_FALSE(library);
    const Diagnostic& d = library.diagnostics.at(0);
    EXPECT_EQ(d.code, "K0802");
    ASSERT_FALSE(d.notes.empty());
    EXPECT_NE(d.notes[0].text.find("scale.cpp:1"), std::string::npos);
    EXPECT_NE(d.help.find("-ffp-contract=off"), std::string::npos);
    EXPECT_FALSE(std::filesystem::exists("libscale.so"));
}

TEST_F(BuildTest, WithoutACompilerTheHelpSaysWhatToInstall) {
    const Environment compiler("CXX", "");
    const Environment path("PATH", "/nonexistent");
    EXPECT_EQ(render_text(build(scale_program).diagnostics),
              "error[K0801]: no C++ compiler found\n"
              "   = help: install one (Debian: apt install g++) or name one in $CXX\n");
}

TEST_F(BuildTest, TheChosenCompilerIsUsed) {
    write_text("mine", "#!/bin/sh\necho scale.cpp:1: error: \"$@\"\nexit 7\n");
    std::filesystem::permissions("mine", std::filesystem::perms::owner_all);
    const Environment compiler("CXX", "./mine --first");
    const auto library = build(scale_program);
    ASSERT_FALSE(library);
    EXPECT_EQ(library.diagnostics.at(0).message, "'./mine' ended with status 7 on emitted code");
    EXPECT_EQ(library.diagnostics.at(0).notes.at(0).text.find("scale.cpp:1: error: --first -std=c++17 -O3"), 0U);
    const Environment missing("CXX", "no-such-compiler");
    EXPECT_EQ(build(scale_program).diagnostics.at(0).code, "K0801");
}

TEST_F(BuildTest, WithoutOpenMpItRunsOnOneCore) {
    write_text("mine",
               "#!/bin/sh\nfor a in \"$@\"; do [ \"$a\" = -fopenmp ] && echo 'omp.h: No such file' && exit 1; done\n"
               "touch libscale.so\n");
    std::filesystem::permissions("mine", std::filesystem::perms::owner_all);
    const Environment compiler("CXX", "./mine");
    const auto library = build(scale_program);
    ASSERT_TRUE(library);
    EXPECT_EQ(library.diagnostics.at(0).code, "K0803");
    EXPECT_EQ(library.diagnostics.at(0).severity, Severity::warning);
}

/// A compiler that counts what it is asked to build, and builds it.
class CachedBuildTest : public BuildTest {
protected:
    void SetUp() override {
        BuildTest::SetUp();
        write_compiler("mine", "12.0");
        chosen_.emplace("CXX", "./mine");
        cache_ = *BuildCache::open("cache", 1U << 24U);
    }
    void TearDown() override {
        chosen_.reset();
        BuildTest::TearDown();
    }
    static void write_compiler(const std::string& name, const std::string& version) {
        write_text(name, "#!/bin/sh\ncase \"$*\" in *--version*) echo " + version +
                             "; exit;; esac\necho \"$*\" >> calls\nexec g++ \"$@\" -O0\n");
        std::filesystem::permissions(name, std::filesystem::perms::owner_all);
    }
    /// How often the compiler is called for it.
    std::size_t calls(const std::string& folder = "source", const std::function<void(BuildRequest&)>& change = {}) {
        BuildRequest request;
        request.sources = {folder + "/scale.cpp"};
        request.library = folder + "/libscale.so";
        request.cache = cache_;
        if (change) change(request);
        std::filesystem::create_directory(folder);
        write_text(folder + "/scale.h", header_);
        write_text(folder + "/scale.cpp", source_);
        std::filesystem::remove(request.library);
        const auto before = count();
        Build build = Build::start(request);
        const bool found = build.built_by() == BuiltBy::cache;
        const auto built = build.finish();
        EXPECT_TRUE(built) << render_text(built.diagnostics);
        said_ = built.diagnostics;
        EXPECT_EQ(found, count() == before);
        EXPECT_TRUE(load_entry(request.library, "scale"));
        return count() - before;
    }
    static std::size_t count() {
        const std::string log = read_text("calls");
        return static_cast<std::size_t>(std::count(log.begin(), log.end(), '\n'));
    }

    std::optional<Environment> chosen_;
    BuildCache cache_;
    std::string header_ = call_struct, source_ = scale_program;
    Diagnostics said_;
};

TEST_F(CachedBuildTest, WhatIsBuiltOnceIsNotBuiltAgain) {
    EXPECT_EQ(calls(), 1U);
    EXPECT_EQ(calls(), 0U);
    EXPECT_EQ(calls("another_folder"), 0U) << "folders are no part of the key";
    const auto entries = cache_.entries();
    ASSERT_EQ(entries.size(), 1U);
    EXPECT_EQ(entries[0].head.title, "scale");
    EXPECT_EQ(entries[0].head.target, "cpu");
    cache_.shrink(0);
    EXPECT_EQ(calls(), 1U);
    EXPECT_EQ(calls("source", [](BuildRequest& r) { r.cache = {}; }), 1U);
}

TEST_F(CachedBuildTest, WhatDecidesTheBytesIsPartOfTheKey) {
    EXPECT_EQ(calls(), 1U);
    source_ += "// changed\n";
    EXPECT_EQ(calls(), 1U);
    header_ += "// changed\n";
    EXPECT_EQ(calls(), 1U) << "an included file";
    EXPECT_EQ(calls("source", [](BuildRequest& r) { r.purpose = BuildPurpose::one_look; }), 1U);
    EXPECT_EQ(calls("source", [](BuildRequest& r) { r.purpose = BuildPurpose::soon; }), 1U);
    EXPECT_EQ(calls("source", [](BuildRequest& r) { r.link_names = {"m"}; }), 1U);
    {
        const Environment path("CPATH", "/usr/include");
        EXPECT_EQ(calls(), 1U);
    }
    {
        const Environment words("CXX", "./mine -DMORE");
        EXPECT_EQ(calls(), 1U);
    }
    EXPECT_EQ(calls(), 0U);
    write_compiler("mine", "12.1");
    EXPECT_EQ(calls(), 1U) << "another version at the same path";
    EXPECT_EQ(calls(), 0U);
}

TEST_F(CachedBuildTest, ADamagedEntryIsBuiltAnewAndReplaced) {
    EXPECT_EQ(calls(), 1U);
    for (const auto& file : std::filesystem::directory_iterator("cache")) {
        std::string text = read_text(file.path());
        text.back() = static_cast<char>(text.back() ^ 1);
        write_text(file.path(), text);
    }
    EXPECT_EQ(calls(), 1U);
    EXPECT_EQ(calls(), 0U);
}

TEST_F(CachedBuildTest, WarningsAreSaidAgain) {
    write_text("mine",
               "#!/bin/sh\n[ \"$1\" = --version ] && echo 1 && exit\necho \"$*\" >> calls\n"
               "for a; do [ \"$a\" = -fopenmp ] && echo 'omp.h: No such file' && exit 1; done\nexec g++ \"$@\"\n");
    EXPECT_EQ(calls(), 2U);
    ASSERT_EQ(said_.size(), 1U);
    const Diagnostics first = said_;
    EXPECT_EQ(calls(), 0U);
    EXPECT_EQ(render_text(said_), render_text(first));
}

TEST_F(CachedBuildTest, ACompilerThatDoesNotTellItsVersionIsAlwaysCalled) {
    write_text("mine", "#!/bin/sh\n[ \"$1\" = --version ] && exit 1\necho \"$*\" >> calls\nexec g++ \"$@\"\n");
    EXPECT_EQ(calls(), 1U);
    EXPECT_EQ(calls(), 1U);
    EXPECT_TRUE(cache_.entries().empty());
}

TEST_F(CachedBuildTest, FailuresAreNotKept) {
    source_ = "int f( { return 0; }\n";
    BuildRequest request;
    request.sources = {"scale.cpp"};
    request.library = "libscale.so";
    request.cache = cache_;
    write_text("scale.cpp", source_);
    EXPECT_FALSE(build_shared_library(request));
    EXPECT_FALSE(build_shared_library(request));
    EXPECT_EQ(count(), 2U);
    EXPECT_TRUE(cache_.entries().empty());
}

TEST_F(CachedBuildTest, WhatIsNotWaitedForIsEnded) {
    write_text("mine", "#!/bin/sh\nsleep 30 & echo $! > started; wait\n");
    BuildRequest request;
    request.sources = {"scale.cpp"};
    request.library = "libscale.so";
    {
        const Build build = Build::start(request);
        for (int i = 0; i < 200 && read_text("started").empty(); ++i) usleep(10'000);
    }
    const int child = std::stoi("0" + read_text("started"));
    ASSERT_GT(child, 0);
    for (int i = 0; i < 200 && runs(child); ++i) usleep(10'000);
    EXPECT_FALSE(runs(child));
}

TEST_F(BuildTest, CudaCallKeepsProductsAndSumsApart) {
    BuildRequest request;
    request.target = BuildTarget::cuda;
    request.compute_capability = 90;
    const auto flags = compiler_flags(request);
    EXPECT_NE(std::find(flags.begin(), flags.end(), "--fmad=false"), flags.end());
    EXPECT_NE(std::find(flags.begin(), flags.end(), "-arch=sm_90"), flags.end());
}

TEST_F(BuildTest, WhatIsNoLibraryIsNotLoaded) {
    write_text("libscale.so", "text");
    EXPECT_EQ(load_entry("libscale.so", "scale").diagnostics.at(0).code, "K0804");
    EXPECT_EQ(load_entry("missing.so", "scale").diagnostics.at(0).code, "K0804");
}

TEST_F(BuildTest, ProcessesAreRunWithoutAShell) {
    const auto echo = run_process({"/bin/echo", "$HOME; exit 3", "*"});
    ASSERT_TRUE(echo);
    EXPECT_EQ(echo->output, "$HOME; exit 3 *\n");
    EXPECT_EQ(run_process({"/bin/sh", "-c", "kill -9 $$"})->exit_code, 128 + 9);
    EXPECT_EQ(run_process({"/bin/cat"})->exit_code, 0) << "standard input is empty";
    EXPECT_FALSE(run_process({"./missing"}));
    EXPECT_FALSE(find_program(""));
    EXPECT_TRUE(find_program("sh"));
}

TEST_F(BuildTest, LongOutputIsReadToItsEnd) {
    const auto much = run_process({"/bin/sh", "-c", "head -c 3000000 /dev/zero"});
    ASSERT_TRUE(much);
    EXPECT_EQ(much->exit_code, 0);
    EXPECT_LT(much->output.size(), 1100000U);
}

TEST_F(BuildTest, LookingForAGpuIsSafeWithoutOne) {
    const auto gpu = find_gpu();
    if (!gpu) GTEST_SKIP() << "no GPU here";  // that the search itself does no harm is tested by now
    EXPECT_FALSE(gpu->name.empty());
    EXPECT_GE(gpu->compute_capability, 50);
    EXPECT_GT(gpu->memory_bytes, 0U);
}

}  // namespace
}  // namespace kasc::runtime
