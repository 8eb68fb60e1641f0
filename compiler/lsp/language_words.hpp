#pragma once
// The words of the language and its functions, each with its form and what it means in one sentence.

#include <string_view>
#include <vector>

namespace kasc::lsp {

struct LanguageWord {
    std::string_view word, form, text;
    bool function = false;  ///< called with parentheses
};

[[nodiscard]] const std::vector<LanguageWord>& language_words();
/// Null: none of the language's.
[[nodiscard]] const LanguageWord* find_language_word(std::string_view word);

}  // namespace kasc::lsp
