// A kernel's schedule as JSON: what its block holds and does step by step, and how far around its cells it reads.
#include <algorithm>

#include "driver/json_parts.hpp"
#include "driver/report_parts.hpp"

namespace kasc {

Json prediction_json(const Prediction& p) {
    return {{"time_ns", p.time_ns},
            {"global_ns", p.global_ns},
            {"shared_ns", p.shared_ns},
            {"arithmetic_ns", p.arithmetic_ns},
            {"latency_ns", p.latency_ns},
            {"dispatch_ns", p.dispatch_ns},
            {"launch_ns", p.launch_ns},
            {"blocks", p.blocks},
            {"threads", p.threads},
            {"global_bytes", p.global_bytes},
            {"moved_bytes", p.moved_bytes},
            {"l2_bytes", p.l2_bytes},
            {"shared_bytes", p.shared_bytes},
            {"flops", p.flops},
            {"instructions", p.instructions},
            {"registers", p.registers},
            {"shared_bytes_per_block", p.shared_bytes_per_block},
            {"occupancy", p.occupancy},
            {"waves", p.waves},
            {"barriers", p.barriers},
            {"code_bytes", p.code_bytes}};
}

Json calls_json(const Compilation& c, const Graph& graph, const std::vector<NodeId>& calls) {
    Json all = Json::array();
    for (const NodeId call : calls) all.push_back(node_text(graph, c.program, call));
    return all;
}

Json values_json(const Compilation& c, const Graph& graph, const std::vector<ValueId>& values) {
    Json all = Json::array();
    for (const ValueId v : values) all.push_back(value_name(graph, c.program, v));
    return all;
}

namespace {

const char* name_of(block::StepKind kind) {
    switch (kind) {
        case block::StepKind::copy:
            return "copy";
        case block::StepKind::compute:
            return "compute";
        case block::StepKind::fold:
            return "fold";
        case block::StepKind::exchange:
            return "exchange";
        case block::StepKind::move:
            return "move";
        case block::StepKind::store:
            return "store";
        case block::StepKind::loop_begin:
            return "loop";
        case block::StepKind::loop_end:
            return "end";
    }
    return "?";
}

/// Touches of one region: {step: "r", "w" or "rw"} in the order of the steps.
Json touches_json(const block::BlockProgram& block, std::size_t region) {
    Json all = Json::array();
    for (std::size_t step = 0; step < block.steps.size(); ++step) {
        bool reads = false, writes = false;
        for (const block::Touch& touch : block.steps[step].touches) {
            if (touch.region == region) (touch.writes ? writes : reads) = true;
        }
        if (reads || writes) all.push_back({step, reads && writes ? "rw" : reads ? "r" : "w"});
    }
    return all;
}

/// Steps, regions with their lives, barriers. `values`: of streams, by region.
void put_block(Json& kernel, const block::BlockProgram& block, const std::vector<StreamValue>* values) {
    const std::vector<block::Lifetime> lives = lifetimes(block);
    for (std::size_t k = 0; k < block.regions.size(); ++k) {
        const block::Region& region = block.regions[k];
        const bool shared = region.where == Residence::shared;
        Json entry{{"value", region.name}, {"where", shared ? "shared" : "registers"}};
        if (values != nullptr) entry["reason"] = (*values)[k].reason;
        if (!region.what.empty()) entry["what"] = region.what;
        entry["words"] = region.words;
        entry["word_bytes"] = region.word_bytes;
        entry["copies"] = region.copies;
        entry["first_step"] = lives[k].first;
        entry["last_step"] = lives[k].last;
        if (shared && region.place) entry["offset"] = *region.place;
        entry["touches"] = touches_json(block, k);
        kernel["placements"].push_back(std::move(entry));
    }
    for (const block::Step& step : block.steps)
        kernel["steps"].push_back({{"kind", name_of(step.kind)}, {"label", step.label}});
    for (const BarrierDecision& b : block.barriers)
        kernel["barriers"].push_back({{"before_step", b.before}, {"kept", b.needed}, {"reason", b.reason}});
}

Json axes_json(const Compilation& c, const std::vector<AxisId>& axes) {
    Json all = Json::array();
    for (const AxisId axis : axes) all.push_back(c.program.axes[axis].name);
    return all;
}

void put(Json& kernel, const StreamSchedule& s, const Compilation& c, const Graph& graph) {
    kernel["block"] = s.shape;
    kernel["elements"] = s.elements;
    put_block(kernel, s.block, &s.values);
    for (const ScheduledLoop& loop : s.loops)
        kernel["loops"].push_back(
            {{"text", node_text(graph, c.program, loop.node)}, {"first_step", loop.begin}, {"last_step", loop.end}});
}

/// Cells of a block, where its walk has a box of them.
Json block_cells(const FieldChoice& choice, std::size_t rank) {
    Json cells = Json::array();
    if (choice.walk != Walk::grid && choice.walk != Walk::column) return cells;
    for (std::size_t axis = 0; axis < rank; ++axis)
        cells.push_back(choice.walk == Walk::column && axis + 1 == rank ? choice.chunk : choice.tile(axis));
    return cells;
}

void put(Json& kernel, const FieldSchedule& s, const Compilation& c, const Graph& graph) {
    put_block(kernel, *s.block, nullptr);
    Json cells{{"axes", axes_json(c, s.axes())},
               {"block", block_cells(s.choice, s.axes().size())},
               {"reach_below", s.work->reach_low},
               {"reach_above", s.work->reach_high},
               {"kept_layers", s.work->margin}};
    for (const SharedTile& tile : s.tiles)
        cells["tiles"].push_back(
            {{"value", value_name(graph, c.program, tile.value)}, {"below", tile.low}, {"above", tile.high}});
    kernel["cells"] = std::move(cells);
}

void put(Json& kernel, const LineSchedule& s, const Compilation& c, const Graph&) {
    put_block(kernel, *s.block, nullptr);
    kernel["line"] = {{"along", c.program.axes[s.work->along].name},
                      {"passes", s.work->passes.size()},
                      {"lines", s.lines()},
                      {"threads", s.threads()}};
}

void put(Json& kernel, const ProductSchedule& s, const Compilation& c, const Graph& graph) {
    put_block(kernel, *s.block, nullptr);
    const ProductWork& work = *s.work;
    Json copied = Json::array();
    for (const ProductRead& read : work.reads)
        if (read.is_staged()) copied.push_back(value_name(graph, c.program, read.value));
    kernel["product"] = {{"along", c.program.axes[work.pass->along].name},
                         {"results", {s.width(), s.height()}},
                         {"cells", s.choice.chunk},
                         {"copied", std::move(copied)},
                         {"joins", work.joins()}};
}

void put(Json& kernel, const FftSchedule& s, const Compilation& c, const Graph&) {
    put_block(kernel, *s.block, nullptr);
    kernel["fft"] = {{"along", c.program.axes[s.work->lines.along].name},
                     {"radices", s.factors().radices},
                     {"lines", s.lines() * s.work->together()},
                     {"threads", s.threads()}};
}

void put(Json& kernel, const ScanSchedule& s, const Compilation& c, const Graph&) {
    put_block(kernel, *s.block, nullptr);
    const Running& running = s.work->running();
    kernel["scan"] = {{"along", c.program.axes[running.axis].name},
                      {"backward", running.backward},
                      {"axes", axes_json(c, s.work->cells.axes())},
                      {"threads_of_line", s.threads_of_line()},
                      {"lines", s.lines()}};
}

Json extent_json(const PipelineExtent& e) {
    return {{"lag", e.lag}, {"halo", e.halo}, {"planes_before", e.planes_before}, {"planes_behind", e.planes_behind}};
}

void put(Json& kernel, const PipelineSchedule& s, const Compilation& c, const Graph& graph) {
    put_block(kernel, *s.block, nullptr);
    const PipelineWork& work = *s.work;
    Json own = Json::array();
    for (std::size_t axis = 0; axis < work.tiled(); ++axis) own.push_back(s.own(axis));
    Json pipeline{{"axes", axes_json(c, work.axes)}, {"block", own}, {"halo", work.halo}, {"planes", s.choice.chunk}};
    for (const KeptPlanes& kept : work.kept) {
        Json entry = extent_json(kept.extent);
        entry["value"] = value_name(graph, c.program, kept.value);
        entry["loaded"] = kept.loaded;
        entry["planes_in_registers"] = s.queue(kept).count();
        entry["planes_shared"] = s.copies(kept);
        pipeline["kept"].push_back(std::move(entry));
    }
    for (const PipelineStage& stage : work.stages) {
        Json entry = extent_json(stage.extent);
        entry["calls"] = calls_json(c, graph, stage.cells.fusion().calls);
        pipeline["stages"].push_back(std::move(entry));
    }
    kernel["pipeline"] = std::move(pipeline);
}

void put(Json& kernel, const LoopSchedule& s, const Compilation& c, const Graph&) {
    if (s.block) put_block(kernel, *s.block, nullptr);
    Json words = Json::array(), walked = Json::array();
    for (const HandedWord& word : s.work->words) words.push_back(c.program.variables[word.variable].name);
    for (const WalkedField& field : s.work->walked) walked.push_back(c.program.variables[field.variable].name);
    kernel["loop"] = {{"loop", c.program.loops[s.work->loop.loop].name},
                      {"axes", axes_json(c, s.work->axes())},
                      {"cells", s.choice.threads_x},
                      {"iterations_in_tiles", s.tiled() ? s.choice.chunk : 0},
                      {"unrolled", s.choice.unroll},
                      {"handed_on", words},
                      {"in_memory", walked}};
    if (!s.work->of_lines()) return;
    kernel["loop"]["lines"] = {
        {"along", axes_json(c, s.work->line_axes())}, {"cells", s.line_cells()}, {"beside", s.choice.threads_y}};
}

void put(Json&, const TransformSchedule&, const Compilation&, const Graph&) {}

}  // namespace

Json candidate_json(const Compilation& c, const Graph& graph, const Candidate& candidate) {
    Json kernel;
    kernel["calls"] = calls_json(c, graph, fusion_of(candidate.schedule).calls);
    kernel["prediction"] = prediction_json(candidate.prediction);
    kernel["choice"] = print(choice_of(candidate.schedule));
    std::visit([&](const auto& schedule) { put(kernel, schedule, c, graph); }, candidate.schedule);
    return kernel;
}

}  // namespace kasc
