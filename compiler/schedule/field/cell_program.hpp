#pragma once
// What a thread does for its cells on one path through a field kernel: which words it reads and which values it
// computes at which steps from the cell, and what it stores. The model counts its reads, the schedule finds how far it
// reaches, and the lowering prints it: nobody else follows a call's operands back to memory.
//
//   v = f(w)                   values  0: u at 0, of 1 and 3      computed in the order 1 3 0
//   u = v[-1] + v[1]                   1: v at -1, of 2           stores  u, of 0
//                                      2: w at -1, from memory
//                                      3: v at +1, of 4
//                                      4: w at +1, from memory
//
// A group of neighbouring cells along the first axis has its values in rows: of a row, words [low, high + width) from
// the group's first cell, of which a read takes those that lie so many cells further.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "frontend/program.hpp"
#include "schedule/field/cell_view.hpp"
#include "schedule/field/chain.hpp"
#include "schedule/field/plan.hpp"
#include "schedule/field/plan_reads.hpp"
#include "schedule/field/settled.hpp"

namespace kasc {

/// Steps from the cell, by axis of the kernel; where they add up, a chain is one sum.
using CellPlace = std::vector<Chain>;

/// A value of the program, and how far along the first axis from the row that wants it.
struct CellUse {
    std::uint32_t value = 0;
    std::int32_t cells = 0;
};

/// A word in a register, or a row of words: read from memory, or computed by a call.
struct CellValue {
    ValueId value;
    const FieldRead* read = nullptr;  ///< null: it is computed
    std::uint32_t call = 0;           ///< of the plan: it computes the value
    std::uint32_t place = 0;          ///< of the program; of a row: no step along the first axis
    std::uint32_t operands = 0;       ///< the first of the call's, of the program's uses
    std::int32_t low = 0, high = 0;   ///< of a row
    bool own = false;                 ///< of a row: words at the cells themselves are wanted
    bool whole = false;               ///< wanted by more than slices and updates of some cells, which are conditions
    std::optional<CellUse> former{};  ///< seen where the call assigns nothing
};

struct CellStore {
    std::uint32_t call = 0;  ///< of the plan
    std::int32_t row = 0;
    std::uint32_t value = 0;
};

/// Where a path has its cells, by axis of the kernel; none: anywhere, as far as is known.
using PathCells = std::vector<std::optional<Standing>>;

struct CellProgram {
    CellView view;
    PathCells cells{};  ///< empty: anywhere
    std::vector<CellPlace> places;
    std::vector<CellValue> values;
    std::vector<CellUse> uses;  ///< by computed value, one a read of its call; of one that no cell needs, none
    std::vector<std::uint32_t> computed;  ///< calls' values, producers first
    std::vector<CellStore> stores;        ///< row by row, calls in the plan's order; those of slices behind all others

    [[nodiscard]] const CellPlace& at(const CellValue& value) const { return places[value.place]; }
    [[nodiscard]] const CellUse& operand(const CellValue& value, std::size_t k) const {
        return uses[value.operands + k];
    }
    /// Where a value's cells stand along an axis.
    [[nodiscard]] std::optional<Standing> standing(const CellValue& value, std::size_t axis) const;
};

/// Sum of the steps along each axis. Requires: the place is of a path where steps add up.
[[nodiscard]] std::vector<int> sums(const CellPlace& at);
[[nodiscard]] int sum(const Chain& chain);
/// The place that lies so many steps away along each axis, where they add up.
[[nodiscard]] CellPlace place_of(const std::vector<int>& steps);
[[nodiscard]] bool is_own(const CellPlace& at);
/// Stored only where some axes stand at a position.
[[nodiscard]] bool is_slice(const FieldCall& call);

/// `cells`: by axis of the kernel; what no cell there needs is not read. Empty: anywhere. The program ends early once
/// it computes more than `most` values: `computed` is longer than that then.
[[nodiscard]] CellProgram cell_program(const Program& program, const Graph& graph, const FieldPlan& plan,
                                       const CellView& view, const PathCells& cells = {},
                                       std::size_t most = static_cast<std::size_t>(-1));

/// The same for many paths of one plan. The references must outlive it.
class CellPrograms {
public:
    CellPrograms(const Program& program, const Graph& graph, const FieldPlan& plan)
        : plan_(plan), reads_(program, graph, plan) {}
    [[nodiscard]] CellProgram of(const CellView& view, const PathCells& cells = {},
                                 std::size_t most = static_cast<std::size_t>(-1));

private:
    const FieldPlan& plan_;
    PlanReads reads_;
};

}  // namespace kasc
