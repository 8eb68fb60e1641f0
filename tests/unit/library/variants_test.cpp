// One definition for many shapes, implementations that are made of a reference, and what is read for one program.

#include <gtest/gtest.h>

#include <algorithm>

#include "library/library.hpp"
#include "library/wanted.hpp"
#include "support/temporary.hpp"

namespace kasc {
namespace {

namespace fs = std::filesystem;

const std::string two_types =
    "/*# scalar metadata\nShape = scalar\n#*/\ntypedef float *scalar;\n"
    "/*# vector3 metadata\nShape = 3\n#*/\ntypedef float *vector3;\n";

/// twice1 and twice3, less1 …: a map of each word.
const std::string maps =
    "// words\n"
    "/*# variants metadata\n"
    "function = type,    words, before, behind\n"
    "twice1   = scalar,  1,     2.0f *, \"\"\n"
    "more3    = vector3, 3,     \"\",   \" + 1.0f, \"\n"
    "#*/\n"
    "/*# $function metadata\nArguments = $type\nResult = $type\n#*/\n"
    "inline void cpu_$function(const float *v, float *r) {\n"
    "    for (int k = 0; k < $words; ++k) r[k] = ${before}v[k]$behind; // $FUNCTION costs 5 $\n"
    "}\n";

Outcome<Library> read_maps(const std::string& text) {
    return read_library_sources({make_source("types.cuh", two_types), make_source("maps.cu", text)});
}

const Function& function(const Library& library, const std::string& name) {
    return library.functions[library.find_function(name).value()];
}

TEST(Variants, StandForAFunctionARow) {
    const auto library = read_maps(maps);
    ASSERT_TRUE(library) << render_text(library.diagnostics);
    EXPECT_EQ(library->functions.size(), 2U);
    EXPECT_NE(function(*library, "twice1").reference->text.find("k < 1; ++k) r[k] = 2.0f *v[k]; // TWICE1 costs 5 $"),
              std::string::npos);
    EXPECT_NE(function(*library, "more3").reference->text.find("r[k] = v[k] + 1.0f, ;"), std::string::npos)
        << "blanks and commas of a value in quotes are the value's";
    EXPECT_EQ(library->types[function(*library, "more3").result].name, "vector3");
}

TEST(Variants, HaveTheirPlacesInTheFile) {
    const auto library = read_maps(maps);
    ASSERT_TRUE(library);
    const Span span = as_given(function(*library, "more3").reference->span);
    EXPECT_EQ(span.source->text, maps);
    EXPECT_EQ(line_column(*span.source, span.begin).line, 11);
    EXPECT_TRUE(text_of(span).starts_with("inline void cpu_$function("));
    EXPECT_TRUE(text_of(span).ends_with("5 $\n}")) << text_of(span);
}

TEST(Variants, MayHoldSomeImplementationsOfAFunction) {
    const auto library = read_maps(maps + "// no other block\n");
    ASSERT_TRUE(library);
    EXPECT_EQ(function(*library, "more3").implementations.at(0).name, "more3_1");
}

TEST(MadeImplementation, IsAThreadAnElement) {
    const auto library = read_maps(maps);
    ASSERT_TRUE(library);
    const Implementation& made = function(*library, "more3").implementations.at(0);
    EXPECT_FALSE(made.block[0].fixed) << "as many threads as elements";
    EXPECT_EQ(made.inputs.at(0).start, "tx*3");
    EXPECT_EQ(made.loads.at(0).pattern.count, 3);
    EXPECT_EQ(made.output.block, "3");
    ASSERT_EQ(made.helpers.size(), 1U);
    EXPECT_EQ(made.helpers[0].text, "__device__ " + function(*library, "more3").reference->text);
    EXPECT_TRUE(made.faults.empty());
    EXPECT_EQ(as_given(made.compute.span).source->text, maps) << "its places are those of the function";
    EXPECT_EQ(function(*library, "twice1").implementations.at(0).inputs.at(0).start, "tx");
}

TEST(MadeImplementation, SaysWhatItsReferenceMayNotHold) {
    const auto library = read_maps(
        "/*# wait metadata\nArguments = scalar\nResult = scalar\n#*/\n"
        "inline void cpu_wait(const float *a, float *r) { r[0] = a[0] + threadIdx.x; }\n");
    ASSERT_TRUE(library) << render_text(library.diagnostics);
    const Diagnostics& faults = function(*library, "wait").implementations.at(0).faults;
    ASSERT_EQ(faults.size(), 1U);
    EXPECT_EQ(text_of(as_given(faults[0].span)), "threadIdx");
}

TEST(MadeImplementation, GivesWayToAnyOther) {
    const std::string each_word = " = start \"tx\", block \"1\", stride \"1\", count 1, noreg 0\n";
    const std::string save = "Data type = scalar\nData location = shared\nOther parameters = tx\nLSPATTERN" + each_word;
    const auto library = read_maps(
        "/*# one metadata\nArguments = none\nResult = scalar\n#*/\ninline void cpu_one(float *r) { r[0] = 1; }\n"
        "/*# one_7_save metadata\n" +
        save +
        "#*/\n__device__ void d_one_7_save(float *s_r, scalar r, int tx) {}\n"
        "/*# one_7 metadata\nGX = size\nGY = 1\nGZ = 1\nBX = size\nBY = 1\nBZ = 1\nBATCH = 1\nOUTPATTERN" +
        each_word + "#*/\n__device__ void d_one_7_compute(float *s_r, int tx) { s_r[APOUT] = 1; }\n");
    ASSERT_TRUE(library) << render_text(library.diagnostics);
    ASSERT_EQ(function(*library, "one").implementations.size(), 1U);
    EXPECT_EQ(function(*library, "one").implementations[0].name, "one_7");
}

TEST(Headings, TellTheFunctionsOfAFile) {
    const auto of = [](const std::string& text) { return library::headings_of(text); };
    EXPECT_EQ(of(maps).functions, (std::set<std::string, std::less<>>{"twice1", "more3"}));
    EXPECT_FALSE(of(maps).has_others);
    EXPECT_TRUE(of(two_types).has_others);
    EXPECT_TRUE(of("/*# library metadata\nFormat = 1\n#*/").has_others);
    EXPECT_EQ(of("/*# svmul3_1_load_2 metadata\n#*/").functions, (std::set<std::string, std::less<>>{"svmul3"}));
    EXPECT_TRUE(of("/*## a banner */ // svmul3").functions.empty());
}

bool knows(const Library& library, const std::string& name) { return library.find_function(name).has_value(); }

class OneProgram : public testing::Test {
protected:
    OneProgram() {
        fs::create_directories(own());
        fs::create_directories(other());
        test::write_file((own() / "types.cuh"), two_types);
        test::write_file((own() / "maps.cu"), maps);
        test::write_file((own() / "less.cu"), less);
    }
    [[nodiscard]] fs::path own() const { return here_.path() / "own"; }
    [[nodiscard]] fs::path other() const { return here_.path() / "other"; }
    Library read_for(const std::string& program) const {
        const auto library = read_library_for({"p.kas", program}, {own(), other()});
        EXPECT_TRUE(library) << render_text(library.diagnostics);
        return *library.value;
    }

