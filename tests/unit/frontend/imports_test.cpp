// Functions, procedures, types and lists of other files; options that are words.

#include <filesystem>

#include "support/temporary.hpp"
#include "unit/frontend/same_program.hpp"

namespace kasc {
namespace {

class Imports : public testing::Test {
protected:
    test::Temporary folder_;

    void write(const std::string& name, const std::string& text) {
        std::filesystem::create_directories((folder_.path() / name).parent_path());
        test::write_file(folder_.path() / name, text);
    }
    [[nodiscard]] Outcome<Program> read(const std::string& text) const {
        return read_program(make_source((folder_.path() / "p.kas").string(), text), test::field_library());
    }
};

TEST_F(Imports, BringWhatProgramsShare) {
    write("parts/steps.kas", "import \"lists.kas\";\nfunction twice(u) = 2*u;\nprocedure move(u) { u = twice(u); }\n");
    write("parts/lists.kas", "list space = (x, y);\ntype pair = float[2];\nfunction unused(u) = u;\n");
    const auto program = read(
        "import \"parts/steps.kas\"; import \"parts/lists.kas\"; float T[x, y]; pair u[x, y]; "
        "input T; move(T); u = 0; for a in space { T = T + a; } u.0 = T; return u;");
    ASSERT_TRUE(program) << render_text(program.diagnostics);
    EXPECT_TRUE(program.diagnostics.empty()) << render_text(program.diagnostics);
    const std::string text = print(*program, test::field_library());
    EXPECT_NE(text.find("T = 2 * T;"), std::string::npos) << text;
    EXPECT_NE(text.find("T = T + y;"), std::string::npos) << text;
}

TEST_F(Imports, AreNamedByDiagnostics) {
    write("steps.kas", "// A step.\nprocedure move(u) { u = u + missing; }\n");
    const auto program = read("import \"steps.kas\";\nfloat T[x];\ninput T;\nmove(T);\nreturn T;\n");
    ASSERT_FALSE(program);
    const std::string text = render_text(program.diagnostics);
    EXPECT_NE(text.find("steps.kas:2:29"), std::string::npos) << text;
    EXPECT_NE(text.find("p.kas:4:1"), std::string::npos) << text;
    write("steps.kas", "function twice(u) = 2*u\nfunction thrice(u) = 3*u;\n");
    const auto faulty = read("import \"steps.kas\";\nfloat T[x];\ninput T;\nT = 2*T;\nreturn T;\n");
    ASSERT_FALSE(faulty);
    ASSERT_EQ(faulty.diagnostics.size(), 1U) << render_text(faulty.diagnostics);
    EXPECT_EQ(faulty.diagnostics.front().code, "K0101");
}

TEST(OptionWords, AreTheirNumbers) {
    const std::string text =
        "option source = none in (none, additive, dirichlet); option other = additive in (none, "
        "additive); float T[x]; input T; if (source == dirichlet) { T = 0; } "
        "if (other == additive) { T = T + source; } return T;";
    EXPECT_NE(test::program_text(text).find("T = T + 0;"), std::string::npos);
    const std::string set = test::program_text(text, {{"source", 2}});
    EXPECT_NE(set.find("T = 0;"), std::string::npos) << set;
    EXPECT_NE(set.find("T = T + 2;"), std::string::npos) << set;
    EXPECT_EQ(test::said_codes(text, {{"source", 3}}), "K0117");
    EXPECT_EQ(test::said_codes("option a = yes in (no, yes); float no[x]; input no; no = a*no; return no;"), "K0202");
}

}  // namespace
}  // namespace kasc
