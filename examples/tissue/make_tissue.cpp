// Writes tissue.h5, the input of a bioheat program: T, beta, q, perf (N, N, N) and on (steps,), all float32.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>

#include "phantom.hpp"
#include "runtime/hdf5_file.hpp"

namespace {

using kasc::runtime::ArrayView;
using kasc::runtime::Shape;

kasc::Diagnostics write(const std::string& path, const tissue::Phantom& phantom, const std::vector<float>& on) {
    const auto side = static_cast<std::uint64_t>(phantom.size);
    const Shape cube = {side, side, side};
    const std::vector<ArrayView> arrays = {{"T", cube, phantom.temperature},
                                           {"beta", cube, phantom.diffusivity},
                                           {"q", cube, phantom.heating},
                                           {"perf", cube, phantom.perfusion},
                                           {"on", {on.size()}, on}};
    return kasc::runtime::write_hdf5(path, arrays,
                                     {{"created_by", "make_tissue"},
                                      {"dx_m", fmt::format("{}", tissue::spacing_m)},
                                      {"largest_stable_dt_s", fmt::format("{:.3f}", tissue::stable_step_s(phantom))},
                                      {"blood_celsius", fmt::format("{}", tissue::blood_celsius)}});
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app("Writes an HDF5 file of layered tissue with a tumour, a vessel and a focused heat source");
    int size = 96;
    int steps = 600;
    std::uint32_t seed = 1;
    std::string path = "tissue.h5";
    app.add_option("--size", size, "cells a side, 1 mm each")->check(CLI::Range(32, 1024))->capture_default_str();
    app.add_option("--steps", steps, "length of the source's protocol")
        ->check(CLI::Range(1, 100000000))
        ->capture_default_str();
    app.add_option("--seed", seed, "of the variation from cell to cell")->capture_default_str();
    app.add_option("-o,--output", path, "the file to write")->capture_default_str();
    CLI11_PARSE(app, argc, argv);

    const tissue::Phantom phantom = tissue::make_phantom(size, seed);
    const kasc::Diagnostics diagnostics = write(path, phantom, tissue::make_protocol(steps));
    fmt::print(stderr, "{}", kasc::render_text(diagnostics));
    if (!diagnostics.empty()) return 1;
    fmt::print("{}: T, beta, q, perf ({n}, {n}, {n}), on ({},); stable for dt up to {:.3f} s at dx = 1 mm\n", path,
               steps, tissue::stable_step_s(phantom), fmt::arg("n", size));
    return 0;
}
