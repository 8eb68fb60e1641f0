#pragma once
// Kernel expressions as C text, fully determined by precedence: no parenthesis more than needed, and no float
// re-association. Where targets differ, the caller's Spelling says how.

#include <functional>
#include <string>

#include "kernel/expression.hpp"

namespace kasc::kernel {

/// How a target spells what is no plain C.
struct Spelling {
    std::function<std::string(Dimension)> thread_index;
    std::function<std::string()> linear_thread;
    std::function<std::string(Dimension)> block_index;
    std::function<std::string(const std::string& array, const std::string& index)> element;
    std::function<std::string(const std::string& function)> function = [](const std::string& f) { return f; };
};

/// What C++ has no function for in every namespace is called by the names of support/kasc_integers.hpp.
[[nodiscard]] std::string host_function(const std::string& function);
/// The spelling of `--emit kernel`: tx, bx, array[index].
[[nodiscard]] Spelling plain_spelling();

[[nodiscard]] std::string text(const ExprRef& expression, const Spelling& spelling);
/// "0.1f": the shortest decimal that reads back to the same float.
[[nodiscard]] std::string float_text(float value);
[[nodiscard]] std::string double_text(double value);
[[nodiscard]] char letter(Dimension dimension);

}  // namespace kasc::kernel
