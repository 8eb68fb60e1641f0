#include <gtest/gtest.h>

#include "lower/lower.hpp"
#include "unit/schedule/stream_two_calls.hpp"

namespace kasc::test {
namespace {

class LowerStream : public testing::Test, protected TwoCalls {
protected:
    kernel::Kernel lowered() {
        kernel::Lowered result = lower_stream(scheduled(), program, graph, library, "p_k0");
        EXPECT_EQ(result.alternatives.size(), 1U);
        EXPECT_EQ(kernel::verify(result.alternatives.front()), "");
        return result.alternatives.front();
    }
};

TEST_F(LowerStream, GuardsRecomputesAndSeparatesByBarriers) {
    make();
    EXPECT_EQ(kernel::print(lowered()), R"(kernel p_k0 block 8x1x1 grid (n_2 - 1) / 8 + 1 x 1 x 1 shared 16 words
  # M = f(A)
  # n = g(M)
  param i32 n_2
  param f32 A[] in
  param f32 n[] out
  private r_A[9]
  shared s_M[16] at 0  # M
  private r_n[4]
  let i64 first = min((long long)bx * 8, (long long)n_2 - 8)
  threads
    call d_f_1_load_1_8_1_1_r(A + first * 2, r_A, tx, 0)
    # M = f(A)
    call d_f_1_compute_8_1_1_rs(r_A, s_M, tx, ty)
  barrier  # g_1 reads M, which other threads computed
  threads
    let i32 linear = thread
    let i32 tx_2_2_1 = linear % 2
    let i32 ty_2_2_1 = linear / 2
    if linear < 4
      # n = g(M)
      call d_g_1_compute_2_2_1_sr(s_M, r_n, tx_2_2_1, ty_2_2_1)
      call d_g_1_save_2_2_1_r(r_n, n + first * 2, tx_2_2_1, ty_2_2_1, 0)
)");
}

TEST_F(LowerStream, StagesTilesAndAwaitsThem) {
    make(TileTransfer::staged, 3, {4, 2, 1}, false, true);
    EXPECT_EQ(kernel::print(lowered()), R"(kernel p_k0 block 8x1x1 grid (n_2 - 1) / 24 + 1 x 1 x 1 shared 32 words
  # M = f(A)
  # n = g(M)
  param i32 n_2
  param f32 A[] in
  param f32 n[] out
  shared s_A[16] at 0  # A
  shared s_M[16] at 16  # M
  shared s_n[16] at 0  # n
  for round in 0 .. 3 step 1
    let i64 first = min((long long)(bx * 3 + round) * 8, (long long)n_2 - 8)
    threads
      stage s_A <- A + first * 2, 16 words
    barrier await copies  # f_1 reads A, which other threads loaded
    threads
      # M = f(A)
      call d_f_1_compute_8_1_1_ss(s_A, s_M, tx, ty)
    barrier  # g_1 reads M, which other threads computed
    threads
      let i32 linear = thread
      let i32 tx_4_2_1 = linear % 4
      let i32 ty_4_2_1 = linear / 4
      # n = g(M)
      call d_g_1_compute_4_2_1_ss(s_M, s_n, tx_4_2_1, ty_4_2_1)
    barrier  # the save reads n, which other threads computed
    threads
      stage s_n -> n + first * 2, 16 words
    barrier  # the next round's load writes A where n lies, which other threads may still read
)");
}

TEST_F(LowerStream, CompatibleCallsShareOneRegionInRegisters) {
    make(TileTransfer::author, 1, {8, 1, 1}, true);
    EXPECT_EQ(kernel::print(lowered()), R"(kernel p_k0 block 8x1x1 grid (n_2 - 1) / 8 + 1 x 1 x 1 shared 0 words
  # M = f(A)
  # n = g(M)
  param i32 n_2
  param f32 A[] in
  param f32 n[] out
  private r_A[9]
  private r_M[9]
  private r_n[9]
  let i64 first = min((long long)bx * 8, (long long)n_2 - 8)
  threads
    call d_f_1_load_1_8_1_1_r(A + first * 2, r_A, tx, 0)
    # M = f(A)
    call d_f_1_compute_8_1_1_rr(r_A, r_M, tx, ty)
    # n = g(M)
    call d_g_1_compute_8_1_1_rr(r_M, r_n, tx, ty)
    call d_g_1_save_8_1_1_r(r_n, n + first * 2, tx, ty, 0)
)");
}

TEST_F(LowerStream, VariantsNameTheirBlockAndResidences) {
    make();
    const kernel::Kernel kernel = lowered();
    ASSERT_EQ(kernel.functions.size(), 4U);
    std::string text;
    for (const kernel::FunctionVariant& f : kernel.functions) {
        text += f.name + " of " + f.author_name + ":";
        for (const auto& [macro, value] : f.macros) text += " " + macro + "=" + value;
        text += "\n";
    }
    EXPECT_EQ(text, R"(d_f_1_load_1_8_1_1_r of d_f_1_load_1: APLS=0 F_1_BX=8 F_1_BY=1 F_1_BZ=1
d_f_1_compute_8_1_1_rs of d_f_1_compute: APIN0=0 APOUT=(ty*2) F_1_BX=8 F_1_BY=1 F_1_BZ=1
d_g_1_compute_2_2_1_sr of d_g_1_compute: APIN0=(tx+g_1) APOUT=0 G_1_BX=2 G_1_BY=2 G_1_BZ=1
d_g_1_save_2_2_1_r of d_g_1_save: APLS=0 G_1_BX=2 G_1_BY=2 G_1_BZ=1
)");
    EXPECT_EQ(kernel.functions[0].helper_macros, std::vector<std::string>{"#define TWO 2"});
}

}  // namespace
}  // namespace kasc::test
