// The beam comes through the skin as a cone and is narrowest at the focus: a Gaussian across, whose width s(y) grows
// with the distance from the focus and whose peak falls as 1/s², so that without tissue every plane carries the same
// power. What tissue takes up on the way is lost to what lies behind it.

#include "treatment.hpp"

#include <cmath>

namespace tissue {

namespace {

// Half of the focal peak is reached waist/opening = 3 mm before and behind the focus and 1.8 mm beside it.
constexpr double waist_mm = 1.5, opening = 0.5;
constexpr double focus_watts_m2 = 2e6;  // as it were in water; 200 W/cm²

double beam_watts(const Block& block, double x, double y, double z) {
    const double width = std::hypot(waist_mm, opening * (y - block.focus_depth));
    const double across = std::hypot(x - block.centre, z - block.centre) / width;
    return focus_watts_m2 * (waist_mm / width) * (waist_mm / width) * std::exp(-0.5 * across * across);
}

}  // namespace

Treatment make_treatment(int size) {
    Treatment treatment;
    treatment.size = size;
    const Block block(size);
    const auto side = static_cast<std::size_t>(size);
    treatment.temperature.reserve(side * side * side);
    treatment.label.reserve(side * side * side);
    treatment.intensity.reserve(side * side * side);
    std::vector<double> passed(side);  // by x: the share of the beam that comes so deep
    for (int k = 0; k < size; ++k) {
        passed.assign(side, 1.0);
        for (int j = 0; j < size; ++j) {
            for (int i = 0; i < size; ++i) {
                const double x = i + 0.5, y = j + 0.5, z = k + 0.5;  // mm, the middle of the cell
                const Label label = block.with_organ(x, y, z);
                double& share = passed[static_cast<std::size_t>(i)];
                treatment.temperature.push_back(static_cast<float>(rest_celsius(y)));
                treatment.label.push_back(label);
                treatment.intensity.push_back(static_cast<float>(share * beam_watts(block, x, y, z)));
                share *= std::exp(-2 * materials[label].attenuation * spacing_m);
            }
        }
    }
    for (const Material& material : materials) {
        treatment.diffusivity.push_back(static_cast<float>(diffusivity(material)));
        treatment.perfusion.push_back(static_cast<float>(perfusion_rate(material)));
        treatment.absorption.push_back(static_cast<float>(2 * material.attenuation / volume_heat(material)));
    }
    const auto probe = [&](double x, double y) {
        treatment.probes_x.push_back(static_cast<std::int32_t>(x));
        treatment.probes_y.push_back(static_cast<std::int32_t>(y));
        treatment.probes_z.push_back(static_cast<std::int32_t>(block.centre));
    };
    probe(block.centre, block.focus_depth);
    probe(block.centre - 4, block.focus_depth);
    probe(block.centre, block.focus_depth + block.tumour_radius - 1);
    probe(block.vessel_x, block.vessel_depth);
    probe(block.centre, 0);
    return treatment;
}

}  // namespace tissue
