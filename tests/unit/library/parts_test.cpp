// What files share and what functions may lack: helpers in a header, functions without arguments, a stated accuracy.

#include <gtest/gtest.h>

#include "library/library.hpp"

namespace kasc {
namespace {

const std::string pattern = "start \"tx\", block \"1\", stride \"1\", count 1, noreg 0\n";

/// one() = 1; `keys` are further lines of its block, `head` stands before it.
SourceRef one(const std::string& head, const std::string& keys, const std::string& name = "lib/one.cu") {
    return make_source(name, head +
                                 "/*# scalar metadata\nShape = scalar\n#*/\ntypedef float *scalar;\n"
                                 "/*# one metadata\nResult = scalar\n" +
                                 keys +
                                 "#*/\ninline void cpu_one(float *r) { r[0] = 1; }\n"
                                 "/*# one_1_save metadata\nData type = scalar\nData location = shared\n"
                                 "Other parameters = tx\nLSPATTERN = " +
                                 pattern +
                                 "#*/\n__device__ void d_one_1_save(float *s_r, scalar r, int tx) {}\n"
                                 "/*# one_1 metadata\nGX = size\nGY = 1\nGZ = 1\nBX = size\nBY = 1\nBZ = 1\nBATCH = 1\n"
                                 "OUTPATTERN = " +
                                 pattern +
                                 "#*/\n__device__ void d_one_1_compute(float *s_r, int tx) { s_r[APOUT] = 1; }\n");
}

std::string reported(const Outcome<Library>& library) { return render_text(library.diagnostics); }

TEST(FunctionWithoutArguments, NeedsNoLoad) {
    const auto library = read_library_sources({one("", "Arguments = none\n")});
    ASSERT_TRUE(library) << reported(library);
    const Function& function = library->functions[*library->find_function("one")];
    EXPECT_TRUE(function.arguments.empty());
    EXPECT_TRUE(function.implementations.at(0).loads.empty());
    EXPECT_TRUE(function.reference.has_value());
    EXPECT_EQ(function.accuracy, 0);
}

TEST(FunctionWithoutArguments, SaysSo) {
    EXPECT_NE(reported(read_library_sources({one("", "")})).find("K0307"), std::string::npos);
    EXPECT_NE(reported(read_library_sources({one("", "Arguments =\n")})).find("or 'none'"), std::string::npos);
    EXPECT_NE(reported(read_library_sources({one("", "Arguments = scalar\n")})).find("'one_1' has 0 loads"),
              std::string::npos);
}

TEST(Accuracy, IsARelativeError) {
    const auto library = read_library_sources({one("", "Arguments = none\nAccuracy = 2e-6\n")});
    ASSERT_TRUE(library) << reported(library);
    EXPECT_EQ(library->functions[*library->find_function("one")].accuracy, 2e-6);
    for (const char* wrong : {"0", "-1e-6", "1", "1e-6 or so", "nan", "", "1e-9"}) {
        const auto refused =
            read_library_sources({one("", std::string("Arguments = none\nAccuracy = ") + wrong + "\n")});
        EXPECT_FALSE(refused) << wrong;
        EXPECT_NE(reported(refused).find("K0308"), std::string::npos) << wrong << reported(refused);
    }
}

const std::string header = "#define TWO 2\n__device__ inline float two() { return TWO; }\n";

TEST(IncludedHeader, LendsItsHelpers) {
    const std::string head =
        "#include <math.h>\n#include \"two.cuh\"\n#include \"other.h\"\n__device__ int own() { return 1; }\n";
    const auto library = read_library_sources({one(head, "Arguments = none\n"), make_source("lib/two.cuh", header)});
    ASSERT_TRUE(library) << reported(library);
    const Implementation& implementation = library->functions[*library->find_function("one")].implementations.at(0);
    ASSERT_EQ(implementation.helpers.size(), 2U);
    EXPECT_EQ(implementation.helpers[0].name, "two");
    EXPECT_EQ(implementation.helpers[1].name, "own");
    ASSERT_EQ(implementation.macros.size(), 1U);
    EXPECT_EQ(implementation.macros[0].text, "#define TWO 2");
    EXPECT_EQ(implementation.macros[0].span.source->name, "lib/two.cuh");
    EXPECT_EQ(text_of(implementation.macros[0].span), "#define TWO 2");
}

TEST(IncludedHeader, StandsBesideTheFile) {
    const auto library = read_library_sources(
        {one("#include \"two.cuh\"\n", "Arguments = none\n"), make_source("elsewhere/two.cuh", header)});
    ASSERT_TRUE(library) << reported(library);
    EXPECT_TRUE(library->functions[*library->find_function("one")].implementations.at(0).helpers.empty());
}

TEST(IncludedHeader, IsBounded) {
    std::string large;
    while (large.size() < (std::size_t{40} << 10U)) large += "__device__ int f() { return 1; }\n";
    const auto library = read_library_sources({one("#include \"a.h\"\n#include \"b.h\"\n", "Arguments = none\n"),
                                               make_source("lib/a.h", large), make_source("lib/b.h", large)});
    EXPECT_FALSE(library);
    EXPECT_NE(reported(library).find("K0319"), std::string::npos);
    EXPECT_NE(reported(library).find("one.cu:2"), std::string::npos) << reported(library);
}

TEST(IncludedHeader, IsReportedWhereItIsAtFault) {
    const auto library =
        read_library_sources({one("#include \"a.h\"\n", "Arguments = none\n"), make_source("lib/a.h", "void f() {")});
    EXPECT_FALSE(library);
    EXPECT_NE(reported(library).find("lib/a.h:1"), std::string::npos) << reported(library);
}

}  // namespace
}  // namespace kasc
