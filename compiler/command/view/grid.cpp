#include "command/view/grid.hpp"

#include <array>

#include "command/view/contents.hpp"
#include "runtime/hdf5/read_datasets.hpp"

namespace kasc::command {

runtime::PictureAxis ViewGrid::axis(const std::string& name) const {
    const auto with = [&](const std::optional<double>& step, const char* unit) {
        return step ? runtime::PictureAxis{name, *step, unit} : runtime::PictureAxis{name};
    };
    if (name == "t") return with(dt, "s");
    if (name == "x") return with(dx, "m");
    if (name == "y") return with(dy, "m");
    return name == "z" ? with(dz, "m") : runtime::PictureAxis{name};
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
    if (is("rho0")) return "kg/m^3";
    return is("alpha_coeff") ? "dB/(MHz^y cm)" : "";
}

Outcome<ViewGrid> read_grid(const std::string& path) {
    const std::vector<std::string> names{"dt", "dx", "dy", "dz", "c_ref", "Nx"};
    const auto survey = runtime::survey_file(path, names, runtime::for_pictures);
    if (!survey) return failure<ViewGrid>(survey.diagnostics);
    std::vector<runtime::DatasetPart> parts;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (how_to_show(names[i], survey->datasets[i], "").as == Showing::number)
            parts.push_back({names[i], survey->datasets[i].shape(), 0, 0, runtime::WordType::float64});
    }
    ViewGrid grid;
    if (parts.empty()) return success(std::move(grid));
    const auto read = runtime::read_datasets(path, survey->stamp, parts);
    if (!read) return failure<ViewGrid>(read.diagnostics);
    bool size = false, speed = false;
    for (const runtime::ArrayView& number : read->arrays) {
        const double value = number.values[0];
        size = size || number.name == "Nx";
        speed = speed || number.name == "c_ref";
        if (!(value > 0)) continue;
        for (const auto& [name, step] :
             {std::pair("dt", &grid.dt), {"dx", &grid.dx}, {"dy", &grid.dy}, {"dz", &grid.dz}}) {
            if (number.name == name) *step = value;
        }
    }
    grid.of_kwave = size && speed;
    return success(std::move(grid));
}

}  // namespace kasc::command
