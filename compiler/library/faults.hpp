#pragma once
// Collects what is wrong with one library file. Hostile files have faults on every line: after `most_faults` the rest
// is dropped, which also bounds the time and memory that a file can cost.

#include <string>

#include "foundation/diagnostic.hpp"

namespace kasc::library {

class Faults {
public:
    explicit Faults(SourceRef source) : source_(std::move(source)) {}

    /// Bytes [begin, end) of the file.
    [[nodiscard]] Span span(std::size_t begin, std::size_t end) const { return {source_, begin, end}; }

    void add(const char* code, Span at, std::string message, std::string label, std::string help);
    /// As add, with a second place that explains the first.
    void add(const char* code, Span at, std::string message, std::string label, std::string help, Note note);

    [[nodiscard]] bool none() const { return diagnostics_.empty(); }
    [[nodiscard]] const SourceRef& source() const { return source_; }
    [[nodiscard]] Diagnostics take() { return std::move(diagnostics_); }

private:
    SourceRef source_;
    Diagnostics diagnostics_;
};

/// An error with its parts in the order in which they are printed.
[[nodiscard]] Diagnostic fault(const char* code, Span at, std::string message, std::string label, std::string help);

/// "did you mean 'x'?" where a name is near enough, else `otherwise`.
[[nodiscard]] std::string suggest(const std::string& name, const std::vector<std::string>& known,
                                  const std::string& otherwise);

/// "1 load", "2 loads".
[[nodiscard]] std::string counted(std::size_t count, const std::string& noun);

}  // namespace kasc::library
