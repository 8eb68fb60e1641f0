// The explorer page as text: whole, the same every time, and no text of a program ends its data.
#include "driver/explain_html.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "driver/report_parts.hpp"
#include "unit/driver/planned.hpp"

namespace kasc {
namespace {

std::string page_of(const std::string& text, const PageFacts& facts = {}) {
    CompileRequest wanted = test::request_of(text);
    wanted.plan.count = 2;
    wanted.steps = 1;
    wanted.plan.trace = true;
    wanted.plan.keep_all = true;
    const auto page = explain_html(test::planned(wanted), wanted, facts);
    EXPECT_TRUE(page) << render_text(page.diagnostics);
    return page ? *page : "";
}

/// Between the tags, as a browser finds it: up to the first end of a script.
nlohmann::json data_of(const std::string& page) {
    const std::string tag = R"(<script type="application/json" id="data">)";
    const std::size_t begin = page.find(tag) + tag.size();
    return nlohmann::json::parse(page.substr(begin, page.find("</script", begin) - begin), nullptr, false);
}

constexpr const char* heat =
    "param int steps = 4; float T[x, y] boundary keep(1), L[x, y]; input T;  // </script><script>alert(1)</script>\n"
    "for (n = 0; n < steps; n++) { L = T[-1, 0] + T[1, 0] - 2*T; T = T + 0.1*L; } return T; // <!-- <script>\n";

TEST(ExplainHtml, HoldsEachStatementAndKernel) {
    const nlohmann::json data = data_of(page_of(heat));
    ASSERT_FALSE(data.is_discarded());
    std::string text;
    for (const auto& line : data["source"]["lines"]) {
        for (const auto& piece : line) text += piece[0].get<std::string>();
        text += "\n";
    }
    EXPECT_EQ(text, heat);
    EXPECT_EQ(data["source"]["statements"].size(), 3U);  // the loop's head and two
    for (const auto& statement : data["source"]["statements"]) EXPECT_FALSE(statement["kernels"].empty());
    ASSERT_EQ(data["kernels"].size(), 1U);
    EXPECT_EQ(data["kernels"][0]["name"], "p_k0");
    EXPECT_NE(data["code"][0]["text"].get<std::string>().find("p_k0("), std::string::npos);
    EXPECT_GE(data["code"][1]["kernels"].size(), 2U) << "the host's function for the kernel, and its call";
    const auto& loop = data["graphs"][1];
    EXPECT_EQ(loop["name"], "loop n");
    EXPECT_EQ(loop["times"], 4);
    EXPECT_GT(loop["candidates"]["rows"].size(), 10U);
    const auto& explained = data["explanation"]["plans"][0]["graphs"][data["kernels"][0]["explained"][0].get<int>()];
    EXPECT_EQ(explained["kernels"][0]["calls"].size(), 2U);
    EXPECT_EQ(explained["kernels"][0]["cells"]["reach_below"], (std::vector<int>{1, 0}));
}

TEST(ExplainHtml, IsTheSameToTheByte) {
    const std::string page = page_of(heat);
    EXPECT_EQ(page, page_of(heat));
    EXPECT_EQ(page.find("{{"), std::string::npos);
    EXPECT_EQ(page.find("<script>alert"), std::string::npos);
}

TEST(ExplainHtml, TakesNothingFromElsewhere) {
    const std::string page = page_of("matrix3x3 A, B; input A; B = transpose33(A); return B;");
    for (const char* from : {"src=", "@import", "url(", "fetch(", "<link rel=\"stylesheet\"", "https://"})
        EXPECT_EQ(page.find(from), std::string::npos) << from;
}

TEST(ExplainHtml, HasWhatWasMeasured) {
    const MeasuredPlans timed{
        "A GPU", "n=1", "", "NVRTC", {{"B: …", 1, 10, 20, 19, 21, ""}, {"C: …", 2, 11, 0, 0, 0, "timeout"}}};
    const auto data = data_of(page_of("matrix3x3 A, B; input A; B = transpose33(A); return B;", {{}, 0, timed, ""}));
    ASSERT_EQ(data["measured"]["plans"].size(), 2U);
    EXPECT_EQ(data["measured"]["plans"][0]["measured_ns"], 20);
    EXPECT_FALSE(data["measured"]["plans"][1].contains("measured_ns"));
    EXPECT_EQ(data["measured"]["plans"][1]["fault"], "timeout");
}

TEST(ExplainHtml, AnIncompleteInstallationIsTold) {
    CompileRequest wanted = test::request_of("matrix3x3 A, B; input A; B = transpose33(A); return B;");
    const Compilation c = test::planned(wanted);
    wanted.data_folder = "/nowhere";
    const auto page = explain_html(c, wanted, {});
    ASSERT_FALSE(page);
    EXPECT_EQ(page.diagnostics.front().code, "K0602");
}

}  // namespace
}  // namespace kasc
