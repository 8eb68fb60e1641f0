// Library functions in emitted files: what they are written over, and what comes with them of their file.
#include <gtest/gtest.h>

#include "emit/kernel_text.hpp"

namespace kasc::emit {
namespace {

DeviceFunction helper(const std::string& name, const std::string& body) {
    DeviceFunction f;
    f.name = name;
    f.text = "__device__ inline float " + name + "(float x) { return " + body + "; }";
    return f;
}

kernel::FunctionVariant scaled() {
    kernel::FunctionVariant f;
    f.author_name = "d_scale_1_compute";
    f.name = "d_scale_1_compute_64_1_1_sr";
    f.function.text =
        "__device__ inline void d_scale_1_compute(matrix3x3 s_a, float *s_r, int tx) {  // { of d_scale_1_compute\n"
        "#if SCALE_1_BX > 32\n"
        "    s_r[APOUT] = FACTOR * twice(s_a[APIN0 + 1]);\n"
        "#endif\n"
        "}";
    f.macros = {
        {"APIN0", "(ty*9*SCALE_1_BY+tx)"}, {"APOUT", "0"}, {"APLS", "(tx)"}, {"SCALE_1_BX", "64"}, {"SCALE_1_BY", "2"}};
    f.helper_macros = {"#define FACTOR (2 * ROOT)", "#define ROOT 1.5f", "#define UNUSED 3"};
    f.helpers = {helper("once", "x"), helper("twice", "once(x) + once(x)"), helper("never", "UNUSED * x")};
    return f;
}

TEST(FunctionText, IsOverConstantsWhereThePreprocessorIsNotAsked) {
    Writer out;
    write_function(out, scaled(), Target::cuda);
    EXPECT_EQ(out.take(),
              "#define SCALE_1_BX 64\n"
              "__device__ inline void d_scale_1_compute_64_1_1_sr(matrix3x3 s_a, float *s_r, int tx) {\n"
              "    constexpr int APOUT = 0, SCALE_1_BY = 2;\n"
              "    const int APIN0 = ty * 9 * SCALE_1_BY + tx;  // { of d_scale_1_compute\n"
              "#if SCALE_1_BX > 32\n"
              "    s_r[APOUT] = FACTOR * twice(s_a[APIN0 + 1]);\n"
              "#endif\n"
              "}\n"
              "#undef SCALE_1_BX\n"
              "\n");
}

TEST(FunctionText, BringsTheHelpersThatItUses) {
    const UsedHelpers used = used_helpers(scaled());
    EXPECT_EQ(used.macros, (std::vector<std::string>{"#define FACTOR (2 * ROOT)", "#define ROOT 1.5f"}));
    ASSERT_EQ(used.functions.size(), 2U);
    EXPECT_EQ(used.functions[0], scaled().helpers[0].text);
    EXPECT_EQ(used.functions[1], scaled().helpers[1].text);
    EXPECT_EQ(types_in(scaled(), {"scalar", "matrix3x3", "vector3"}), (std::set<std::string>{"matrix3x3"}));
}

TEST(FunctionText, ConstantsOfHelpersAreTheFunctions) {
    kernel::FunctionVariant f = scaled();
    f.function.text = "__device__ inline void d_scale_1_compute(float *s_r) { s_r[PLACE] = 1; }";
    f.helper_macros = {"#define PLACE APOUT"};
    Writer out;
    write_function(out, f, Target::cuda);
    EXPECT_EQ(out.take(),
              "__device__ inline void d_scale_1_compute_64_1_1_sr(float *s_r) {\n"
              "    constexpr int APOUT = 0; s_r[PLACE] = 1; }\n\n");
}

}  // namespace
}  // namespace kasc::emit
