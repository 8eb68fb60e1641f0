#pragma once
// Running sums along few long lines: their pieces stand side by side.
//
//   s = running_sum(a, x)     s_sums[piece]    = fold of a, piece by piece
//                             s_carries[piece] = what is before each piece, of s_sums
//                             s                = running_sum(a, x), of each piece behind its s_carries
//
// a is read twice, and has as many threads as its cells ask for.

#include <string>
#include <vector>

#include "foundation/verdict.hpp"
#include "frontend/program.hpp"

namespace kasc {

struct PiecesVerdict {
    std::string statement;
    Verdict verdict;
};
struct RunningPieces {
    Program program;
    std::vector<PiecesVerdict> verdicts;  ///< of each running sum
    bool changed = false;
};

/// The running sums of lines that are few and long by these extents (by axis) are written so; without extents all are.
/// Variables that are added have the last ids; axes of pieces are there (pieces_of). The results are the same words.
[[nodiscard]] RunningPieces running_pieces(const Program& program, const std::vector<long long>* extents);

}  // namespace kasc
