// What the steps of a stream's schedule touch of shared memory, for the pass that places barriers.
#include <algorithm>

#include "block/barriers.hpp"
#include "schedule/stream/task.hpp"

namespace kasc {

namespace {

block::SharedStep touches_of(const StreamTask& task, const std::map<ValueId, const Placement*>& shared,
                             const Step& step) {
    block::SharedStep made;
    if (step.kind == StepKind::loop_begin || step.kind == StepKind::loop_end) {
        made.mark = step.kind == StepKind::loop_begin ? block::StepMark::loop_begin : block::StepMark::loop_end;
        made.may_skip = std::any_of(task.loops.begin(), task.loops.end(),
                                    [&](const TaskLoop& loop) { return loop.node == step.call && loop.what.may_skip; });
        return made;
    }
    const auto add = [&](ValueId value, const AddressSet& words, bool writes) {
        const auto at = shared.find(value);
        if (at == shared.end()) return;
        const int begin = at->second->offset;
        made.touches.push_back(
            {begin, begin + at->second->words, &words, nullptr, step.staged_words, step.staged_pitch, writes});
    };
    for (std::size_t r = 0; r < step.reads.size(); ++r) add(step.reads[r], step.read_sets[r], false);
    if (step.writes) add(*step.writes, *step.write_set, true);
    return made;
}

/// The value of a step's touch: those in registers are none.
ValueId value_of(const std::map<ValueId, const Placement*>& shared, const Step& step, std::size_t touch) {
    for (const ValueId value : step.reads)
        if (shared.contains(value) && touch-- == 0) return value;
    return *step.writes;
}

}  // namespace

std::vector<BarrierDecision> decide_barriers(const StreamTask& task, const std::vector<Placement>& placements,
                                             const std::vector<Step>& steps) {
    std::map<ValueId, const Placement*> shared;
    for (const Placement& placement : placements)
        if (placement.where == Residence::shared) shared.emplace(placement.value, &placement);
    std::vector<block::SharedStep> touched;
    for (const Step& step : steps) touched.push_back(touches_of(task, shared, step));
    const block::StepTexts texts{
        [&](std::size_t k) { return step_label(task, steps[k]); },
        [&](std::size_t k) {
            return steps[k].kind == StepKind::load   ? "the load"
                   : steps[k].kind == StepKind::save ? "the save"
                   : steps[k].kind == StepKind::move ? "the loop"
                                                     : step_label(task, steps[k]);
        },
        [&](std::size_t k) { return steps[k].kind == StepKind::load ? "loaded" : "computed"; },
        [&](std::size_t k, std::size_t touch) { return task.values.at(value_of(shared, steps[k], touch)).name; }};
    return block::decide_barriers(touched, task.choice.batch > 1, texts);
}

}  // namespace kasc
