// A small kernel runs later than it stands, together with the first launch over a grid that comes: in the same
// iteration or, round the loop, in the next.
//
//   loop n                               loop n
//     launch k0 (T → T_next)               launch k0 (T → T_next)   and, if n has a former iteration, k1 of n - 1
//     launch k1 (T_next → probe)           swap T, T_next
//     swap T, T_next                     after it
//                                          launch k1 of the last iteration
//
// Nothing that it is moved past may store what it touches, or touch what it stores; nor may the launch that it joins,
// as the two run in no order. So every iteration sees what it saw before, and after the last one all is done: a run in
// pieces holds the same state wherever it stops.
#include "plan/riders.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "lower/lower.hpp"
#include "plan/swaps.hpp"

namespace kasc {

namespace {

constexpr std::size_t most_axes_of_a_rider = 1;      // the cells of a list
constexpr std::size_t fewest_axes_of_a_carrier = 2;  // a grid, whose launch is long and has blocks to share them

struct Touched {
    std::set<SlotId> reads, writes;
};

class LoopRiders {
public:
    LoopRiders(LoopStep& loop, double iterations, HostPlan& plan, std::vector<LoweredFrom>& from,
               const Program& program)
        : loop_(loop), iterations_(iterations), plan_(plan), from_(from), program_(program) {}

    /// The last first: what stays behind it is known then.
    void run() {
        std::vector<Ride> rides;
        for (std::size_t at = loop_.body.size(); at-- > 0;) {
            if (!is_small(loop_.body[at])) continue;
            const auto& launch = std::get<LaunchStep>(loop_.body[at].what);
            const std::string name = kernel_name(launch);
            const double time_ns = from_[launch.kernel].time_ns;
            Verdict verdict = place(at);
            const double saved_ns = verdict ? time_ns * iterations_ : 0;
            rides.push_back({name, std::move(verdict), saved_ns});
        }
        plan_.rides.insert(plan_.rides.end(), rides.rbegin(), rides.rend());
    }

private:
    LoopStep& loop_;
    double iterations_;
    HostPlan& plan_;
    std::vector<LoweredFrom>& from_;
    const Program& program_;

    [[nodiscard]] std::optional<std::size_t> axes(const HostStep& step) const {
        const auto* launch = std::get_if<LaunchStep>(&step.what);
        if (launch == nullptr || from_[launch->kernel].schedules == nullptr) return std::nullopt;
        return from_[launch->kernel].schedules->schedule.axes().size();
    }
    /// One thread a cell: what is folded has a block's threads.
    [[nodiscard]] bool is_small(const HostStep& step) const {
        const auto* launch = std::get_if<LaunchStep>(&step.what);
        if (launch != nullptr && from_[launch->kernel].schedules != nullptr) {
            const FieldWork& work = *from_[launch->kernel].schedules->schedule.work;
            if (fold_of(work) != nullptr || !work.prologue.empty()) return false;
        }
        return axes(step).value_or(fewest_axes_of_a_carrier) <= most_axes_of_a_rider;
    }
    [[nodiscard]] bool can_carry(const HostStep& step) const {
        return axes(step).value_or(0) >= fewest_axes_of_a_carrier;
    }
    [[nodiscard]] const std::string& kernel_name(const LaunchStep& launch) const {
        return plan_.kernels[launch.kernel].alternatives.front().name;
    }

    // --- what a step touches ---

    [[nodiscard]] Touched touched(const LaunchStep& launch) const {
        Touched all;
        for (const kernel::Kernel& k : plan_.kernels[launch.kernel].alternatives) {
            for (const kernel::Parameter& p : k.parameters) {
                if (const auto* in = std::get_if<kernel::ArrayIn>(&p.source))
                    all.reads.insert(launch.arrays.at(in->value));
                if (const auto* out = std::get_if<kernel::ArrayOut>(&p.source))
                    all.writes.insert(launch.arrays.at(out->value));
            }
        }
        return all;
    }
    /// A transform may destroy what it reads.
    [[nodiscard]] Touched touched(const TransformStep& step) const {
        Touched all = step.stores ? touched(*step.stores) : Touched{};
        all.writes.insert({step.from, step.to});
        return all;
    }
    [[nodiscard]] static Touched touched(const CopyStep& step) { return {{step.from}, {step.to}}; }
    [[nodiscard]] static Touched touched(const ZeroStep& step) { return {{}, {step.slot}}; }
    [[nodiscard]] static Touched touched(const DeliverStep& step) { return {{step.slot}, {}}; }
    /// What changes places in a loop is another after it.
    [[nodiscard]] Touched touched(const LoopStep& step) const {
        Touched all;
        for (const auto& [a, b] : step.swaps) all.writes.insert({a, b});
        if (step.going) all.reads.insert(*step.going);
        for (const auto* steps : {&step.body, &step.after}) {
            for (const HostStep& s : *steps) {
                const Touched own = touched(s);
                all.reads.insert(own.reads.begin(), own.reads.end());
                all.writes.insert(own.writes.begin(), own.writes.end());
            }
        }
        return all;
    }
    [[nodiscard]] Touched touched(const HostStep& step) const {
        return std::visit([&](const auto& s) { return touched(s); }, step.what);
    }

