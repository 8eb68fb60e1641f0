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
    double arithmetic_ns = 0;               ///< with what it waits at slow paths, weighed so that sums are bounds
    double own_ns = 0;                      ///< besides, in any kernel: passes of a transform
    bool waits = false;  ///< it computes fields cell by cell, with what it reads under way (least_under_way.hpp)
};

/// A kernel takes no less than fixed + memory · its memory time + arithmetic · its arithmetic time + its own times.
struct LeastLine {
    double fixed_ns = 0, memory = 1, arithmetic = 0;
};

/// By node. A kernel of some nodes takes at least launch + own times + (memory, arithmetic): each value that it reads
/// from memory once, and each that it writes.
class LeastTimes {
public:
    /// Choices of a kernel may be others than those that are offered: then less is certain.
    enum class Choices { offered, any };

    LeastTimes(const Program& program, const Graph& graph, const Graph& expanded, const Library& library,
               const Device& device, const Problem& problem, Choices choices = Choices::offered);
    [[nodiscard]] const LeastParts& of(NodeId node) const { return parts_[node.index]; }
    /// Time of a kernel with nothing to do.
    [[nodiscard]] double launch_ns() const { return launch_ns_; }
    /// The least time of a kernel with so much of both, besides its calls' own times. `waits`: all of its calls do.
    [[nodiscard]] double of_kernel(double memory_ns, double arithmetic_ns, bool waits) const;
    /// The bound of of_kernel that is closest for kernels of about these times.
    [[nodiscard]] LeastLine line_at(double memory_ns, double arithmetic_ns, bool waits) const;
    [[nodiscard]] double of(const Fusion& fusion) const;

private:
    std::vector<LeastParts> parts_;
    double launch_ns_ = 0;
    double latency_ns_ = 0, under_way_ns_ = 0;  ///< where all calls wait
    bool cpu_ = false, fields_ = false;
};

}  // namespace kasc
