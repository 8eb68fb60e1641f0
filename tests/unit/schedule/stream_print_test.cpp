#include <gtest/gtest.h>

#include "unit/schedule/stream_two_calls.hpp"

namespace kasc::test {
namespace {

TEST(StreamPrint, ShowsStepsPlacesBarriersAndTheMapOfSharedMemory) {
    TwoCalls two;
    two.make(TileTransfer::staged, 3, {2, 2, 1}, false, true);
    EXPECT_EQ(
        print(two.scheduled(), two.program, two.graph, two.library),
        R"(kernel: block 8x1x1, 8 threads, 8 elements a block and round, batch 3, 32 words of shared memory, staged transfer
steps
   0  load A  staged, 16 words
   1  M = f(A)  by d_f_1_compute
   2  n = g(M)  by d_g_1_compute, block 2x2x1, the first 4 threads
   3  save n  by d_g_1_save, block 2x2x1, the first 4 threads
placements
  A: shared, 16 words at 0, steps 0-1: staged copy of 16 contiguous words; its own transfer is narrower
  M: shared, 16 words at 16, steps 1-2: f_1 uses 8 threads, g_1 uses 4
  n: registers, 4 a thread, steps 2-3: compatible patterns, 4 threads: g_1, save of g_1; its own transfer is as wide as a staged one
barriers: 2 of 4
  elided before step 0: shared memory is untouched since the last barrier
  kept   before step 1: step 1 (f_1) reads A, which other threads wrote in step 0 (load A) (word 14: any thread, then thread 0)
  kept   before step 2: step 2 (g_1) reads M, which other threads wrote in step 1 (f_1) (word 17: thread 1, then thread 0)
  elided at the end of a round: nothing that the next round touches before its first barrier is pending
shared memory by step       0| 1| 2  3
       0 ..     15    A      W| R| .  .
      16 ..     31    M      .| W| R  .
  (W written, R read, - kept, | a barrier)
)");
}

TEST(StreamPrint, ShowsNoMapWithoutSharedMemory) {
    TwoCalls two;
    two.make(TileTransfer::author, 1, {8, 1, 1}, true);
    EXPECT_EQ(print(two.scheduled(), two.program, two.graph, two.library).find("shared memory by step"),
              std::string::npos);
}

}  // namespace
}  // namespace kasc::test
