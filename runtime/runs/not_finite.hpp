#pragma once
// Results that are infinite or no numbers: the computation overflowed, and says so nowhere else.

#include <cstdint>
#include <string>
#include <vector>

#include "foundation/diagnostic.hpp"
#include "runtime/array.hpp"

namespace kasc::runtime {

/// Reals of a result, or of some rows of it.
struct NotFinite {
    std::string name;
    std::uint64_t count = 0, of = 0;
    Shape first{};  ///< its place in each dimension; empty: there is none

    /// Further rows of the same result.
    void add(NotFinite more);
};

[[nodiscard]] NotFinite not_finite(const ArrayView& result);

/// K0748, a warning of all that are not finite; none of them: nothing.
[[nodiscard]] Diagnostics not_finite_results(const std::vector<NotFinite>& results);

}  // namespace kasc::runtime
