#pragma once
// A schedule of streams as kernel IR without a library: its arrays, its steps as calls by the words that they touch,
// and its barriers. What a check of shared memory sees of it, for schedules made or broken by hand.

#include <fmt/format.h>

#include <algorithm>

#include "kernel/check_shared.hpp"
#include "lower/block.hpp"
#include "schedule/stream/schedule.hpp"

namespace kasc::test {

class BareKernel {
public:
    explicit BareKernel(const StreamSchedule& schedule) : schedule_(schedule) {}

    kernel::Kernel run() {
        kernel_.name = "bare";
        kernel_.block = schedule_.shape;
        kernel_.shared_words = shared_words(block_);
        kernel_.grid = {kernel::integer(1), kernel::integer(1), kernel::integer(1)};
        kernel_.functions.emplace_back().name = "f";
        kernel_.parameters.push_back({kernel::Type::f32, "global", kernel::ArrayIn{}});
        for (const ScheduledLoop& loop : schedule_.loops)
            if (loop.what.may_skip)
                kernel_.parameters.push_back({kernel::Type::i32, bound(loop), kernel::HostExpression{}});
        for (std::size_t k = 0; k < block_.regions.size(); ++k)
            kernel_.body.push_back(kernel::declare(block_.regions[k], array(k), kernel::Type::f32));
        std::vector<kernel::Body> steps;
        for (std::size_t k = 0; k < block_.steps.size(); ++k) steps.push_back(statements(k));
        const kernel::ExprRef rounds = kernel::integer(schedule_.choice.batch);
        kernel_.body.push_back({kernel::For{"round", kernel::integer(0), rounds, 1, 0,
                                            kernel::lower_block(block_, std::move(steps)), nullptr, true}});
        return std::move(kernel_);
    }

private:
    const StreamSchedule& schedule_;
    const block::BlockProgram& block_ = schedule_.block;
    kernel::Kernel kernel_;

    [[nodiscard]] std::string array(std::size_t region) const {
        return fmt::format("v{}", schedule_.values[region].value.index);
    }
    static std::string bound(const ScheduledLoop& loop) { return fmt::format("n{}", loop.begin); }

    [[nodiscard]] kernel::Body statements(std::size_t k) const {
        const block::Step& step = block_.steps[k];
        if (step.kind == StepKind::loop_begin) {
            const auto loop = std::find_if(schedule_.loops.begin(), schedule_.loops.end(),
                                           [&](const ScheduledLoop& l) { return l.begin == static_cast<int>(k); });
            const kernel::ExprRef to = loop->what.may_skip ? kernel::name(bound(*loop)) : kernel::integer(2);
            return {{kernel::For{fmt::format("i{}", k), kernel::integer(0), to, 1, 0, {}}}};
        }
        if (step.touches.empty()) return {};  // the end of a loop, or one that a test has emptied
        if (copies_together(step)) {
            const block::Touch& touch = step.touches.front();
            const TilePitch& pitch = block_.regions[touch.region].pitch;
            return {{kernel::Threads{{{kernel::Stage{
                touch.writes ? kernel::StageDirection::into_shared : kernel::StageDirection::out_of_shared,
                array(touch.region), "global", nullptr, touch.copied_words, pitch.element_words, pitch.padding}}}}}};
        }
        kernel::Call call{"f", {}, {}};
        for (const block::Touch& touch : step.touches)
            call.touches.push_back({array(touch.region), *touch.words, touch.writes});
        kernel::Body own{{call}};
        const StepCall& called = schedule_.calls[k];
        if (called.guard_threads)
            own = {{kernel::If{
                kernel::binary("<", kernel::linear_thread(), kernel::integer(thread_count(called.shape))), own, {}}}};
        return {{kernel::Threads{std::move(own)}}};
    }
};

/// What the rules of the kernel IR and the check of shared memory say of the schedule, as `check_shared` does.
inline std::vector<std::string> check(const StreamSchedule& schedule, std::size_t most = 10) {
    const kernel::Kernel kernel = BareKernel(schedule).run();
    const std::string fault = kernel::verify(kernel);
    return fault.empty() ? kernel::check_shared(kernel, most) : std::vector{fault};
}

}  // namespace kasc::test
