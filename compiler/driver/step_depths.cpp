#include "driver/step_depths.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "driver/report_parts.hpp"

namespace kasc {

namespace {

/// The share of one step's time that several are predicted to take at most. Of loops drawn from families of stencils
/// those predicted to take 0.9 to 1 of it took 0.95 to 1.8 (H100). Kernels over several axes that compute neighbours
/// anew, whose registers and rims are not known well: predicted 0.74 to 0.87 they took 0.91 to 1.37, predicted 0.35 to
/// 0.69 they took 0.42 to 0.93.
constexpr double sure_share = 0.9, sure_share_of_anew = 0.72;

/// A kernel of the plan has several steps one behind the other, or the grid has one axis.
bool computes_cells_once(const PlannedGraph& planned) {
    const auto once = [](const Candidate* candidate) {
        const auto* field = std::get_if<FieldSchedule>(&candidate->schedule);
        return std::holds_alternative<PipelineSchedule>(candidate->schedule) ||
               (field != nullptr && field->work->plan.axes.size() == 1);
    };
    const std::vector<const Candidate*> all = chosen(planned);
    return std::any_of(all.begin(), all.end(), once) ||
           std::any_of(planned.loops.begin(), planned.loops.end(),
                       [](const auto& loop) { return computes_cells_once(*loop.second); });
}

/// Adds up the kernels of a graph and of its loops, in a run of it.
void add(Prediction& all, const PlannedGraph& planned, double runs) {
    for (const Candidate* candidate : chosen(planned)) {
        const Prediction& p = candidate->prediction;
        all.moved_bytes += runs * p.moved_bytes, all.flops += runs * p.flops;
        all.global_ns += runs * p.global_ns, all.shared_ns += runs * p.shared_ns;
        all.arithmetic_ns += runs * p.arithmetic_ns, all.latency_ns += runs * p.latency_ns;
        all.dispatch_ns += runs * p.dispatch_ns, all.launch_ns += runs * p.launch_ns;
    }
    for (const auto& [node, body] : planned.loops) add(all, *body, runs * planned.iterations.at(node));
}

}  // namespace

std::vector<StepDepth> step_depths(const std::vector<Variant>& variants, const std::vector<int>& steps,
                                   std::size_t taken) {
    std::vector<StepDepth> all;
    for (std::size_t k = 0; k < variants.size(); ++k) {
        StepDepth depth;
        depth.steps = steps[k], depth.fault = variants[k].fault;
        depth.taken = k == taken;
        if (!variants[k].plans.empty()) {
            Prediction sum;
            add(sum, variants[k].plans.front(), 1);
            depth.time_ns = variants[k].plans.front().time_ns;
            depth.moved_bytes = sum.moved_bytes, depth.flops = sum.flops;
            depth.binds = binding_part(sum);
        }
        all.push_back(std::move(depth));
    }
    return all;
}

Verdict is_sure(const Variant& several, const Variant& one) {
    const bool once = computes_cells_once(several.plans.front());
    const double share = several.plans.front().time_ns / one.plans.front().time_ns;
    if (share <= (once ? sure_share : sure_share_of_anew)) return Verdict::yes("");
    return Verdict::no(once ? "too little to be sure of" : "too little to be sure of where cells are computed anew");
}

std::string depths_text(const std::vector<StepDepth>& depths) {
    std::string text;
    for (const StepDepth& depth : depths) {
        text += fmt::format("  {}: ", depth.steps);
        if (!depth.fault.empty()) {
            text += fmt::format("no plan: {}\n", depth.fault);
            continue;
        }
        text += fmt::format("{}, {:.1f} MB moved", time_text(depth.time_ns), depth.moved_bytes / 1e6);
        if (depth.steps > 1 && depths.front().flops > 0)
            text += fmt::format(", {:.2f} times the arithmetic", depth.flops / depths.front().flops);
        text += fmt::format("; {} binds{}\n", depth.binds, depth.taken ? "; taken" : "");
    }
    return text;
}

}  // namespace kasc
