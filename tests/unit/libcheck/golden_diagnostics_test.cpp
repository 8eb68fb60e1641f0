// Faulty functions, one a file: tests/golden/diagnostics/check/<name>.cu is what an author wrote, <name>.txt what a
// check of the library says. All are checked in one go, so that they are built together. KASC_UPDATE_GOLDEN=1 rewrites
// the texts.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "libcheck/check_library.hpp"
#include "support/temporary.hpp"

namespace kasc::libcheck {
namespace {

namespace fs = std::filesystem;

const fs::path root = KASC_SOURCE_DIR;
const fs::path folder = root / "tests/golden/diagnostics/check";

std::vector<std::string> case_names() {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder)) {
        if (entry.path().extension() == ".cu") names.push_back(entry.path().stem().string());
    }
    std::sort(names.begin(), names.end());
    return names;
}

struct Checked {
    Diagnostics diagnostics;
    LibraryReport report;
};

/// The whole folder.
const Checked& checked() {
    static const Checked all = [] {
        const auto library = read_library({root / "elementlib", folder});
        EXPECT_TRUE(library) << render_text(library.diagnostics);
        auto plan = plan_checks(*library, {{folder.generic_string()}, {}});
        const test::Temporary work;
        auto report = check_library({*library, *plan, root / "support", work.path(), {}});
        EXPECT_TRUE(report) << render_text(report.diagnostics);
        Checked result{plan.diagnostics, *report};
        result.diagnostics.insert(result.diagnostics.end(), report.diagnostics.begin(), report.diagnostics.end());
        return result;
    }();
    return all;
}

class CheckDiagnostics : public testing::TestWithParam<std::string> {};

TEST_P(CheckDiagnostics, AreThoseOfTheGoldenFile) {
    Diagnostics own;
    for (Diagnostic d : checked().diagnostics) {
        if (!d.span.source || fs::path(d.span.source->name).stem() != GetParam()) continue;
        const SourceRef source = make_source(GetParam() + ".cu", d.span.source->text);
        d.span.source = source;
        for (Note& note : d.notes)
            if (note.span.source) note.span.source = source;
        own.push_back(std::move(d));
    }
    const std::string text = render_text(tidy(own));
    const fs::path golden = folder / (GetParam() + ".txt");
    if (std::getenv("KASC_UPDATE_GOLDEN") != nullptr) test::write_file(golden, text);
    EXPECT_FALSE(text.empty());
    EXPECT_EQ(text, test::read_file(golden));
}

INSTANTIATE_TEST_SUITE_P(Files, CheckDiagnostics, testing::ValuesIn(case_names()),
                         [](const testing::TestParamInfo<std::string>& file) { return file.param; });

TEST(CheckReport, SaysWhichFunctionsHaveNoReference) {
    std::size_t without = 0;
    for (const FunctionReport& f : checked().report.functions) {
        EXPECT_EQ(f.reference, f.name != "two_ways") << f.name;
        without += f.reference ? 0 : 1;
    }
    EXPECT_EQ(without, 1U);
    EXPECT_NE(report_text(checked().report).find("no reference is known"), std::string::npos);
}

TEST(CheckReport, OneFunctionThatDoesNotCompileCostsNoOther) {
    const test::Temporary work;
    std::string text = test::read_file(folder / "wrong_value.cu");
    for (std::size_t at = text.find("3 * s_v"); at != std::string::npos; at = text.find("3 * s_v"))
        text.replace(at, 7, "no_such_function(s_v");
    test::write_file(work.path() / "lib/wrong_value.cu", text);
    fs::copy_file(folder / "never_read.cu", work.path() / "lib/never_read.cu");
    const auto library = read_library({root / "elementlib", work.path() / "lib"});
    ASSERT_TRUE(library) << render_text(library.diagnostics);
    const auto plan = plan_checks(*library, {{(work.path() / "lib").generic_string()}, {}});
    const auto report = check_library({*library, *plan, root / "support", work.path() / "work", {}});
    ASSERT_TRUE(report) << render_text(report.diagnostics);
    ASSERT_EQ(report->functions.size(), 2U);
    EXPECT_TRUE(report->functions[0].good);
    EXPECT_FALSE(report->functions[1].good);
    const auto refused = std::find_if(report.diagnostics.begin(), report.diagnostics.end(),
                                      [](const Diagnostic& d) { return d.code == "K0423"; });
    ASSERT_NE(refused, report.diagnostics.end());
    EXPECT_FALSE(refused->notes.empty());
}

TEST(CheckReport, LocalArraysAndAddressesPass) {
    const test::Temporary work;
    std::string text = test::read_file(folder / "wrong_value.cu");
    const std::string code = "for (int k = 0; k < 3; ++k) s_r[APOUT + k] = 3 * s_v[APIN0 + k];";
    ASSERT_NE(text.find(code), std::string::npos);
    text.replace(text.find(code), code.size(), "float own[3]; take(own, &s_v[APIN0]); take(&s_r[APOUT], own);");
    text.replace(text.find("r[k] = 2 * v[k]"), 15, "r[k] = v[k]");
    text +=
        "\n__device__ inline void take(float *to, const float *from) { for (int k = 0; k < 3; ++k) to[k] = from[k]; "
        "}\n";
    test::write_file(work.path() / "lib/copy.cu", text);
    const auto library = read_library({root / "elementlib", work.path() / "lib"});
    ASSERT_TRUE(library) << render_text(library.diagnostics);
    const auto plan = plan_checks(*library, {{(work.path() / "lib").generic_string()}, {}});
    const auto report = check_library({*library, *plan, root / "support", work.path() / "work", {}});
    ASSERT_TRUE(report);
    EXPECT_TRUE(report.diagnostics.empty()) << render_text(report.diagnostics);
    ASSERT_EQ(report->functions.size(), 1U);
    EXPECT_GT(report->functions[0].checks, 0);
}

TEST(CheckReport, AStopIsTold) {
    const auto library = read_library({root / "elementlib"});
    const auto plan = plan_checks(*library, {{}, {"venorm3"}});
    const test::Temporary work;
    const auto report =
        check_library({*library, *plan, root / "support", work.path(), [](long long, long long) { return false; }});
    EXPECT_FALSE(report);
    ASSERT_EQ(report.diagnostics.size(), 1U);
    EXPECT_EQ(report.diagnostics.front().code, "K0814");
}

}  // namespace
}  // namespace kasc::libcheck
