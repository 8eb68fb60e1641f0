#pragma once
// The transform of few numbers in registers by its definition, as interpreted kernels have it: parts of complex numbers
// side by side.

#include <cmath>
#include <complex>
#include <cstdint>
#include <string>
#include <vector>

#include "kernel/kernel.hpp"
#include "support/ir_memory.hpp"

namespace kasc::test {

/// "kasc_turnf.x": the real part of exp(-2πi m/of), a float.
[[nodiscard]] inline Scalar part_of_turn(const std::string& function, std::int64_t m, std::int64_t of) {
    const double angle = 2 * std::acos(-1.0) * static_cast<double>(m) / static_cast<double>(of);
    const double part = function.ends_with(".y") ? -std::sin(angle) : std::cos(angle);
    const bool single = function.starts_with("kasc_turnf");
    return single ? Scalar::single(static_cast<float>(part)) : Scalar::dual(part);
}

/// `step`: its turn, 1 for none. Operations, of reals.
inline double few_numbers(KernelMemory& memory, std::size_t array, const kernel::Butterfly& s,
                          std::complex<double> step) {
    using Number = std::complex<double>;
    if (s.backward) step = std::conj(step);
    std::vector<Number> before;
    Number power = 1;
    const auto place = [&](int j) { return 2 * (std::int64_t{s.first} + j); };
    for (int j = 0; j < s.numbers; ++j, power *= step)
        before.push_back(power * Number(memory.load(array, place(j)).f, memory.load(array, place(j) + 1).f));
    for (int k = 0; k < s.numbers; ++k) {
        Number sum = 0;
        for (int j = 0; j < s.numbers; ++j)
            sum += before[static_cast<std::size_t>(j)] *
                   std::polar(1.0, (s.backward ? 2 : -2) * std::acos(-1.0) * j * k / s.numbers);
        const auto part = [&](double v) {
            return s.type == kernel::Type::f64 ? Scalar::dual(v) : Scalar::single(static_cast<float>(v));
        };
        memory.store(array, place(k), part(sum.real()));
        memory.store(array, place(k) + 1, part(sum.imag()));
    }
    return 5.0 * s.numbers * std::log2(s.numbers);
}

}  // namespace kasc::test
