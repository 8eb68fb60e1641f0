#pragma once
// A schedule of streams as kernel IR without a library: its arrays, its steps as calls by the words that they touch,
// and its barriers. What a check of shared memory sees of it, for schedules made or broken by hand.

#include <fmt/format.h>

#include <algorithm>

#include "kernel/check_shared.hpp"
#include "schedule/stream/schedule.hpp"

namespace kasc::test {

class BareKernel {
public:
    explicit BareKernel(const StreamSchedule& schedule) : schedule_(schedule) {}

    kernel::Kernel run() {
        kernel_.name = "bare";
        kernel_.block = schedule_.block;
        kernel_.shared_words = schedule_.shared_words;
        kernel_.grid = {kernel::integer(1), kernel::integer(1), kernel::integer(1)};
        kernel_.functions.emplace_back().name = "f";
        kernel_.parameters.push_back({kernel::Type::f32, "global", kernel::ArrayIn{}});
        for (const ScheduledLoop& loop : schedule_.loops)
            if (loop.what.may_skip)
                kernel_.parameters.push_back({kernel::Type::i32, bound(loop), kernel::HostExpression{}});
        for (const Placement& p : schedule_.placements) {
            if (p.where == Residence::shared)
                kernel_.body.push_back({kernel::SharedArray{array(p.value), p.offset, p.words, {}}});
            else
                kernel_.body.push_back({kernel::PrivateArray{array(p.value), p.words}});
        }
        kernel::Body steps;
        add_steps(steps, 0, schedule_.steps.size());
        pass(steps, schedule_.steps.size());
        const kernel::ExprRef rounds = kernel::integer(schedule_.choice.batch);
        kernel_.body.push_back(
            {kernel::For{"round", kernel::integer(0), rounds, 1, 0, std::move(steps), nullptr, true}});
        return std::move(kernel_);
    }

private:
    const StreamSchedule& schedule_;
    kernel::Kernel kernel_;
    bool copies_fly_ = false;

    static std::string array(ValueId value) { return fmt::format("v{}", value.index); }
    static std::string bound(const ScheduledLoop& loop) { return fmt::format("n{}", loop.begin); }

    void add_steps(kernel::Body& body, std::size_t from, std::size_t to) {
        for (std::size_t k = from; k < to; ++k) {
            pass(body, k);
            const auto loop = std::find_if(schedule_.loops.begin(), schedule_.loops.end(),
                                           [&](const ScheduledLoop& l) { return l.begin == static_cast<int>(k); });
            if (loop == schedule_.loops.end()) {
                add_step(body, schedule_.steps[k]);
                continue;
            }
            const auto end = static_cast<std::size_t>(loop->end);
            const bool flew = copies_fly_;
            kernel::Body inside;
            add_steps(inside, k + 1, end);
            pass(inside, end);
            const kernel::ExprRef to_run = loop->what.may_skip ? kernel::name(bound(*loop)) : kernel::integer(2);
            body.push_back({kernel::For{fmt::format("i{}", k), kernel::integer(0), to_run, 1, 0, std::move(inside)}});
            copies_fly_ = copies_fly_ || (flew && loop->what.may_skip);
            k = end;
        }
    }

    void pass(kernel::Body& body, std::size_t before) {
        for (const BarrierDecision& b : schedule_.barriers) {
            if (!b.needed || b.before != static_cast<int>(before)) continue;
            body.push_back({kernel::Barrier{"kept", copies_fly_}});
            copies_fly_ = false;
        }
    }

    void add_step(kernel::Body& body, const Step& step) {
        if (!step.writes && step.reads.empty()) return;  // one that a test has emptied
        if (step.staged_words > 0) {
            const bool load = step.writes.has_value();
            body.push_back({kernel::Threads{
                {{kernel::Stage{load ? kernel::StageDirection::into_shared : kernel::StageDirection::out_of_shared,
                                array(load ? *step.writes : step.reads.front()), "global", nullptr, step.staged_words,
                                step.staged_pitch.element_words, step.staged_pitch.padding}}}}});
            copies_fly_ = copies_fly_ || load;
            return;
        }
        kernel::Call call{"f", {}, {}};
        for (std::size_t r = 0; r < step.reads.size(); ++r)
            call.touches.push_back({array(step.reads[r]), step.read_sets[r], false});
        if (step.writes) call.touches.push_back({array(*step.writes), *step.write_set, true});
        kernel::Body own{{call}};
        if (step.guard_threads)
            own = {{kernel::If{
                kernel::binary("<", kernel::linear_thread(), kernel::integer(thread_count(step.block))), own, {}}}};
        body.push_back({kernel::Threads{std::move(own)}});
    }
};

/// What the rules of the kernel IR and the check of shared memory say of the schedule.
inline std::vector<std::string> check(const StreamSchedule& schedule) {
    const kernel::Kernel kernel = BareKernel(schedule).run();
    const std::string fault = kernel::verify(kernel);
    return fault.empty() ? kernel::check_shared(kernel) : std::vector{fault};
}

}  // namespace kasc::test
