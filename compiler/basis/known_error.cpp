#include "basis/known_error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace kasc::basis {

std::optional<KnownError> known_error(long long overlap) {
    struct Measured {
        long long overlap;
        KnownError error;
    };
    static constexpr Measured measured[] = {
        {20, {2e-6, 1e-4}}, {16, {5e-6, 3e-4}}, {12, {2e-5, 8e-4}}, {8, {9e-5, 2e-3}}, {4, {2e-3, 2e-3}}};
    const auto at =
        std::find_if(std::begin(measured), std::end(measured), [&](const Measured& m) { return m.overlap <= overlap; });
    return at == std::end(measured) ? std::nullopt : std::optional(at->error);
}

std::string known_error_text(const Blocks& blocks) {
    const auto shortest = std::min_element(blocks.axes.begin(), blocks.axes.end(),
                                           [](const CutAxis& a, const CutAxis& b) { return a.overlap < b.overlap; });
    if (shortest == blocks.axes.end()) return "";
    const auto known = known_error(shortest->overlap);
    if (!known) return fmt::format("nothing is known of the error of overlaps of {}\n", shortest->overlap);
    return fmt::format(
        "known of overlaps of {}: waves differ from those of the whole grid by {:.0e} of the largest where they are "
        "smooth, by {:.0e} of sources of single points\n",
        shortest->overlap, known->smooth, known->rough);
}

}  // namespace kasc::basis
