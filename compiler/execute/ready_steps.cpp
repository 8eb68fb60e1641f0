#include "execute/ready_steps.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "execute/transforms.hpp"

namespace kasc::execute {

ReadySteps::ReadySteps(const HostPlan& plan, const Launcher::Run& run) : plan_(plan), run_(run) { find(plan.steps); }

void ReadySteps::find(const std::vector<HostStep>& steps) {
    for (const HostStep& s : steps) {
        if (const auto* launch = std::get_if<LaunchStep>(&s.what)) add(*launch, false);
        if (const auto* transform = std::get_if<TransformStep>(&s.what)) add(*transform);
        if (const auto* loop = std::get_if<LoopStep>(&s.what)) {
            for (const CapturedSteps& g : loop->graphs) groups_.emplace(&g, groups_.size());
            find(loop->body);
            find(loop->after);
        }
    }
}

const Launcher& ReadySteps::add(const LaunchStep& step, bool storing) {
    const kernel::Lowered& lowered = plan_.kernels.at(step.kernel);
    return launchers_.try_emplace(&step, run_, lowered, step, storing).first->second;
}

void ReadySteps::add(const TransformStep& step) {
    if (step.statement.direction == Direction::renew) return;
    if (orders(step.statement.direction)) return add_list(step);
    const runtime::TransformShape shape = shape_of(step.statement, run_.program, run_.numbers);
    if (step.stores && run_.device.stores_functions()) {
        const Launcher& stored = add(*step.stores, true);
        const std::size_t number = run_.device.add_storing_transform(
            shape, {stored.kernel().name, stored.argument_bytes(), target_cells(shape)});
        transforms_[&step] = {number, true};
        return;
    }
    if (step.stores) add(*step.stores, false);
    auto known = std::find_if(known_.begin(), known_.end(), [&](const auto& k) { return k.first == shape; });
    if (known == known_.end()) known = known_.emplace(known, shape, run_.device.add_transform(shape));
    transforms_[&step] = {known->second, false};
}

void ReadySteps::add_list(const TransformStep& step) {
    const runtime::ListShape list = list_of(step.statement, run_.program, run_.numbers);
    if ((list.entries >= most_listed_entries || list.cells >= most_listed_cells) && fault_.empty())
        fault_ = fmt::format("a list of {} entries in {} cells: at most 2^30 and 2^31", list.entries, list.cells);
    auto known = std::find_if(lists_.begin(), lists_.end(), [&](const auto& k) { return k.first == list; });
    if (known == lists_.end()) known = lists_.emplace(known, list, run_.device.add_list(list));
    transforms_[&step] = {known->second, false};
}

}  // namespace kasc::execute
