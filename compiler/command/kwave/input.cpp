#include "command/kwave/input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "runtime/hdf5/attributes.hpp"
#include "runtime/hdf5/read_datasets.hpp"
#include "runtime/hdf5/survey.hpp"

namespace kasc::command {

namespace {

constexpr const char* space = "3D";           ///< of KwaveNumber::where
constexpr double largest_whole = 2147483647;  ///< integers of the program have 32 bits

Diagnostic fault(const char* code, const std::string& place, std::string message, std::string help) {
    Diagnostic d;
    d.code = code;
    d.span = {make_source(place), 0, 0};
    d.message = std::move(message);
    d.help = std::move(help);
    return d;
}

/// The format's versions 1.0 to 1.2 differ in what older ones lack.
Diagnostics check_header(const std::string& path, std::map<std::string, std::string>& header) {
    const std::string type = header["file_type"], version = header["major_version"] + "." + header["minor_version"];
    if (type != "input") {
        const std::string why =
            type.empty() ? "it has no attribute file_type" : fmt::format("it is of type '{}'", type);
        return {
            fault("K0750", path, fmt::format("'{}' is no input file of k-Wave: {}", path, why),
                  "write one with k-Wave's tools: 'SaveToDisk' in MATLAB, save_only=True in Python; other HDF5 files "
                  "are run by 'kasc run PROGRAM.kas --in FILE.h5'")};
    }
    if (version != "1.0" && version != "1.1" && version != "1.2") {
        const bool told = !header["major_version"].empty() && !header["minor_version"].empty();
        const std::string which =
            told ? "is of version " + version : "has no texts major_version and minor_version, its version";
        return {fault("K0751", path, fmt::format("'{}' {} of k-Wave's format", path, which),
                      "versions 1.0 to 1.2 are read: write it again with k-Wave 1.0 to 1.4, or its Python package")};
    }
    return {};
}

/// One number each: they have one cell, and integers are whole.
class NumberReader {
public:
    explicit NumberReader(std::string path) : path_(std::move(path)) {}

    Outcome<KwaveInput> read(KwaveInput input) {
        std::vector<std::string> names;
        for (const KwaveNumber& number : kwave_numbers()) names.emplace_back(number.name);
        names.emplace_back("sensor_mask_corners");
        auto survey = runtime::survey_file(path_, names);
        if (!survey) return failure<KwaveInput>(std::move(survey.diagnostics));
        std::vector<runtime::DatasetPart> parts;
        for (std::size_t i = 0; i + 1 < names.size(); ++i) {
            const runtime::DatasetFacts& facts = survey->datasets[i];
            if (facts.state == runtime::DatasetFacts::State::good && runtime::cell_count(facts.shape()) == 1U)
                parts.push_back({names[i], facts.shape(), 0, 0, runtime::WordType::float64});
        }
        const auto read = runtime::read_datasets(path_, survey->stamp, parts);
        if (!read) return failure<KwaveInput>(read.diagnostics);
        for (const runtime::ArrayView& array : read->arrays) input.numbers[array.name] = array.values[0];
        check_dimensions(input);
        if (!said_.empty()) return failure<KwaveInput>(std::move(said_));
        for (std::size_t i = 0; i + 1 < names.size(); ++i) check(kwave_numbers()[i], survey->datasets[i], input);
        const double mask = input.number("sensor_mask_type");
        if (said_.empty() && mask != 0 && mask != 1)
            said_.push_back(fault("K0752", path_ + ":/sensor_mask_type",
                                  fmt::format("dataset 'sensor_mask_type' of '{}' is {}", path_, mask),
                                  "k-Wave's sensors are of type 0, a list of cells, or 1, boxes"));
        if (!said_.empty()) return failure<KwaveInput>(std::move(said_));
        if (mask == 1) read_boxes(*survey, input);
        if (!said_.empty()) return failure<KwaveInput>(std::move(said_));
        return success(std::move(input));
    }

private:
    std::string path_;
    Diagnostics said_;

