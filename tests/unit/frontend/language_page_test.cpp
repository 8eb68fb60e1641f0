// The programs on docs/language.md are read without an error or a warning, with kasc's own library.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "frontend/program.hpp"
#include "library/library.hpp"

namespace kasc {
namespace {

std::vector<std::string> programs_on_page() {
    std::ifstream file(std::string(KASC_SOURCE_DIR) + "/docs/language.md");
    std::ostringstream text;
    text << file.rdbuf();
    const std::string page = text.str();
    std::vector<std::string> programs;
    for (std::size_t at = page.find("```c\n"); at != std::string::npos; at = page.find("```c\n", at)) {
        const std::size_t begin = at + 5;
        at = page.find("```", begin);
        programs.push_back(page.substr(begin, at - begin));
    }
    return programs;
}

TEST(LanguagePage, EveryProgramIsRead) {
    const auto programs = programs_on_page();
    EXPECT_GE(programs.size(), 15U);
    const auto library = read_library({std::string(KASC_SOURCE_DIR) + "/elementlib"});
    ASSERT_TRUE(library) << render_text(library.diagnostics);
    for (const std::string& program : programs) {
        const auto outcome = read_program(make_source("language.md", program), *library);
        EXPECT_TRUE(outcome.diagnostics.empty()) << program << render_text(outcome.diagnostics);
    }
}

}  // namespace
}  // namespace kasc
