#include "command/kwave/common_simulations.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

#include "runtime/hdf5/file.hpp"

namespace kasc::command {

namespace {

using Kind = CommonSource::Kind;
constexpr Extent none = Extent::none, uniform = Extent::uniform, field = Extent::field;

constexpr CommonMedium media[] = {
    {"uniform", uniform, uniform, none, none},
    {"uniform-absorbing", uniform, uniform, uniform, none},
    {"speed", field, uniform, none, none},
    {"speed-absorbing", field, uniform, uniform, none},
    {"varying", field, field, none, none},
    {"varying-absorbing", field, field, uniform, none},
    {"varying-absorption", field, field, field, none},
    {"uniform-nonlinear", uniform, uniform, uniform, uniform},
    {"varying-nonlinear", field, field, uniform, uniform},
    {"varying-nonlinearity", field, field, field, field},
};

constexpr CommonSource sources[] = {
    {"p0", Kind::initial_pressure},
    {"p-one", Kind::pressure, Signals::one},
    {"p-many", Kind::pressure, Signals::many},
    {"p-one-dirichlet", Kind::pressure, Signals::one, 0},
    {"p-many-dirichlet", Kind::pressure, Signals::many, 0},  // a time reversal
    {"ux-one", Kind::velocity_x, Signals::one},
    {"ux-many", Kind::velocity_x, Signals::many},
    {"u-many", Kind::velocity, Signals::many},
    {"transducer", Kind::transducer, Signals::one},
};

/// Beside the pressure at the sensor, which is recorded where nothing is asked for.
const std::set<std::string> records[] = {{"p", "p_final"}, {"p_final"}, {"p_max"}, {"p", "u"}};

bool nonlinear(const CommonMedium& medium) { return medium.nonlinearity != none; }

/// Whether the source is simulated in this medium: in nonlinear ones, and in space, only sources that examples have.
bool is_common(int dimensions, const CommonMedium& medium, const CommonSource& source) {
    if (dimensions == 2) {
        const bool plain = source.mode == 2 && source.kind != Kind::velocity;
        return source.kind != Kind::transducer && (plain || !nonlinear(medium));
    }
    if (source.kind == Kind::transducer) return medium.absorption != none;
    return source.mode == 2 && source.kind != Kind::velocity;
}

bool is_recorded_otherwise(int dimensions, const CommonMedium& medium, const CommonSource& source) {
    return dimensions == 2 && !nonlinear(medium) && medium.absorption != field &&
           medium.sound_speed == medium.density && source.mode == 2 &&
           (source.kind == Kind::initial_pressure || source.kind == Kind::pressure);
}

/// The datasets of an input file, of one value throughout each.
class InputFile {
public:
    explicit InputFile(int dimensions) : nz_(dimensions == 3 ? n : 1) {
        constexpr int layer = 2;
        number("Nx", static_cast<double>(n));
        number("Ny", static_cast<double>(n));
        number("Nz", static_cast<double>(nz_));
        number("Nt", samples);
        number("dt", 1e-8);
        number("c_ref", 1500);
        for (const char axis : axes()) {
            number(fmt::format("d{}", axis), 1e-4);
            number(fmt::format("pml_{}_size", axis), layer);
            number(fmt::format("pml_{}_alpha", axis), 2);
            number(fmt::format("u{}_source_flag", axis), 0);
        }
        for (const char* flag : {"p0_source_flag", "p_source_flag", "transducer_source_flag", "nonuniform_grid_flag",
                                 "absorbing_flag", "nonlinear_flag"})
            number(flag, 0);
        cells("sensor_mask_index");
    }

