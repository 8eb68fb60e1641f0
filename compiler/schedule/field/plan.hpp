#pragma once
// The calls of a field fusion with every access resolved against the kernel's axes: which operands come from a call of
// the same kernel and which from memory, and at which cells a value is wanted. The schedule counts with it and the
// lowering to kernel IR follows it.

#include <algorithm>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "graph/graph.hpp"
#include "search/fusion_space.hpp"

namespace kasc {

/// One axis of a field as a kernel sees it: it moves with an axis of the kernel, or stands at a uniform position.
struct Moving {
    std::size_t axis = 0;  ///< index into the kernel's axes
    int step = 0;          ///< cells from the cell that reads
};
using FieldIndex = std::variant<Moving, Absolute, Computed>;

/// Some axis stands at a position that each cell computes.
[[nodiscard]] bool is_computed(const std::vector<FieldIndex>& indices);

[[nodiscard]] bool moves_along(const std::vector<FieldIndex>& indices, std::size_t axis);
[[nodiscard]] bool same_for_all(const std::vector<FieldIndex>& indices);
/// No axis stands at a position.
[[nodiscard]] bool moves_everywhere(const std::vector<FieldIndex>& indices);

/// Cells beside each other do not lie beside each other in memory: the first axis there stands at a position.
[[nodiscard]] bool scatters(const std::vector<FieldIndex>& indices);

/// An operand, or the former value of a target.
struct FieldRead {
    ValueId value;
    std::optional<std::size_t> producer;  ///< index into FieldPlan::calls; none: read from memory
    std::vector<FieldIndex> indices;      ///< one an axis of the variable
};

/// Why a call that lacks an axis of the kernel stands at one position of it.
///   target: its target is assigned at that position only, elsewhere the former value stays (`p[x = sx] = …`).
///   operand: it reads a value of this kernel at that position (`rec[t = n] = T[x = px]`).
///   lacking: the result is the same at every position (`a[x] = …` in a kernel over x and y); it is stored at 0.
enum class FixedBy { target, operand, lacking };
struct FixedAxis {
    std::size_t axis = 0;
    ExpressionRef position;
    FixedBy by = FixedBy::target;
};

/// Layers at the two ends of an axis that a call does not assign.
struct KeptLayers {
    int low = 0, high = 0;
    auto operator<=>(const KeptLayers&) const = default;
};

struct FieldCall {
    NodeId node;
    ValueId value;  ///< what it computes
    const FieldStatement* statement = nullptr;
    std::vector<FieldIndex> target;   ///< one an axis of the target
    std::vector<FieldRead> reads;     ///< one an operand
    std::optional<FieldRead> former;  ///< of keep and of slices, step 0
    std::vector<FixedAxis> fixed;     ///< by axis
    std::vector<KeptLayers> kept;     ///< one an axis of the target
    /// The kernel holds the former value too and nobody else can fill in what this call leaves out: it is stored at
    /// every cell, the former value where the call assigns nothing.
    bool merges = false;
    bool stored = false;
    /// Into the array of which value it is stored: its own, or, where calls behind it assign other slices of the field,
    /// that of the last of them.
    ValueId array{};

    [[nodiscard]] bool fixed_by(FixedBy why) const;
};

struct FieldPlan {
    std::vector<AxisId> axes;          ///< of the kernel
    std::vector<FieldCall> calls;      ///< in the order of the fusion
    std::vector<std::size_t> parts{};  ///< axes of the parts in which calls fold the cells of the others: one an order

    /// Along which a cell has coordinates.
    [[nodiscard]] std::size_t cell_rank() const { return axes.size() - parts.size(); }
    [[nodiscard]] bool is_of_parts(std::size_t axis) const {
        return std::find(parts.begin(), parts.end(), axis) != parts.end();
    }
    /// Those axes, in order.
    [[nodiscard]] std::vector<std::size_t> cell_axes() const;
    /// Another call of the kernel reads what this one computes.
    [[nodiscard]] bool read_inside(std::size_t call) const;
};

struct FieldPlanResult {
    std::optional<FieldPlan> value;
    std::string reason;
};

/// Requires: the fusion's calls are field updates in a topological order. The plan points into `graph`.
[[nodiscard]] FieldPlanResult plan_fields(const Program& program, const Graph& graph, const Fusion& fusion);

[[nodiscard]] const FieldUpdate& field_update(const Graph& graph, NodeId node);

}  // namespace kasc
