#pragma once
// The steps of a plan but its loops, done one by one. Internal to this folder.

#include <string>

#include "execute/division.hpp"
#include "execute/rank_order.hpp"
#include "execute/ready_steps.hpp"
#include "execute/slots.hpp"

namespace kasc::execute {

class StepRunner {
public:
    /// What it is given outlives it.
    StepRunner(const Launcher::Run& run, const HostPlan& plan, Slots& slots)
        : run_(run), slots_(slots), steps_(plan, run) {}

    [[nodiscard]] ReadySteps& ready() { return steps_; }
    /// `riding`: a former iteration has left cells. What the input is at fault for; empty: nothing.
    [[nodiscard]] std::string run(const LaunchStep& step, bool riding);
    [[nodiscard]] std::string run(const TransformStep& step);
    void run(const CopyStep& step);
    void run(const ZeroStep& step);
    void run(const DeliverStep& step);

private:
    const Launcher::Run run_;
    Slots& slots_;
    ReadySteps steps_;

    void transform_together(const TransformStep& step, std::size_t number);
    void copy(const SlotBytes& to, const SlotBytes& from, VariableId variable);
    void each_part(const std::vector<std::vector<ranks::Touch>>& arrays);
};

}  // namespace kasc::execute
