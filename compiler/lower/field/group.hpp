#pragma once
// A group of neighbouring cells of the first axis at once, on the interior path: `vector` of the choice, or one where a
// queue must outlive a barrier. Values lie in register arrays, one a row of the stencil: a load is one aligned group
// and, beside it, the words that neighbours reach for.

#include <map>

#include "lower/field/expression.hpp"
#include "lower/field/path.hpp"

namespace kasc::kernel {

/// A row of a field that is read from memory.
struct FieldRow {
    const FieldRead* read = nullptr;
    std::vector<int> offset;  ///< one an axis of the kernel; 0 along the first
    std::string name;         ///< of the register array
    int low = 0;              ///< words in front of the group
    int high = 0;             ///< words behind it
};

class GroupWriter : public FieldPath {
public:
    GroupWriter(FieldContext& context, std::vector<std::string> coordinates,
                std::optional<std::size_t> inner = std::nullopt);

    [[nodiscard]] int width() const { return width_; }
    /// The register array of a row that is read from memory.
    std::string row_name(const FieldRead& read, const std::vector<int>& offset);
    /// The group's own words of the row are in registers already, its array is declared around the loop.
    void hold_group(const std::string& row) { held_groups_.insert(row); }
    /// All `rows` groups that follow along the second axis.
    void write();
    /// Rows read outside slices, in the order of their first use.
    [[nodiscard]] const std::vector<FieldRow>& rows() const { return rows_; }

private:
    using At = std::vector<int>;  ///< offsets of a row: 0 along the first axis
    /// Which word of a row: `at` + shift words from the group's first cell.
    struct Lane {
        ExprRef at;
        int shift = 0;
    };
    struct Range {
        int low = 0, high = 0;
    };

    int width_, stored_rows_;
    std::set<std::string> held_groups_;
    std::map<std::string, Range> ranges_;
    std::set<std::pair<std::size_t, At>> ranged_;
    std::vector<FieldRow> rows_;
    Body* lane_body_ = nullptr;            ///< of the loop over lanes whose expression is being lowered
    std::set<std::string> lane_declared_;  ///< in it
    const FieldCall* standing_ = nullptr;  ///< the slice that is stored: the cell stands at its position

    // Ranges: which words of each row some cell of the group needs.
    void find_ranges(std::size_t call, const At& offset);
    void find_range(const FieldRead& read, const At& from);
    [[nodiscard]] At step(const FieldRead& read, const At& from) const;
    /// The steps to a row, by axis.
    [[nodiscard]] static std::vector<Chain> sums(const At& row);
    std::string row_key(const FieldRead& read, const At& offset);
    std::string value_name(ValueId value, const At& row);

    ExprRef read(const FieldRead& read, const At& row, const Lane& lane);
    ExprRef load(const FieldRead& read, const At& row, const Lane& lane);
    void load_row(Body& into, const FieldRow& row);
    ExprRef address(const FieldRead& read, const At& row);
    [[nodiscard]] ExprRef beyond(const ExprRef& index, int words) const;
    ExprRef beside(const FieldRow& row, const ExprRef& index, int words);
    [[nodiscard]] bool clear_of_ends(const FieldRow& row, int side) const;
    ExprRef value_of(std::size_t call, const At& row, const Lane& lane);
    ExprRef value_row(std::size_t call, const At& row, const Lane& lane);
    ExprRef expression(std::size_t call, const At& row, const Lane& lane);
    [[nodiscard]] ExpressionSources sources(const FieldCall& call, const At& row, const Lane& lane);
    ExprRef coarse_load(const FieldRead& read, const At& row, const Lane& lane);
    ExprRef gather(const FieldCall& call, const FieldRead& read, const At& row, const Lane& lane);
    ExprRef coordinate(std::size_t axis, const At& row, const Lane& lane);
    [[nodiscard]] bool shows_former(std::size_t call) const;
    ExprRef assigned_where(const FieldCall& call, const At& row, const Lane& lane);
    ExprRef outside_rim(const FieldCall& call, const Lane& lane);

    [[nodiscard]] At own(int row) const;
    ExprRef target_index(const FieldCall& call, int row);
    void store(std::size_t call, int row, Body& stores);
    void store_slice(std::size_t call, int row);
    void store_slice_cell(std::size_t call, int row, const FixedAxis& first);
    /// Lowers an expression of one lane; what it declares goes to `body`, which stands in the loop over lanes.
    template <class Lower>
    ExprRef in_lane(Body& body, Lower lower) {
        Body* const around = std::exchange(lane_body_, &body);
        std::set<std::string> declared = std::exchange(lane_declared_, {});
        const ExprRef value = lower();
        lane_body_ = around;
        lane_declared_ = std::move(declared);
        return value;
    }
    ExprRef lane_let(const std::string& n, const ExprRef& value) {
        if (lane_declared_.insert(n).second) lane_body_->push_back({Let{Type::i32, n, value}});
        return name(n);
    }
    ExprRef lane_name() { return name(context_.once("lane", "v")); }
};

}  // namespace kasc::kernel
