#pragma once
// One cell of a field kernel: loads, evaluations and stores, on the interior path (plain offsets from the cell's
// index), on the edge path (every coordinate mapped by the boundary of the value that is read), or on the row path: in
// the interior along the first axis, but not along the others, so that neighbouring cells read neighbouring words.

#include "lower/field/expression.hpp"
#include "lower/field/path.hpp"

namespace kasc::kernel {

enum class Path { interior, row, edge };

/// A read of memory on the interior path, at a sum of steps.
struct FieldLoad {
    const FieldRead* read = nullptr;
    std::vector<int> offset;  ///< one an axis of the kernel
    std::string name;         ///< of the register
};

class CellWriter : public FieldPath {
public:
    CellWriter(FieldContext& context, Path path, std::vector<std::string> coordinates,
               std::optional<std::size_t> inner = std::nullopt);

    /// Everything the cell computes and stores, slices in an If of their own; on the interior path of all `rows` cells
    /// that follow along the second axis.
    void write(int rows = 1);
    void write_whole_fields();
    /// A slice, at a cell that is known to stand there.
    void write_slice(const FieldCall& call, int row = 0);

    /// What a call that folds its cells makes of this one, as a number of this type.
    [[nodiscard]] ExprRef folded(const FieldCall& call, Type type);

    /// Where the slice's cells are, as a condition on the coordinates of the axes from `first` on; null: no fixed axis.
    [[nodiscard]] ExprRef slice_position(const FieldCall& call, std::size_t first = 0, int row = 0);
    /// The register of a read on the interior path.
    std::string load_name(const FieldRead& read, const std::vector<int>& offset);
    /// Memory reads outside slices, in the order of their first use. Interior path.
    [[nodiscard]] const std::vector<FieldLoad>& loads() const { return loads_; }

private:
    using At = std::vector<Chain>;  ///< on the interior path a chain is one sum

    Path path_;
    std::vector<FieldLoad> loads_;

    [[nodiscard]] bool is_mapped(std::size_t axis) const {
        return path_ == Path::edge || (path_ == Path::row && axis > 0);
    }
    [[nodiscard]] At step(const FieldRead& read, const At& from) const;
    [[nodiscard]] std::string key(ValueId value, const At& at) const;
    ExprRef coordinate(const At& at, std::size_t axis);
    ExprRef beyond_faces(const FieldRead& read, const At& from, ExprRef value);

    ExprRef read(const FieldRead& read, const At& from);
    [[nodiscard]] ExpressionSources sources(const FieldCall& call, const At& at);
    /// A read at a position that the cell computes. It stands where it is used, not in a register: what a condition
    /// leaves out is never read.
    ExprRef gather(const FieldCall& call, const FieldRead& read, const At& from);
    Statement listed_store(const FieldCall& call);
    Statement masked_store(const FieldCall& call);
    ExprRef load(const FieldRead& read, const At& at);
    ExprRef memory_word(const FieldRead& read, const At& at);
    std::string load_name(const FieldRead& read, const At& at);
    ExprRef address(const FieldRead& read, const At& at);
    ExprRef address_as_one(const FieldRead& read, const At& at);
    ExprRef computed(const FieldCall& call, const At& at);
    ExprRef value_of(const FieldCall& call, const At& at);
    ExprRef assigned_where(const FieldCall& call, const At& at, bool at_position);
    std::string set_name(const FieldCall& call, const At& at);

    [[nodiscard]] At own(int row) const;
    ExprRef target_index(const FieldCall& call, int row);
    Body whole_stores(int row);
};

}  // namespace kasc::kernel
