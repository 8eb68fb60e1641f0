#include "driver/dot_text.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/temporary.hpp"

namespace kasc {
namespace {

std::string drawn(const std::string& program) {
    CompileRequest request;
    request.source = make_source(program + ".kas", test::read_file(KASC_SOURCE_DIR "/examples/" + program + ".kas"));
    request.data_folder = KASC_SOURCE_DIR;
    const auto compiled = compile(request);
    EXPECT_TRUE(compiled) << render_text(compiled.diagnostics);
    return compiled ? dot_text(*compiled, request.source) : "";
}

std::size_t count(const std::string& text, const std::string& word) {
    std::size_t found = 0;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
    return found;
}

TEST(DotText, KernelsAreClustersOfTheirCalls) {
    const std::string text = drawn("heat3d");
    EXPECT_EQ(text.find("digraph heat3d {"), 0U);
    // One step, or several and one where fewer are left.
    EXPECT_EQ(count(text, "subgraph cluster_k"), count(text, "label=\"heat3d_k")) << text;
    EXPECT_LE(count(text, "subgraph cluster_k"), 2U) << text;
    EXPECT_NE(text.find("heat3d_k0, "), std::string::npos);
    EXPECT_NE(text.find("label=\"loop n"), std::string::npos);
    EXPECT_NE(text.find("[label=\"beta"), std::string::npos);
    EXPECT_EQ(std::count(text.begin(), text.end(), '{'), std::count(text.begin(), text.end(), '}'));
}

TEST(DotText, OfStreamsAndTransformsAndInnerLoops) {
    for (const char* program : {"big_fusion", "poisson", "implicit_heat", "polar_decomposition", "particles"}) {
        const std::string text = drawn(program);
        EXPECT_GE(count(text, "subgraph cluster_k"), 1U) << program;
        EXPECT_GE(count(text, " -> "), 2U) << program;
        EXPECT_EQ(text, drawn(program)) << program;
    }
}

}  // namespace
}  // namespace kasc
