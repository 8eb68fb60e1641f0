// Functions of a library for programs over fields: which one a name means.

#include <gtest/gtest.h>

#include "frontend/program.hpp"
#include "support/temporary.hpp"
#include "unit/frontend/field_library.hpp"
#include "unit/frontend/test_library.hpp"

namespace kasc {
namespace {

std::string printed(const std::string& program, const Library& library) {
    const auto outcome = read_program(make_source("p.kas", program), library);
    EXPECT_TRUE(outcome.diagnostics.empty()) << render_text(outcome.diagnostics);
    return outcome ? print(*outcome, library) : std::string();
}

Library library_of(const std::vector<std::string>& files) {
    Library library = test::test_library();
    for (std::size_t i = 0; i < files.size(); ++i)
        library.field_functions.push_back({make_source("file" + std::to_string(i) + ".kas", files[i])});
    return library;
}

std::string program(const std::string& value, const std::string& before = "") {
    return "float T[x] boundary mirror;\n" + before + "input T;\nT = " + value + ";\nreturn T;\n";
}

TEST(LibraryFunctions, TheProgramsOwnTakesTheirPlace) {
    const Library library = library_of({"function f(u) = 2 * u;"});
    EXPECT_NE(printed(program("f(T)"), library).find("T = 2 * T"), std::string::npos);
    EXPECT_NE(printed(program("f(T)", "function f(u) = 3 * u;\n"), library).find("T = 3 * T"), std::string::npos);
}

TEST(LibraryFunctions, ALaterFileTakesThePlaceOfAnEarlierOne) {
    const Library library = library_of({"function f(u) = 2 * u; function g(u) = f(u);", "function f(u) = 3 * u;"});
    EXPECT_NE(printed(program("f(T)"), library).find("T = 3 * T"), std::string::npos);
    EXPECT_NE(printed(program("g(T)"), library).find("T = 2 * T"), std::string::npos);
}

/// The text of cells.kas says what kasc's own code computes, not what a user's of the same name does.
TEST(LibraryFunctions, CodeOfALaterFolderTakesTheirPlace) {
    const test::Temporary mine;
    const auto with_reference = [&](const std::string& reference) {
        test::write_file(mine.path() / "mine.cu",
                         "/*# svmul3 metadata\nArguments = vector3, scalar\nResult = vector3\n#*/\n" + reference);
        const auto library = read_library({KASC_SOURCE_DIR "/elementlib", mine.path()});
        EXPECT_TRUE(library) << render_text(library.diagnostics);
        return *library;
    };
    const std::string reference =
        "inline void cpu_svmul3(const float *v, const float *s, float *r) {\n"
        "    for (int k = 0; k < 3; ++k) r[k] = 10.0f * v[k] * s[0];\n}\n";
    const std::string scaled = "vector3 v[n], w[n]; input v; w = svmul3(v, 2); return w;";
    EXPECT_NE(printed(scaled, with_reference(reference)).find("svmul3("), std::string::npos);
    EXPECT_NE(printed(scaled, with_reference("")).find("v_x * 2"), std::string::npos) << "it computes what it did";
}

TEST(LibraryFunctions, KeepTheFunctionsThatTheyWereWrittenWith) {
    const Library library = test::field_library();
    const std::string plain = printed(program("laplace4(T, 1)"), library);
    EXPECT_NE(plain.find("T[-2]"), std::string::npos);
    const std::string own = "function second_difference4(u, a) = u[a + 7];\n";
    EXPECT_EQ(printed(program("laplace4(T, 1) + 0*second_difference4(T, x)", own), library),
              printed(program("laplace4(T, 1) + 0*T[7]"), library));
    const std::string parameter = "param float second_difference4 = 1;\n";
    EXPECT_NE(printed(program("second_difference4*laplace4(T, 1)", parameter), library).find("T[-2]"),
              std::string::npos);
}

TEST(LibraryFunctions, TwoOfOneNameInAFile) {
    const auto outcome =
        read_program(make_source("p.kas", program("f(T)")), library_of({"function f(u) = u;\nfunction f(u) = 2*u;\n"}));
    ASSERT_FALSE(outcome);
    ASSERT_EQ(outcome.diagnostics.size(), 1U);
    EXPECT_EQ(outcome.diagnostics[0].code, "K0202");
}

TEST(LibraryFunctions, HoldNothingElse) {
    for (const char* text : {"param float dt;", "input T;", "T = 1;", "float T[x];", "axis u = 3;"}) {
        const auto outcome = read_program(make_source("p.kas", program("2*T")), library_of({text}));
        EXPECT_FALSE(outcome) << text;
        EXPECT_TRUE(has_errors(outcome.diagnostics)) << text;
    }
}

}  // namespace
}  // namespace kasc
