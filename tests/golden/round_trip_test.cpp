// What --emit program prints is a program: read back it is printed alike, and has the same graph and a plan as fast.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <vector>

#include "driver/stage_text.hpp"
#include "support/programs_of_the_day.hpp"
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

/// A compilation of the text.
CompileRequest request_for(const fs::path& path, const std::string& text, const std::set<Rule>& left_out) {
    CompileRequest request;
    request.source = make_source(path.filename().string(), text);
    request.data_folder = KASC_SOURCE_DIR;
    request.no_rewrite = left_out;
    request.steps = 1;
    request.libraries = {fs::path(KASC_SOURCE_DIR) / "tests/run/library"};
    return request;
}

/// Stages of one compilation, by name.
std::map<std::string, std::string> stages(const fs::path& path, const std::string& text,
                                          const std::set<Rule>& left_out) {
    const CompileRequest request = request_for(path, text, left_out);
    const auto compiled = compile(request);
    EXPECT_TRUE(compiled) << path << render_text(compiled.diagnostics);
    std::map<std::string, std::string> texts;
    if (!compiled) return texts;
    for (const char* stage : {"program", "graph", "plan"})
        texts[stage] = *stage_text(stage, *compiled, request, emit::Target::cuda);
    texts["time"] = fmt::format("{:.9g}", compiled->plans.front().time_ns);
    return texts;
}

/// Graphs and plans hold statements as they were written.
std::string unwritten(const std::string& text) {
    return std::regex_replace(
        text, std::regex("  // .*|(evaluate \\[[^\\]]*\\]|evaluate (?!\\[)| for |transform  [A-Za-z0-9_]+).*"), "$1");
}

/// The program as rewritten, for which no plan is searched.
std::string program_text(const fs::path& path, const std::string& text, const std::set<Rule>& left_out) {
    CompileRequest request = request_for(path, text, left_out);
    request.plan.strategy = "none";
    const auto compiled = compile(request);
    EXPECT_TRUE(compiled) << path << render_text(compiled.diagnostics);
    return compiled ? *stage_text("program", *compiled, request, emit::Target::cuda) : "";
}

class RoundTrip : public testing::TestWithParam<fs::path> {};

TEST_P(RoundTrip, AProgramPrintedIsTheProgram) {
    // Words of cells are searched together by their statement, which the printed program no longer has: that is of no
    // matter where programs are small. Cells of short axes as words are many.
    const std::string text = test::read_file(GetParam());
    const std::string unrolled = program_text(GetParam(), text, {Rule::words});
    ASSERT_FALSE(unrolled.empty());
    // Several iterations at a time, with a rest behind them, are no loop of the language.
    if (!std::regex_search(unrolled, std::regex("for \\([^\n]* \\+= "))) {
        EXPECT_EQ(program_text(GetParam(), unrolled, {Rule::unroll, Rule::words}), unrolled);
    }
    auto first = stages(GetParam(), text, {Rule::unroll, Rule::words});
    auto again = stages(GetParam(), first["program"], {Rule::unroll, Rule::words});
    EXPECT_EQ(again["program"], first["program"]);
    EXPECT_EQ(unwritten(again["graph"]), unwritten(first["graph"])) << first["program"];
    // Where plans are about as fast, what is searched together decides which one is found: the search leaves a
    // hundredth.
    if (unwritten(again["plan"]) == unwritten(first["plan"])) return;
    const double expected = std::stod(first["time"]);
    EXPECT_NEAR(std::stod(again["time"]), expected, expected / 100) << again["plan"] << first["plan"];
}

INSTANTIATE_TEST_SUITE_P(Programs, RoundTrip,
                         testing::ValuesIn(test::programs_of_the_day(programs(), 12, {"long_integers", "shorts"})),
                         [](const auto& given) { return given.param.stem().string(); });

}  // namespace
}  // namespace kasc
