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

bool reads(const block::Step& step, std::size_t region) {
    const auto touches = reads_of(step);
    return std::any_of(touches.begin(), touches.end(), [&](const block::Touch& t) { return t.region == region; });
}

/// Whether a register that one thread writes would have to be read by another, or by a staged copy.
bool passes_between_threads(const StreamSchedule& schedule, std::size_t region) {
    std::shared_ptr<const AddressSet> written;
    for (const block::Step& step : schedule.block.steps)
        for (const block::Touch& touch : step.touches) {
            if (touch.region != region) continue;
            if (touch.words == nullptr) return true;
            const AddressSet& words = *touch.words;
            if (!touch.writes && (!written || written->start != words.start || written->offsets != words.offsets))
                return true;
            if (touch.writes) written = touch.words;
        }
    return false;
}

/// Steps that touch a region: inside of loops and outside, to read it and to write it.
struct TouchedWhere {
    bool read_inside = false, written_inside = false, read_outside = false, written_outside = false;
};

TouchedWhere touched_where(const StreamSchedule& schedule, std::size_t region) {
    TouchedWhere where;
    int depth = 0;
    for (const block::Step& step : schedule.block.steps) {
        depth += step.kind == block::StepKind::loop_begin ? 1 : step.kind == block::StepKind::loop_end ? -1 : 0;
        for (const block::Touch& touch : step.touches) {
            if (touch.region != region) continue;
            if (depth > 0) (touch.writes ? where.written_inside : where.read_inside) = true;
            if (depth == 0) (touch.writes ? where.written_outside : where.read_outside) = true;
        }
    }
    return where;
}

/// What a loop writes anew in each iteration and reads in none may have a value of an iteration over it: the last one
/// stands after it all the same.
bool may_lie_within(const StreamSchedule& schedule, std::size_t of_iteration, std::size_t left) {
    const TouchedWhere a = touched_where(schedule, of_iteration), b = touched_where(schedule, left);
    return !a.read_outside && !a.written_outside && b.written_inside && !b.read_inside && !b.written_outside;
}

}  // namespace

void Mutations::add(const Mutations& other) {
    made += other.made, seen += other.seen;
    unseen.insert(unseen.end(), other.unseen.begin(), other.unseen.end());
}

Mutations drop_barriers(const kernel::Kernel& kernel) {
    Mutations all;
    for (const kernel::Kernel& broken : test::without_each_barrier(kernel))
        judge(all, !kernel::check_shared(broken, 1).empty(),
              [&] { return fmt::format("barrier {} is needless:\n{}", all.made - 1, print(kernel)); });
    return all;
}

Mutations move_to_registers(const StreamSchedule& schedule) {
    Mutations all;
    for (std::size_t k = 0; k < schedule.values.size(); ++k) {
        if (schedule.block.regions[k].where == Residence::registers || !passes_between_threads(schedule, k)) continue;
        StreamSchedule broken = schedule;
        broken.block.regions[k].where = Residence::registers;
        judge(all, !test::check(broken, 1).empty(), [&] {
            return fmt::format("value {} in registers: {}", schedule.values[k].value.index, schedule.values[k].reason);
        });
    }
    return all;
}

Mutations overlap_regions(const StreamSchedule& schedule) {
    Mutations all;
    const std::vector<block::Region>& regions = schedule.block.regions;
    const std::vector<block::Lifetime> lives = lifetimes(schedule.block);
    for (std::size_t a = 0; a < regions.size(); ++a)
        for (std::size_t b = 0; b < regions.size(); ++b) {
            const bool shared = regions[a].where == Residence::shared && regions[b].where == Residence::shared;
            const bool together = lives[a].first <= lives[b].last && lives[b].first <= lives[a].last;
            if (a == b || !shared || !together) continue;
            if (may_lie_within(schedule, a, b) || may_lie_within(schedule, b, a)) continue;
            StreamSchedule broken = schedule;
            broken.block.regions[a].place = regions[b].place;
            judge(all, !test::check(broken, 1).empty(),
                  [&] { return fmt::format("{} over {}", regions[a].name, regions[b].name); });
        }
    return all;
}

Mutations swap_steps(const StreamSchedule& schedule) {
    Mutations all;
    const std::vector<block::Step>& steps = schedule.block.steps;
    for (std::size_t i = 0; i < steps.size(); ++i)
        for (std::size_t j = i + 1; j < steps.size(); ++j) {
            const block::Touch* written = write_of(steps[i]);
            if (written == nullptr || !reads(steps[j], written->region)) continue;
            StreamSchedule broken = schedule;
            std::swap(broken.block.steps[i], broken.block.steps[j]);
            std::swap(broken.calls[i], broken.calls[j]);
            judge(all, !test::check(broken, 1).empty(), [&] { return fmt::format("steps {} and {} swapped", i, j); });
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
