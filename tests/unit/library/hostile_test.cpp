// Bytes that no author writes: each ends in a library or a diagnostic, soon.

#include <gtest/gtest.h>

#include <chrono>

#include "library/library.hpp"
#include "library/wanted.hpp"

namespace kasc {
namespace {

std::string repeated(const std::string& text, std::size_t bytes) {
    std::string all;
    while (all.size() < bytes) all += text;
    return all;
}

void read_quickly(const std::string& text) {
    const auto begin = std::chrono::steady_clock::now();
    const auto library = read_library_sources({make_source("hostile.cu", text)});
    const std::string shown = render_text(tidy(library.diagnostics));
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    EXPECT_LT(seconds.count(), 3.0) << text.substr(0, 40);
    EXPECT_LT(shown.size(), 40000U);
    EXPECT_TRUE(library || !shown.empty());
}

constexpr std::size_t megabytes = 3U << 20;

TEST(HostileFile, OfOneThingRepeatedEndsSoon) {
    for (const char* piece :
         {"/*#", "/*# a metadata\n#*/", "{", "}", "(", "f(", "f(){", "\"", "'\\", "#define\\\n",
          "/*# a_1 metadata\nA = 1\n", "__device__ void d_f_1_save(", "namespace x {", "/*", "//\n", "\n#", "=\n"}) {
        read_quickly(repeated(piece, megabytes / 4));
        read_quickly("/*# library metadata\nFormat = 1\n#*/" + repeated(piece, megabytes / 4));
    }
}

TEST(HostileFile, OfManyKeysEndsSoon) {
    std::string text = "/*# f_1 metadata\n";
    for (int i = 0; text.size() < megabytes; ++i) text += "INPATTERN " + std::to_string(i) + " = x\n";
    read_quickly(text + "#*/");
}

TEST(HostileFile, OfManyImplementationsAndHelpersIsRefused) {
    std::string text;
    for (int i = 0; i < 2000; ++i) text += "/*# f_" + std::to_string(i) + " metadata\n#*/\n";
    text += repeated("__device__ void helper() { }\n", megabytes);
    read_quickly(text);
}

TEST(HostileFile, OfManyVariantsEndsSoon) {
    const std::string head = "/*# variants metadata\nfunction = a\n", row = "f = 1\n#*/\n";
    std::string rows = head, columns = "/*# variants metadata\nfunction = ";
    for (int i = 0; rows.size() < megabytes; ++i) rows += "f" + std::to_string(i) + " = 1\n";
    read_quickly(rows + "#*/");
    read_quickly(repeated(columns + "a,", megabytes) + "\n" + row);
    for (const char* piece : {"$", "$a", "$b", "${", "$functio", "a,", "\"", "/*# variants metadata\n", "f = 1\n"}) {
        read_quickly(head + row + repeated(piece, megabytes / 4));
        read_quickly(head + repeated(piece, megabytes / 4));
        read_quickly(columns + repeated(piece, megabytes / 4) + "\n" + row);
    }
    std::string large = head;
    for (int i = 0; i < 200; ++i) large += "f" + std::to_string(i) + " = 1\n";
    read_quickly(large + "#*/" + repeated("$function $a\n", megabytes));
}

TEST(HostileFile, IsSearchedForItsHeadingsSoon) {
    const auto begin = std::chrono::steady_clock::now();
    for (const char* piece : {"/*#", "/*# a", "/*# $", "/*##", "/*# a metadata\n", "*/", "/*# variants\na"}) {
        const std::string text = repeated(piece, megabytes);
        (void)library::headings_of(text);
        (void)library::headings_of(text + "*/");
    }
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    EXPECT_LT(seconds.count(), 3.0);
}

TEST(HostileFile, OfEveryByteIsSafe) {
    std::string text = "/*# a metadata\n";
    for (int byte = 0; byte < 256; ++byte) text.push_back(static_cast<char>(byte));
    read_quickly(text);
    read_quickly(text + "#*/");
}

TEST(HostileFile, CutAnywhereIsSafe) {
    const std::string whole =
        "/*# scalar metadata\nShape = scalar\n#*/\ntypedef float *scalar;\n#define A \\\n 1\n"
        "/*# f_1_load_1 metadata\nData type = scalar\nData location = shared\nOther parameters = tx\n"
        "LSPATTERN = start \"tx\", block \"1\", stride \"1\", count 1, noreg 0\n#*/\n"
        "__device__ void d_f_1_load_1(scalar a, float *s, int tx) { char c = '\\''; }\n";
    for (std::size_t length = 0; length <= whole.size(); ++length) read_quickly(whole.substr(0, length));
}

}  // namespace
}  // namespace kasc