    /// Before what else is missing: a file of one dimension lacks all that belongs to the others.
    void check_dimensions(const KwaveInput& input) {
        std::vector<double> points;
        for (const char* name : {"Nx", "Ny", "Nz"}) {
            if (const auto at = input.numbers.find(name); at != input.numbers.end()) points.push_back(at->second);
        }
        const auto along = std::count_if(points.begin(), points.end(), [](double n) { return n > 1; });
        const bool told = points.size() == 3 || (points.size() == 1 && input.numbers.contains("Nx"));
        if (!told || along > 1) return;
        said_.push_back(
            fault("K0755", path_,
                  fmt::format("'{}' is a simulation in {} dimension{}: 1D is not supported", path_, along,
                              along == 1 ? "" : "s"),
                  "k-Wave's compiled codes, in whose place kasc stands, compute two and three dimensions: run "
                  "it with k-Wave's kspaceFirstOrder1D in MATLAB, or as a plane wave in two"));
    }

    void check(const KwaveNumber& number, const runtime::DatasetFacts& facts, const KwaveInput& input) {
        using State = runtime::DatasetFacts::State;
        const std::string place = fmt::format("{}:/{}", path_, number.name);
        const bool integer = number.kind != KwaveNumber::Kind::real;
        const double least = number.kind == KwaveNumber::Kind::count ? 1 : 0;
        const std::string kind =
            integer ? fmt::format("one whole number from {} to {}", least, largest_whole) : "one number";
        if (facts.state == State::missing) {
            if (applies(number, input))
                said_.push_back(fault("K0704", place, fmt::format("no dataset '{}' in '{}'", number.name, path_),
                                      fmt::format("an input file of k-Wave has it: {}", kind)));
            return;
        }
        const auto value = input.numbers.find(number.name);
        const bool is_one = value != input.numbers.end();
        const bool whole = is_one && value->second == std::trunc(value->second) && value->second >= least &&
                           value->second <= largest_whole;
        if (is_one && (integer ? whole : std::isfinite(value->second))) return;
        const std::string found = is_one                       ? fmt::format("{}", value->second)
                                  : facts.state == State::good ? "of shape " + runtime::to_text(facts.shape())
                                                               : "not a dataset of numbers";
        said_.push_back(fault("K0752", place, fmt::format("dataset '{}' of '{}' is {}", number.name, path_, found),
                              fmt::format("k-Wave's format has {} there, in the shape (1, 1, 1)", kind)));
    }

