#include "random/field_spectra.hpp"

#include <fmt/format.h>

namespace kasc::random {

Spectra draw_spectra(const std::vector<std::string>& grid, Draw& draw) {
    Spectra spectra;
    spectra.drawn = true;
    spectra.any = draw.percent(25);
    if (draw.percent(80)) spectra.halved.insert(grid.front());
    if (grid.size() > 1 && draw.percent(15)) spectra.halved.insert(grid[1]);
    return spectra;
}

std::string spectra_text(const Spectra& spectra) {
    std::string text =
        "function wave(k, n) = k < (n + 1) / 2 ? k : k - n;\n"
        "function square(e) = e * e;\n"
        "function beside(e) = complex(0.5, 0.25) * e + 0.05 * fft(e);\n";
    for (const std::string& axis : spectra.halved) text += fmt::format("axis {} = half({});\n", half_of(axis), axis);
    return text;
}

std::vector<RandomField> spectral_fields(const Spectra& spectra, const std::vector<std::string>& grid, Draw& draw) {
    std::vector<RandomField> fields;
    const auto add = [&](const std::string& name, CellType type, const std::vector<std::string>& axes, bool input,
                         bool mirrored = false) {
        fields.push_back({name, type, axes, {}, {}, false, input, mirrored});
    };
    const auto real = [&] { return draw.of<CellType>({CellType::float32, CellType::float32, CellType::float64}); };
    const auto complex = [&] {
        return draw.of<CellType>({CellType::complex64, CellType::complex64, CellType::complex128});
    };
    add("Z", complex(), grid, draw.percent(30));
    if (draw.percent(40)) add("L", complex(), {draw.of(grid)}, draw.percent(30));
    add("line", real(), {draw.of(grid)}, true);
    for (std::size_t k = 0; k < grid.size(); ++k) {
        if (!spectra.halved.contains(grid[k])) continue;
        std::vector<std::string> half = grid;
        half[k] = half_of(half[k]);
        add(fmt::format("S{}", k), complex(), half, false, k == 0);
        if (k == 0 && draw.percent(50)) add("Q", complex(), half, false, true);
        if (draw.percent(40)) add(fmt::format("W{}", k), complex(), half, false);
        if (draw.percent(30)) add(fmt::format("R{}", k), real(), half, draw.percent(40));
        if (draw.percent(50)) add(fmt::format("l{}", k), real(), {half[k]}, true);
    }
    return fields;
}

}  // namespace kasc::random
