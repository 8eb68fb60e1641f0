// Each cell gets a material by its place, and from it the coefficients, varied by a few per cent as living tissue is.

#include "phantom.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace tissue {

namespace {

// A focused source: long along its beam, which comes from the skin. 6e6 W/m³ is 1.6 K/s in the tumour.
constexpr double focus_watts_m3 = 6e6, focus_across_mm = 4, focus_along_mm = 8;
// Of perfusion and diffusivity from cell to cell, either way.
constexpr double diffusivity_variation = 0.03, perfusion_variation = 0.15;

/// Uniform in [-1, 1]; the standard's distributions differ between libraries.
double jitter(std::mt19937& random) { return 2.0 * static_cast<double>(random()) / 4294967295.0 - 1.0; }

double source_watts(const Block& block, double x, double y, double z) {
    const double across = std::hypot(x - block.centre, z - block.centre) / focus_across_mm;
    const double along = (y - block.focus_depth) / focus_along_mm;
    return focus_watts_m3 * std::exp(-0.5 * (across * across + along * along));
}

}  // namespace

Phantom make_phantom(int size, std::uint32_t seed) {
    Phantom phantom;
    phantom.size = size;
    const Block block(size);
    std::mt19937 random(seed);
    const auto cells = static_cast<std::size_t>(size) * static_cast<std::size_t>(size) * static_cast<std::size_t>(size);
    for (auto* field : {&phantom.temperature, &phantom.diffusivity, &phantom.heating, &phantom.perfusion})
        field->reserve(cells);
    for (int k = 0; k < size; ++k) {
        for (int j = 0; j < size; ++j) {
            for (int i = 0; i < size; ++i) {
                const double x = i + 0.5, y = j + 0.5, z = k + 0.5;  // mm, the middle of the cell
                const Material& material = materials[block.at(x, y, z)];
                const double heat = volume_heat(material);
                const double beta = diffusivity(material) * (1 + diffusivity_variation * jitter(random));
                const double perfusion = perfusion_rate(material) * (1 + perfusion_variation * jitter(random));
                phantom.temperature.push_back(static_cast<float>(rest_celsius(y)));
                phantom.diffusivity.push_back(static_cast<float>(beta));
                phantom.heating.push_back(static_cast<float>(source_watts(block, x, y, z) / heat));
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

double stable_step_s(const std::vector<float>& diffusivity, const std::vector<float>& perfusion) {
    double fastest = 0;
    for (std::size_t i = 0; i < diffusivity.size(); ++i)
        fastest = std::max(fastest, 16.0 * diffusivity[i] / (spacing_m * spacing_m) + perfusion[i]);
    return 2.0 / fastest;
}

}  // namespace tissue
