#pragma once
// Collects the diagnostics of one run of a check. Bounded: a hostile program has at most `most` errors worth of
// messages (and searches for the nearest name), the rest is not even computed.

#include <string>
#include <vector>

#include "foundation/diagnostic.hpp"

namespace kasc::frontend {

class Report {
public:
    /// The reference serves to add a label, notes and help, until the next call.
    Diagnostic& error(const char* code, std::string message, const Span& span, std::string label = {});
    Diagnostic& warning(const char* code, std::string message, const Span& span, std::string label = {});

    [[nodiscard]] bool has_errors() const { return errors_ > 0; }
    [[nodiscard]] std::size_t errors() const { return errors_; }
    /// Enough was said: nothing more is recorded, a check may stop.
    [[nodiscard]] bool full() const { return diagnostics_.size() >= most; }
    [[nodiscard]] Diagnostics take() { return std::move(diagnostics_); }

private:
    static constexpr std::size_t most = 100;  // five times what tidy() shows
    Diagnostic& add(Severity severity, const char* code, std::string message, const Span& span, std::string label);

    Diagnostics diagnostics_;
    Diagnostic unrecorded_;
    std::size_t errors_ = 0;
};

/// Letters of ASCII.
[[nodiscard]] std::string lower_case(std::string text);
/// "did you mean 'x'?", or empty.
[[nodiscard]] std::string did_you_mean(const std::string& name, const std::vector<std::string>& candidates);
/// "'a', 'b' and 'c'"; at most `most` names, then "and 5 more".
[[nodiscard]] std::string name_list(const std::vector<std::string>& names, std::size_t most = 12);
/// "1 argument", "2 arguments".
[[nodiscard]] std::string counted(std::size_t count, const std::string& noun);

}  // namespace kasc::frontend
