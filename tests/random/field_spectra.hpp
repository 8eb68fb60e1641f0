#pragma once
// What a program with transforms declares besides: halves of axes, spectra, complex fields and lines.

#include "random/field_terms.hpp"

namespace kasc::random {

/// Draws the axes that have halves.
[[nodiscard]] Spectra draw_spectra(const std::vector<std::string>& grid, Draw& draw);
/// "axis kx = half(x);" and functions of wave numbers.
[[nodiscard]] std::string spectra_text(const Spectra& spectra);
/// Fields over the grid, over its half, and lines; none is bounded.
[[nodiscard]] std::vector<RandomField> spectral_fields(const Spectra& spectra, const std::vector<std::string>& grid,
                                                       Draw& draw);

}  // namespace kasc::random
