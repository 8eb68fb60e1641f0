#include "command/exit.hpp"
#include "command/streams.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>

namespace kasc::command {

namespace {

constexpr std::array kasc_s_own{"K0602", "K0603", "K0604", "K0813"};

Status status_of(const Diagnostic& d) {
    if (d.severity != Severity::error) return good;
    if (d.code.starts_with("K09")) return call_at_fault;
    if (std::find(kasc_s_own.begin(), kasc_s_own.end(), d.code) != kasc_s_own.end()) return kasc_at_fault;
    return input_at_fault;
}

}  // namespace

int status_of(const Diagnostics& diagnostics) {
    Status status = good;
    for (const Diagnostic& d : diagnostics) status = std::max(status, status_of(d));
    return status;
}

int report(Diagnostics diagnostics, DiagnosticsFormat format) {
    const int status = status_of(diagnostics);
    diagnostics = tidy(std::move(diagnostics));
    if (format == DiagnosticsFormat::json) {
        tell_error(render_json(diagnostics));
    } else {
        tell_error(render_text(diagnostics));
    }
    return status;
}

}  // namespace kasc::command
