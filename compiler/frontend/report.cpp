#include "frontend/report.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace kasc::frontend {

namespace {
// Searching among more names than this costs seconds for a program made to do so, and helps nobody.
constexpr std::size_t most_candidates = 2000;
}  // namespace

Diagnostic& Report::error(const char* code, std::string message, const Span& span, std::string label) {
    ++errors_;
    return add(Severity::error, code, std::move(message), span, std::move(label));
}

Diagnostic& Report::warning(const char* code, std::string message, const Span& span, std::string label) {
    return add(Severity::warning, code, std::move(message), span, std::move(label));
}

Diagnostic& Report::add(Severity severity, const char* code, std::string message, const Span& span, std::string label) {
    Diagnostic diagnostic;
    diagnostic.severity = severity;
    diagnostic.code = code;
    diagnostic.message = std::move(message);
    diagnostic.span = span;
    diagnostic.label = std::move(label);
    if (full()) return unrecorded_ = std::move(diagnostic);
    diagnostics_.push_back(std::move(diagnostic));
    return diagnostics_.back();
}

std::string lower_case(std::string text) {
    for (char& c : text) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return text;
}

std::string did_you_mean(const std::string& name, const std::vector<std::string>& candidates) {
    if (candidates.size() > most_candidates) return {};
    const auto nearest = nearest_name(name, candidates);
    return nearest ? fmt::format("did you mean '{}'?", *nearest) : std::string();
}

std::string name_list(const std::vector<std::string>& names, std::size_t most) {
    std::string list;
    const std::size_t shown = std::min(names.size(), most);
    for (std::size_t i = 0; i < shown; ++i) {
        const bool last = i + 1 == shown && shown == names.size();
        list += fmt::format("{}'{}'", i == 0 ? "" : last ? " and " : ", ", names[i]);
    }
    if (shown < names.size()) list += fmt::format(" and {} more", names.size() - shown);
    return list;
}

std::string counted(std::size_t count, const std::string& noun) {
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace kasc::frontend
