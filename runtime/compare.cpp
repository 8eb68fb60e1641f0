// result 1 2 nan, reference 1 2.5 nan, tolerance 0: word 1. With a tolerance of 0.2 (of 2.5): none.

#include "runtime/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>

namespace kasc::runtime {

std::optional<std::size_t> first_difference(const Words& result, const Words& reference, double tolerance) {
    double largest = 0;
    for (std::size_t k = 0; k < reference.size(); ++k) {
        const double y = reference[k];
        largest = std::isfinite(y) ? std::max(largest, std::abs(y)) : largest;
    }
    const std::size_t bytes = word_bytes(reference.type());
    const auto* xs = static_cast<const std::byte*>(result.data());
    const auto* ys = static_cast<const std::byte*>(reference.data());
    for (std::size_t k = 0; k < reference.size(); ++k) {
        const double x = result[k], y = reference[k];
        if (std::memcmp(xs + k * bytes, ys + k * bytes, bytes) == 0 || (std::isnan(x) && std::isnan(y))) continue;
        if (!(std::abs(x - y) <= tolerance * largest) || tolerance == 0) return k;
    }
    return std::nullopt;
}

std::string difference_text(const std::string& name, const Words& result, const Words& reference, std::size_t word) {
    return fmt::format("{} differs from the reference: word {} is {:.9g}, the reference says {:.9g}", name, word,
                       result[word], reference[word]);
}

}  // namespace kasc::runtime
