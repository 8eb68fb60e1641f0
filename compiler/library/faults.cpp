#include "library/faults.hpp"

#include <fmt/format.h>

namespace kasc::library {

namespace {
constexpr std::size_t most_faults = 100;  // of one file; the driver shows about 20
}

Diagnostic fault(const char* code, Span at, std::string message, std::string label, std::string help) {
    Diagnostic d;
    d.code = code;
    d.span = std::move(at);
    d.message = std::move(message);
    d.label = std::move(label);
    d.help = std::move(help);
    return d;
}

void Faults::add(const char* code, Span at, std::string message, std::string label, std::string help) {
    if (diagnostics_.size() >= most_faults) return;
    diagnostics_.push_back(fault(code, std::move(at), std::move(message), std::move(label), std::move(help)));
}

void Faults::add(const char* code, Span at, std::string message, std::string label, std::string help, Note note) {
    if (diagnostics_.size() >= most_faults) return;
    add(code, std::move(at), std::move(message), std::move(label), std::move(help));
    diagnostics_.back().notes.push_back(std::move(note));
}

std::string suggest(const std::string& name, const std::vector<std::string>& known, const std::string& otherwise) {
    // Edit distance is quadratic: a name of thousands of letters is no typo.
    constexpr std::size_t longest_name = 64;
    if (name.size() > longest_name) return otherwise;
    const auto near = nearest_name(name, known);
    return near ? fmt::format("did you mean '{}'?", *near) : otherwise;
}

std::string counted(std::size_t count, const std::string& noun) {
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace kasc::library
