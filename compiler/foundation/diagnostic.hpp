#pragma once
// What kasc says about an input: code, place, line, caret, notes, help. Every stage returns diagnostics as values; the
// driver alone prints them.

#include <optional>
#include <string>
#include <vector>

#include "foundation/source.hpp"

namespace kasc {

enum class Severity { warning, error };

/// Another place that explains the first ("declared here").
struct Note {
    Span span;
    std::string text;
};

/// A mend by flags of the call. Commands have other flags: each says it with its own (foundation/flag_words.hpp).
struct FlagHelp {
    std::vector<std::string> flags;  ///< as kasc run has them: "--memory"
    std::string text;                ///< "allow more with {}": {} stands for the flags
};

/// Codes are listed with an example each in docs/diagnostics.md:
/// K01 syntax, K02 program, K03 library files, K04 patterns, K05 device files, K06 plans and verification,
/// K07 inputs and outputs, K08 building and running emitted code, K09 the command line.
struct Diagnostic {
    Severity severity = Severity::error;
    std::string code;     ///< "K0203"
    std::string message;  ///< one line, lower case, no full stop
    Span span;            ///< the smallest span at fault
    std::string label;    ///< what stands beside the caret; may be empty
    std::vector<Note> notes;
    std::string help;                    ///< the mend; may be empty
    std::vector<FlagHelp> flag_helps{};  ///< more of it, behind the help
};

using Diagnostics = std::vector<Diagnostic>;

/// An error that has no place in a text.
[[nodiscard]] Diagnostic placeless(std::string code, std::string message, std::string help = "");
/// An error of a call that is mended by flags.
[[nodiscard]] Diagnostic flag_fault(std::string code, std::string message, std::vector<FlagHelp> helps);

[[nodiscard]] bool has_errors(const Diagnostics& diagnostics);

/// Sorted by place, without duplicates, capped at `cap` (a last diagnostic says how many were left out).
[[nodiscard]] Diagnostics tidy(Diagnostics diagnostics, std::size_t cap = 20);

/// All places are in texts that the user gave; where one was made of such a text, a note says why.
[[nodiscard]] Diagnostic as_given(Diagnostic diagnostic);

/// Text in the style of a modern compiler:
///     error[K0203]: unknown function 'mmul3'
///       --> big.kas:4:6
///        |
///      4 | M = mmul3(A, B);
///        |     ^^^^^
///        = help: did you mean 'mmul33'?
[[nodiscard]] std::string render_text(const Diagnostics& diagnostics);
/// One JSON array of objects {severity, code, message, file, line, column, length, label, notes, help}.
[[nodiscard]] std::string render_json(const Diagnostics& diagnostics);

/// The candidate nearest to `name` by edit distance, when near enough to be meant: a third of its letters, of two none.
[[nodiscard]] std::optional<std::string> nearest_name(const std::string& name,
                                                      const std::vector<std::string>& candidates);

}  // namespace kasc
