#include "driver/verification.hpp"

#include <fmt/format.h>

#include "kernel/prove_shared.hpp"
#include "schedule/verify.hpp"

namespace kasc {

namespace {

Diagnostic unproved(const kernel::Kernel& k, const std::string& race) {
    Diagnostic d;
    d.code = "K0603";
    d.message = fmt::format("internal: kernel {} is not proved free of races: it {}", k.name, race);
    d.help = "please report this, with the program and the plan";
    return d;
}

}  // namespace

Diagnostics verify_schedules(const Program& program, const PlannedGraph& planned) {
    Diagnostics faults;
    for (const Launch& launch : planned.launches) {
        const auto* candidate = std::get_if<std::size_t>(&launch.what);
        if (candidate == nullptr) continue;
        const auto* stream = std::get_if<StreamSchedule>(&planned.costed->candidates[*candidate].schedule);
        if (stream == nullptr) continue;
        for (const std::string& fault : verify(*stream)) {
            Diagnostic d;
            d.code = "K0603";
            d.message = "internal: a kernel's schedule is not proved free of races";
            d.span = planned.graph->nodes[stream->fusion.calls.front()].span;
            d.label = fault;
            d.help = fmt::format("please report this, with {}", program.source->name);
            faults.push_back(d);
        }
    }
    for (const auto& loop : planned.loops) {
        const Diagnostics more = verify_schedules(program, *loop.second);
        faults.insert(faults.end(), more.begin(), more.end());
    }
    return faults;
}

Diagnostics verify_kernels(const HostPlan& plan) {
    Diagnostics faults;
    for (const kernel::Lowered& lowered : plan.kernels) {
        for (const kernel::Kernel& k : lowered.alternatives) {
            const std::string fault = kernel::verify(k);
            if (fault.empty()) {
                for (const std::string& race :
                     k.functions.empty() ? kernel::prove_shared(k) : std::vector<std::string>{})
                    faults.push_back(unproved(k, race));
                continue;
            }
            Diagnostic d;
            d.code = "K0604";
            d.message = fmt::format("internal: kernel {} breaks a rule of the kernel IR: {}", k.name, fault);
            d.help = "please report this, with the program";
            faults.push_back(d);
        }
    }
    return faults;
}

}  // namespace kasc