    test::Temporary here_;
    const std::string less =
        "/*# less metadata\nArguments = scalar\nResult = scalar\n#*/\n"
        "inline void cpu_less(const float *a, float *r) { r[0] = a[0] - 1; }\n";
};

TEST_F(OneProgram, HasTheFunctionsThatItNames) {
    const Library library = read_for("scalar a, b; input a; b = twice1(a); return b;");
    EXPECT_TRUE(knows(library, "twice1"));
    EXPECT_FALSE(knows(library, "more3"));
    EXPECT_FALSE(knows(library, "less"));
    EXPECT_EQ(library.types.size(), 2U);
    EXPECT_NE(std::find(library.unread.begin(), library.unread.end(), "less"), library.unread.end());
}

TEST_F(OneProgram, HasWhatFunctionsForFieldsCall) {
    test::write_file((other() / "mine.kas"), "function further(a) = less(a);\nfunction more3(a) = a;\n");
    const Library library = read_for("float a[x]; input a; a = further(a); return a;");
    EXPECT_TRUE(knows(library, "less"));
    EXPECT_FALSE(knows(library, "more3")) << "the file declares one of its own";
}

TEST_F(OneProgram, HasTheFilesOfFunctionsForFieldsThatItCanCall) {
    test::write_file((own() / "far.kas"), "function far2(a) = near(a);\nfunction far4(a) = a;\n");
    test::write_file((own() / "near.kas"), "// Some functions near.\nfunction near(a) = a;\n");
    test::write_file((own() / "others.kas"), "function other(a) = a;\nfunction d_other(a) = a;\n");
    const auto files = [&](const std::string& program) {
        std::string names;
        const Library library = read_for(program);
        for (const FieldFunctions& file : library.field_functions)
            names += fs::path(file.source->name).stem().string() + " ";
        const bool left = std::find(library.unread.begin(), library.unread.end(), "other") != library.unread.end();
        EXPECT_EQ(left, names.find("others") == std::string::npos);
        return names;
    };
    EXPECT_EQ(files("b = far2(a);"), "far near ") << "with what they call";
    EXPECT_EQ(files("b = near(a);"), "near ");
    EXPECT_EQ(files("for n in (2, 3) { b = far{n}(a); }"), "far near ") << "a name made of parts";
    EXPECT_EQ(files("list ends = (ar2, x); for e in ends { b = f{e}(a); }"), "far near ");
    EXPECT_EQ(files("s = a;"), "") << "'functions' is another word than 'function'";
    EXPECT_EQ(files("for q in (x, y) { d{q} = {q}_max + {q}; }"), "");
    EXPECT_EQ(files("for q in (x, y), r in (x, y) { a = f{q}{r}(a); }"), "far near ") << "of several: by its beginning";
    test::write_file((other() / "mine.kas"), "function mine(a) = other(a);\n");
    EXPECT_EQ(files(""), "others mine ") << "other folders are read whole";
}

TEST_F(OneProgram, ReadsOtherFoldersWhole) {
    test::write_file((other() / "less.cu"), less);
    const Library library = read_for("");
    EXPECT_TRUE(knows(library, "less"));
    const auto again = read_library_for({"p.kas", ""}, {own(), other()});
    EXPECT_NE(render_text(again.diagnostics).find("K0321"), std::string::npos) << "it takes the place of kasc's own";
}

}  // namespace
}  // namespace kasc
