#pragma once
// A block of layered tissue with a tumour and a vessel, as coefficients of the bioheat equation on a grid of 1 mm.
// x is contiguous.

#include <cstdint>
#include <vector>

#include "block.hpp"

namespace tissue {

struct Phantom {
    int size = 0;                    ///< cells a side
    std::vector<float> temperature;  ///< °C, the start
    std::vector<float> diffusivity;  ///< m²/s, k/(ρ C)
    std::vector<float> heating;      ///< K/s while the source is on, Q/(ρ C)
    std::vector<float> perfusion;    ///< 1/s, V ρb Cb/(ρ C)
};

/// The same size and seed give the same numbers on every machine.
[[nodiscard]] Phantom make_phantom(int size, std::uint32_t seed);

/// 1 while the source is on: pulses of 15 steps with 5 between them for the first 60 % of the steps, then rest.
[[nodiscard]] std::vector<float> make_protocol(int steps);

/// Largest stable time step of the explicit scheme of fourth order in space: the symbol of
/// (−1 16 −30 16 −1)/12 reaches 16/3 an axis, so that Δt (16 β/Δ² + w) ≤ 2. By cell or by material.
[[nodiscard]] double stable_step_s(const std::vector<float>& diffusivity, const std::vector<float>& perfusion);

}  // namespace tissue
