#pragma once
// What the walks of a kernel that folds cells share: its block's place among results and parts, its accumulators, the
// tree over lanes and the store. The order of all that is the statement's (Fold, program.hpp); walks differ in how they
// come to the cells of a lane. Calls that fold the same cells have accumulators each, and share all else.

#include <functional>

#include "lower/walk/walk.hpp"
#include "schedule/field/walk/fold.hpp"

namespace kasc::kernel {

/// One of the calls that fold.
struct FoldedCall {
    const FieldCall* call = nullptr;
    FoldOperator op = FoldOperator::sum;
    Type type = Type::f64;  ///< of an accumulator
    /// Names: of a thread's accumulator, of those of the block, of what threads exchange, of a cell's value, of two
    /// that are joined, and of the block's where they come group by group.
    std::string sum, lanes, exchanged, value, own, other, groups;
};

/// The calls of a kernel that fold, with names of their own.
[[nodiscard]] std::vector<FoldedCall> folded_calls(FieldContext& context);
/// Thread level: all that a kernel does at the cell of `writer`, its values joined with accumulators. `counts`: where
/// set, a cell for which it does not hold is computed, and neither folded nor stored.
[[nodiscard]] Body folded_cell(CellWriter& writer, const std::vector<FoldedCall>& folds,
                               const std::function<ExprRef(const FoldedCall&)>& accumulator, const ExprRef& counts);

class FoldFrame {
public:
    explicit FoldFrame(FieldContext& context);

    FieldContext& context;
    std::vector<FoldedCall> folds;
    const Fold& fold;  ///< of one of them, for what they share
    FoldThreads threads;
    Dimension lane_dimension, result_dimension;
    std::vector<std::size_t> folded, kept;  ///< axes of the kernel; `kept` without that of the parts
    /// Every field that moves along the folded axes moves along all of them at once, as they lie in memory: the number
    /// of a cell says where it is read.
    bool flat = false;

    [[nodiscard]] std::array<ExprRef, 3> grid();
    /// Blocks of threads of a GPU, and how many; their body is the walk's.
    [[nodiscard]] Walked walked();
    /// Whether the thread folds a result that is there; null: all do.
    [[nodiscard]] ExprRef is_result();
    /// The thread's place among those of its result and part.
    [[nodiscard]] ExprRef lane() const;
    /// Thread level: which result the thread folds, and, of a block of several parts, of which.
    [[nodiscard]] Body own_result();
    /// The numbers of the part, from first() to first() + count(): of the block, or of a thread, where it has several.
    [[nodiscard]] Body numbers_of_part();
    /// Blocks follow each other along the outermost axis of what is folded, or in the order of its cells.
    [[nodiscard]] std::optional<BlocksAlong> blocks_along();
    /// Block level: where the block stands, its numbers from first() to first() + count(), the accumulators' arrays;
    /// then the block's steps: what lanes fold, as the walk says, joins of lanes, and the first lane's store.
    [[nodiscard]] Body block(Body folding);
    /// What the threads of lanes below a bound do, each of results that are there; a body is made of a thread's number.
    using OfThread = std::function<Body(const ExprRef& thread)>;
    using LanesBelow = std::function<Statement(const ExprRef& bound, const OfThread& body)>;
    /// The same where lanes are loops.
    [[nodiscard]] Body block(Body folding, const LanesBelow& lanes_below);
    [[nodiscard]] Body opening();
    [[nodiscard]] ExprRef first() { return name(context.once("first number", "first")); }
    [[nodiscard]] ExprRef count() { return name(context.once("numbers", "count")); }
    /// The first result's coordinate, and how many there are.
    [[nodiscard]] ExprRef first_result() { return name(context.once("first result", "results_from")); }
    [[nodiscard]] ExprRef result_extent() { return context.extent(kept.front()); }
    [[nodiscard]] std::string result() { return context.coordinate(kept.front()); }
    /// How many cells there are along folded axes [from, …), in 64 bits.
    [[nodiscard]] ExprRef cells(std::size_t from = 0);

