#pragma once
// All fusions of a graph up to a size, each with the verdicts that allowed it, and the refusals with theirs.

#include <string>
#include <vector>

#include "foundation/id.hpp"
#include "foundation/verdict.hpp"
#include "graph/graph.hpp"

namespace kasc {

/// Calls that one kernel may compute, and loops that it may run. Every single call is a fusion.
struct Fusion {
    /// A topological order: by id, or that of execution (linearise.hpp). A loop counts as one call.
    std::vector<NodeId> calls;
    /// Read from global memory, by id. The former value of a slice is none: the slice is assigned in its place.
    std::vector<ValueId> inputs;
    std::vector<ValueId> outputs;  ///< written to global memory: read outside or graph outputs, by id
    std::vector<ValueId> inner;    ///< produced and consumed inside only, by id
};

struct Refusal {
    std::vector<NodeId> calls;
    std::string reason;
};

struct SearchBounds {
    /// --max-fusion. A loop of more calls than that is not run in a kernel; with 1, no loop is.
    int max_calls = 512;
    std::size_t max_fusions = 20000;
    /// A transform may compute calls behind it as it stores (TransformCall::storing).
    bool storing_transforms = false;
    /// A kernel may transform lines along one axis, and compute what stands before and behind (walk `fft`).
    bool transform_lines = false;
    /// What a kernel makes it may keep for neighbours, plane by plane (walk `pipeline`): nothing is recomputed then.
    bool pipelines = false;
    /// Ranks of their own memory will share the kernels (own_cells.hpp).
    bool own_cells = false;
    /// Kernels of one block may be run by the last block of the kernel before them (KernelLaunch::last).
    bool last_blocks = true;
};

struct FusionSpace {
    Table<FusionId, Fusion> fusions;  ///< ordered by size, then by calls
    std::vector<Refusal> refusals;    ///< of pairs that are connected and could not be fused, then of larger sets
    std::string cut;                  ///< bounds that were hit and what was left out or is not listed; empty: nothing
    /// Every fusion that the best selection could have is there, as far as is proved.
    bool whole = true;
};

/// May `consumer`'s read of `value` happen in the kernel that computes it? (point, near with recomputation, slice.)
[[nodiscard]] Verdict may_fuse(const Program& program, const Graph& graph, NodeId producer, NodeId consumer,
                               ValueId value);

/// Calls by id.
[[nodiscard]] FusionSpace enumerate_fusions(const Program& program, const Graph& graph, const SearchBounds& bounds);
[[nodiscard]] std::string print(const FusionSpace& space, const Program& program, const Graph& graph);

}  // namespace kasc
