// A published KAS file is read as it is.

#include <gtest/gtest.h>

#include "library/library.hpp"

namespace kasc {
namespace {

const char* const types = R"(
/*# scalar metadata
Shape = scalar
#*/
typedef float *scalar;
/*# Vector3 metadata
Shape = 3
#*/
typedef float *Vector3;
)";

const char* const svmul3 = R"(#include "types.h"
#define TWICE(x) \
    ((x) + (x))
/*######## helpers { ########*/
// a comment with a brace { and a "quote
__device__ inline float half_of(float x) { return x / 2; }

/*# svmul3_1_load_1 metadata
Data type = vector3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*3+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_svmul3_1_load_1(vector3 v, float *s_v, int tx, int ty, int bx) {
    s_v[APLS] = v[bx*3*SVMUL3_1_BY + ty*3 + tx];
}
/*# svmul3_1_load_2 metadata
Data type = scalar
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty", block "1", stride "1", count 1, noreg 1
#*/
__device__ inline void d_svmul3_1_load_2(scalar s, float *s_s, int tx, int ty, int bx) {
    if (tx == 0) { s_s[APLS] = s[bx*SVMUL3_1_BY + ty]; } /* } */
}
/*# svmul3_1_save metadata
Data type = VECTOR3
Data location = shared
Other parameters = tx, ty, bx
LSPATTERN = start "ty*3+tx", block "1", stride "1", count 1, noreg 0
#*/
__device__ inline void d_svmul3_1_save(float *s_r, vector3 r, int tx, int ty, int bx) {
    r[bx*3*SVMUL3_1_BY + ty*3 + tx] = s_r[APLS];
}
__device__ inline void d_svmul3_1_compute(float *s_v, float *s_s, float *s_r, int tx, int ty) {
    s_r[APOUT] = s_v[APIN0] * s_s[APIN1];
}
/*# svmul3_1 metadata
GX = size
GY = 1
GZ = 1
BX = 3
BY = size (recommended 32)
BZ = 1
BATCH = size (recommended 1)
INPATTERN 0 = start "ty*3+tx", block "1", stride "1", count 1, noreg 0
INPATTERN 1 = start "ty", block "1", stride "1", count 1, noreg 0
OUTPATTERN = start "ty*3+tx", block "2", stride "i*3", count 4, noreg 0
#*/
__global__ void cu_svmul3_1(vector3 v, scalar s, vector3 r) {}
)";

std::string replaced(const std::string& text, const std::string& from, const std::string& to) {
    std::string result;
    std::size_t at = 0;
    for (std::size_t next = 0; (next = text.find(from, at)) != std::string::npos; at = next + from.size()) {
        result.append(text, at, next - at).append(to);
    }
    return result.append(text, at);
}

Outcome<Library> read(const std::string& more = {}) {
    return read_library_sources({make_source("types.cuh", types), make_source("svmul3.cu", svmul3 + more)});
}

TEST(PublishedFile, GivesTheSignature) {
    const auto library = read();
    ASSERT_TRUE(library) << render_text(library.diagnostics);
    EXPECT_TRUE(library.diagnostics.empty());
    const auto id = library->find_function("svmul3");
    ASSERT_TRUE(id.has_value());
    const Function& function = library->functions[*id];
    ASSERT_EQ(function.arguments.size(), 2U);
    EXPECT_EQ(library->types[function.arguments[0]].name, "Vector3");
    EXPECT_EQ(library->types[function.arguments[1]].words, 1);
    EXPECT_EQ(function.result, function.arguments[0]);
    EXPECT_FALSE(function.reference.has_value());
    EXPECT_EQ(function.flops, 3 + 1 + 3) << "where the library does not say: words read and written";
}