    void add(const CommonMedium& medium) {
        number_of("c0", medium.sound_speed, 1500);
        number_of("rho0", medium.density, 1000);
        for (const char axis : axes()) number_of(fmt::format("rho0_sg{}", axis), medium.density, 1000);
        if (medium.absorption != none) {
            number("absorbing_flag", 1);
            number("alpha_power", 1.5);
            number_of("alpha_coeff", medium.absorption, 0.5);
        }
        if (nonlinear(medium)) {
            number("nonlinear_flag", 1);
            number_of("BonA", medium.nonlinearity, 6);
        }
    }
    void add(const CommonSource& source) {
        const std::size_t signals = source.signals == Signals::many ? cell_count : 1;
        const double many = source.signals == Signals::many ? 1 : 0;
        switch (source.kind) {
            case Kind::initial_pressure:
                number("p0_source_flag", 1);
                number_of("p0_source_input", field, 1);
                return;
            case Kind::pressure:
                number("p_source_flag", samples);
                number("p_source_mode", source.mode);
                number("p_source_many", many);
                cells("p_source_index");
                array("p_source_input", {1, samples, signals}, 1);
                return;
            case Kind::velocity_x:
            case Kind::velocity:
                number("u_source_mode", source.mode);
                number("u_source_many", many);
                cells("u_source_index");
                for (const char axis : axes()) {
                    if (axis != 'x' && source.kind == Kind::velocity_x) continue;
                    number(fmt::format("u{}_source_flag", axis), samples);
                    array(fmt::format("u{}_source_input", axis), {1, samples, signals}, 1);
                }
                return;
            case Kind::transducer:
                number("transducer_source_flag", samples);
                cells("u_source_index");
                cells("delay_mask");
                array("transducer_source_input", {1, 1, samples + cell_count}, 1);
        }
    }
    [[nodiscard]] Diagnostics write(const std::string& path) const {
        std::vector<runtime::ArrayView> views;
        for (const auto& [name, one] : arrays_) views.push_back({name, one.shape, one.values});
        return runtime::write_hdf5(path, views,
                                   {{"file_type", "input"},
                                    {"major_version", "1"},
                                    {"minor_version", "2"},
                                    {"file_description", "a common simulation"}});
    }

private:
    static constexpr std::uint64_t n = 16;  // kasc kwave plans for the same sizes whatever they are
    static constexpr std::uint64_t samples = 3, cell_count = 4;
    struct Array {
        runtime::Shape shape;
        std::vector<float> values;
    };
    std::uint64_t nz_;
    std::map<std::string, Array> arrays_;

    [[nodiscard]] std::string axes() const { return nz_ > 1 ? "xyz" : "xy"; }
    void array(const std::string& name, const runtime::Shape& shape, double value) {
        arrays_[name] = {shape, std::vector<float>(runtime::cell_count(shape).value_or(0), static_cast<float>(value))};
    }
    void number(const std::string& name, double value) { array(name, {1, 1, 1}, value); }
    void number_of(const std::string& name, Extent extent, double value) {
        array(name, extent == field ? runtime::Shape{nz_, n, n} : runtime::Shape{1, 1, 1}, value);
    }
    /// The first cells.
    void cells(const std::string& name) {
        array(name, {1, 1, cell_count}, 1);
        for (std::size_t i = 0; i < cell_count; ++i) arrays_[name].values[i] = static_cast<float>(i + 1);
    }
};

}  // namespace

std::string CommonSimulation::name() const {
    return fmt::format("{}d/{}/{}/{}", dimensions, medium->name, source->name, fmt::join(recorded, ","));
}

std::vector<CommonSimulation> common_simulations() {
    std::vector<CommonSimulation> all;
    for (const int dimensions : {2, 3}) {
        for (const CommonMedium& medium : media) {
            for (const CommonSource& source : sources) {
                if (!is_common(dimensions, medium, source)) continue;
                all.push_back({dimensions, &medium, &source, {"p"}});
                if (!is_recorded_otherwise(dimensions, medium, source)) continue;
                for (const std::set<std::string>& record : records)
                    all.push_back({dimensions, &medium, &source, record});
            }
        }
    }
    return all;
}

Diagnostics write_input(const CommonSimulation& simulation, const std::string& path) {
    InputFile file(simulation.dimensions);
    file.add(*simulation.medium);
    file.add(*simulation.source);
    return file.write(path);
}

}  // namespace kasc::command
