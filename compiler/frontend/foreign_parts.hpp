#pragma once
// The parts of foreign_syntax.cpp: what stands where in a program that was written from the habit of another language.
// Each says how that is written here, of the names that stand there; empty, or false, where it is none of its faults.

#include <string>

#include "frontend/syntax_error.hpp"
#include "frontend/token_words.hpp"

namespace kasc::frontend {

/// 0xFF, 2f, 1.0d0, 2T
[[nodiscard]] bool report_foreign_number(const SyntaxFault& fault, Report& report);
/// np.sqrt(T), T.max()
[[nodiscard]] bool report_foreign_call(const SyntaxFault& fault, Report& report);
/// elif, switch, break
[[nodiscard]] bool report_foreign_word(const SyntaxFault& fault, Report& report);

/// unsigned int T[x];    float k = 3;    float T[x] periodic;
[[nodiscard]] std::string help_for_declaration(const SyntaxFault& fault);
/// S, T = T, S;    return T + 1;    if c > 0 { … }
[[nodiscard]] std::string help_for_statement(const SyntaxFault& fault);
/// sum(T, axis=0)
[[nodiscard]] std::string help_for_keyword(const SyntaxFault& fault);
/// T[:, 0]    T[x][y]
[[nodiscard]] std::string help_for_brackets(const SyntaxFault& fault);

/// The text of a range; `otherwise` where it is empty or too long to be shown.
[[nodiscard]] inline std::string shown(const SyntaxFault& fault, TokenRange range, const std::string& otherwise) {
    std::string text = written(fault.tokens, range);
    return text.empty() ? otherwise : text;
}

/// Up to the next sign at the level of brackets of the token at `begin`: a ';', or the one that is given.
[[nodiscard]] inline std::size_t next_sign(const SyntaxFault& fault, std::size_t begin, std::string_view sign = ";") {
    std::size_t i = begin;
    while (i < fault.tokens.size()) {
        const std::string_view text = word_at(fault.tokens, i);
        if (text == sign || text == ";" || text == "}" || text == ")" || text == "]") break;
        i = text == "(" || text == "[" || text == "{" ? closing(fault.tokens, i) + 1 : i + 1;
    }
    return std::min(i, fault.tokens.size());
}

}  // namespace kasc::frontend
