#pragma once
// What follows a dot in other languages and is no word of a cell, T.shape, u.dx2; statements of one word and names,
// output S.

#include <string>
#include <string_view>
#include <vector>

namespace kasc::frontend {

/// "real(T)" in a help for the word "real" of T, a field over these axes; empty: nothing is known of it.
[[nodiscard]] std::string word_here(std::string_view word, const std::string& owner,
                                    const std::vector<std::string>& axes);
/// "write 'extent(x)'": how long a field over these axes is.
[[nodiscard]] std::string lengths_here(const std::vector<std::string>& axes);

/// 'output S;' reads like the declaration of an S: a help for the word; empty: it is none that is known.
[[nodiscard]] std::string statement_here(std::string_view word, const std::string& names);
/// 'output', and what else gives results.
[[nodiscard]] bool gives_results(std::string_view word);

}  // namespace kasc::frontend
