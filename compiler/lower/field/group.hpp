#pragma once
// The program of a group of neighbouring cells of the first axis as statements: `vector` of the choice, or one where a
// queue must outlive a barrier. Values lie in register arrays, one a row: a load is one aligned group and, beside it,
// the words that neighbours reach for.

#include "lower/field/expression.hpp"
#include "lower/field/path.hpp"

namespace kasc::kernel {

/// How a row of a field comes from memory.
struct FieldRow {
    const FieldRead* read = nullptr;
    std::vector<int> offset;  ///< one an axis of the kernel; 0 along the first
    std::string name;         ///< of the register array
    int low = 0;              ///< words in front of the group
    int high = 0;             ///< words behind it
};

class GroupWriter : public FieldPath {
public:
    GroupWriter(FieldContext& context, const CellProgram& program, std::vector<std::string> coordinates,
                std::optional<std::size_t> inner = std::nullopt);

    [[nodiscard]] int width() const { return width_; }
    /// The row of a field, so many steps from the cells; with no word beside the group where the program reads none.
    [[nodiscard]] FieldRow row_of(const FieldRead& read, const std::vector<int>& offset);
    /// The group's own words of the row are in registers already, its array is declared around the loop.
    void hold_group(const std::string& row) { held_groups_.insert(row); }
    /// Rows that are read at steps along the axes behind the first may lie beyond the grid (schedule/field/rim_rows).
    void map_rows() { maps_rows_ = true; }
    /// Everything that the program stores, but what is folded.
    void write();
    /// What `join` makes of the value that a call folds, of each lane in turn. Before anything is stored.
    void fold(const FieldCall& call, Type type,
              const std::function<Body(const ExprRef& lane, const ExprRef& word)>& join);

private:
    using At = CellPlace;  ///< no step along the first axis
    /// A word of a row: `at` + shift words from the group's first cell.
    struct Lane {
        ExprRef at;
        int shift = 0;
        [[nodiscard]] Lane further(int cells) const { return {at, shift + cells}; }
    };

    const CellProgram& program_;
    int width_;
    RowEnds ends_;
    bool maps_rows_ = false;
    std::set<std::string> held_groups_;
    Body* lane_body_ = nullptr;            ///< of the loop over lanes whose expression is being lowered
    std::set<std::string> lane_declared_;  ///< in it
    int lanes_ = 0;                        ///< that it has
    const FieldCall* standing_ = nullptr;  ///< the slice that is stored: the cell stands at its position

    [[nodiscard]] const FieldCall& call_of(const CellValue& value) const { return context_.plan.calls[value.call]; }
    std::string row_name(const FieldRead& read, const At& at);
    std::string value_name(ValueId value, const At& at);
    [[nodiscard]] FieldRow row_of(const CellValue& value);

    ExprRef read(const CellUse& use, const Lane& lane);
    ExprRef load(const CellValue& value, const Lane& lane);
    void load_row(Body& into, const FieldRow& row);
    void fill_row(Body& into, const FieldRow& row, const ExprRef& index, bool shared);
    /// Where the row is read that such a step leads to, in words of memory from the cells' own along index `k`.
    ExprRef mapped_words(const FieldRead& read, std::size_t k, int step);
    /// A step along an axis behind the first that may lead beyond the grid.
    struct RowStep {
        std::size_t axis = 0;
        int step = 0;
        const Faces* faces = nullptr;
    };
    [[nodiscard]] std::vector<RowStep> steps_of(const FieldRow& row) const;
    /// A face with a value that the row may lie beyond, and where it does not.
    struct BeyondFace {
        const Face* face = nullptr;
        ExprRef inside;
    };
    /// The last axis first: of two such faces the first axis's says what is seen.
    [[nodiscard]] std::vector<BeyondFace> faces_beyond(const FieldRow& row);
    [[nodiscard]] Body row_beyond(const FieldRow& row, const Face& face);
    [[nodiscard]] Body opposite_row(const FieldRow& row);
    void set_ends(const FieldRow& row, Body& body);
    /// Where the image that each step leads to has its sign turned, axis by axis.
    [[nodiscard]] std::vector<ExprRef> turns_of(const FieldRow& row);
    /// `words` words of memory from `at` on, into the row from word `first` on.
    void load_words(Body& into, const FieldRow& row, int first, const ExprRef& at, int words, const std::string& array);
    ExprRef address(const FieldRead& read, const std::vector<int>& offset);
    [[nodiscard]] ExprRef beyond(const ExprRef& index, int words) const;
    ExprRef beside(const FieldRow& row, const ExprRef& index, int words);
    void load_side(Body& into, const FieldRow& row, const ExprRef& index, int words);
    /// The group is the first of its row (words < 0), or the last.
    ExprRef at_end(int words);
    [[nodiscard]] const Face& face_of(ValueId value, int words) const;
    /// The words beyond the end, made of others, of a row whose word `own` is the group's first.
    [[nodiscard]] Body words_beyond(ValueId value, const std::string& row, int own, int words);
    void map_ends(const CellValue& value, const std::string& row);
    [[nodiscard]] bool clear_of_ends(const FieldRow& row, int side) const;
    ExprRef value_of(const CellValue& value, const Lane& lane);
    ExprRef value_row(const CellValue& value, const Lane& lane);
    ExprRef expression(const CellValue& value, const Lane& lane);
    [[nodiscard]] ExpressionSources sources(const CellValue& value, const Lane& lane);
    ExprRef coarse_load(const FieldRead& read, const At& at, const Lane& lane);
    ExprRef gather(const CellValue& value, std::size_t operand, const Lane& lane);
    ExprRef coordinate(std::size_t axis, const At& at, const Lane& lane);
    [[nodiscard]] bool shows_former(const CellValue& value) const;
    ExprRef assigned_where(const CellValue& value, const Lane& lane);
    ExprRef outside_rim(const FieldCall& call, const Lane& lane);

    ExprRef target_index(const CellStore& store);
    void store(const CellStore& what, Body& stores);
    void store_listed(const CellValue& value);
    void store_slice(const CellStore& what);
    void store_slice_cell(const CellStore& what, const FixedAxis& first);
    /// Lowers an expression of one lane; what it declares goes to `body`, which stands in the loop over so many lanes.
    template <class Lower>
    ExprRef in_lane(Body& body, int lanes, Lower lower) {
        Body* const around = std::exchange(lane_body_, &body);
        const int lanes_around = std::exchange(lanes_, lanes);
        std::set<std::string> declared = std::exchange(lane_declared_, {});
        const ExprRef value = lower();
        lane_body_ = around;
        lanes_ = lanes_around;
        lane_declared_ = std::move(declared);
        return value;
    }
    /// The word of a call's result in this lane.
    ExprRef lane_function_word(const FunctionWord& call, const std::vector<ExprRef>& words, const Lane& lane);
    ExprRef lane_let(Type type, const std::string& n, const ExprRef& value) {
        if (lane_declared_.insert(n).second) lane_body_->push_back({Let{type, n, value}});
        return name(n);
    }
    ExprRef lane_name() { return name(context_.once("lane", "v")); }
};

}  // namespace kasc::kernel
