#pragma once
// From what the parser knows when it stops to a message for people.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/report.hpp"

namespace kasc::frontend {

/// The part of the language that the parser was reading.
enum class SyntaxRule {
    item,
    declaration,
    boundary,
    parameter,
    function,
    list,
    call,
    indices,
    loop_head,
    loop_body,
    assignment,
    choice,
    procedure,
    for_each,
    table,
    other
};

/// Where and why the parser stopped.
struct SyntaxFault {
    SyntaxRule rule = SyntaxRule::other;
    Span previous;  ///< the token before; no source: there is none
    Span found;     ///< empty at the end of the program
    Span first;     ///< the first token of the innermost statement
    /// What could have stood there: "';'", "a name", "an expression"; empty where it is not known.
    std::vector<std::string> expected;
    std::span<const Span> tokens{};  ///< all words and signs of the text
    std::size_t at = 0;              ///< where the found one is among them; their number at the end of the program
    std::size_t statement = 0;       ///< where the first one is
};

void report_syntax_fault(const SyntaxFault& fault, Report& report);

}  // namespace kasc::frontend
