#include "command/data_faults.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace kasc::command {

namespace {

struct AllowableFault {
    const char* code;
    const char* name;
};
// A run can go on in spite of these, and what it computes is defined: NaN spreads, an unstable scheme grows, a read
// beyond the grid sees the nearest cell, an entry beyond what is assigned is left out.
constexpr std::array faults{AllowableFault{"K0712", "not-finite"}, AllowableFault{"K0713", "not-finite"},
                            AllowableFault{"K0740", "unstable"}, AllowableFault{"K0742", "outside"},
                            AllowableFault{"K0744", "outside"}};

}  // namespace

std::vector<std::string> allowable_faults() {
    std::vector<std::string> names;
    for (const AllowableFault& fault : faults) {
        if (names.empty() || names.back() != fault.name) names.emplace_back(fault.name);
    }
    return names;
}

Diagnostics judged(Diagnostics found, const std::vector<std::string>& allowed) {
    for (Diagnostic& d : found) {
        const auto fault = std::find_if(faults.begin(), faults.end(), [&](const auto& f) { return d.code == f.code; });
        if (fault == faults.end()) continue;
        const bool accepted = std::find(allowed.begin(), allowed.end(), fault->name) != allowed.end();
        d.severity = accepted ? Severity::warning : Severity::error;
        if (!accepted)
            d.help +=
                fmt::format("{}--allow {} runs the program all the same", d.help.empty() ? "" : "; ", fault->name);
    }
    return found;
}

}  // namespace kasc::command
