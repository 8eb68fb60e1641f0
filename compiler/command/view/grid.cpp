#include "command/view/grid.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include "command/view/contents.hpp"
#include "runtime/hdf5/attributes.hpp"
#include "runtime/hdf5/read_datasets.hpp"

namespace kasc::command {

namespace {

constexpr std::array known_axes{"t", "x", "y", "z"};

void set_step(ViewGrid& grid, const std::string& axis, double step) {
    if (step > 0 && std::isfinite(step)) grid.axes[axis] = {axis, step, axis == "t" ? "s" : "m"};
}

/// The file's attributes, where no dataset has said it.
Diagnostics read_attributes_of(const std::string& path, ViewGrid& grid) {
    std::vector<std::string> names{"file_type", "major_version"};
    for (const std::string axis : known_axes) {
        names.push_back("spacing_" + axis);
        names.push_back("d" + axis);
    }
    auto found = runtime::read_attributes(path, names);
    if (!found) return found.diagnostics;
    std::map<std::string, std::string>& texts = *found.value;
    for (const std::string axis : known_axes) {
        const std::string& told = texts[texts.contains("spacing_" + axis) ? "spacing_" + axis : "d" + axis];
        double step = 0;
        const auto [end, error] = std::from_chars(told.data(), told.data() + told.size(), step);
        if (error == std::errc{} && !grid.axes.contains(axis)) set_step(grid, axis, step);
    }
    // k-Wave's own files say what they are.
    const bool says = texts["file_type"] == "input" || texts["file_type"] == "output";
    grid.of_kwave = grid.of_kwave || (says && !texts["major_version"].empty());
    return {};
}

}  // namespace

runtime::PictureAxis ViewGrid::axis(const std::string& name) const {
    const auto found = axes.find(name);
    return found == axes.end() ? runtime::PictureAxis{name} : found->second;
}

std::string ViewGrid::unit(const std::string& dataset) const {
    if (!of_kwave || dataset.ends_with("_index") || dataset.ends_with("_flag")) return "";
    // Signals of sources are scaled for the solver: they are no pressures and velocities.
    if (dataset.ends_with("_source_input")) return dataset == "p0_source_input" ? "Pa" : "";
    const auto is = [&](const std::string& quantity) {
        return dataset.starts_with(quantity) && (dataset.size() == quantity.size() || dataset[quantity.size()] == '_' ||
                                                 dataset[quantity.size()] == '/');
    };
    if (is("p")) return "Pa";
    if (is("ux") || is("uy") || is("uz") || is("c0") || is("c_ref")) return "m/s";
    if (is("rho0")) return "kg/m³";
    return is("alpha_coeff") ? "dB/(MHzʸ cm)" : "";
}

Outcome<ViewGrid> read_grid(const std::string& path, const std::vector<AxisSpacing>& spacings) {
    const std::vector<std::string> names{"dt", "dx", "dy", "dz", "c_ref", "Nx"};
    const auto survey = runtime::survey_file(path, names, runtime::for_pictures);
    if (!survey) return failure<ViewGrid>(survey.diagnostics);
    std::vector<runtime::DatasetPart> parts;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (how_to_show(names[i], survey->datasets[i], "").as == Showing::number)
            parts.push_back({names[i], survey->datasets[i].shape(), 0, 0, runtime::WordType::float64});
    }
    ViewGrid grid;
    if (!parts.empty()) {
        const auto read = runtime::read_datasets(path, survey->stamp, parts);
        if (!read) return failure<ViewGrid>(read.diagnostics);
        bool size = false, speed = false;
        for (const runtime::ArrayView& number : read->arrays) {
            size = size || number.name == "Nx";
            speed = speed || number.name == "c_ref";
            if (number.name.starts_with('d')) set_step(grid, number.name.substr(1), number.values[0]);
        }
        grid.of_kwave = size && speed;
    }
    if (Diagnostics bad = read_attributes_of(path, grid); !bad.empty()) return failure<ViewGrid>(std::move(bad));
    for (const AxisSpacing& spacing : spacings) grid.axes[spacing.axis] = {spacing.axis, spacing.step, spacing.unit};
    return success(std::move(grid));
}

}  // namespace kasc::command
