#pragma once
// A block of layered tissue with a tumour and a vessel, as coefficients of the bioheat equation on a grid of 1 mm.
// Axes: x across, y into depth from the skin, z along the vessel; x is contiguous.

#include <cstdint>
#include <vector>

namespace tissue {

/// Published property values; README.md has the sources.
struct Material {
    double density;           ///< kg/m³
    double heat_capacity;     ///< J/(kg K)
    double conductivity;      ///< W/(m K)
    double perfusion_ml_min;  ///< ml of blood a minute and kg of tissue
};

constexpr Material skin{1109, 3391, 0.37, 106};
constexpr Material fat{911, 2348, 0.21, 33};
constexpr Material muscle{1090, 3421, 0.49, 37};
constexpr Material tumour{1070, 3600, 0.55, 100};
constexpr Material blood{1050, 3617, 0.52, 10000};

constexpr double spacing_m = 1e-3;
constexpr double blood_celsius = 37.0;

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
/// (−1 16 −30 16 −1)/12 reaches 16/3 an axis, so that Δt (16 β/Δ² + w) ≤ 2.
[[nodiscard]] double stable_step_s(const Phantom& phantom);

}  // namespace tissue
