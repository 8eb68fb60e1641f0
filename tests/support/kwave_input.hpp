#pragma once
// Input files of k-Wave's format that a test makes, and runs of examples/kwave/kwave.kas on them.

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "runtime/hdf5/file.hpp"
#include "support/recorded.hpp"
#include "support/shell.hpp"
#include "support/temporary.hpp"

namespace kasc::test {

class KWaveInput {
public:
    struct Grid {
        int nx, ny, nz;  ///< one cell along an axis: nothing varies along it
        double spacing, dt;
        int steps;
    };

    /// A homogeneous medium with 20 absorbing cells at either end of x, none of y and z.
    KWaveInput(const Grid& grid, double c0, double rho0) : grid_(grid) {
        const std::vector<std::pair<std::string, double>> numbers{
            {"Nx", grid.nx},    {"Ny", grid.ny},      {"Nz", grid.nz},      {"Nt", grid.steps},
            {"dt", grid.dt},    {"dx", grid.spacing}, {"dy", grid.spacing}, {"c_ref", c0},
            {"c0", c0},         {"rho0", rho0},       {"rho0_sgx", rho0},   {"rho0_sgy", rho0},
            {"pml_x_size", 20}, {"pml_y_size", 0},    {"pml_x_alpha", 2},   {"pml_y_alpha", 2}};
        for (const auto& [name, value] : numbers) number(name, value);
        if (grid.nz == 1) return;
        for (const auto& [name, value] : std::vector<std::pair<std::string, double>>{
                 {"dz", grid.spacing}, {"rho0_sgz", rho0}, {"pml_z_size", 0}, {"pml_z_alpha", 2}})
            number(name, value);
    }

    /// What is given again replaces what was.
    void number(const std::string& name, double value) { numbers_[name] = value; }
    /// Numbers from 0 of cells, x fastest.
    void cells(const std::string& name, std::vector<int> cells) {
        for (int& cell : cells) ++cell;
        cells_[name] = std::move(cells);
    }
    void field(const std::string& name, std::vector<float> values) {
        arrays_[name] = {{extent(grid_.nz), extent(grid_.ny), extent(grid_.nx)}, std::move(values)};
    }
    /// Signals of a source of pressure, sample by sample, each sample one value for all cells or one a cell.
    void pressure_source(int mode, const std::vector<int>& at, const std::vector<float>& signals) {
        const std::size_t samples = extent(grid_.steps), many = signals.size() / samples;
        number("p_source_flag", grid_.steps);
        number("p_source_mode", mode);
        number("p_source_many", many > 1 ? 1 : 0);
        cells("p_source_index", at);
        arrays_["p_source_input"] = {{1, samples, many}, signals};
    }

    /// What the sensors record of the pressure: [step, sensor].
    [[nodiscard]] std::vector<double> run() const {
        const Temporary here;
        const std::string in = (here.path() / "in.h5").string(), out = (here.path() / "out.h5").string();
        EXPECT_TRUE(write(in).empty());
        // One thread: the grids are small, and other tests run beside.
        const ShellResult run = shell("OMP_NUM_THREADS=1 " KASC_COMMAND " run " KASC_SOURCE_DIR
                                      "/examples/kwave/kwave.kas --target cpu --in " +
                                      in + " --out " + out);
        EXPECT_EQ(run.status, 0) << run.output;
        return read_recorded(out, {"p"})["p"];
    }

private:
    static std::uint64_t extent(int n) { return static_cast<std::uint64_t>(n); }
    [[nodiscard]] Diagnostics write(const std::string& path) const {
        std::vector<runtime::ArrayView> views;
        for (const auto& [name, value] : numbers_)
            views.push_back({name, {1, 1, 1}, {runtime::WordType::float64, &value, 1}});
        for (const auto& [name, list] : cells_)
            views.push_back({name, {1, 1, list.size()}, {runtime::WordType::int32, list.data(), list.size()}});
        for (const auto& [name, array] : arrays_) views.push_back({name, array.first, array.second});
        return runtime::write_hdf5(path, views, {});
    }

    Grid grid_;
    std::map<std::string, double> numbers_;
    std::map<std::string, std::vector<int>> cells_;
    std::map<std::string, std::pair<runtime::Shape, std::vector<float>>> arrays_;
};

}  // namespace kasc::test
