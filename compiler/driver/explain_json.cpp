#include <nlohmann/json.hpp>

#include "driver/report.hpp"
#include "driver/report_parts.hpp"

namespace kasc {

namespace {

using Json = nlohmann::ordered_json;

Json prediction_json(const Prediction& p) {
    return {{"time_ns", p.time_ns},
            {"global_ns", p.global_ns},
            {"shared_ns", p.shared_ns},
            {"arithmetic_ns", p.arithmetic_ns},
            {"latency_ns", p.latency_ns},
            {"launch_ns", p.launch_ns},
            {"global_bytes", p.global_bytes},
            {"shared_bytes", p.shared_bytes},
            {"flops", p.flops},
            {"registers", p.registers},
            {"shared_bytes_per_block", p.shared_bytes_per_block},
            {"occupancy", p.occupancy},
            {"waves", p.waves},
            {"barriers", p.barriers}};
}

Json calls_json(const Compilation& c, const Graph& graph, const std::vector<NodeId>& calls) {
    Json all = Json::array();
    for (const NodeId call : calls) all.push_back(node_text(graph, c.program, call));
    return all;
}

void put_stream(Json& kernel, const Compilation& c, const Graph& graph, const StreamSchedule& s) {
    kernel["block"] = s.block;
    kernel["elements"] = s.elements;
    for (const Placement& p : s.placements) {
        Json entry{{"value", value_name(graph, c.program, p.value)},
                   {"where", p.where == Residence::registers ? "registers" : "shared"},
                   {"reason", p.reason},
                   {"words", p.words},
                   {"first_step", p.first_step},
                   {"last_step", p.last_step}};
        if (p.where == Residence::shared) entry["offset"] = p.offset;
        kernel["placements"].push_back(entry);
    }
    for (const BarrierDecision& b : s.barriers) {
        kernel["barriers"].push_back({{"before_step", b.before}, {"kept", b.needed}, {"reason", b.reason}});
    }
}

Json candidate_json(const Compilation& c, const Graph& graph, const Candidate& candidate) {
    Json kernel;
    kernel["calls"] = calls_json(c, graph, fusion_of(candidate.schedule).calls);
    kernel["prediction"] = prediction_json(candidate.prediction);
    if (const auto* stream = std::get_if<StreamSchedule>(&candidate.schedule)) {
        kernel["choice"] = print(Choice(stream->choice));
        put_stream(kernel, c, graph, *stream);
    } else {
        kernel["choice"] = print(Choice(std::get<FieldSchedule>(candidate.schedule).choice));
    }
    return kernel;
}

}  // namespace

std::string explain_json(const Compilation& c) {
    Json root;
    root["program"] = c.program.name;
    root["device"] = c.device.name;
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
