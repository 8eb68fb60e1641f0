#include "driver/written_plan.hpp"

#include <algorithm>

#include "driver/plan_text.hpp"
#include "search/plan_wish.hpp"

namespace kasc {

Outcome<PlanWish> read_plan(const CheckedProgram& checked, const CompileRequest& request) {
    const auto written = parse_plan(request.written_plan);
    if (!written) return failure<PlanWish>(written.diagnostics);
    std::vector<PlannedCalls> planned;
    if (std::any_of(written->begin(), written->end(), [](const WrittenKernel& k) { return k.number.has_value(); })) {
        const Plans open = plan_whole(checked, request, request.plan);
        if (!open) return failure<PlanWish>(open.diagnostics);
        planned = planned_calls(checked.graph, open->front());
    }
    return resolve_plan(*written, checked.program, checked.graph, planned);
}

bool wishes(const CompileRequest& request, Walk walk) {
    const auto written = parse_plan(request.written_plan);
    return written &&
           std::any_of(written->begin(), written->end(), [&](const WrittenKernel& k) { return k.choice.walk == walk; });
}

std::vector<std::string> planned_names(const CompileRequest& request) {
    std::vector<std::string> names;
    if (const auto written = parse_plan(request.written_plan))
        for (const WrittenKernel& kernel : *written)
            for (const Span& name : kernel.calls) names.emplace_back(text_of(name));
    return names;
}

}  // namespace kasc
