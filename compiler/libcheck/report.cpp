//     function  implementations  checks  seconds
//     mmul33                  2     312     0.02  ok
//     odd                     1      60     0.01  faults  no reference is known
//     2 functions, 3 implementations, 372 checks in 0.03 s, after 1.2 s of building

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "libcheck/check_library.hpp"

namespace kasc::libcheck {

namespace {

struct Totals {
    std::size_t implementations = 0, faulty = 0;
    std::int64_t checks = 0;
    double seconds = 0;
};

Totals totals_of(const LibraryReport& report) {
    Totals sum;
    for (const FunctionReport& f : report.functions) {
        sum.implementations += f.implementations;
        sum.checks += f.checks;
        sum.seconds += f.seconds;
        sum.faulty += f.good ? 0 : 1;
    }
    return sum;
}

std::string verdict(const LibraryReport& report, const Totals& sum) {
    const std::string faulty = sum.faulty == 0 ? "" : fmt::format("{} with faults", sum.faulty);
    if (!report.refused) return faulty.empty() ? "all is well" : faulty;
    return faulty + (faulty.empty() ? "" : ", ") + "others were not run for the faults that are told of them";
}

}  // namespace

Diagnostic stopped_check() {
    Diagnostic d;
    d.code = "K0814";
    d.message = "the check was stopped on request";
    return d;
}

std::string report_text(const LibraryReport& report) {
    std::size_t width = std::string("function").size();
    for (const FunctionReport& f : report.functions) width = std::max(width, f.name.size());
    std::string out =
        fmt::format("{:{}}  {:>15}  {:>8}  {:>8}\n", "function", width, "implementations", "checks", "seconds");
    for (const FunctionReport& f : report.functions)
        out += fmt::format("{:{}}  {:>15}  {:>8}  {:>8.2f}  {}{}\n", f.name, width, f.implementations, f.checks,
                           f.seconds, f.good ? "ok" : "faults", f.reference ? "" : ", no reference is known");
    const Totals sum = totals_of(report);
    return out +
           fmt::format("{} functions, {} implementations, {} checks in {:.2f} s, after {:.2f} s of building: {}\n",
                       report.functions.size(), sum.implementations, sum.checks, sum.seconds, report.build_seconds,
                       verdict(report, sum));
}

std::string report_json(const LibraryReport& report) {
    nlohmann::ordered_json out;
    out["functions"] = nlohmann::ordered_json::array();
    for (const FunctionReport& f : report.functions) {
        nlohmann::ordered_json entry;
        entry["function"] = f.name;
        entry["implementations"] = f.implementations;
        entry["checks"] = f.checks;
        entry["seconds"] = f.seconds;
        entry["reference"] = f.reference;
        entry["good"] = f.good;
        out["functions"].push_back(std::move(entry));
    }
    const Totals sum = totals_of(report);
    out["checks"] = sum.checks;
    out["seconds"] = sum.seconds;
    out["build_seconds"] = report.build_seconds;
    out["faulty"] = sum.faulty;
    out["refused"] = report.refused;
    return out.dump(2) + "\n";
}

}  // namespace kasc::libcheck
