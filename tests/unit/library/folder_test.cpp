// Folders as the file system has them: missing, nested, named twice, layered.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "library/library.hpp"

namespace kasc {
namespace {

namespace fs = std::filesystem;

class LibraryFolders : public testing::Test {
protected:
    LibraryFolders() : root_(fs::temp_directory_path() / ("kasc_library_" + std::to_string(getpid()))) {
        fs::remove_all(root_);
        fs::create_directories(root_);
    }
    ~LibraryFolders() override { fs::remove_all(root_); }

    fs::path write(const fs::path& name, const std::string& text) {
        fs::create_directories((root_ / name).parent_path());
        std::ofstream(root_ / name, std::ios::binary) << text;
        return root_ / name;
    }

    fs::path root_;
};

const std::string type = "/*# scalar metadata\nShape = scalar\n#*/\ntypedef float *scalar;\n";

std::string negate(const std::string& body) {
    const std::string pattern = " = start \"tx\", block \"1\", stride \"1\", count 1, noreg 0\n";
    const std::string transfer =
        "Data type = scalar\nData location = shared\nOther parameters = tx\nLSPATTERN" + pattern;
    return "/*# negate_1_load_1 metadata\n" + transfer +
           "#*/\n__device__ void d_negate_1_load_1(scalar a, float *s_a, int tx) {}\n" +
           "/*# negate_1_save metadata\n" + transfer +
           "#*/\n__device__ void d_negate_1_save(float *s_r, scalar r, int tx) {}\n" +
           "/*# negate_1 metadata\nGX = size\nGY = 1\nGZ = 1\nBX = size\nBY = 1\nBZ = 1\nBATCH = 1\nINPATTERN 0" +
           pattern + "OUTPATTERN" + pattern +
           "#*/\n__device__ void d_negate_1_compute(float *s_a, float *s_r, int tx) {" + body + "}\n";
}

TEST_F(LibraryFolders, AreReadRecursivelyInSortedOrder) {
    write("b/negate.cu", negate(""));
    write("a/types.cuh", type);
    write("a/readme.md", "/*# not read");
    write("empty.h/inner.txt", "");
    const auto library = read_library({root_});
    ASSERT_TRUE(library) << render_text(library.diagnostics);
    EXPECT_TRUE(library->find_function("negate").has_value());
    EXPECT_EQ(library->folders, std::vector<std::string>{root_.generic_string()});
}

TEST_F(LibraryFolders, ThatAreMissingAreReported) {
    const auto library = read_library({root_ / "nowhere"});
    EXPECT_FALSE(library);
    ASSERT_EQ(library.diagnostics.size(), 1U);
    EXPECT_EQ(library.diagnostics[0].code, "K0301");
    EXPECT_NE(render_text(library.diagnostics).find("nowhere"), std::string::npos);
}

TEST_F(LibraryFolders, NamedTwiceAreReadOnce) {
    write("types.cuh", type + negate(""));
    const auto library = read_library({root_, root_ / "."});
    ASSERT_TRUE(library) << render_text(library.diagnostics);
    EXPECT_TRUE(library.diagnostics.empty());
}

TEST_F(LibraryFolders, LaterReplaceEarlierWithAWarning) {
    write("first/a.cu", type + negate(" /* first */ "));
    write("second/a.cu", type + negate(" /* second */ "));
    const auto library = read_library({root_ / "first", root_ / "second"});
    ASSERT_TRUE(library) << render_text(library.diagnostics);
    ASSERT_EQ(library.diagnostics.size(), 1U);
    EXPECT_EQ(library.diagnostics[0].code, "K0321");
    EXPECT_EQ(library.diagnostics[0].severity, Severity::warning);
    const Function& function = library->functions[FunctionId{0}];
    ASSERT_EQ(function.implementations.size(), 1U);
    EXPECT_NE(function.implementations[0].compute.text.find("second"), std::string::npos);
}

/// What a function computes is said by its reference: code of before would compute something else.
TEST_F(LibraryFolders, AnotherReferenceLeavesEarlierCodeOut) {
    const auto described = [](const std::string& value) {
        return "/*# negate metadata\nArguments = SCALAR\nResult = SCALAR\n#*/\n"
               "inline void cpu_negate(const float *a, float *r) { r[0] = " +
               value + "; }\n";
    };
    write("first/a.cu", type + negate(" /* first */ ") + described("-a[0]"));
    write("same/a.cu", described("-a[0]"));
    write("other/a.cu", described("2.0f * -a[0]"));
    write("third/a.cu", negate(" /* third */ "));
    const auto code_of = [&](const std::vector<fs::path>& folders) {
        const auto library = read_library(folders);
        EXPECT_TRUE(library) << render_text(library.diagnostics);
        const Function& function = library->functions[FunctionId{0}];
        EXPECT_EQ(function.implementations.size(), 1U);
        return function.implementations[0].compute.text;
    };
    EXPECT_NE(code_of({root_ / "first", root_ / "same"}).find("/* first */"), std::string::npos);
    EXPECT_EQ(code_of({root_ / "first", root_ / "other"}).find("/* first */"), std::string::npos)
        << "it is made of the reference";
    EXPECT_NE(code_of({root_ / "first", root_ / "other", root_ / "third"}).find("/* third */"), std::string::npos);
}

TEST_F(LibraryFolders, MayNotGiveATypeAnotherShape) {
    write("first/a.cuh", type);
    write("second/a.cuh", "/*# SCALAR metadata\nShape = 2\n#*/\ntypedef float *SCALAR;\n");
    const auto library = read_library({root_ / "first", root_ / "second"});
    EXPECT_FALSE(library);
    EXPECT_EQ(library.diagnostics.at(0).code, "K0315");
}

TEST_F(LibraryFolders, DefiningTwiceInOneFolderIsAnError) {
    write("a.cu", type + negate(""));
    write("b.cu", negate(""));
    const auto library = read_library({root_});
    EXPECT_FALSE(library);
    ASSERT_EQ(library.diagnostics.size(), 1U);
    EXPECT_EQ(library.diagnostics[0].code, "K0315");
    EXPECT_NE(render_text(library.diagnostics).find("a.cu:"), std::string::npos) << "the note names the first";
}

TEST_F(LibraryFolders, HoldNoHugeFiles) {
    const fs::path huge = write("huge.cu", "");
    fs::resize_file(huge, (4U << 20) + 1);
    const auto library = read_library({root_});
    EXPECT_FALSE(library);
    EXPECT_EQ(library.diagnostics.at(0).code, "K0319");
}

TEST_F(LibraryFolders, FilesThatCannotBeReadAreReported) {
    fs::create_symlink(root_ / "gone.cu", root_ / "link.cu");
    const auto library = read_library({root_});
    EXPECT_FALSE(library);
    EXPECT_EQ(library.diagnostics.at(0).code, "K0302");
}

}  // namespace
}  // namespace kasc
