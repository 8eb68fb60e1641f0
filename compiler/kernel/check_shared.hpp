#pragma once
// Checks a kernel's use of shared memory, whatever it computes, by code that knows nothing of what placed its barriers:
// the kernel is run for its integers, and every access to a shared word is seen. Each word that is read was written, in
// this round, and by a copy that was awaited; none lies outside its array; where two threads touch a word and one of
// them writes, a barrier stands between; what a thread's registers are read as is what they were written as; what the
// threads of a warp exchange was written by the thread that gives it.
//
// What is run, and so what is known:
//   streams   one block, which is like any other: addresses depend on threads alone. Two rounds, two iterations of each
//             loop, whose accesses are those of all others, and for loops that may run none each combination of that.
//             What an author's function touches is what its metadata say (kasc check-lib compares them with its code).
//   fields    the first, a middle and the last block along each axis, of a grid of at least three of them with a part
//             of a block at the end, and of at least 32 cells, so that the middle one is in the interior of stencils
//             that do not reach farther than that allows. A condition on what cells hold is taken both ways.
//             Of a loop of the block whose ends the host alone knows four iterations.
//             Blocks that walk through planes with barriers or exchanges: of long walks the first planes and the last;
//             of large blocks the first along all axes, the middle and the last.
//             Indices into shared memory depend on threads, and blocks are of these kinds wherever the grid is so
//             large; it is no proof for smaller ones.

#include <string>
#include <vector>

#include "kernel/kernel.hpp"

namespace kasc::kernel {

/// Empty: nothing was found, or nothing is shared. Else what is wrong, each once, the first `most` of it; the check
/// ends with the last of these. Requires: verify() finds nothing.
[[nodiscard]] std::vector<std::string> check_shared(const Kernel& kernel, std::size_t most = 10);

}  // namespace kasc::kernel
