#pragma once
// Calls that a block can compute on whole lines along one axis: transforms along it alone, and what is computed cell by
// cell before, between and behind them.
//
//   S = fft(u, y)             a block has lines along y: transformed in registers and shared memory
//   S = K * S                 at the same numbers, in registers
//   v = unscaled_ifft(S, y)   back, without a word of memory between
//
// A real field has half a spectrum: calls of its cells and calls of its wave numbers meet in such a kernel alone.

#include <optional>
#include <vector>

#include "foundation/verdict.hpp"
#include "graph/graph.hpp"

namespace kasc {

/// A transform along one axis.
struct LineTransform {
    AxisId along;                ///< of a real field's: that of its cells
    std::optional<AxisId> half;  ///< of a real field's: that of its wave numbers
    std::vector<AxisId> axes;    ///< of the cells, in the order of memory, `along` among them
    CellType spectrum = CellType::complex64;

    [[nodiscard]] bool is_real() const { return half.has_value(); }
};
/// None: the node is no transform, or one along several axes.
[[nodiscard]] std::optional<LineTransform> line_transform(const Program& program, const Graph& graph, NodeId node);

/// Two calls of which one is such a transform, or that stand on two sides of one; none: the pair is no matter of these.
[[nodiscard]] std::optional<Verdict> share_transform_lines(const Program& program, const Graph& graph, NodeId first,
                                                           NodeId second);
/// All transforms among the calls are along one axis, and there is one.
[[nodiscard]] bool transforms_lines(const Program& program, const Graph& graph, const std::vector<NodeId>& calls);
/// No, where calls of cells and of wave numbers stand together without a transform between them: with one they may.
[[nodiscard]] Verdict transforms_complete(const Program& program, const Graph& graph, const std::vector<NodeId>& calls);

}  // namespace kasc
