#pragma once
// Calls of whole arrays as NumPy, MATLAB, Julia and Fortran write them: np.roll(T, 1, axis=0), cumsum(T, 1), sort(a).
// Axes have numbers there, and NumPy counts them from the other end: its axis 0 is the last one of a declaration.

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kasc::frontend {

struct ForeignArgument {
    std::string keyword;  ///< axis of 'axis=0'; empty: none
    std::string text;     ///< empty: too long to be shown
};

struct ForeignCall {
    std::string name;
    std::vector<ForeignArgument> arguments;
    bool of_numpy = false;     ///< np.sum(T, 0), T.sum(0): numbers of axes without keyword are NumPy's
    std::string target = "u";  ///< what the statement assigns
    bool alone = true;         ///< the call is all that is assigned
    std::vector<std::string> target_axes{};
    /// The axes of the field of this name; none: it is no field.
    std::function<std::optional<std::vector<std::string>>(const std::string&)> axes_of;
};

/// What a cell becomes of those before it is a function of other languages: cumsum, maximum.accumulate.
[[nodiscard]] bool goes_along(std::string_view name);
/// "write 'mean(T, y)'"; empty: nothing is known of it.
[[nodiscard]] std::string help_for_arrays(const ForeignCall& call);

}  // namespace kasc::frontend
