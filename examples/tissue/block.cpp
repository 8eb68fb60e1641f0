#include "block.hpp"

#include <algorithm>
#include <cmath>

namespace tissue {

namespace {

constexpr double skin_depth_mm = 2, fat_depth_mm = 8, fat_waves_mm = 1.2;
constexpr double skin_celsius = 33.0, skin_decay_mm = 10.0;
constexpr double vessel_radius_mm = 2.5;

}  // namespace

Block::Block(int size)
    : centre(0.5 * size),
      focus_depth(0.42 * size),
      tumour_radius(std::min(8.0, size / 8.0)),
      vessel_x(centre + tumour_radius + 1),
      vessel_depth(focus_depth + 3),
      organ_depth_(std::max(14.0, 0.25 * size)) {}

Label Block::at(double x, double y, double z) const {
    const double fat_end = skin_depth_mm + fat_depth_mm + fat_waves_mm * (std::sin(x / 9) + std::cos(z / 13));
    if (y < skin_depth_mm) return in_skin;
    if (y < fat_end) return in_fat;
    if (std::hypot(x - vessel_x, y - vessel_depth) < vessel_radius_mm) return in_blood;
    return std::hypot(x - centre, y - focus_depth, z - centre) < tumour_radius ? in_tumour : in_muscle;
}

Label Block::with_organ(double x, double y, double z) const {
    const Label label = at(x, y, z);
    return label == in_muscle && y >= organ_depth_ ? in_liver : label;
}

double volume_heat(const Material& material) { return material.density * material.heat_capacity; }

double diffusivity(const Material& material) { return material.conductivity / volume_heat(material); }

double perfusion_rate(const Material& material) {
    const double volume_rate = material.perfusion_ml_min * 1e-6 / 60 * material.density;
    return volume_rate * volume_heat(blood) / volume_heat(material);
}

double rest_celsius(double depth_mm) {
    return blood_celsius - (blood_celsius - skin_celsius) * std::exp(-depth_mm / skin_decay_mm);
}

}  // namespace tissue
