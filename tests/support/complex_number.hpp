#pragma once
// Arithmetic of complex numbers as the language defines it (docs/language.md, "Complex numbers"): every part rounded
// operation by operation, but for the two products in one part of a product. A real number has no imaginary part.

#include <cmath>
#include <optional>

#include "support/over_number.hpp"

namespace kasc::test {

template <class Real>
struct ComplexNumber {
    Real re = 0;
    std::optional<Real> im{};  ///< none: the number is real

    [[nodiscard]] Real imaginary() const { return im.value_or(Real{0}); }
    [[nodiscard]] ComplexNumber operator-() const { return {-re, im ? std::optional(-*im) : im}; }
    [[nodiscard]] ComplexNumber conjugate() const { return {re, im ? std::optional(-*im) : im}; }

    [[nodiscard]] ComplexNumber over_number(Real c) const {
        return {over(re, c), im ? std::optional<Real>(over(*im, c)) : std::nullopt};
    }

    friend ComplexNumber operator+(const ComplexNumber& a, const ComplexNumber& b) {
        if (a.im && b.im) return {a.re + b.re, *a.im + *b.im};
        return {a.re + b.re, a.im ? a.im : b.im};
    }
    friend ComplexNumber operator-(const ComplexNumber& a, const ComplexNumber& b) {
        if (a.im && b.im) return {a.re - b.re, *a.im - *b.im};
        return {a.re - b.re, a.im ? a.im : (-b).im};
    }
    friend ComplexNumber operator*(const ComplexNumber& a, const ComplexNumber& b) {
        if (a.im && b.im) return {std::fma(a.re, b.re, -(*a.im * *b.im)), std::fma(a.re, *b.im, *a.im * b.re)};
        if (!a.im && !b.im) return {a.re * b.re, std::nullopt};
        const ComplexNumber &z = a.im ? a : b, &factor = a.im ? b : a;
        return {factor.re * z.re, factor.re * *z.im};
    }
    /// By a complex number: the product with its conjugate over its square.
    friend ComplexNumber operator/(const ComplexNumber& a, const ComplexNumber& b) {
        if (!b.im) return {a.re / b.re, a.im ? std::optional(*a.im / b.re) : std::nullopt};
        const Real square = std::fma(b.re, b.re, *b.im * *b.im);
        const ComplexNumber above = a * b.conjugate();
        return {above.re / square, *above.im / square};
    }
};

}  // namespace kasc::test
