// docs/diagnostics.md lists the codes that the sources use, all of them and no other.

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <regex>
#include <set>

#include "support/temporary.hpp"

namespace kasc {
namespace {

namespace fs = std::filesystem;

const fs::path root = KASC_SOURCE_DIR;

std::set<std::string> codes_in(const std::string& text, const std::regex& pattern) {
    std::set<std::string> codes;
    for (std::sregex_iterator it(text.begin(), text.end(), pattern), end; it != end; ++it) codes.insert((*it)[1].str());
    return codes;
}

/// Code to one of the files that name it, comments included: they promise what a function says.
std::map<std::string, std::string> codes_of_sources() {
    static const std::regex code("(K0[0-9]{3})");
    std::map<std::string, std::string> used;
    for (const char* folder : {"compiler", "runtime"}) {
        for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
            if (entry.path().extension() != ".cpp" && entry.path().extension() != ".hpp") continue;
            for (const std::string& found : codes_in(test::read_file(entry.path()), code)) {
                used.emplace(found, fs::relative(entry.path(), root).string());
            }
        }
    }
    return used;
}

TEST(DiagnosticsPage, ListsTheCodesOfTheSources) {
    // The rows of its tables: "| K0101 | …" or, for a warning, "| K0240 warning | …".
    static const std::regex row(R"((?:^|\n)\| (K0[0-9]{3})(?: warning)? \|)");
    const std::string page = test::read_file(root / "docs/diagnostics.md");
    const auto listed = codes_in(page, row);
    const auto used = codes_of_sources();
    EXPECT_GE(used.size(), 100U);
    for (const auto& [code, file] : used)
        EXPECT_TRUE(listed.contains(code)) << code << " of " << file << " is not in docs/diagnostics.md";
    for (const std::string& code : listed)
        EXPECT_TRUE(used.contains(code)) << code << " of docs/diagnostics.md is not in the sources";
}

TEST(DiagnosticsPage, ItsExamplesAreGoldenTexts) {
    const std::string page = test::read_file(root / "docs/diagnostics.md");
    std::string golden;
    for (const auto& entry : fs::recursive_directory_iterator(root / "tests/golden/diagnostics")) {
        if (entry.path().extension() == ".txt") golden += test::read_file(entry.path());
    }
    static const std::regex example("\n```text\n([^`]*)```\n");
    int examples = 0;
    for (std::sregex_iterator it(page.begin(), page.end(), example), end; it != end; ++it, ++examples) {
        EXPECT_NE(golden.find((*it)[1].str()), std::string::npos) << (*it)[1].str();
    }
    EXPECT_GE(examples, 2);
}

}  // namespace
}  // namespace kasc
