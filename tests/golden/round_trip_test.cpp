// What --emit program prints is a program: read back it is printed alike, and has the same graph and the same plan.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <vector>

#include "support/shell.hpp"
#include "support/temporary.hpp"

namespace kasc {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> programs() {
    std::vector<fs::path> all;
    for (const char* folder : {"examples", "tests/run/programs", "tests/exact/programs"}) {
        for (const auto& entry : fs::directory_iterator(fs::path(KASC_SOURCE_DIR) / folder)) {
            if (entry.path().extension() == ".kas") all.push_back(entry.path());
        }
    }
    std::sort(all.begin(), all.end());
    return all;
}

/// A stage as text; warnings, which name places, are left out.
std::string stage(const fs::path& program, const std::string& name) {
    const auto got = test::shell("(" KASC_COMMAND " compile " + program.string() +
                                 " --lib " KASC_SOURCE_DIR "/tests/run/library --emit " + name + " 2>/dev/null)");
    EXPECT_EQ(got.status, 0) << program << ", " << name;
    return got.output;
}

/// Graphs and plans hold statements as they were written.
std::string unwritten(const std::string& text) {
    return std::regex_replace(text, std::regex("  // .*|(evaluate \\[[^\\]]*\\]| for |transform  [A-Za-z0-9_]+).*"),
                              "$1");
}

class RoundTrip : public testing::TestWithParam<fs::path> {};

TEST_P(RoundTrip, AProgramPrintedIsTheProgram) {
    const test::Temporary folder;
    const fs::path printed = folder.path() / GetParam().filename();
    const std::string text = stage(GetParam(), "program");
    test::write_file(printed, text);
    EXPECT_EQ(stage(printed, "program"), text);
    EXPECT_EQ(unwritten(stage(printed, "graph")), unwritten(stage(GetParam(), "graph"))) << text;
    EXPECT_EQ(unwritten(stage(printed, "plan")), unwritten(stage(GetParam(), "plan"))) << text;
}

INSTANTIATE_TEST_SUITE_P(Programs, RoundTrip, testing::ValuesIn(programs()),
                         [](const auto& given) { return given.param.stem().string(); });

}  // namespace
}  // namespace kasc
