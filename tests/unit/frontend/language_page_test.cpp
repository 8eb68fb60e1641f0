// The programs on docs/language.md are read without an error or a warning, with kasc's own library.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "frontend/program.hpp"
#include "library/library.hpp"

namespace kasc {
namespace {

struct Block {
    std::string kind, text;
};

/// What stands between ``` and ``` on the page.
std::vector<Block> blocks_on_page() {
    std::ifstream file(std::string(KASC_SOURCE_DIR) + "/docs/language.md");
    std::vector<Block> blocks;
    bool inside = false;
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with("```")) {
            if (inside) blocks.back().text += line + "\n";
            continue;
        }
        inside = !inside;
        if (inside) blocks.push_back({line.substr(3), ""});
    }
    return blocks;
}

TEST(LanguagePage, EveryProgramIsRead) {
    const auto library = read_library({std::string(KASC_SOURCE_DIR) + "/elementlib"});
    ASSERT_TRUE(library) << render_text(library.diagnostics);
    int programs = 0, others = 0;
    for (const Block& block : blocks_on_page()) {
        if (block.kind == "console") continue;  // tests/language/tutorial.py runs them
        if (block.kind != "c") {
            ++others;
            continue;
        }
        ++programs;
        const auto outcome = read_program(make_source("language.md", block.text), *library);
        EXPECT_TRUE(outcome.diagnostics.empty()) << block.text << render_text(outcome.diagnostics);
    }
    EXPECT_GE(programs, 35);
    EXPECT_EQ(others, 1) << "all blocks but the grammar are programs, or commands of the tutorial";
}

}  // namespace
}  // namespace kasc
