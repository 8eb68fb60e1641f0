#pragma once
// Entries of a list that add reals to few cells, piece by piece: what a warp has of these in shared memory.

#include <vector>

#include "schedule/field/work.hpp"
#include "search/choice.hpp"

namespace kasc {

/// Some call makes sums of pieces (Adding::Part::pieces).
[[nodiscard]] bool adds_in_pieces(const FieldPlan& plan);
/// What threads of such a kernel have words of their own for: an addition in pieces, or of integers, which their
/// array has the sums of.
struct LaneSums {
    const FieldCall* call = nullptr;
    CellType type = CellType::float32;  ///< of a word
    std::vector<std::size_t> labels;    ///< axes along which an entry says where it adds, by place in FieldCall::target
    int cells = 1;                      ///< along these
};
[[nodiscard]] std::vector<LaneSums> lane_sums_of(const FieldPlan& plan, const Program& program);
/// A GPU's threads have a lane of a piece each, a warp a piece; a CPU's block is one thread, which has all of them.
[[nodiscard]] int warps_of_pieces(const FieldChoice& choice);
/// Blocks of 8, 4, 2 or 1 warps, as far as they have room for their words; of a CPU the one that there is.
[[nodiscard]] std::vector<FieldChoice> choices_of_pieces(const FieldPlan& plan, const Program& program, bool cpu);
/// The kernel's axes along which entries are counted, the first fastest, and the others, each of whose cells has
/// entries of its own.
struct PieceAxes {
    std::vector<std::size_t> entries, others;
};
[[nodiscard]] PieceAxes axes_of_pieces(const FieldPlan& plan);

}  // namespace kasc
