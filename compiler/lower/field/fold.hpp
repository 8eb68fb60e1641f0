#pragma once
// What the walks of a kernel that folds cells share: its block's place among results and parts, its accumulators, the
// tree over lanes and the store. The order of all that is the statement's (Fold, program.hpp); walks differ in how they
// come to the cells of a lane.

#include "lower/walk/walk.hpp"
#include "schedule/field/walk/fold.hpp"

namespace kasc::kernel {

class FoldFrame {
public:
    explicit FoldFrame(FieldContext& context);

    FieldContext& context;
    const FieldCall& call;
    const Fold& fold;
    /// A block has so many results side by side along the first axis that is left, each with all its lanes.
    int results = 1;
    Dimension lane_dimension, result_dimension;
    std::vector<std::size_t> folded, kept;  ///< axes of the kernel; `kept` without that of the parts
    Type type;                              ///< of an accumulator
    /// Every field that moves along the folded axes moves along all of them at once, as they lie in memory: the number
    /// of a cell says where it is read.
    bool flat = false;

    [[nodiscard]] std::array<ExprRef, 3> grid();
    /// Block level: where the block stands, its numbers from first() to first() + count(), the accumulators' array;
    /// then the block's steps: what lanes fold, as the walk says, joins of lanes, and the first lane's store.
    [[nodiscard]] Body block(Body folding);
    [[nodiscard]] Body opening();
    [[nodiscard]] ExprRef first() { return name(context.once("first number", "first")); }
    [[nodiscard]] ExprRef count() { return name(context.once("numbers", "count")); }
    /// The first result's coordinate, and how many there are.
    [[nodiscard]] ExprRef first_result() { return name(context.once("first result", "results_from")); }
    [[nodiscard]] ExprRef result_extent() { return context.extent(kept.front()); }
    [[nodiscard]] std::string result() { return context.coordinate(kept.front()); }
    /// How many cells there are along folded axes [from, …), in 64 bits.
    [[nodiscard]] ExprRef cells(std::size_t from = 0);

    [[nodiscard]] ExprRef nothing() const;
    /// What `sum` becomes with `value`, both names.
    [[nodiscard]] ExprRef joined(const ExprRef& sum, const ExprRef& value) const;
    /// Thread level: joins the value of the cell with an accumulator. `number`: the cell's, where the walk is flat.
    [[nodiscard]] Body join_cell(const ExprRef& accumulator, const ExprRef& number);
    /// Where a thread leaves what its lane has folded.
    [[nodiscard]] ExprRef lane_result();
    /// An accumulator of the block's array.
    [[nodiscard]] ExprRef accumulator(const ExprRef& thread);

private:
    [[nodiscard]] bool is_flat() const;
    [[nodiscard]] Body cell(const CellProgram& path, const ExprRef& accumulator, const ExprRef& number);
    [[nodiscard]] ExprRef result_groups();
    [[nodiscard]] bool in_warps(int half) const { return joins_in_warps(fold, context.schedule.choice, half); }
    [[nodiscard]] std::string exchanged() { return context.once("exchanged lanes", "joined"); }
    [[nodiscard]] Body exchange_lanes();
    [[nodiscard]] Statement store();
};

/// Each thread has a lane: what it folds stays in a register.
[[nodiscard]] Walked walk_fold(FieldContext& context);
/// A CPU's: cells as they lie in memory, row by row, the lanes in an array beside each other.
[[nodiscard]] Walked walk_fold_rows(FieldContext& context);

}  // namespace kasc::kernel
