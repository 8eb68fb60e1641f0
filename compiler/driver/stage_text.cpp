#include "driver/stage_text.hpp"

#include <fmt/format.h>

#include "driver/dot_text.hpp"
#include "driver/report_parts.hpp"
#include "driver/verification.hpp"

namespace kasc {

namespace {

std::string space_text(const Compilation& c) {
    std::string out;
    for (const GraphInPlan& g : graphs_of(c, c.plans.front())) {
        out += fmt::format("== {} ==\n{}", g.name, print(g.planned->costed->space, c.program, *g.planned->graph));
    }
    return out;
}

std::string plan_stage(const Compilation& c) {
    std::string out;
    for (const GraphInPlan& g : graphs_of(c, c.plans.front())) {
        out += fmt::format("== {} ==\n", g.name);
        for (const Candidate* candidate : chosen(*g.planned)) {
            const bool stream = std::holds_alternative<StreamSchedule>(candidate->schedule);
            const Graph& graph = stream ? *g.planned->costed->expanded : *g.planned->graph;
            out += print(candidate->schedule, c.program, graph, c.library);
        }
    }
    return out + "== host ==\n" + print(*c.plans.front().host, c.program);
}

Outcome<std::string> kernel_text(const Compilation& c) {
    const HostPlan& plan = *c.plans.front().host;
    Diagnostics faults = verify_kernels(plan);
    if (!faults.empty()) return failure<std::string>(faults);
    std::string out;
    for (const kernel::Lowered& lowered : plan.kernels) {
        for (const kernel::Kernel& k : lowered.alternatives) out += kernel::print(k);
    }
    return success(std::move(out));
}

}  // namespace

Outcome<std::string> stage_text(const std::string& stage, const Compilation& c, const CompileRequest& request,
                                emit::Target target) {
    if (stage == "program") return success(print(c.program, c.library));
    if (stage == "graph") return success(print(c.graph, c.program, c.library));
    if (stage == "space") return success(space_text(c));
    if (stage == "plan") return success(plan_stage(c));
    if (stage == "dot") return success(dot_text(c, request.source));
    if (stage == "kernel") return kernel_text(c);
    const auto code = emit_plan(c, request, 0, target);
    if (!code) return failure<std::string>(code.diagnostics);
    return success(code->files[1].text);
}

}  // namespace kasc
