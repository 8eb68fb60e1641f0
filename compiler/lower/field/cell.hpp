#pragma once
// The program of a cell as statements: on the interior path words stand at plain offsets from the cell's index, on the
// others at coordinates that boundaries have mapped.

#include "lower/field/expression.hpp"
#include "lower/field/path.hpp"

namespace kasc::kernel {

class CellWriter : public FieldPath {
public:
    CellWriter(FieldContext& context, const CellProgram& program, std::vector<std::string> coordinates,
               std::optional<std::size_t> inner = std::nullopt);

    /// Everything that the program stores, slices in an If of their own.
    void write();
    void write_whole_fields();
    /// A slice, at a cell that is known to stand there.
    void write_slice(const CellStore& store);

    /// What a call that folds its cells makes of this one, as a number of this type; its word is stored by nobody here.
    [[nodiscard]] ExprRef folded(const FieldCall& call, Type type);
    /// What a call that sums up reals in a chain makes of this cell: `sum`, that of the cells before it, with its own.
    [[nodiscard]] ExprRef chained(const FieldCall& call, const ExprRef& sum);
    /// What a call assigns at the cell, in a register; its word is stored by nobody here.
    [[nodiscard]] ExprRef result(const FieldCall& call) { return value_of(value_stored_by(program_, call)); }
    /// Writes what the stores of whole fields need; the stores. `named`: what they store is in registers before them.
    [[nodiscard]] Body whole_stores(bool named = false);
    /// Declares a register at the end of what is written so far.
    ExprRef declare(Type type, const std::string& name, const ExprRef& value) { return let(type, name, value); }

    /// Where the slice's cells are, as a condition on the coordinates of the axes from `first` on; null: no fixed axis.
    [[nodiscard]] ExprRef slice_position(const CellStore& store, std::size_t first = 0);
    /// The register of a read on the interior path.
    std::string load_name(const FieldRead& read, const std::vector<int>& offset);

private:
    using At = CellPlace;

    const CellProgram& program_;
    ExprRef running_;  ///< what was added so far (Adding::running)

    [[nodiscard]] const FieldCall& call_of(const CellValue& value) const { return context_.plan.calls[value.call]; }
    [[nodiscard]] std::string key(ValueId value, const At& at) const;
    ExprRef coordinate(const At& at, std::size_t axis);
    ExprRef beyond_faces(const FieldRead& read, const At& from, ExprRef value);

    /// An operand of a value that is computed at `from`.
    ExprRef read(const FieldRead& read, const CellUse& use, const At& from);
    [[nodiscard]] ExpressionSources sources(const CellValue& value);
    /// A read at a position that the cell computes. It stands where it is used, not in a register: what a condition
    /// leaves out is never read.
    ExprRef gather(const CellValue& value, std::size_t operand);
    Statement listed_store(const CellValue& value);
    /// Statements that add by entries of a list (adding.cpp).
    [[nodiscard]] Statement added(const ExprRef& word, const CellValue& value);
    [[nodiscard]] Statement added_alone(const CellValue& value);
    /// All calls along an ordered list: those of a kernel have the same one (share_ordered_list).
    using AlongList = std::vector<const CellValue*>;
    [[nodiscard]] AlongList along_list() const;
    Body sums_of_chunk(const AlongList& values);
    Body sums_of_cell(const AlongList& values);
    /// `sums`: a variable for each value.
    [[nodiscard]] Statement entries_added(const AlongList& values, const std::vector<std::string>& sums,
                                          const ExprRef& from, const ExprRef& to, int unroll);
    [[nodiscard]] ExprRef word_at_place(const CellValue& value, std::size_t operand, const ExprRef& place);
    [[nodiscard]] ExprRef own_place(const CellValue& value);
    Statement masked_store(const CellValue& value);
    ExprRef load(const FieldRead& read, const At& at);
    /// What the kernel has in place of memory; null: nothing.
    [[nodiscard]] ExprRef at_hand(const FieldRead& read, const At& at) const;
    ExprRef memory_word(const FieldRead& read, const At& at);
    std::string load_name(const FieldRead& read, const At& at);
    ExprRef address(const FieldRead& read, const At& at);
    ExprRef address_as_one(const FieldRead& read, const At& at);
    ExprRef computed(const CellValue& value);
    ExprRef value_of(const CellValue& value);
    ExprRef assigned_where(const CellValue& value, bool at_position);
    std::string set_name(const CellValue& value);

    ExprRef target_index(const CellStore& store);
};

}  // namespace kasc::kernel
