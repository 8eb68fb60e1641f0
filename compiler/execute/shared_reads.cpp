#include "execute/shared_reads.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "execute/launch_values.hpp"
#include "execute/touches.hpp"

namespace kasc::execute {

namespace {

using Steps = std::vector<HostStep>;

/// `use(step, again)`: it is in a loop.
template <class Use>
void each_step(const Steps& steps, bool again, const Use& use) {
    for (const HostStep& s : steps) {
        if (const auto* loop = std::get_if<LoopStep>(&s.what)) {
            each_step(loop->body, true, use);
            each_step(loop->after, again, use);
        }
        use(s, again);
    }
}

bool is_near(const kernel::Kernel& kernel, ValueId value) {
    return kernel.span && (kernel.span->is_near(value) || kernel.span->is_around(value));
}

bool is_placed(const kernel::Kernel& kernel, ValueId value) {
    return std::any_of(kernel.placed.begin(), kernel.placed.end(), [&](const auto& of) { return of.value == value; });
}

class Finder {
public:
    Finder(const HostPlan& plan, const Numbers& numbers, const SharedLaunches& of)
        : plan_(plan), numbers_(numbers), of_(of) {}

    std::map<VariableId, SharedReads> run() {
        std::vector<std::pair<VariableId, VariableId>> swaps;
        each_step(plan_.steps, false, [&](const HostStep& s, bool again) {
            if (again) store(s);
            if (const auto* launch = std::get_if<LaunchStep>(&s.what)) read(*launch);
            if (const auto* loop = std::get_if<LoopStep>(&s.what))
                for (const auto& [a, b] : loop->swaps) swaps.emplace_back(variable(a), variable(b));
        });
        for (std::size_t pass = 0; pass < swaps.size(); ++pass)
            for (const auto& [a, b] : swaps) reads_[a] = reads_[b] = joined(reads_[a], reads_[b]);
        return std::move(reads_);
    }

private:
    const HostPlan& plan_;
    const Numbers& numbers_;
    const SharedLaunches& of_;
    std::map<VariableId, SharedReads> reads_;

    [[nodiscard]] VariableId variable(SlotId slot) const { return plan_.slots[slot].variable; }
    static SharedReads joined(const SharedReads& a, const SharedReads& b) {
        return {{std::max(a.nearby.bytes, b.nearby.bytes), a.nearby.around || b.nearby.around},
                a.by_all || b.by_all,
                a.stored_again || b.stored_again};
    }
    void store(const HostStep& s) {
        const auto stores = [&](SlotId slot) { reads_[variable(slot)].stored_again = true; };
        if (const auto* copy = std::get_if<CopyStep>(&s.what)) stores(copy->to);
        if (const auto* zero = std::get_if<ZeroStep>(&s.what)) stores(zero->slot);
        if (const auto* transform = std::get_if<TransformStep>(&s.what)) stores(transform->to);
        const LaunchStep* const launch = launch_in(s);
        if (launch == nullptr) return;
        for (const kernel::Parameter& p : chosen(plan_.kernels.at(launch->kernel), numbers_).parameters) {
            const auto* out = std::get_if<kernel::ArrayOut>(&p.source);
            if (out != nullptr && launch->arrays.contains(out->value)) stores(launch->arrays.at(out->value));
        }
    }
    void read(const LaunchStep& launch) {
        const kernel::Kernel& kernel = chosen(plan_.kernels.at(launch.kernel), numbers_);
        if (!of_.renews(launch, kernel)) return;
        const std::optional<ranks::SpanNumbers> span = span_numbers(kernel, numbers_);
        for (const kernel::Parameter& p : kernel.parameters) {
            const auto* in = std::get_if<kernel::ArrayIn>(&p.source);
            if (in == nullptr) continue;
            const VariableId array = variable(launch.arrays.at(in->value));
            SharedReads& reads = reads_[array];
            const std::uint64_t plane = of_.plane_of_cut(array);
            if (plane == 0) {
                reads.by_all = true;
            } else if (is_near(kernel, in->value) && !is_placed(kernel, in->value)) {
                // As touches() has it.
                const bool around = kernel.span->is_around(in->value);
                const auto cells = static_cast<std::uint64_t>(around ? 2 * span->reach : span->reach);
                reads = joined(reads, {{cells * plane, around}});
            }
        }
    }
};

}  // namespace

std::map<VariableId, SharedReads> shared_reads(const HostPlan& plan, const Numbers& numbers, const SharedLaunches& of) {
    return Finder(plan, numbers, of).run();
}

std::set<VariableId> parts_of_sums(const HostPlan& plan, const Numbers& numbers,
                                   const std::function<std::uint64_t(VariableId)>& bytes_of) {
    constexpr double beside = 16;  // times as much: NVLink has a tenth of the memory's rate, and one rank takes all
    struct Use {
        double stored_beside = 0;
        bool whole = false, near = false;
    };
    std::map<VariableId, Use> uses;
    each_step(plan.steps, false, [&](const HostStep& s, bool) {
        const auto* launch = std::get_if<LaunchStep>(&s.what);
        if (launch == nullptr) return;
        const kernel::Kernel& kernel = chosen(plan.kernels.at(launch->kernel), numbers);
        double bytes = 0;
        for (const auto& [value, slot] : launch->arrays)
            bytes += static_cast<double>(bytes_of(plan.slots[slot].variable));
        for (const kernel::Parameter& p : kernel.parameters) {
            const auto* in = std::get_if<kernel::ArrayIn>(&p.source);
            const auto* out = std::get_if<kernel::ArrayOut>(&p.source);
            if (in == nullptr && out == nullptr) continue;
            const ValueId value = in != nullptr ? in->value : out->value;
            Use& use = uses[plan.slots[launch->arrays.at(value)].variable];
            if (out != nullptr) use.stored_beside = std::max(use.stored_beside, bytes);
            if (in != nullptr) (is_near(kernel, value) ? use.near : use.whole) = true;
        }
    });
    std::set<VariableId> parts;
    for (const auto& [variable, use] : uses) {
        const bool few = beside * static_cast<double>(bytes_of(variable)) <= use.stored_beside;
        if (use.whole && !use.near && few) parts.insert(variable);
    }
    return parts;
}

}  // namespace kasc::execute