    void read_boxes(const runtime::FileSurvey& survey, KwaveInput& input) {
        const runtime::DatasetFacts& facts = survey.datasets.back();
        const std::string name = "sensor_mask_corners", place = fmt::format("{}:/{}", path_, name);
        const runtime::Shape shape = facts.shape();
        const auto cells = runtime::cell_count(shape);
        if (facts.state != runtime::DatasetFacts::State::good || shape.empty() || shape.back() != 6 || !cells ||
            *cells == 0) {
            const bool there = facts.state == runtime::DatasetFacts::State::good;
            said_.push_back(
                fault(there ? "K0752" : "K0704", place,
                      there ? fmt::format("dataset '{}' of '{}' is of shape {}", name, path_, runtime::to_text(shape))
                            : fmt::format("no dataset '{}' in '{}'", name, path_),
                      "a sensor by corners is a list of boxes, of shape (1, N, 6)"));
            return;
        }
        const auto read =
            runtime::read_datasets(path_, survey.stamp, {{name, shape, 0, 0, runtime::WordType::float64}});
        if (!read) {
            said_ = read.diagnostics;
            return;
        }
        const runtime::Words& values = read->arrays.front().values;
        for (std::size_t b = 0; b < *cells / 6; ++b) {
            KwaveBox& box = input.boxes.emplace_back();
            for (std::size_t k = 0; k < 3; ++k) {
                // A corner that is no number is none of the grid, which is said with its box.
                const auto corner = [&](std::size_t at) {
                    const double value = values[6 * b + at];
                    return value >= 1 && value < 0x1p31 ? static_cast<long long>(value) : 0;
                };
                box.low.at(k) = corner(k);
                box.high.at(k) = corner(k + 3);
            }
        }
    }
};

}  // namespace

const std::vector<KwaveNumber>& kwave_numbers() {
    using Kind = KwaveNumber::Kind;
    static const std::vector<KwaveNumber> numbers{
        {"Nx", Kind::count, ""},
        {"Ny", Kind::count, ""},
        {"Nz", Kind::count, ""},
        {"Nt", Kind::count, ""},
        {"dt", Kind::real, ""},
        {"dx", Kind::real, ""},
        {"dy", Kind::real, ""},
        {"dz", Kind::real, space},
        {"c_ref", Kind::real, ""},
        {"pml_x_size", Kind::whole, ""},
        {"pml_y_size", Kind::whole, ""},
        {"pml_z_size", Kind::whole, space},
        {"pml_x_alpha", Kind::real, ""},
        {"pml_y_alpha", Kind::real, ""},
        {"pml_z_alpha", Kind::real, space},
        {"p_source_flag", Kind::whole, ""},
        {"p0_source_flag", Kind::whole, ""},
        {"transducer_source_flag", Kind::whole, ""},
        {"ux_source_flag", Kind::whole, ""},
        {"uy_source_flag", Kind::whole, ""},
        {"uz_source_flag", Kind::whole, space},
        {"nonuniform_grid_flag", Kind::whole, ""},
        {"absorbing_flag", Kind::whole, ""},
        {"nonlinear_flag", Kind::whole, ""},
        {"axisymmetric_flag", Kind::whole, "never"},
        {"elastic_flag", Kind::whole, "never"},
        {"u_source_many", Kind::whole, "u_source"},
        {"u_source_mode", Kind::whole, "u_source"},
        {"p_source_many", Kind::whole, "p_source_flag"},
        {"p_source_mode", Kind::whole, "p_source_flag"},
        {"alpha_power", Kind::real, "absorbing_flag"},
        {"sensor_mask_type", Kind::whole, "never"},
    };
    return numbers;
}

bool applies(const KwaveNumber& number, const KwaveInput& input) {
    const std::string where = number.where;
    if (where.empty()) return true;
    if (where == space) return input.number("Nz") > 1;
    if (where == "u_source")
        return input.number("ux_source_flag") + input.number("uy_source_flag") + input.number("uz_source_flag") > 0;
    return input.number(where) > 0;
}

Outcome<KwaveInput> read_kwave_input(const std::string& path) {
    auto header = runtime::read_attributes(path, {"file_type", "major_version", "minor_version", "file_description"});
    if (!header) return failure<KwaveInput>(std::move(header.diagnostics));
    if (Diagnostics bad = check_header(path, *header.value); !bad.empty()) return failure<KwaveInput>(std::move(bad));
    KwaveInput input;
    input.description = (*header.value)["file_description"];
    return NumberReader(path).read(std::move(input));
}

Outcome<std::vector<std::int32_t>> cells_of_boxes(const std::string& path, const KwaveInput& input) {
    const std::array<const char*, 3> names{"Nx", "Ny", "Nz"};
    std::array<long long, 3> grid{};
    for (std::size_t k = 0; k < 3; ++k) grid.at(k) = static_cast<long long>(input.number(names.at(k)));
    Diagnostics said;
    std::vector<std::int32_t> cells;
    for (std::size_t b = 0; b < input.boxes.size(); ++b) {
        const KwaveBox& box = input.boxes[b];
        bool in = true;
        for (std::size_t k = 0; k < 3; ++k)
            in = in && box.low.at(k) >= 1 && box.low.at(k) <= box.high.at(k) && box.high.at(k) <= grid.at(k);
        if (!in) {
            said.push_back(
                fault("K0753", path + ":/sensor_mask_corners",
                      fmt::format(
                          "box {} of the sensor, ({}, {}, {}) to ({}, {}, {}), is no part of the grid of {} x {} x {}",
                          b + 1, box.low[0], box.low[1], box.low[2], box.high[0], box.high[1], box.high[2], grid[0],
                          grid[1], grid[2]),
                      "a box is x1 y1 z1 x2 y2 z2: whole numbers from 1, none of the first three beyond its opposite"));
            continue;
        }
        for (long long z = box.low[2]; z <= box.high[2]; ++z) {
            for (long long y = box.low[1]; y <= box.high[1]; ++y) {
                for (long long x = box.low[0]; x <= box.high[0]; ++x)
                    cells.push_back(static_cast<std::int32_t>(x + grid[0] * (y - 1 + grid[1] * (z - 1))));
            }
        }
    }
    if (!said.empty()) return failure<std::vector<std::int32_t>>(std::move(said));
    return success(std::move(cells));
}

}  // namespace kasc::command
