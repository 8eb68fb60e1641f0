#pragma once
// A treatment with focused ultrasound: a block of layered tissue as labels with tables, a focused beam, a protocol, and
// probes. Arrays over the grid have size³ cells, x contiguous.

#include <cstdint>
#include <vector>

#include "block.hpp"

namespace tissue {

struct Treatment {
    int size = 0;                     ///< cells a side
    std::vector<float> temperature;   ///< °C, the start
    std::vector<std::uint8_t> label;  ///< of the cell's material
    std::vector<float> intensity;     ///< W/m² of the beam while it is on
    std::vector<float> diffusivity;   ///< by label: m²/s, k/(ρ C)
    std::vector<float> perfusion;     ///< by label: 1/s, V ρb Cb/(ρ C)
    std::vector<float> absorption;    ///< by label: K m²/J, 2 α/(ρ C)
    std::vector<std::int32_t> probes_x, probes_y, probes_z;
};

/// Probes: the focus, 4 mm beside it, the tumour's far end, the vessel at the focus, the skin before it.
[[nodiscard]] Treatment make_treatment(int size);

}  // namespace tissue
