#pragma once
// What the writers of one path of a field kernel have in common: where statements go, which registers are known, and
// the index of the cell in each layout of memory.

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lower/field/context.hpp"
#include "lower/field/expression.hpp"

namespace kasc::kernel {

class FieldPath {
public:
    /// Registers that hold their value already.
    void hold(const std::string& name) { declared_.insert(name); }
    [[nodiscard]] bool holds(const std::string& name) const { return declared_.contains(name); }
    [[nodiscard]] const std::set<std::string>& held() const { return declared_; }
    /// The cell is not the first of its thread: it reads memory, not the block's tiles.
    void leave_tiles() { in_tiles_ = false; }
    /// The cell stands at a number along these axes, which have no coordinates of their own. Requires: what moves along
    /// one of them moves along all, one after the other and by no step.
    void walk_as_one(std::vector<std::size_t> axes, ExprRef number, ExprRef cells) {
        as_one_ = AxesAsOne{std::move(axes), std::move(number), std::move(cells)};
    }
    [[nodiscard]] Body take_outer() { return std::move(outer_); }
    [[nodiscard]] Body take_body() { return std::move(inner_body_); }

protected:
    /// `coordinates`: names of the cell's coordinates. `inner`: the axis of the loop around the cells; what does not
    /// move along it may stand in `outer`, before that loop.
    FieldPath(FieldContext& context, std::vector<std::string> coordinates, std::optional<std::size_t> inner);

    FieldContext& context_;
    std::vector<std::string> cell_;
    std::optional<std::size_t> inner_;
    bool in_slice_ = false, in_tiles_ = true;

    [[nodiscard]] bool known(const std::string& name) const { return declared_.contains(name); }
    ExprRef let(Type type, const std::string& name, const ExprRef& value);
    /// A register for a part of what is computed. Several that read alike are one: what they name does not change.
    ExprRef part_register(Type type, const ExprRef& part);
    void emit(Statement statement) { body_->push_back(std::move(statement)); }
    /// What moves along the inner axis, and all of a slice, stands in the body; the rest before the loop.
    Body& place(const std::vector<FieldIndex>& indices);
    /// The cell's own index in the layout of such a field.
    ExprRef base_index(ValueId value, const std::vector<FieldIndex>& indices);
    /// Several axes of the kernel that a field has beside each other in memory, walked as one: `number` counts the
    /// cells along them, of which there are `cells`.
    struct AxesAsOne {
        std::vector<std::size_t> axes;
        ExprRef number, cells;
    };
    std::optional<AxesAsOne> as_one_;
    /// Words from the cell to the cell `row` further along the second axis.
    ExprRef row_words(ValueId value, const std::vector<FieldIndex>& indices, int row);
    /// The word of the block's tile that holds a read at a sum of steps, with `before` words in front of it and
    /// `behind` words after the thread's own; none: they are not in a tile.
    std::optional<ExprRef> tile_index(const FieldRead& read, const std::vector<int>& offset, int before = 0,
                                      int behind = 0);
    std::string tile_name(ValueId value);
    /// Moved onto the grid.
    ExprRef nearest_position(const ExprRef& position, AxisId axis);
    /// The cell of a list's entry.
    struct ListedCell {
        std::vector<ExprRef> coordinates;  ///< one an axis of the target
        ExprRef where;                     ///< it lies on the grid, outside of the layers that are kept
    };
    /// `sources`: of the call; `coordinate`: of the entry along an axis of the kernel; `named`: gives a position a
    /// name.
    ListedCell listed_cell(const FieldCall& call, const ExpressionSources& sources,
                           const std::function<ExprRef(std::size_t axis)>& coordinate,
                           const std::function<ExprRef(const std::string& name, const ExprRef& position)>& named);
    /// The word of the target at these coordinates, or the block's copy of it.
    ExprRef listed_word(const FieldCall& call, const std::vector<ExprRef>& coordinates);
    /// What an entry that adds in any order adds, and where it does; null: everywhere.
    struct AddedEntry {
        ExprRef value, where;
    };
    [[nodiscard]] static AddedEntry added_entry(const FieldStatement& statement, const ExpressionSources& sources);
    /// The word at a position that each cell computes, moved onto the grid. `sources`: of the call that reads;
    /// `coordinate`: where the read stands along an axis of the kernel that it moves along; `named`: gives a
    /// position a name, since cells look up several fields at one. A position that itself reads at a computed one
    /// stands where it is used: what a condition leaves out is never read.
    ExprRef word_at(const FieldRead& read, Precision precision, const ExpressionSources& sources,
                    const std::function<ExprRef(std::size_t axis)>& coordinate,
                    const std::function<ExprRef(const std::string& name, const ExprRef& position)>& named);
    std::string position_name(const ExprRef& nearest, AxisId axis);
    int gathers_ = 0;  ///< reads at computed positions so far
    /// A word of what a function of the library makes of these words. Asked again for others, it calls no more.
    ExprRef function_word(const FunctionWord& call, const std::vector<ExprRef>& words);
    /// The same for calls that have the same result.
    [[nodiscard]] std::string call_key(const FunctionWord& call, const std::vector<ExprRef>& words) const;
    /// The call, with its arguments in arrays.
    [[nodiscard]] Body called(const FunctionWord& call, const std::vector<ExprRef>& words, const std::string& key,
                              ArrayArgument result);
    [[nodiscard]] const CellValue& value_stored_by(const CellProgram& program, const FieldCall& call) const;
    /// What a condition is at all cells of the value's.
    [[nodiscard]] std::function<std::optional<bool>(const Expression&)> settled_at(const CellProgram& program,
                                                                                   const CellValue& value) const;
    /// A read that is the same for all cells, done once at the start of the kernel, unless a prologue has made it; of
    /// more words than registers would hold throughout, where it is needed.
    ExprRef uniform_load(const FieldRead& read);

