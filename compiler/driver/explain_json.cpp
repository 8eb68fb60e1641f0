#include <algorithm>

#include "driver/fold_report.hpp"
#include "driver/json_parts.hpp"
#include "driver/plan_text.hpp"
#include "driver/report_parts.hpp"

namespace kasc {

namespace {

Json step_json(const StepReport& step) {
    Json json{{"parameter", step.parameter}};
    if (step.value) json["value"] = *step.value;
    if (step.largest) json["largest_stable"] = *step.largest;
    if (!step.needed_inputs.empty()) json["needed_inputs"] = step.needed_inputs;
    if (!step.needed_parameters.empty()) json["needed_parameters"] = step.needed_parameters;
    return json;
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

Json kernels_json(const Compilation& c, const PlannedGraph& plan) {
    Json all = Json::array();
    for (const GraphInPlan& g : graphs_of(c, plan)) {
        for (const Candidate* candidate : chosen(*g.planned)) {
            Json numbers = Json::array();
            for (const NodeId call : fusion_of(candidate->schedule).calls) numbers.push_back(call.index);
            all.push_back({{"graph", g.name},
                           {"runs", g.runs},
                           {"numbers", std::move(numbers)},
                           {"features", features_json(candidate->schedule)},
                           {"prediction", prediction_json(candidate->prediction)}});
        }
    }
    return all;
}

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

Json explanation_json(const Compilation& c, const std::optional<StepReport>& step) {
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
    for (const Ride& ride : c.plans.front().host->rides) {
        root["small_kernels"].push_back(
            {{"kernel", ride.kernel}, {"rides", static_cast<bool>(ride.verdict)}, {"reason", ride.verdict.reason()}});
    }
    for (const Completion& completion : c.plans.front().host->completions) {
        root["last_blocks"].push_back({{"kernel", completion.kernel},
                                       {"completed", static_cast<bool>(completion.verdict)},
                                       {"reason", completion.verdict.reason()}});
    }
    for (const FoldPlace& fold : fold_places(c, c.plans.front(), kernel_names(c, c.plans.front())))
        root["folds"].push_back({{"fold", fold.fold}, {"kernel", fold.kernel}, {"reason", fold.reason}});
    if (!c.list_verdicts.empty()) root["lists"] = c.list_verdicts;
    for (const RewriteVerdict& r : c.rewrites) {
        root["rewrites"].push_back({{"rule", name_of(r.rule)},
                                    {"applied", static_cast<bool>(r.verdict)},
                                    {"reason", r.verdict.reason()},
                                    {"statement", r.statement}});
    }
    for (const StepDepth& depth : c.depths) {
        Json entry{{"steps", depth.steps}, {"taken", depth.taken}};
        if (!depth.fault.empty()) {
            entry["fault"] = depth.fault;
        } else {
            entry.update({{"time_ns", depth.time_ns},
                          {"moved_bytes", depth.moved_bytes},
                          {"flops", depth.flops},
                          {"binds", depth.binds}});
        }
        root["steps"].push_back(std::move(entry));
    }
    for (std::size_t i = 0; i < c.plans.size(); ++i) {
        Json plan;
        plan["time_ns"] = c.plans[i].time_ns;
        plan["global_bytes"] = c.plans[i].bytes;
        plan["unfused_global_bytes"] = c.plans[i].unfused_bytes;
        plan["plan"] = plan_text(c, c.plans[i]);
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
    return root;
}

std::string explain_json(const Compilation& c, const std::optional<StepReport>& step,
                         const std::vector<PassTime>& passes) {
    Json root = explanation_json(c, step);
    for (const PassTime& pass : passes) {
        root["passes"].push_back(
            {{"pass", pass.name}, {"depth", pass.depth}, {"seconds", pass.seconds}, {"runs", pass.runs}});
    }
    return root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace kasc
