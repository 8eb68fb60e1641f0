#pragma once
// Sources of a check into shared libraries.

#include "libcheck/check_library.hpp"
#include "libcheck/check_sources.hpp"

namespace kasc::libcheck {

/// A function of the plan, ready to be called; or why not.
struct BuiltFunction {
    std::string library;  ///< path; empty: it could not be built
    FunctionPlace place;
    Diagnostics refused;  ///< the compiler's words
};

/// In the plan's order. Several functions share a unit, and units are built side by side; where the compiler refuses a
/// unit its functions are built one by one, so that a fault costs one function only. None: K0602, K0720, K0801, K0814.
[[nodiscard]] Outcome<std::vector<BuiltFunction>> build_units(const CheckRequest& request);

}  // namespace kasc::libcheck