    /// Writes into a body of its own; what is declared there is not known afterwards.
    template <class Write>
    Body nested(bool slice, Write write) {
        const std::set<std::string> declared = declared_;
        const std::map<std::pair<Type, std::string>, std::string> parts = parts_;
        Body inside;
        Body* const around = std::exchange(body_, &inside);
        const bool was = std::exchange(in_slice_, slice);
        write();
        in_slice_ = was;
        body_ = around;
        declared_ = declared;
        parts_ = parts;
        return inside;
    }
    void emit_if(const ExprRef& condition, Body then);

private:
    Body outer_, inner_body_;
    Body* body_ = &inner_body_;
    std::set<std::string> declared_;
    std::map<std::pair<Type, std::string>, std::string> parts_;  ///< their registers, by how they read
};

/// "xm1_yp2", "0" for the cell itself; mapped twice: "xm1m1".
[[nodiscard]] std::string step_suffix(const FieldContext& context, const CellPlace& at);

/// Names the register of a value at a sum of steps: the same on every path where it is one register.
[[nodiscard]] std::string register_key(ValueId value, const CellPlace& at);

/// Where a coordinate goes by one step through a boundary, in an axis of `extent` cells.
[[nodiscard]] ExprRef boundary_image(const ExprRef& at, const MappedStep& step, const ExprRef& extent);
/// The cell that is seen at a place on the grid, or at most so many cells beyond its low and its high face.
[[nodiscard]] ExprRef cell_seen_at(const ExprRef& place, const Faces& faces, int low, int high, const ExprRef& extent);
/// The step goes through an odd number of images at odd mirrors; null: it never does.
[[nodiscard]] ExprRef is_turned(const ExprRef& at, int step, const ExprRef& extent, const Faces& faces);
/// low <= at < extent - high, without what is always true of a coordinate; null: nothing is left.
[[nodiscard]] ExprRef within(const ExprRef& at, int low, int high, const ExprRef& extent);
/// Names the first word of the plane, of the two that a column keeps of a tile, which it reads now.
[[nodiscard]] std::string plane_slot(FieldContext& context, const SharedTile& tile);
[[nodiscard]] ExprRef equals(const ExprRef& left, const ExprRef& right);

}  // namespace kasc::kernel
