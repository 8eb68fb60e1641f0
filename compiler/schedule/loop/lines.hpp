#pragma once
// Where words of a loop lie whose cells look at each other along some axes, so that a block runs it for whole lines:
//
//   for (…) {                                       phase 0     flux, of which each cell looks at its neighbours' T
//       flux = k*(T[x + 1] - T);                    barrier
//       T = T + flux - flux[x - 1];                 phase 1     T, for which it looks at flux
//   }                                               barrier
//
//   T      two copies in shared memory: of this iteration, and of the next, which its statement makes
//   flux   one copy, which no iteration hands on
//   k      the cell's own word, which stays the same: in a register, from before the loop on
//
// What a cell alone looks at is in registers of the thread that has the cell. Statements stand in phases: within one a
// thread reads of other cells only what earlier phases, or the iteration before, have made.

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "graph/graph.hpp"

namespace kasc {

struct LoopWork;
struct FieldRead;

/// Words of a block's lines, one a cell: in shared memory, or each in a register of its thread.
struct LineWords {
    VariableId variable;
    bool shared = false;
    /// Two copies: an iteration reads one and makes the other, which the next iteration reads. In shared memory they
    /// change places, words in registers are moved at the end.
    bool ring = false;
};
/// Which words, and of two copies which: the one that the next iteration reads.
struct LinePlace {
    std::size_t words = 0;
    bool next = false;
};
/// What one iteration hands to the next: a word, or what it has made of a walked field.
struct LineChain {
    std::size_t words = 0;
    /// A statement makes it in its place; else it is put there at the end of the iteration.
    bool made = false;
};

/// Requires: everything by index of LoopWork::words, of LoopWork::walked, or of its statements from `begin` on.
struct LoopLines {
    std::vector<std::size_t> along;   ///< axes of the kernel, in order; empty: cells look at none of each other
    std::vector<std::size_t> beside;  ///< its others: a line stands at one place of each
    std::vector<int> phases;          ///< by statement
    std::vector<LineWords> words;
    std::vector<LineChain> chains;                    ///< by word that is handed on
    std::vector<std::optional<LineChain>> last_made;  ///< by walked field; none: nothing of it is at hand
    std::map<ValueId, LinePlace> places;              ///< of what the body makes, is handed, or reads unchanged
    std::vector<ValueId> staying;  ///< of the body: read at the cell alone, the same in all iterations

    [[nodiscard]] int phase_count() const { return phases.empty() ? 0 : phases.back() + 1; }
    /// A step, or a position that each cell computes, along one of the axes.
    [[nodiscard]] bool looks_around(const FieldRead& read) const;
};

/// Most cells of a line, and those of one thread.
constexpr int most_cells_of_line = 8192, most_cells_of_thread = 8;
[[nodiscard]] constexpr int cells_of(const std::vector<int>& lengths) {
    int cells = 1;
    for (const int length : lengths) cells *= length;
    return cells;
}

struct LoopLinesResult {
    LoopLines value;
    std::string reason;  ///< why no block can have the lines; empty: see value
};
/// Requires: statements, words and walked fields of the work are there.
[[nodiscard]] LoopLinesResult loop_lines(const LoopWork& work, const Program& program);

/// Where a statement of the body finds what it reads; none: memory has it, or a register of the phase.
[[nodiscard]] std::optional<LinePlace> place_of_read(const LoopWork& work, std::size_t statement, const FieldRead& read,
                                                     const Program& program);
/// Where it leaves what it makes; none: in a register of the phase, or in memory alone.
[[nodiscard]] std::optional<LinePlace> place_of_made(const LoopWork& work, std::size_t statement);

}  // namespace kasc
