#pragma once
// What stands where in a block of layered tissue on a grid of 1 mm. Axes: x across, y into depth from the skin, z along
// the vessel. Example, 96 cells a side at x = 48, z = 48: skin for y < 2, fat to about y = 10, muscle, the tumour about
// y = 40.

#include <array>

namespace tissue {

/// Published property values; README.md has the sources.
struct Material {
    const char* name;
    double density;           ///< kg/m³
    double heat_capacity;     ///< J/(kg K)
    double conductivity;      ///< W/(m K)
    double perfusion_ml_min;  ///< ml of blood a minute and kg of tissue
    double attenuation;       ///< of ultrasound of 1 MHz, Np/m
};

constexpr Material skin{"skin", 1109, 3391, 0.37, 106, 10};
constexpr Material fat{"fat", 911, 2348, 0.21, 33, 5};
constexpr Material muscle{"muscle", 1090, 3421, 0.49, 37, 7};
constexpr Material liver{"liver", 1079, 3540, 0.52, 860, 6};
constexpr Material tumour{"tumour", 1070, 3600, 0.55, 100, 7};
constexpr Material blood{"blood", 1050, 3617, 0.52, 10000, 2};

/// The label of a material is its place here.
constexpr std::array<Material, 6> materials = {skin, fat, muscle, liver, tumour, blood};
enum Label : unsigned char { in_skin, in_fat, in_muscle, in_liver, in_tumour, in_blood };

constexpr double spacing_m = 1e-3;
constexpr double blood_celsius = 37.0;

/// Places in mm from the block's corner; the middle of cell i is i + 0.5.
struct Block {
    double centre, focus_depth, tumour_radius, vessel_x, vessel_depth;

    explicit Block(int size);
    /// Without an organ: muscle down to the end.
    [[nodiscard]] Label at(double x, double y, double z) const;
    /// With the liver below the muscle.
    [[nodiscard]] Label with_organ(double x, double y, double z) const;

private:
    double organ_depth_;
};

/// ρ C in J/(m³ K).
[[nodiscard]] double volume_heat(const Material& material);
/// k/(ρ C) in m²/s.
[[nodiscard]] double diffusivity(const Material& material);
/// V ρb Cb/(ρ C) in 1/s: the heat that the blood of a second carries, over the heat that the tissue holds.
[[nodiscard]] double perfusion_rate(const Material& material);
/// At the start: the skin is cooler than the core. °C.
[[nodiscard]] double rest_celsius(double depth_mm);

}  // namespace tissue