    [[nodiscard]] std::string text(const HostStep& step) const {
        if (const auto* launch = std::get_if<LaunchStep>(&step.what)) return kernel_name(*launch);
        if (const auto* loop = std::get_if<LoopStep>(&step.what))
            return "the loop over " + program_.loops[loop->loop].name;
        return std::holds_alternative<TransformStep>(step.what) ? "a transform" : "a copy";
    }
    /// Why the small kernel cannot run after the step, or with it; empty: it can.
    [[nodiscard]] std::string obstacle(const Touched& small, const HostStep& step) const {
        const Touched other = touched(step);
        const auto both = [&](const std::set<SlotId>& a, const std::set<SlotId>& b, const char* theirs,
                              const char* own) -> std::string {
            const auto shared = std::find_if(a.begin(), a.end(), [&](SlotId s) { return b.contains(s); });
            if (shared == a.end()) return {};
            return fmt::format("{} {} {}, which it {}", text(step), theirs,
                               program_.variables[plan_.slots[*shared].variable].name, own);
        };
        for (std::string reason :
             {both(other.writes, small.reads, "stores over", "reads"),
              both(other.writes, small.writes, "stores", "stores"), both(other.reads, small.writes, "reads", "stores")})
            if (!reason.empty()) return reason;
        return {};
    }

    // --- moving ---

    /// What is in the array of a slot at the end of an iteration is in that of another at the start of the next.
    [[nodiscard]] LaunchStep swapped(LaunchStep launch) const {
        for (auto& array : launch.arrays) array.second = after_swaps(array.second, loop_.swaps);
        return launch;
    }

    Verdict place(std::size_t at) {
        LaunchStep small = std::get<LaunchStep>(loop_.body[at].what);
        const LoweredFrom& own = from_[small.kernel];
        const FieldScheduleResult riding = schedule_rider(own.schedules->schedule, program_, *own.graph);
        if (!riding.value) return Verdict::no(riding.reason);
        bool next = false, shorter = false;
        for (std::size_t k = 1; k < loop_.body.size(); ++k) {
            const std::size_t there = (at + k) % loop_.body.size();
            if (there < at && !next) {
                small = swapped(small);
                next = true;
            }
            HostStep& step = loop_.body[there];
            if (const std::string reason = obstacle(touched(small), step); !reason.empty()) return Verdict::no(reason);
            if (!can_carry(step)) continue;
            auto& carrier = std::get<LaunchStep>(step.what);
            // Its blocks would wait for what rides.
            if (from_[carrier.kernel].time_ns < from_[small.kernel].time_ns) {
                shorter = true;
                continue;
            }
            join(carrier, small, *riding.value, next);
            const std::string name = kernel_name(carrier);
            loop_.body.erase(loop_.body.begin() + static_cast<std::ptrdiff_t>(at));
            if (next) loop_.after.insert(loop_.after.begin(), HostStep{std::move(small)});
            return Verdict::yes(fmt::format("rides on {}{}", name, next ? " of the next iteration" : ""));
        }
        return Verdict::no(shorter ? "kernels over a grid would wait for it" : "no kernel of the loop is over a grid");
    }

    void join(LaunchStep& carrier, const LaunchStep& small, const FieldSchedule& riding, bool next) {
        LoweredFrom& from = from_[carrier.kernel];
        const LoweredFrom& own = from_[small.kernel];
        const auto former = next ? std::optional(loop_.loop) : std::nullopt;
        kernel::Rider rider{riding, own.overwritten, names(carrier, small), former};
        for (const auto& [value, name] : rider.arrays) carrier.arrays[name] = small.arrays.at(value);
        carrier.riders.push_back({kernel_name(small), rider.arrays, next});
        from.riders.push_back(std::move(rider));
        plan_.kernels[carrier.kernel] = lower_field(*from.schedules, program_, *from.graph, kernel_name(carrier),
                                                    from.overwritten, from.riders, from.completed);
    }

    /// What the small kernel's arrays are called in the carrier's launch: as there where both read one, else by a
    /// number that no value of the graph has.
    [[nodiscard]] std::map<ValueId, ValueId> names(const LaunchStep& carrier, const LaunchStep& small) const {
        std::map<ValueId, ValueId> names;
        const std::size_t values = from_[carrier.kernel].graph->values.size();
        std::size_t next = std::max(values, carrier.arrays.rbegin()->first.index + std::size_t{1});
        for (const kernel::Kernel& k : plan_.kernels[small.kernel].alternatives) {
            for (const kernel::Parameter& p : k.parameters) {
                if (!p.is_array()) continue;
                const auto* in = std::get_if<kernel::ArrayIn>(&p.source);
                const ValueId value = in ? in->value : std::get<kernel::ArrayOut>(p.source).value;
                if (names.contains(value)) continue;
                const auto shared = in ? read_by(carrier, small.arrays.at(value)) : std::nullopt;
                names[value] = shared ? *shared : ValueId{static_cast<std::uint32_t>(next++)};
            }
        }
        return names;
    }
    [[nodiscard]] std::optional<ValueId> read_by(const LaunchStep& launch, SlotId slot) const {
        for (const kernel::Parameter& p : plan_.kernels[launch.kernel].alternatives.front().parameters) {
            const auto* in = std::get_if<kernel::ArrayIn>(&p.source);
            if (in != nullptr && launch.arrays.at(in->value) == slot) return in->value;
        }
        return std::nullopt;
    }
};

}  // namespace

void let_ride(LoopStep& loop, double iterations, HostPlan& plan, std::vector<LoweredFrom>& from,
              const Program& program) {
    LoopRiders(loop, iterations, plan, from, program).run();
}

}  // namespace kasc
