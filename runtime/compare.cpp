// result 1 2 nan, reference 1 2.5 nan, tolerance 0: word 1. With a tolerance of 0.2 (of 2.5): none.

#include "runtime/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace kasc::runtime {

std::optional<std::size_t> first_difference(std::span<const float> result, std::span<const float> reference,
                                            float tolerance) {
    float largest = 0;
    for (const float y : reference) largest = std::isfinite(y) ? std::max(largest, std::abs(y)) : largest;
    for (std::size_t k = 0; k < reference.size(); ++k) {
        const float x = result[k], y = reference[k];
        if (std::bit_cast<std::uint32_t>(x) == std::bit_cast<std::uint32_t>(y) || (std::isnan(x) && std::isnan(y)))
            continue;
        if (!(std::abs(x - y) <= tolerance * largest)) return k;
    }
    return std::nullopt;
}

std::string difference_text(const std::string& name, std::span<const float> result, std::span<const float> reference,
                            std::size_t word) {
    return fmt::format("{} differs from the reference: word {} is {:.9g}, the reference says {:.9g}", name, word,
                       result[word], reference[word]);
}

}  // namespace kasc::runtime
