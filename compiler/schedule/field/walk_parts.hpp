#pragma once
// What threads of a walk keep in registers from one cell to the next, or are handed: what the lowering prints of it and
// the model counts is decided once.

#include <variant>
#include <vector>

#include "foundation/id.hpp"
#include "schedule/field/plan.hpp"

namespace kasc {

/// What a thread that walks along the last axis keeps from plane to plane: one of its own words of a field, in the
/// planes [low, high] around the one it is in. All but the last are there when it comes to a plane.
struct ColumnQueue {
    const FieldRead* read = nullptr;
    int row = 0;  ///< of the thread's cells along the second axis
    int low = 0, high = 0;
};

/// A row that passes through a warp, of a field at one z: `low` words in front of each thread's own and `high` behind
/// them. They are taken from the threads beside at each step, or else were when the row was the next one.
struct WarpRow {
    int y = 0;
    int low = 0, high = 0;
    bool takes_low = false, takes_high = false;
};
/// All rows of the field at this z. All but the last are there when the warp comes to a row.
struct WarpRows {
    const FieldRead* read = nullptr;
    int z = 0;
    std::vector<WarpRow> rows;
};

/// How a warp stands on a row: threads at its ends hold cells for the others alone, which the warps beside it compute.
struct WarpPiece {
    int before = 0, after = 0;  ///< threads that compute nothing, at the two ends
    int cells = 0;              ///< that the warp computes along the first axis; none where too few threads are left
};

struct ColumnParts {
    std::vector<ColumnQueue> queues;
};
struct WarpParts {
    WarpPiece piece;
    std::vector<WarpRows> fields;
};
struct StoredParts {
    ValueId given;  ///< the input whose word at the cell the transform hands over
};
/// A field each of whose cells is so many words beside each other in memory, and cells of a row follow each other.
struct StagedField {
    ValueId value;  ///< read, or in whose array it is stored
    VariableId variable;
    int words = 0;
    bool stored = false;
};
/// Those of which a block reads, or stores, its cells as they lie.
struct StagedParts {
    std::vector<StagedField> fields;
};
using WalkParts = std::variant<std::monostate, ColumnParts, WarpParts, StoredParts, StagedParts>;

}  // namespace kasc
