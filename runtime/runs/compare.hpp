#pragma once
// When a result counts as equal to the reference.

#include <cstddef>
#include <optional>
#include <string>

#include "runtime/array.hpp"

namespace kasc::runtime {

/// The first word that differs. Bits must be equal, or both words no number; with a tolerance, a difference of up to
/// tolerance times the largest finite magnitude of the reference is none. Requires: equal sizes and types.
[[nodiscard]] std::optional<std::size_t> first_difference(const Words& result, const Words& reference,
                                                          double tolerance);
/// Compared by all cores.
[[nodiscard]] bool same_bytes(const void* a, const void* b, std::size_t bytes);
/// "T differs from the reference: word 7 is 1, the reference says 2".
[[nodiscard]] std::string difference_text(const std::string& name, const Words& result, const Words& reference,
                                          std::size_t word);

}  // namespace kasc::runtime