TEST(PublishedFile, GivesExtentsAndPatterns) {
    const auto library = read();
    ASSERT_TRUE(library);
    const Implementation& svmul3_1 = library->functions[FunctionId{0}].implementations.at(0);
    EXPECT_EQ(svmul3_1.name, "svmul3_1");
    EXPECT_FALSE(svmul3_1.grid[0].fixed.has_value());
    EXPECT_EQ(svmul3_1.grid[1].fixed, 1);
    EXPECT_EQ(svmul3_1.block[0].fixed, 3);
    EXPECT_FALSE(svmul3_1.block[1].fixed.has_value());
    EXPECT_EQ(svmul3_1.block[1].recommended, 32);
    EXPECT_EQ(svmul3_1.batch.recommended, 1);
    ASSERT_EQ(svmul3_1.inputs.size(), 2U);
    EXPECT_EQ(svmul3_1.inputs[0].start, "ty*3+tx");
    EXPECT_EQ(svmul3_1.output.block, "2");
    EXPECT_EQ(svmul3_1.output.stride, "i*3");
    EXPECT_EQ(svmul3_1.output.count, 4);
    EXPECT_FALSE(svmul3_1.output.noreg);
    EXPECT_TRUE(svmul3_1.loads[1].pattern.noreg);
    EXPECT_EQ(text_of(svmul3_1.output.stride_span), "i*3");
}

TEST(PublishedFile, KeepsTheAuthorsText) {
    const auto library = read();
    ASSERT_TRUE(library);
    const Implementation& svmul3_1 = library->functions[FunctionId{0}].implementations.at(0);
    EXPECT_EQ(svmul3_1.loads[1].function.text,
              "__device__ inline void d_svmul3_1_load_2(scalar s, float *s_s, int tx, int ty, int bx) {\n"
              "    if (tx == 0) { s_s[APLS] = s[bx*SVMUL3_1_BY + ty]; } /* } */\n}");
    EXPECT_EQ(svmul3_1.compute.coordinates, (std::vector{Coordinate::tx, Coordinate::ty}));
    EXPECT_EQ(svmul3_1.loads[0].function.coordinates, (std::vector{Coordinate::tx, Coordinate::ty, Coordinate::bx}));
    ASSERT_EQ(svmul3_1.helpers.size(), 1U);
    EXPECT_EQ(svmul3_1.helpers[0].text, "__device__ inline float half_of(float x) { return x / 2; }");
    ASSERT_EQ(svmul3_1.macros.size(), 1U);
    EXPECT_EQ(svmul3_1.macros[0].text, "#define TWICE(x) \\\n    ((x) + (x))");
}

TEST(PublishedFile, TakesAReferenceAndFlops) {
    const auto library = read(R"(
/*# svmul3 metadata
Arguments = vector3, SCALAR
Result = vector3
Flops = 3
#*/
extern "C" {
inline void cpu_svmul3(const float *v, const float *s, float *r) { r[0] = v[0] * s[0]; }
}
)");
    ASSERT_TRUE(library) << render_text(library.diagnostics);
    const Function& function = library->functions[FunctionId{0}];
    EXPECT_EQ(function.flops, 3);
    ASSERT_TRUE(function.reference.has_value());
    EXPECT_EQ(function.reference->text,
              "inline void cpu_svmul3(const float *v, const float *s, float *r) { r[0] = v[0] * s[0]; }");
}

TEST(PublishedFile, MayHaveWindowsLineEndings) {
    const std::string text = replaced(types + std::string(svmul3), "\n", "\r\n");
    const auto library = read_library_sources({make_source("svmul3.cu", text)});
    ASSERT_TRUE(library) << render_text(library.diagnostics);
    EXPECT_EQ(library->functions[FunctionId{0}].implementations.at(0).block[1].recommended, 32);
}

TEST(FileWithoutMetadata, IsIgnoredWhateverItHolds) {
    const auto library = read_library_sources(
        {make_source("helpers.h", "/*#### banner ####*/ void f() { \"open"), make_source("types.cuh", types)});
    ASSERT_TRUE(library) << render_text(library.diagnostics);
    EXPECT_EQ(library->types.size(), 2U);
    EXPECT_TRUE(library->functions.empty());
}

TEST(Implementations, AreOrderedByNumber) {
    const std::string ten = replaced(svmul3, "svmul3_1", "svmul3_10"), two = replaced(svmul3, "svmul3_1", "svmul3_2");
    const auto library = read_library_sources(
        {make_source("a.cu", ten), make_source("b.cu", two), make_source("c.cu", svmul3), make_source("t.cuh", types)});
    ASSERT_TRUE(library) << render_text(library.diagnostics);
    const auto& all = library->functions[FunctionId{0}].implementations;
    ASSERT_EQ(all.size(), 3U);
    EXPECT_EQ(all[0].name, "svmul3_1");
    EXPECT_EQ(all[1].name, "svmul3_2");
    EXPECT_EQ(all[2].name, "svmul3_10");
}

}  // namespace
}  // namespace kasc
