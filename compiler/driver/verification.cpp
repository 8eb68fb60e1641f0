#include "driver/verification.hpp"

#include <fmt/format.h>

#include "foundation/pass_times.hpp"
#include "kernel/check_shared.hpp"

namespace kasc {

namespace {

Diagnostic unsound(const kernel::Kernel& k, const std::string& found) {
    Diagnostic d;
    d.code = "K0603";
    d.message = fmt::format("internal: kernel {} does not pass the check of its shared memory: it {}", k.name, found);
    d.help = "please report this, with the program and the plan";
    return d;
}

}  // namespace

Diagnostics verify_kernels(const HostPlan& plan) {
    const Pass pass("check the kernels");
    Diagnostics faults;
    for (const kernel::Lowered& lowered : plan.kernels) {
        for (const kernel::Kernel& k : lowered.alternatives) {
            const std::string fault = kernel::verify(k);
            if (fault.empty()) {
                for (const std::string& found : kernel::check_shared(k)) faults.push_back(unsound(k, found));
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
