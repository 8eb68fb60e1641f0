#pragma once
// What the last block of a kernel to finish may go on with. The blocks of a kernel that folds everything leave their
// parts in memory and count themselves; the last one joins the parts, as a kernel of one block behind it would, and
// computes the numbers that follow:
//
//   rr_parts[part] = fold r*r over cells      each block
//   last = all others have counted themselves
//   rr = fold rr_parts                        the last block: a kernel of one block, without its launch
//   residual[t = n] = sqrt(rr)                its first thread

#include <string>

#include "schedule/field/schedule.hpp"

namespace kasc {

/// Why no other kernel's last block runs a kernel with this work, as a whole block or its first thread; empty: one may.
[[nodiscard]] std::string last_block_fault(const FieldWork& work);
/// The same of a kernel whose last block is to go on; empty: it may. Its first thread alone stores the parts, and what
/// its prologue makes. One that joins all parts is one block, which goes on by itself.
[[nodiscard]] std::string going_on_fault(const FieldSchedule& schedule);

/// Between what all blocks do and what the last one goes on with: the first thread counts its block, and all threads
/// see whether it was the last.
[[nodiscard]] const block::BlockProgram& counting_block();

}  // namespace kasc
