// Writes tissue.h5, the input of a bioheat program, or with --treatment that of hifu.kas. README.md has the datasets.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>

#include "phantom.hpp"
#include "runtime/hdf5/file.hpp"
#include "treatment.hpp"

namespace {

using kasc::runtime::ArrayView;
using kasc::runtime::Attributes;
using kasc::runtime::Shape;
using kasc::runtime::WordType;

Shape cube(int size) { return Shape(3, static_cast<std::uint64_t>(size)); }

Attributes attributes(double stable_step) {
    return {{"created_by", "make_tissue"},
            {"dx_m", fmt::format("{}", tissue::spacing_m)},
            {"largest_stable_dt_s", fmt::format("{:.3f}", stable_step)},
            {"blood_celsius", fmt::format("{}", tissue::blood_celsius)}};
}

kasc::Diagnostics write_phantom(const std::string& path, int size, std::uint32_t seed, const std::vector<float>& on) {
    const tissue::Phantom phantom = tissue::make_phantom(size, seed);
    const std::vector<ArrayView> arrays = {{"T", cube(size), phantom.temperature},
                                           {"beta", cube(size), phantom.diffusivity},
                                           {"q", cube(size), phantom.heating},
                                           {"perf", cube(size), phantom.perfusion},
                                           {"on", {on.size()}, on}};
    const double stable = tissue::stable_step_s(phantom.diffusivity, phantom.perfusion);
    const kasc::Diagnostics bad = kasc::runtime::write_hdf5(path, arrays, attributes(stable));
    if (bad.empty())
        fmt::print("{}: T, beta, q, perf ({n}, {n}, {n}), on ({},); stable for dt up to {:.3f} s at dx = 1 mm\n", path,
                   on.size(), stable, fmt::arg("n", size));
    return bad;
}

kasc::Diagnostics write_treatment(const std::string& path, int size, const std::vector<float>& on) {
    const tissue::Treatment t = tissue::make_treatment(size);
    const Shape materials = {t.diffusivity.size()}, probes = {t.probes_x.size()};
    const auto places = [&](const std::vector<std::int32_t>& p) {
        return kasc::runtime::Words(WordType::int32, p.data(), p.size());
    };
    const std::vector<ArrayView> arrays = {{"T", cube(size), t.temperature},
                                           {"tissue", cube(size), {WordType::uint8, t.label.data(), t.label.size()}},
                                           {"beam", cube(size), t.intensity},
                                           {"beta", materials, t.diffusivity},
                                           {"w", materials, t.perfusion},
                                           {"absorb", materials, t.absorption},
                                           {"on", {on.size()}, on},
                                           {"px", probes, places(t.probes_x)},
                                           {"py", probes, places(t.probes_y)},
                                           {"pz", probes, places(t.probes_z)}};
    const double stable = tissue::stable_step_s(t.diffusivity, t.perfusion);
    Attributes about = attributes(stable);
    std::string names;
    for (const tissue::Material& material : tissue::materials)
        names += (names.empty() ? "" : ", ") + std::string(material.name);
    about.emplace_back("materials", names);
    const kasc::Diagnostics bad = kasc::runtime::write_hdf5(path, arrays, about);
    if (bad.empty())
        fmt::print("{}: a treatment of {n} x {n} x {n} mm, {} steps; stable for dt up to {:.3f} s\n", path, on.size(),
                   stable, fmt::arg("n", size));
    return bad;
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app("Writes an HDF5 file of layered tissue with a tumour, a vessel and a focused heat source");
    int size = 96;
    int steps = 600;
    std::uint32_t seed = 1;
    bool treatment = false;
    std::string path = "tissue.h5";
    app.add_option("--size", size, "cells a side, 1 mm each")->check(CLI::Range(32, 1024))->capture_default_str();
    app.add_option("--steps", steps, "length of the source's protocol")
        ->check(CLI::Range(1, 100000000))
        ->capture_default_str();
    app.add_option("--seed", seed, "of the variation from cell to cell; a treatment's tissue does not vary")
        ->capture_default_str();
    app.add_flag("--treatment", treatment, "labels, tables, a beam and probes for hifu.kas");
    app.add_option("-o,--output", path, "the file to write")->capture_default_str();
    CLI11_PARSE(app, argc, argv);

    const std::vector<float> on = tissue::make_protocol(steps);
    const kasc::Diagnostics diagnostics =
        treatment ? write_treatment(path, size, on) : write_phantom(path, size, seed, on);
    fmt::print(stderr, "{}", kasc::render_text(diagnostics));
    return diagnostics.empty() ? 0 : 1;
}
