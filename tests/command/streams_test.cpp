// Nobody takes what is said, files may not grow, memory is little: a diagnostic, and nothing is left behind.
#include <gtest/gtest.h>

#include "support/heat_folder.hpp"
#include "support/shell.hpp"

namespace kasc {
namespace {

namespace fs = std::filesystem;

class Streams : public test::HeatFolder {
protected:
    Streams() { fs::create_directory(file("tmp")); }
    [[nodiscard]] test::ShellResult kasc(const std::string& arguments, const std::string& before = "") const {
        // In a shell of its own, so that what it redirects is not what the test reads.
        return test::shell("cd " + here_.path().string() + " && TMPDIR=" + file("tmp") + " && export TMPDIR && (" +
                           before + " exec " KASC_COMMAND " " + arguments + ")");
    }
    [[nodiscard]] std::vector<std::string> files() const {
        std::vector<std::string> names;
        for (const auto& entry : fs::recursive_directory_iterator(here_.path()))
            names.push_back(fs::relative(entry.path(), here_.path()).string());
        std::sort(names.begin(), names.end());
        return names;
    }
};

const std::string run_in_folder = "run heat.kas --target cpu --in in.h5 --out out.h5";

TEST_F(Streams, StandardOutputThatIsFullOrClosedIsAnError) {
    for (const char* call : {"--help", "--version", "compile --help", "compile heat.kas --emit cuda",
                             "compile heat.kas --emit ast", "compile heat.kas --emit space --format json",
                             "view in.h5 --list", "explain heat.kas", "check-lib --function madd33", "cache"}) {
        for (const char* where : {" >/dev/full", " >&-"}) {
            const auto ended = kasc(std::string(call) + where);
            EXPECT_EQ(ended.status, 1) << call << where << ended.output;
            EXPECT_NE(ended.output.find("error[K0727]: cannot write to standard output"), std::string::npos)
                << call << where << ended.output;
        }
    }
    EXPECT_NE(kasc("view in.h5 --list --diagnostics json >/dev/full").output.find("\"code\": \"K0727\""),
              std::string::npos);
    // A reader that has had enough is none.
    EXPECT_EQ(kasc("compile heat.kas --emit cuda | head -c 1").output.find("error"), std::string::npos);
}

TEST_F(Streams, ResultsAreWrittenAllTheSame) {
    ASSERT_EQ(kasc(run_in_folder).status, 0);
    const std::string good = test::read_file(file("out.h5"));
    for (const char* where : {" >/dev/full", " >&-", " 2>/dev/full", " <&- >&- 2>&-"}) {
        fs::remove(file("out.h5"));
        const auto ended = kasc(run_in_folder + where);
        EXPECT_EQ(ended.status,
                  std::string(where).find(">/") == 1 || std::string(where).find(">&-") != std::string::npos)
            << where << ended.output;
        EXPECT_TRUE(test::read_file(file("out.h5")) == good) << where;
    }
    EXPECT_EQ(kasc("compile heat.kas -o out >&-").status, 1);
    EXPECT_TRUE(fs::exists(file("out/heat.cu")));
}

TEST_F(Streams, FilesThatMayNotGrowLeaveNothingBehind) {
    const auto before = files();
    for (const char* call :
         {"compile heat.kas -o out", "compile heat.kas -o new/out", "compile heat.kas --top 2 -o out",
          "run heat.kas --target cpu --in in.h5 --out out.h5 --keep kept",
          "bench --target cpu --function madd33 -o table.json", "check-lib --function madd33"}) {
        const auto ended = kasc(call, "ulimit -f 1;");
        EXPECT_EQ(ended.status, 1) << call << ended.output;
        EXPECT_NE(ended.output.find("error["), std::string::npos) << call << ended.output;
        fs::remove(file("new"));  // made for the folder, and empty
        EXPECT_EQ(files(), before) << call;
    }
}

TEST_F(Streams, LittleMemoryIsAnErrorAndNoCrash) {
    const auto before = files();
    int refused = 0;
    for (int megabytes = 30; megabytes <= 240; megabytes += 2) {
        const std::string limit = "ulimit -v " + std::to_string(1024 * megabytes) + ";";
        // The loader and the libraries that kasc is linked with need some before its own first line.
        if (kasc("--version", limit).status != 0) continue;
        const auto ended = kasc("compile heat.kas -o out", limit);
        EXPECT_TRUE(ended.status == 0 || ended.status == 1) << megabytes << " MB: " << ended.status << ended.output;
        if (ended.status == 0) break;
        EXPECT_NE(ended.output.find("error["), std::string::npos) << ended.output;
        EXPECT_EQ(files(), before) << megabytes;
        ++refused;
    }
    EXPECT_GT(refused, 0);
}

}  // namespace
}  // namespace kasc
