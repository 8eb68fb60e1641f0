// Every program in tests/golden/diagnostics/program has the text of its diagnostics beside it. KASC_UPDATE_GOLDEN=1
// writes the texts anew.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "frontend/program.hpp"
#include "unit/frontend/field_library.hpp"

namespace kasc {
namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

std::vector<fs::path> programs() {
    std::vector<fs::path> all;
    for (const auto& entry : fs::directory_iterator(fs::path(KASC_SOURCE_DIR) / "tests/golden/diagnostics/program")) {
        if (entry.path().extension() == ".kas") all.push_back(entry.path());
    }
    std::sort(all.begin(), all.end());
    return all;
}

class GoldenDiagnostics : public testing::TestWithParam<fs::path> {};

TEST_P(GoldenDiagnostics, TextIsAsExpected) {
    const fs::path program = GetParam();
    const fs::path expected = fs::path(program).replace_extension(".txt");
    fs::current_path(program.parent_path());  // imports begin there
    const auto outcome = read_program(make_source(program.filename().string(), read(program)), test::field_library());
    const std::string text = render_text(tidy(outcome.diagnostics));
    EXPECT_FALSE(text.empty()) << "the program has nothing to complain about";
    EXPECT_EQ(outcome.value.has_value(), !has_errors(outcome.diagnostics));
    const char* update = std::getenv("KASC_UPDATE_GOLDEN");
    if (update && std::string(update) == "1") {
        std::ofstream(expected, std::ios::binary) << text;
        return;
    }
    ASSERT_TRUE(fs::exists(expected)) << "write it with KASC_UPDATE_GOLDEN=1:\n" << text;
    EXPECT_EQ(text, read(expected));
}

INSTANTIATE_TEST_SUITE_P(Program, GoldenDiagnostics, testing::ValuesIn(programs()), [](const auto& test) {
    std::string name = test.param.stem().string();
    std::replace_if(
        name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
    return name;
});

}  // namespace
}  // namespace kasc
