#include <algorithm>
#include <nlohmann/json.hpp>

#include "driver/report.hpp"
#include "driver/report_parts.hpp"

namespace kasc {

namespace {

using Json = nlohmann::ordered_json;

Json prediction_json(const Prediction& p) {
    return {{"time_ns", p.time_ns},           {"global_ns", p.global_ns},
            {"shared_ns", p.shared_ns},       {"arithmetic_ns", p.arithmetic_ns},
            {"latency_ns", p.latency_ns},     {"dispatch_ns", p.dispatch_ns},
            {"launch_ns", p.launch_ns},       {"global_bytes", p.global_bytes},
            {"shared_bytes", p.shared_bytes}, {"flops", p.flops},
            {"registers", p.registers},       {"shared_bytes_per_block", p.shared_bytes_per_block},
            {"occupancy", p.occupancy},       {"waves", p.waves},
            {"barriers", p.barriers},         {"code_bytes", p.code_bytes}};
}

Json step_json(const StepReport& step) {
    Json json{{"parameter", step.parameter}};
    if (step.value) json["value"] = *step.value;
    if (step.largest) json["largest_stable"] = *step.largest;
    if (!step.needed_inputs.empty()) json["needed_inputs"] = step.needed_inputs;
    if (!step.needed_parameters.empty()) json["needed_parameters"] = step.needed_parameters;
    return json;
}

Json calls_json(const Compilation& c, const Graph& graph, const std::vector<NodeId>& calls) {
    Json all = Json::array();
    for (const NodeId call : calls) all.push_back(node_text(graph, c.program, call));
    return all;
}

void put_stream(Json& kernel, const StreamSchedule& s) {
    kernel["block"] = s.shape;
    kernel["elements"] = s.elements;
    const std::vector<block::Lifetime> lives = lifetimes(s.block);
    for (std::size_t k = 0; k < s.block.regions.size(); ++k) {
        const block::Region& region = s.block.regions[k];
        Json entry{
            {"value", region.name},         {"where", region.where == Residence::registers ? "registers" : "shared"},
            {"reason", s.values[k].reason}, {"words", region.words},
            {"first_step", lives[k].first}, {"last_step", lives[k].last}};
        if (region.where == Residence::shared) entry["offset"] = *region.place;
        kernel["placements"].push_back(entry);
    }
}

void put_barriers(Json& kernel, const std::vector<BarrierDecision>& barriers) {
    for (const BarrierDecision& b : barriers)
        kernel["barriers"].push_back({{"before_step", b.before}, {"kept", b.needed}, {"reason", b.reason}});
}

Json candidate_json(const Compilation& c, const Graph& graph, const Candidate& candidate) {
    Json kernel;
    kernel["calls"] = calls_json(c, graph, fusion_of(candidate.schedule).calls);
    kernel["prediction"] = prediction_json(candidate.prediction);
    kernel["choice"] = print(choice_of(candidate.schedule));
    if (const auto* stream = std::get_if<StreamSchedule>(&candidate.schedule)) {
        put_stream(kernel, *stream);
        put_barriers(kernel, stream->block.barriers);
    } else if (const auto* field = std::get_if<FieldSchedule>(&candidate.schedule)) {
        put_barriers(kernel, field->block->barriers);
    } else if (const auto* line = std::get_if<LineSchedule>(&candidate.schedule)) {
        put_barriers(kernel, line->block->barriers);
    } else if (const auto* pipeline = std::get_if<PipelineSchedule>(&candidate.schedule)) {
        put_barriers(kernel, pipeline->block->barriers);
    }
    return kernel;
}

Json values_json(const Compilation& c, const Graph& graph, const std::vector<ValueId>& values) {
    Json all = Json::array();
    for (const ValueId v : values) all.push_back(value_name(graph, c.program, v));
    return all;
}

/// What a heuristic may look at, of a schedule.
Json features_json(const KernelSchedule& schedule) {
    if (!std::holds_alternative<StreamSchedule>(schedule)) return {{"choice", print(choice_of(schedule))}};
    const auto& s = std::get<StreamSchedule>(schedule);
    int registers = 0, in_registers = 0, staged = 0;
    for (const block::Region& region : s.block.regions) {
        if (region.where != Residence::registers) continue;
        ++in_registers;
        registers += region.words;
    }
    for (const block::Step& step : s.block.steps)
        for (const block::Touch& touch : step.touches) staged += touch.copied_words;
    const int kept = barriers_met(s.block);
    return {{"choice", print(Choice(s.choice))},
            {"threads", s.threads},
            {"elements", s.elements},
            {"batch", s.choice.batch},
            {"shared_words", shared_words(s.block)},
            {"staged_words", staged},
            {"values", s.values.size()},
            {"values_in_registers", in_registers},
            {"register_words_a_thread", registers},
            {"steps", s.block.steps.size()},
            {"loops", s.loops.size()},
            {"barriers", kept},
            {"barriers_elided", static_cast<int>(s.block.barriers.size()) - kept}};
}

/// What was priced, in its order, and how good the strategy's selection of it was.
Json progress_json(const std::vector<Progress>& progress) {
    Json all = Json::array();
    for (const Progress& p : progress)
        all.push_back({{"schedules", p.schedules}, {"selected_ns", p.selected_ns}, {"best_ns", p.best_ns}});
    return all;
}

Json refusals_json(const Compilation& c, const Graph& graph, const std::vector<Refusal>& refusals) {
    Json all = Json::array();
    for (const Refusal& r : refusals) all.push_back({{"calls", calls_json(c, graph, r.calls)}, {"reason", r.reason}});
    return all;
}

}  // namespace

std::string space_json(const Compilation& c) {
    Json root{{"program", c.program.name}, {"device", c.device.name}, {"graphs", Json::array()}};
    for (const GraphInPlan& g : graphs_of(c, c.plans.front())) {
        const CostedSpace& costed = *g.planned->costed;
        const Graph& graph = *costed.expanded;
        const auto& chosen = g.planned->selection.candidates;
        Json entry{{"graph", g.name}, {"evaluated", costed.evaluated}, {"cut", costed.space.cut}};
        entry["fusions"] = entry["candidates"] = Json::array();
        for (const Fusion& fusion : costed.space.fusions) {
            Json numbers = Json::array();  // as the plans of kasc tune name calls
            for (const NodeId call : fusion.calls) numbers.push_back(call.index);
            entry["fusions"].push_back({{"calls", calls_json(c, graph, fusion.calls)},
                                        {"numbers", numbers},
                                        {"inputs", values_json(c, graph, fusion.inputs)},
                                        {"outputs", values_json(c, graph, fusion.outputs)},
                                        {"inner", values_json(c, graph, fusion.inner)}});
        }
        for (std::size_t k = 0; k < costed.candidates.size(); ++k) {
            const Candidate& candidate = costed.candidates[k];
            entry["candidates"].push_back({{"fusion", candidate.fusion.index},
                                           {"chosen", std::find(chosen.begin(), chosen.end(), k) != chosen.end()},
                                           {"features", features_json(candidate.schedule)},
                                           {"prediction", prediction_json(candidate.prediction)}});
        }
        for (const auto& [loop, time] : costed.loop_ns)
            entry["loops_on_the_host"].push_back({{"loop", node_text(graph, c.program, loop)}, {"time_ns", time}});
        entry["refused"] = refusals_json(c, graph, costed.space.refusals);
        entry["infeasible"] = refusals_json(c, graph, costed.infeasible);
        root["graphs"].push_back(entry);
    }
    return root.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string explain_json(const Compilation& c, const std::optional<StepReport>& step) {
    Json root;
    root["program"] = c.program.name;
    root["device"] = c.device.name;
    if (step) root["time_step"] = step_json(*step);
    if (!c.program.left_out.empty()) root["left_out"] = c.program.left_out;
    for (const CaptureVerdict& capture : c.plans.front().captures) {
        root["cuda_graphs"].push_back({{"loop", capture.loop},
                                       {"captured", static_cast<bool>(capture.verdict)},
                                       {"reason", capture.verdict.reason()}});
    }
    for (const AheadVerdict& loop : c.plans.front().ahead) {
        root["conditions"].push_back(
            {{"loop", loop.loop}, {"run_ahead", static_cast<bool>(loop.verdict)}, {"reason", loop.verdict.reason()}});
    }
    for (const RewriteVerdict& r : c.rewrites) {
        root["rewrites"].push_back({{"rule", name_of(r.rule)},
                                    {"applied", static_cast<bool>(r.verdict)},
                                    {"reason", r.verdict.reason()},
                                    {"statement", r.statement}});
    }
    for (std::size_t i = 0; i < c.plans.size(); ++i) {
        Json plan;
        plan["time_ns"] = c.plans[i].time_ns;
        for (const GraphInPlan& g : graphs_of(c, c.plans[i])) {
            Json entry;
            entry["graph"] = g.name;
            entry["strategy"] = g.planned->selection.strategy;
            entry["bound"] = g.planned->selection.bound;
            entry["fusions"] = g.planned->costed->space.fusions.size();
            entry["evaluated"] = g.planned->costed->evaluated;
            entry["cut"] = g.planned->costed->space.cut;
            if (i == 0) entry["progress"] = progress_json(g.planned->progress);
            entry["kernels"] = Json::array();
            for (const Candidate* candidate : chosen(*g.planned))
                entry["kernels"].push_back(candidate_json(c, *g.planned->costed->expanded, *candidate));
            if (i == 0) {
                const RefusalSummary refusals = summarise_refusals(c, *g.planned);
                entry["refused"] = Json::array();
                for (const RefusalGroup& group : refusals.groups) {
                    entry["refused"].push_back(
                        {{"reason", group.reason}, {"count", group.count}, {"examples", group.calls}});
                }
                entry["refused_for_other_reasons"] = refusals.left_out;
            }
            plan["graphs"].push_back(entry);
        }
        root["plans"].push_back(plan);
    }
    return root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace kasc
