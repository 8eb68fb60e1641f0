#pragma once
// What no schedule goes below, known before any of them is made, and made of parts: what each call touches and
// computes.

#include <vector>

#include "model/prediction.hpp"

namespace kasc {

struct LeastTouch {
    ValueId value;
    double ns = 0;
};
/// What one call, or one loop that a kernel runs, touches and computes.
struct LeastParts {
    std::vector<LeastTouch> reads, writes;  ///< where they pass through memory
    double arithmetic_ns = 0;
    double own_ns = 0;  ///< besides, in any kernel: passes of a transform
};

/// By node. A kernel of some nodes takes at least launch + own times + (memory, arithmetic): each value that it reads
/// from memory once, and each that it writes.
class LeastTimes {
public:
    LeastTimes(const Program& program, const Graph& graph, const Graph& expanded, const Library& library,
               const Device& device, const Problem& problem);
    [[nodiscard]] const LeastParts& of(NodeId node) const { return parts_[node.index]; }
    [[nodiscard]] double launch_ns() const { return launch_ns_; }
    /// The least time of a kernel with so much of both.
    [[nodiscard]] double together(double memory_ns, double arithmetic_ns) const;
    [[nodiscard]] double of(const Fusion& fusion) const;

private:
    std::vector<LeastParts> parts_;
    double launch_ns_ = 0;
    bool cpu_ = false;
};

}  // namespace kasc
