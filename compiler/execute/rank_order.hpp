#pragma once
// Order between the lanes of a run's ranks: before each launch the device is told who waits for whom. Internal to this
// folder.

#include <algorithm>
#include <set>
#include <vector>

#include "ranks/order.hpp"
#include "ranks/shares.hpp"
#include "runtime/devices/compute_device.hpp"

namespace kasc::execute {

class RankOrder {
public:
    /// The device outlives it.
    explicit RankOrder(runtime::ComputeDevice& device)
        : device_(device), ranks_(device.ranks()), order_(ranks::lanes_of_rank * ranks_) {}

    [[nodiscard]] bool several() const { return ranks_ > 1; }
    /// Orders what all ranks are asked for next, each for its part of these arrays.
    void all(const std::vector<ranks::Touch>& touches) {
        std::vector<ranks::Part> parts;
        for (int r = 0; r < ranks_; ++r) parts.push_back({r, touches});
        launch(parts);
    }
    /// Orders what rank 0 is asked for next.
    void first(const std::vector<ranks::Touch>& touches) { launch({{0, touches}}); }
    void launch(const std::vector<ranks::Part>& parts) {
        if (!several()) return;
        const std::vector<ranks::Wait> waits = order_.launch(parts);
        std::set<int> marked;
        for (const ranks::Wait& wait : waits) {
            if (marked.insert(wait.marked).second) device_.mark(wait.marked);
        }
        for (const ranks::Wait& wait : waits) device_.await(wait.lane, wait.marked);
    }

private:
    runtime::ComputeDevice& device_;
    const int ranks_;
    ranks::Order order_;
};

}  // namespace kasc::execute
