#pragma once
// How a block folds the parts that its prologue joins (search/prologue): thread t has lanes t, t + threads, … of the
// 1024 that the language's order knows, joins its own and leaves one word. Behind a barrier each warp takes all words,
// a thread those of lanes that stand a multiple of 32 apart, and joins them by exchanges: so every thread has the sum,
// with one barrier, and the order is that of the kernel that a join has for itself.

#include <string>

#include "schedule/field/work.hpp"

namespace kasc::block {
struct BlockProgram;
}

namespace kasc {

/// Why a block of so many threads folds no parts; empty: it does.
[[nodiscard]] std::string prologue_fault(int threads);
/// Requires: the prologue folds parts, and blocks of so many threads do.
[[nodiscard]] block::BlockProgram prologue_block(const FieldWork& work, int threads, const Program& program,
                                                 const Graph& graph);

}  // namespace kasc
