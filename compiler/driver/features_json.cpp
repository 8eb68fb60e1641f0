// What a cost model may look at, of a schedule: numbers that are there before anything is compiled.
#include "driver/json_parts.hpp"
#include "driver/report_parts.hpp"

namespace kasc {

namespace {

/// Features of the block, alike for all walks.
void put_block(Json& features, const block::BlockProgram& block) {
    int in_registers = 0, register_words = 0, in_shared = 0, shared_words = 0, copied = 0, touches = 0, loops = 0;
    for (const block::Region& region : block.regions) {
        const bool shared = region.where == Residence::shared;
        ++(shared ? in_shared : in_registers);
        (shared ? shared_words : register_words) += region.words * region.copies;
    }
    for (const block::Step& step : block.steps) {
        touches += static_cast<int>(step.touches.size());
        loops += step.kind == block::StepKind::loop_begin ? 1 : 0;
        for (const block::Touch& touch : step.touches) copied += touch.copied_words;
    }
    int kept = 0;
    for (const BarrierDecision& barrier : block.barriers) kept += barrier.needed ? 1 : 0;
    features["values_in_registers"] = in_registers;
    features["register_words_a_thread"] = register_words;
    features["values_in_shared_memory"] = in_shared;
    features["shared_words"] = shared_words;
    features["copied_words"] = copied;
    features["steps"] = block.steps.size();
    features["loops"] = loops;
    features["touches"] = touches;
    features["barriers"] = kept;
    features["barriers_elided"] = block.barriers.size() - static_cast<std::size_t>(kept);
}

void put_choice(Json& features, const FieldChoice& c) {
    features["threads_x"] = c.threads_x;
    features["threads_y"] = c.threads_y;
    features["threads_z"] = c.threads_z;
    features["vector"] = c.vector;
    features["rows"] = c.rows;
    features["chunk"] = c.chunk;
    features["unroll"] = c.unroll;
    features["neighbours"] = static_cast<int>(c.neighbours);
    features["borders"] = static_cast<int>(c.borders);
}

void put(Json& features, const StreamSchedule& s) {
    features["threads"] = s.threads;
    features["elements"] = s.elements;
    features["batch"] = s.choice.batch;
    put_block(features, s.block);
}
void put(Json& features, const FieldSchedule& s) {
    put_choice(features, s.choice);
    features["axes"] = s.axes().size();
    features["loads"] = s.work->loads.size();
    int reach = 0;
    for (const int cells : s.work->reach_low) reach = std::max(reach, cells);
    for (const int cells : s.work->reach_high) reach = std::max(reach, cells);
    features["reach"] = reach;
    put_block(features, *s.block);
}
void put(Json&, const TransformSchedule&) {}
/// Walks that have no more to say than all.
template <class Schedule>
void put(Json& features, const Schedule& s) {
    put_choice(features, s.choice);
    if (s.block) put_block(features, *s.block);
}

std::string walk_of(const KernelSchedule& schedule) {
    if (std::holds_alternative<StreamSchedule>(schedule)) return "stream";
    if (std::holds_alternative<TransformSchedule>(schedule)) return "transform";
    const std::string text = print(choice_of(schedule));
    return text.substr(0, text.find(' '));
}

}  // namespace

Json features_json(const KernelSchedule& schedule) {
    const Fusion& fusion = fusion_of(schedule);
    Json features{{"choice", print(choice_of(schedule))}, {"walk", walk_of(schedule)},
                  {"calls", fusion.calls.size()},         {"inputs", fusion.inputs.size()},
                  {"outputs", fusion.outputs.size()},     {"inner", fusion.inner.size()}};
    std::visit([&](const auto& s) { put(features, s); }, schedule);
    return features;
}

}  // namespace kasc
