#pragma once
// Helps that name flags, in the words of the command that was called: what a stage says to kasc run's "--out", kasc
// kwave calls "-o", and has no "--set" at all.

#include <map>
#include <string>

#include "foundation/diagnostic.hpp"

namespace kasc {

/// How a command says a flag of kasc run.
struct FlagWord {
    std::string name{};     ///< its own flag; empty: it has none
    std::string instead{};  ///< what it says in place of a help of this flag alone; may be empty
};
/// By the flag's name in kasc run; a flag that is not there is none of the command's.
using FlagWords = std::map<std::string, FlagWord>;

/// The diagnostics with all of their help in `help`: flags have the command's names, and what would need a flag that it
/// does not have is left out.
[[nodiscard]] Diagnostics in_words_of(const FlagWords& words, Diagnostics diagnostics);

/// The whole help, with the flags of kasc run.
[[nodiscard]] std::string help_text(const Diagnostic& diagnostic);

}  // namespace kasc
