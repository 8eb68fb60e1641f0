#pragma once
// A transform by ranks of their own memory, whose arrays are cut along their outermost axis, as passes along one axis
// each. Lines along other axes lie within the planes of one rank. Those along the outermost one are shared out by
// columns: a rank is sent what others have of its own. Pure functions of sizes and the number of ranks.

#include <cstddef>
#include <vector>

#include "foundation/verdict.hpp"

namespace kasc::ranks {

/// A discrete Fourier transform along axes that stand beside each other.
struct TransformAxes {
    std::vector<long long> lengths;  ///< the slowest first; of a real side: its own
    long long inner = 1;             ///< cells from one to the next along the fastest of them
    long long outer = 1;             ///< arrays of that, one after another
    bool from_real = false, to_real = false;
    long long planes = 1;    ///< cells of the arrays' outermost axis, which is the slowest of the lengths, or not
    bool cut_along = false;  ///< it is
};

enum class Side { from, to };

/// Lines of arrays [outer][rows][inner]: which side of the transform it reads and which it stores, with its rows.
struct Pass {
    std::size_t axis = 0;  ///< of the lengths
    Side read = Side::from, stored = Side::to;
    long long outer = 1, inner = 1, rows_read = 1, rows_stored = 1;
    bool by_columns = false;  ///< along the axis that is cut

    friend bool operator==(const Pass&, const Pass&) = default;
};

/// In the order in which they are computed: the fastest axis is the first, but where it becomes real the last.
///
///   8 x 6 x 10 reals (z slowest) to 5 x 6 x 10 complex numbers, cut along z
///     along x   reads from, stores to    outer 60, inner 1       by planes
///     along y   in place                 outer 10, inner 5       by planes
///     along z   in place                 outer  1, inner 30      by columns
[[nodiscard]] std::vector<Pass> passes_of(const TransformAxes& transform);

/// Lines that a rank computes: of the arrays [outer_low, outer_high) the columns [column_low, column_high).
struct PassShare {
    long long outer_low = 0, outer_high = 0, column_low = 0, column_high = 0;

    [[nodiscard]] bool empty() const { return outer_low == outer_high || column_low == column_high; }
    friend bool operator==(const PassShare&, const PassShare&) = default;
};

/// Columns whose lines are computed together, whoever computes them, so that results are the same on any number of
/// ranks (kasc_lines in support/kasc_transforms.hpp).
inline constexpr long long columns_together = 32;

/// By rank. By planes they are cut where arrays are (shares.hpp, cut_cells), by columns in near-equal parts.
[[nodiscard]] std::vector<PassShare> share_pass(const Pass& pass, long long planes, int ranks);

/// Whether several ranks can share the transform.
[[nodiscard]] Verdict can_share(const TransformAxes& transform);

/// Bytes [low, high) of an array.
struct ByteRange {
    long long low = 0, high = 0;
    friend bool operator==(const ByteRange&, const ByteRange&) = default;
};
/// What a share reads, or stores, of an array with so many rows a line, whose cells have so many bytes: ascending.
[[nodiscard]] std::vector<ByteRange> bytes_of(const PassShare& share, const Pass& pass, long long rows,
                                              long long cell_bytes);

}  // namespace kasc::ranks
