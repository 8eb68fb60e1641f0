#include "command/exit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace kasc::command {

namespace {

/// Which codes are whose fault: K0901 and up are the call's, K0602 to K0609 and K0813 kasc's own.
Status status_of(const Diagnostic& d) {
    if (d.severity != Severity::error) return good;
    if (d.code >= "K0900") return call_at_fault;
    if ((d.code >= "K0602" && d.code < "K0610") || d.code == "K0813") return kasc_at_fault;
    return input_at_fault;
}

}  // namespace

int report(Diagnostics diagnostics, DiagnosticsFormat format) {
    Status status = good;
    for (const Diagnostic& d : diagnostics) status = std::max(status, status_of(d));
    diagnostics = tidy(std::move(diagnostics));
    if (format == DiagnosticsFormat::json) {
        fmt::print(stderr, "{}", render_json(diagnostics));
    } else {
        fmt::print(stderr, "{}", render_text(diagnostics));
    }
    return status;
}

}  // namespace kasc::command
