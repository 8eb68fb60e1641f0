// Looking through a host plan.
#include <optional>

#include "plan/layout.hpp"

namespace kasc {

namespace {

void collect_stored(const std::vector<HostStep>& steps, std::vector<std::size_t>& kernels) {
    for (const HostStep& step : steps) {
        if (const auto* transform = std::get_if<TransformStep>(&step.what); transform && transform->stores)
            kernels.push_back(transform->stores->kernel);
        if (const auto* loop = std::get_if<LoopStep>(&step.what)) collect_stored(loop->body, kernels);
    }
}

/// `visit` of every launch, in loops too.
template <typename Visit>
void for_each_launch(std::vector<HostStep>& steps, const Visit& visit) {
    for (HostStep& step : steps) {
        if (LaunchStep* launch = launch_in(step)) visit(*launch);
        if (auto* loop = std::get_if<LoopStep>(&step.what)) {
            for_each_launch(loop->body, visit);
            for_each_launch(loop->after, visit);
        }
    }
}

}  // namespace

std::optional<LoopId> rest_of(const HostStep& step, const Program& program) {
    const auto* loop = std::get_if<LoopStep>(&step.what);
    return loop == nullptr ? std::nullopt : program.loops[loop->loop].rest;
}

LaunchStep* launch_in(HostStep& step) {
    if (auto* transform = std::get_if<TransformStep>(&step.what))
        return transform->stores ? &*transform->stores : nullptr;
    return std::get_if<LaunchStep>(&step.what);
}

const LaunchStep* launch_in(const HostStep& step) { return launch_in(const_cast<HostStep&>(step)); }

std::vector<std::size_t> stored_kernels(const HostPlan& plan) {
    std::vector<std::size_t> kernels;
    collect_stored(plan.steps, kernels);
    return kernels;
}

void laying_out::remove_unused_kernels(HostPlan& plan) {
    std::vector<std::optional<std::size_t>> number(plan.kernels.size());
    for_each_launch(plan.steps, [&](const LaunchStep& launch) { number[launch.kernel] = 0; });
    std::vector<kernel::Lowered> used;
    for (std::size_t k = 0; k < number.size(); ++k) {
        if (!number[k]) continue;
        number[k] = used.size();
        used.push_back(std::move(plan.kernels[k]));
    }
    for_each_launch(plan.steps, [&](LaunchStep& launch) { launch.kernel = *number[launch.kernel]; });
    plan.kernels = std::move(used);
}

}  // namespace kasc
