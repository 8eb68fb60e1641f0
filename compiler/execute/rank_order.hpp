#pragma once
// Order between the ranks of a run: before each launch the device is told which ranks wait for which. Internal to this
// folder.

#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

#include "ranks/order.hpp"
#include "runtime/devices/compute_device.hpp"

namespace kasc::execute {

class RankOrder {
public:
    /// The device outlives it.
    explicit RankOrder(runtime::ComputeDevice& device)
        : device_(device), order_(device.ranks()), all_(static_cast<std::size_t>(device.ranks())) {
        std::iota(all_.begin(), all_.end(), 0);
    }

    [[nodiscard]] bool several() const { return all_.size() > 1; }
    /// Of what all ranks are asked for next, each of its part.
    void all(const std::vector<ranks::Touch>& touches) { some(touches, all_); }
    /// Of what rank 0 is asked for next.
    void first(const std::vector<ranks::Touch>& touches) { some(touches, {0}); }
    void some(const std::vector<ranks::Touch>& touches, const std::vector<int>& on) {
        if (!several()) return;
        const std::vector<ranks::Wait> waits = order_.launch(touches, on);
        std::set<int> marked;
        for (const ranks::Wait& wait : waits) {
            if (marked.insert(wait.marked).second) device_.mark(wait.marked);
        }
        for (const ranks::Wait& wait : waits) device_.await(wait.rank, wait.marked);
    }

private:
    runtime::ComputeDevice& device_;
    ranks::Order order_;
    std::vector<int> all_;
};

}  // namespace kasc::execute
