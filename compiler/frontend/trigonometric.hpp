#pragma once
// Sine and cosine transforms by name: dct1(e), …, dct4(e), dst1(e), …, dst4(e), and their inverses idct1(e), …

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kasc::frontend {

/// Sums over the n cells x of a line, as SciPy, NumPy's companion, and FFTW define them, not scaled:
///
///     dct1  x(0) + (-1)^k x(n-1) + 2 Σ x(j) cos(π jk/(n-1)), over the cells between
///     dct2  2 Σ x(j) cos(π k(2j+1)/(2n))             dst1  2 Σ x(j) sin(π (k+1)(j+1)/(n+1))
///     dct3  x(0) + 2 Σ x(j) cos(π j(2k+1)/(2n)),     dst2  2 Σ x(j) sin(π (k+1)(2j+1)/(2n))
///           over the cells behind the first          dst3  (-1)^k x(n-1) + 2 Σ x(j) sin(π (j+1)(2k+1)/(2n)),
///     dct4  2 Σ x(j) cos(π (2k+1)(2j+1)/(4n))              over the cells before the last
///                                                    dst4  2 Σ x(j) sin(π (2k+1)(2j+1)/(4n))
struct TrigonometricTransform {
    bool sine = false;
    int type = 1;
    bool inverse = false;
};
[[nodiscard]] std::optional<TrigonometricTransform> find_trigonometric(std::string_view name);
/// All names, cosines first.
[[nodiscard]] std::vector<std::string> trigonometric_names();

/// What undoes it, but for a factor: types 2 and 3 each other, the others themselves.
[[nodiscard]] constexpr int undoing_type(int type) { return type == 2 ? 3 : type == 3 ? 2 : type; }

}  // namespace kasc::frontend
