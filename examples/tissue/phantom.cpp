// Each cell gets a material by its place, and from it the coefficients, varied by a few per cent as living tissue is.
// Example, 96 cells a side at x = 48, z = 48: skin for y < 2, fat to about y = 10, muscle, the tumour about y = 40.

#include "phantom.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace tissue {

namespace {

constexpr double skin_depth_mm = 2, fat_depth_mm = 8, fat_waves_mm = 1.2;
constexpr double skin_celsius = 33.0, skin_decay_mm = 10.0;  // the surface is cooler than the core
constexpr double vessel_radius_mm = 2.5;
// A focused source: long along its beam, which comes from the skin. 6e6 W/m³ is 1.6 K/s in the tumour.
constexpr double focus_watts_m3 = 6e6, focus_across_mm = 4, focus_along_mm = 8;
// Of perfusion and diffusivity from cell to cell, either way.
constexpr double diffusivity_variation = 0.03, perfusion_variation = 0.15;

/// Uniform in [-1, 1]; the standard's distributions differ between libraries.
double jitter(std::mt19937& random) { return 2.0 * static_cast<double>(random()) / 4294967295.0 - 1.0; }

struct Geometry {
    double centre, focus_depth, tumour_radius, vessel_x, vessel_depth;

    explicit Geometry(int size)
        : centre(0.5 * size),
          focus_depth(0.42 * size),
          tumour_radius(std::min(8.0, size / 8.0)),
          vessel_x(centre + tumour_radius + 1),
          vessel_depth(focus_depth + 3) {}

    [[nodiscard]] const Material& at(double x, double y, double z) const {
        const double fat_end = skin_depth_mm + fat_depth_mm + fat_waves_mm * (std::sin(x / 9) + std::cos(z / 13));
        if (y < skin_depth_mm) return skin;
        if (y < fat_end) return fat;
        if (std::hypot(x - vessel_x, y - vessel_depth) < vessel_radius_mm) return blood;
        return std::hypot(x - centre, y - focus_depth, z - centre) < tumour_radius ? tumour : muscle;
    }
    [[nodiscard]] double source_watts(double x, double y, double z) const {
        const double across = std::hypot(x - centre, z - centre) / focus_across_mm;
        const double along = (y - focus_depth) / focus_along_mm;
        return focus_watts_m3 * std::exp(-0.5 * (across * across + along * along));
    }
};

/// Blood volume a second and volume of tissue, times the heat it carries over the heat the tissue holds.
double perfusion_rate(const Material& material) {
    const double volume_rate = material.perfusion_ml_min * 1e-6 / 60 * material.density;
    return volume_rate * blood.density * blood.heat_capacity / (material.density * material.heat_capacity);
}

}  // namespace

Phantom make_phantom(int size, std::uint32_t seed) {
    Phantom phantom;
    phantom.size = size;
    const Geometry geometry(size);
    std::mt19937 random(seed);
    const auto cells = static_cast<std::size_t>(size) * static_cast<std::size_t>(size) * static_cast<std::size_t>(size);
    for (auto* field : {&phantom.temperature, &phantom.diffusivity, &phantom.heating, &phantom.perfusion})
        field->reserve(cells);
    for (int k = 0; k < size; ++k) {
        for (int j = 0; j < size; ++j) {
            for (int i = 0; i < size; ++i) {
                const double x = i + 0.5, y = j + 0.5, z = k + 0.5;  // mm, the middle of the cell
                const Material& material = geometry.at(x, y, z);
                const double capacity = material.density * material.heat_capacity;
                const double diffusivity =
                    material.conductivity / capacity * (1 + diffusivity_variation * jitter(random));
                const double perfusion = perfusion_rate(material) * (1 + perfusion_variation * jitter(random));
                const double cooling = (blood_celsius - skin_celsius) * std::exp(-y / skin_decay_mm);
                phantom.temperature.push_back(static_cast<float>(blood_celsius - cooling));
                phantom.diffusivity.push_back(static_cast<float>(diffusivity));
                phantom.heating.push_back(static_cast<float>(geometry.source_watts(x, y, z) / capacity));
                phantom.perfusion.push_back(static_cast<float>(perfusion));
            }
        }
    }
    return phantom;
}

std::vector<float> make_protocol(int steps) {
    constexpr int pulse_steps = 15, pause_steps = 5;
    const int heated = static_cast<int>(0.6 * steps);
    std::vector<float> on(static_cast<std::size_t>(steps), 0.0F);
    for (int step = 0; step < heated; ++step) {
        on[static_cast<std::size_t>(step)] = step % (pulse_steps + pause_steps) < pulse_steps ? 1.0F : 0.0F;
    }
    return on;
}

double stable_step_s(const Phantom& phantom) {
    double fastest = 0;
    for (std::size_t i = 0; i < phantom.diffusivity.size(); ++i) {
        fastest = std::max(fastest, 16.0 * phantom.diffusivity[i] / (spacing_m * spacing_m) + phantom.perfusion[i]);
    }
    return 2.0 / fastest;
}

}  // namespace tissue
