#include "driver/step_depths.hpp"

#include <fmt/format.h>

#include "driver/report_parts.hpp"

namespace kasc {

namespace {

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