    [[nodiscard]] static ExprRef nothing(const FoldedCall& folded);
    /// What `sum` becomes with `value`, both names.
    [[nodiscard]] static ExprRef joined(const FoldedCall& folded, const ExprRef& sum, const ExprRef& value);
    /// The words of a register array joined by halves, into the first.
    [[nodiscard]] static Body joined_halves(const FoldedCall& folded, const std::string& array, int words);
    /// A thread's lanes, so many of them: the first `by` go from the front to the end.
    [[nodiscard]] static Body lanes_moved(const FoldedCall& folded, int lanes, int by);
    /// Thread level: all that the kernel does at the cell, its values joined with accumulators. `number`: the cell's,
    /// where the walk is flat.
    enum class CellPath { interior, any, tested };  ///< tested: one or the other, as the cell asks for
    [[nodiscard]] Body join_cell(CellPath path, const std::function<ExprRef(const FoldedCall&)>& accumulator,
                                 const ExprRef& number);
    /// The same of a cell in the interior that counts only where `counts` holds: one that does not is computed, and
    /// neither folded nor stored.
    [[nodiscard]] Body join_cell_where(const ExprRef& counts,
                                       const std::function<ExprRef(const FoldedCall&)>& accumulator);
    /// Where a thread leaves what its lane has folded.
    [[nodiscard]] ExprRef lane_result(const FoldedCall& folded) const;
    /// The result of the place where the kernel's coordinates are.
    [[nodiscard]] Statement store(const FoldedCall& folded, const ExprRef& own);
    /// So many threads of a warp, which lie along a dimension, join what each has in the first of two words of its own;
    /// the first thread has the result.
    [[nodiscard]] static Body exchange_in_warps(const std::vector<FoldedCall>& some, Dimension lanes, int count);
    /// An accumulator of the block's array.
    [[nodiscard]] static ExprRef accumulator(const FoldedCall& folded, const ExprRef& thread);

private:
    [[nodiscard]] bool is_flat() const;
    [[nodiscard]] bool is_flat(const std::vector<FieldIndex>& indices) const;
    [[nodiscard]] Body cell(const CellProgram& path, const std::function<ExprRef(const FoldedCall&)>& accumulator,
                            const ExprRef& number, const ExprRef& counts = nullptr);
    [[nodiscard]] ExprRef result_groups();
    /// Blocks along the parts, at least one.
    [[nodiscard]] ExprRef part_blocks();
    [[nodiscard]] std::string part() { return context.coordinate(context.kernel_axis(*fold.parts)); }
    [[nodiscard]] ExprRef first_part() { return name(context.once("first part", "parts_from")); }
    [[nodiscard]] ExprRef share_of_part(const ExprRef& all);
    [[nodiscard]] ExprRef all_numbers() { return name(context.once("all numbers", "cells")); }
    /// Numbers of a part: one of the text, or a name of the block.
    [[nodiscard]] ExprRef share();
    [[nodiscard]] bool in_warps(int half) const { return joins_in_warps(fold, context.schedule.choice, half); }
    [[nodiscard]] Body exchange_lanes();
    [[nodiscard]] Body lanes_of_groups() const;
    [[nodiscard]] Body join(const ExprRef& thread, int half);
    [[nodiscard]] Body in_steps(std::vector<Body> steps);
};

/// fold_share (frontend/reduction) of parts of which there are not more than so many, of these cells, an i64.
[[nodiscard]] ExprRef share_of_parts(const Parts& parts, int lanes, const ExprRef& cells);

/// Each thread has a lane: what it folds stays in a register.
[[nodiscard]] Walked walk_fold(FieldContext& context);
/// The same of groups of cells beside each other.
[[nodiscard]] Walked walk_fold_groups(FieldContext& context);
/// Rows and columns of a tile, both folded.
[[nodiscard]] Walked walk_fold_tile(FieldContext& context);
/// A CPU's: cells as they lie in memory, row by row, the lanes in an array beside each other.
[[nodiscard]] Walked walk_fold_rows(FieldContext& context);

}  // namespace kasc::kernel
