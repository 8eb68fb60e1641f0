#include "random/mutation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "support/bare_kernel.hpp"
#include "support/without_barrier.hpp"

namespace kasc::random {

namespace {

void judge(Mutations& all, bool seen, const std::function<std::string()>& what) {
    ++all.made;
    if (seen)
        ++all.seen;
    else
        all.unseen.push_back(what());
}

bool reads(const Step& step, ValueId value) {
    return std::find(step.reads.begin(), step.reads.end(), value) != step.reads.end();
}

/// Whether a register that one thread writes would have to be read by another, or by a staged copy.
bool passes_between_threads(const StreamSchedule& schedule, ValueId value) {
    std::optional<AddressSet> written;
    for (const Step& step : schedule.steps) {
        if (step.staged_words > 0 && (step.writes == value || reads(step, value))) return true;
        for (std::size_t r = 0; r < step.reads.size(); ++r) {
            if (step.reads[r] != value) continue;
            const AddressSet& read = step.read_sets[r];
            if (!written || written->start != read.start || written->offsets != read.offsets) return true;
        }
        if (step.writes == value) written = step.write_set;
    }
    return false;
}

}  // namespace

void Mutations::add(const Mutations& other) {
    made += other.made, seen += other.seen;
    unseen.insert(unseen.end(), other.unseen.begin(), other.unseen.end());
}

Mutations drop_barriers(const kernel::Kernel& kernel) {
    Mutations all;
    for (const kernel::Kernel& broken : test::without_each_barrier(kernel))
        judge(all, !kernel::check_shared(broken).empty(),
              [&] { return fmt::format("barrier {} is needless:\n{}", all.made - 1, print(kernel)); });
    return all;
}

Mutations move_to_registers(const StreamSchedule& schedule) {
    Mutations all;
    for (std::size_t p = 0; p < schedule.placements.size(); ++p) {
        const Placement& placement = schedule.placements[p];
        if (placement.where == Residence::registers || !passes_between_threads(schedule, placement.value)) continue;
        StreamSchedule broken = schedule;
        broken.placements[p].where = Residence::registers;
        judge(all, !test::check(broken).empty(),
              [&] { return fmt::format("value {} in registers: {}", placement.value.index, placement.reason); });
    }
    return all;
}

Mutations overlap_regions(const StreamSchedule& schedule) {
    Mutations all;
    const auto& places = schedule.placements;
    for (std::size_t a = 0; a < places.size(); ++a)
        for (std::size_t b = 0; b < places.size(); ++b) {
            const bool shared = places[a].where == Residence::shared && places[b].where == Residence::shared;
            const bool together =
                places[a].first_step <= places[b].last_step && places[b].first_step <= places[a].last_step;
            if (a == b || !shared || !together) continue;
            StreamSchedule broken = schedule;
            broken.placements[a].offset = places[b].offset;
            judge(all, !test::check(broken).empty(),
                  [&] { return fmt::format("value {} over {}", places[a].value.index, places[b].value.index); });
        }
    return all;
}

Mutations swap_steps(const StreamSchedule& schedule) {
    Mutations all;
    for (std::size_t i = 0; i < schedule.steps.size(); ++i)
        for (std::size_t j = i + 1; j < schedule.steps.size(); ++j) {
            const auto& written = schedule.steps[i].writes;
            if (!written || !reads(schedule.steps[j], *written)) continue;
            StreamSchedule broken = schedule;
            std::swap(broken.steps[i], broken.steps[j]);
            judge(all, !test::check(broken).empty(), [&] { return fmt::format("steps {} and {} swapped", i, j); });
        }
    return all;
}

Mutations drop_barriers_and_run(const Program& program, const Library& library, const HostPlan& plan,
                                const DeviceCode& code, const RunCase& run) {
    Mutations all;
    const std::vector<Words> expected = run_plan(program, library, plan, code, run).outputs;
    for (std::size_t k = 0; k < plan.kernels.size(); ++k)
        for (const kernel::Kernel& kernel : test::without_each_barrier(plan.kernels[k].alternatives.front())) {
            HostPlan broken = plan;
            broken.kernels[k].alternatives.front() = kernel;
            const PlanRun result = run_plan(program, library, broken, code, run);
            judge(all, !result.fault.empty() || result.outputs != expected,
                  [&] { return fmt::format("a barrier of {} can go:\n{}", kernel.name, print(kernel)); });
        }
    return all;
}

}  // namespace kasc::random
