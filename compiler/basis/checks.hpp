#pragma once
// The questions of check_basis(), one a file. Internal to this folder.

#include <functional>
#include <map>
#include <set>
#include <string>

#include "basis/domains.hpp"

namespace kasc::basis {

/// What is done with waves: they are multiplied with numbers, added and transformed back, all within one iteration.
/// Blocks renew their overlaps where cells are transformed, and nowhere else.
[[nodiscard]] Diagnostics check_spectra(const Program& program, const Domains& domains);

/// Where a value that was read at positions along cut axes is known: the block whose own the cell is. By axis, the
/// position as text; empty: each block knows it, of cells its own.
struct KnownAt {
    std::map<AxisId, std::string> at;
    const FieldStatement* read = nullptr;  ///< the first that read it so
    const Operand* operand = nullptr;      ///< of that

    [[nodiscard]] bool everywhere() const { return at.empty(); }
};

/// By variable, what is known at some blocks alone.
struct Holders {
    std::map<VariableId, KnownAt> known;
    Diagnostics faults;
};
[[nodiscard]] Holders find_holders(const Program& program, const Domains& domains);

/// A position along a cut axis, of an operand or a target; null: it stands along the axis, or the axis is not cut.
[[nodiscard]] ExpressionRef position_of(const AxisIndex& index);

}  // namespace kasc::basis
