#pragma once
// A loop that does something in every k-th iteration, as blocks of iterations with that between them:
//
//     for (n = 0; n < steps; n++) {                  for (n_block = 0; n_block < (steps + 9)/10; n_block++) {
//         T = f(T);                                      for (n = 10*n_block; n < min(10*n_block + 10, steps); n++) {
//         if (n % 10 == 9) { movie[n/10] = T; }              T = f(T);
//     }                                                  }
//                                            ->          if (10*n_block + 9 < steps) { movie[…] = T; }
//                                                    }
//
// The inner loop is like any other, which kernels may run. The last block may be shorter, and the first one: of
// n % 10 == 0 behind the step it is one iteration.
//
// What stands before the branch and behind it is one list in the inner loop, where the branch may stand at either end:
// nothing that it passes over reads or assigns what it assigns, or assigns what it reads.

#include <functional>
#include <map>

#include "frontend/program.hpp"

namespace kasc {

struct LoopBlocks {
    Program program;
    std::map<LoopId, LoopId> iterations;  ///< by loop that is in blocks now: the loop over one block's iterations
};

/// `in_blocks`: which of the loops that can be. The program's own loops keep their ids, and become the loops over
/// blocks. Every iteration computes the same words, in the same order.
[[nodiscard]] LoopBlocks loop_blocks(const Program& program, const std::function<bool(LoopId)>& in_blocks);

}  // namespace kasc
