#include "command/data_faults.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace kasc::command {

namespace {

/// What a finding is that the call does not allow.
enum class Weight : std::uint8_t {
    fact,       ///< an error; allowed, a warning
    suspicion,  ///< a warning; allowed, nothing
};
struct AllowableFault {
    const char* code;
    const char* name;
    Weight weight;
};
// A run can go on in spite of these, and what it computes is defined: NaN spreads, an unstable scheme grows, a read
// beyond the grid sees the nearest cell, an entry beyond what is assigned is left out. Whether a scheme is stable is
// never proved: it stops no run.
constexpr std::array faults{
    AllowableFault{"K0712", "not-finite", Weight::fact}, AllowableFault{"K0713", "not-finite", Weight::fact},
    AllowableFault{"K0740", "unstable", Weight::suspicion}, AllowableFault{"K0742", "outside", Weight::fact},
    AllowableFault{"K0744", "outside", Weight::fact}};

const AllowableFault* fault_of(const Diagnostic& d) {
    const auto* const fault =
        std::find_if(faults.begin(), faults.end(), [&](const AllowableFault& f) { return d.code == f.code; });
    return fault == faults.end() ? nullptr : fault;
}

}  // namespace

std::vector<std::string> allowable_faults() {
    std::vector<std::string> names;
    for (const AllowableFault& fault : faults) {
        if (names.empty() || names.back() != fault.name) names.emplace_back(fault.name);
    }
    return names;
}

Diagnostics judged(Diagnostics found, const std::vector<std::string>& allowed) {
    const auto accepted = [&](const AllowableFault& fault) {
        return std::find(allowed.begin(), allowed.end(), fault.name) != allowed.end();
    };
    std::erase_if(found, [&](const Diagnostic& d) {
        const AllowableFault* fault = fault_of(d);
        return fault && fault->weight == Weight::suspicion && accepted(*fault);
    });
    for (Diagnostic& d : found) {
        const AllowableFault* fault = fault_of(d);
        if (!fault) continue;
        const bool warns = fault->weight == Weight::suspicion || accepted(*fault);
        d.severity = warns ? Severity::warning : Severity::error;
        if (accepted(*fault)) continue;
        d.help += fmt::format("{}--allow {} {}", d.help.empty() ? "" : "; ", fault->name,
                              warns ? "leaves this warning out" : "runs the program all the same");
    }
    return found;
}

}  // namespace kasc::command
