// Programs planned whole, and the rule that takes one of them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "driver/offers.hpp"
#include "foundation/pass_times.hpp"
#include "plan/capture.hpp"
#include "plan/run_ahead.hpp"

namespace kasc {

namespace {

/// Plans whose predicted times differ by less are as fast.
constexpr double as_fast = 1.01;

Riding riding_of(const CompileRequest& request) {
    return request.lists == Lists::kernels ? Riding::never : request.riding;
}

ProgramPlan whole_plan(const CheckedProgram& c, const CompileRequest& request, PlannedGraph planned) {
    const Pass pass("launches, arrays, kernels");
    ProgramPlan plan{std::move(planned), nullptr, {}, {}};
    HostPlan host = build_host_plan(c.program, c.library, plan, c.program.name, riding_of(request));
    for (const Ride& ride : host.rides) plan.time_ns -= ride.saved_ns;
    if (c.device.kind == DeviceKind::gpu) {
        AheadPlan ahead = run_ahead(std::move(host), c.program);
        host = std::move(ahead.plan);
        plan.ahead = std::move(ahead.verdicts);
    }
    if (request.graph != Capture::never && c.device.kind == DeviceKind::gpu) {
        CapturedPlan captured = capture_graphs(std::move(host), c.program, plan, request.graph);
        host = std::move(captured.plan);
        plan.captures = std::move(captured.verdicts);
    }
    plan.host = std::make_shared<const HostPlan>(std::move(host));
    return plan;
}

}  // namespace

double own_memory(const HostPlan& host, const Program& program, const Problem& problem) {
    double bytes = 0;
    for (const Slot& slot : host.slots) {
        const auto* field = std::get_if<FieldShape>(&program.variables[slot.variable].shape);
        if (field == nullptr || !std::holds_alternative<TemporaryStorage>(slot.storage)) continue;
        auto cells = static_cast<double>(cell_bytes(field->type));
        for (const AxisId axis : field->axes) cells *= static_cast<double>(problem.extents.at(axis.index));
        bytes += cells;
    }
    return bytes;
}

Plans plan_whole(const CheckedProgram& c, const CompileRequest& request, const PlanOptions& options) {
    auto searched = plan_graph(c.program, c.graph, c.library, c.device, c.problem, options);
    if (!searched) return failure<std::vector<ProgramPlan>>(searched.diagnostics);
    std::vector<ProgramPlan> plans;
    for (PlannedGraph& planned : *searched.value) plans.push_back(whole_plan(c, request, std::move(planned)));
    std::stable_sort(plans.begin(), plans.end(),
                     [](const ProgramPlan& a, const ProgramPlan& b) { return a.time_ns < b.time_ns; });
    return success(std::move(plans), searched.diagnostics);
}

Variant plan_variant(std::string name, Program program, const CheckedProgram& checked, const CompileRequest& request,
                     const PlanOptions& options) {
    const Pass pass(name);
    CheckedProgram other{checked.library, std::move(program), checked.device, checked.problem, {}};
    Variant variant{std::move(name), {}, {}, {}, {}, 0};
    Diagnostics said;
    if (auto graph = build_graph(other.program)) {
        other.graph = std::move(*graph.value);
        Plans plans = plan_whole(other, request, options);
        said = plans.diagnostics;
        if (plans) {
            variant.plans = std::move(*plans.value);
            variant.memory_bytes = own_memory(*variant.plans.front().host, other.program, other.problem);
        }
    } else {
        said = graph.diagnostics;
    }
    if (variant.plans.empty() && !said.empty()) {
        const Diagnostic& first = said.front();
        variant.fault = first.label.empty() ? first.message : first.message + ": " + first.label;
    }
    variant.program = std::move(other.program);
    variant.graph = std::move(other.graph);
    return variant;
}

std::size_t taken_of(const std::vector<Variant>& variants) {
    double fastest = variants.front().plans.front().time_ns;
    for (const Variant& v : variants)
        if (!v.plans.empty()) fastest = std::min(fastest, v.plans.front().time_ns);
    std::size_t taken = variants.size();
    for (std::size_t k = 0; k < variants.size(); ++k) {
        if (variants[k].plans.empty() || variants[k].plans.front().time_ns >= as_fast * fastest) continue;
        if (taken == variants.size() || variants[k].memory_bytes < variants[taken].memory_bytes) taken = k;
    }
    return taken == variants.size() ? 0 : taken;
}

std::string verdict_of(const std::vector<Variant>& variants, std::size_t variant, bool taken) {
    if (variants[variant].plans.empty()) return "left, no plan: " + variants[variant].fault;
    const double before = variants.front().plans.front().time_ns, after = variants[variant].plans.front().time_ns;
    return fmt::format("{}, {:.1f} % {} by the model", taken ? "done" : "left", std::abs(after / before - 1) * 100,
                       after < before ? "faster" : "slower");
}

}  // namespace kasc
