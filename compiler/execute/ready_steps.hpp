#pragma once
// Steps of a plan as they are made ready before a run: kernels found, transforms planned, lists known to the device.
// Internal to this folder.

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "execute/launcher.hpp"

namespace kasc::execute {

/// By the device's number. storing: it computes a kernel as it stores.
struct ReadyTransform {
    std::size_t number = 0;
    bool storing = false;
};

class ReadySteps {
public:
    /// What it is given outlives it.
    ReadySteps(const HostPlan& plan, const Launcher::Run& run);

    /// What is wrong with the input; empty: nothing.
    [[nodiscard]] const std::string& fault() const { return fault_; }
    [[nodiscard]] Launcher& launcher(const LaunchStep& step) { return launchers_.at(&step); }
    [[nodiscard]] const ReadyTransform& transform(const TransformStep& step) const { return transforms_.at(&step); }
    /// A number of its own.
    [[nodiscard]] std::size_t group(const CapturedSteps& steps) const { return groups_.at(&steps); }

private:
    const HostPlan& plan_;
    const Launcher::Run run_;
    std::map<const LaunchStep*, Launcher> launchers_;
    std::map<const TransformStep*, ReadyTransform> transforms_;
    std::vector<std::pair<runtime::TransformShape, std::size_t>> known_;
    std::vector<std::pair<runtime::ListShape, std::size_t>> lists_;
    std::map<const CapturedSteps*, std::size_t> groups_;
    std::string fault_;

    void find(const std::vector<HostStep>& steps);
    const Launcher& add(const LaunchStep& step, bool storing);
    void add(const TransformStep& step);
    void add_list(const TransformStep& step);
};

}  // namespace kasc::execute
