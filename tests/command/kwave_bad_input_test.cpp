// Input files of k-Wave's that are at fault: each is told with its code and a help, exit status 1, and nothing is left
// behind.
#include "command/kwave_case.hpp"

#include <cstdlib>
#include <regex>

#include "command/kwave_edit.hpp"
#include "support/remember_builds.hpp"
#include "support/temporary.hpp"

namespace kasc {
namespace {

namespace fs = std::filesystem;
using test::KwaveEdit;

class KWaveBadInput : public testing::Test {
protected:
    static void SetUpTestSuite() { test::build_with("-O0"); }  // building takes longer than 60 steps of a small grid
    static void TearDownTestSuite() { test::build_as_ever(); }
    /// A copy of one of the cases.
    std::string copy(const std::string& name) const {
        const std::string path = (here_.path() / "in.h5").string();
        fs::copy_file(test::kwave_input(name), path, fs::copy_options::overwrite_existing);
        return path;
    }
    [[nodiscard]] test::ShellResult run(const std::string& flags = "") const {
        auto ended = test::shell(KASC_COMMAND " kwave --target cpu -i " + (here_.path() / "in.h5").string() + " -o " +
                                 (here_.path() / "out.h5").string() + " " + flags);
        expect_own_flags(ended.output);
        return ended;
    }
    /// The flags in quotes, 'kasc run PROGRAM.kas --in FILE.h5', are those of the command that is quoted.
    static void expect_own_flags(const std::string& output) {
        static const std::string help = test::shell(KASC_COMMAND " kwave -h").output;
        const std::string said = std::regex_replace(output, std::regex("'kasc run [^']*'"), "");
        const std::regex flag("--[a-z][a-z_-]*[a-z]");
        for (std::sregex_iterator at(said.begin(), said.end(), flag), end; at != end; ++at)
            EXPECT_NE(help.find(at->str()), std::string::npos) << at->str() << " is no flag of kasc kwave:\n" << output;
    }
    void expect_refused(const std::vector<std::string>& texts, const std::string& flags = "") const {
        const auto ended = run(flags);
        EXPECT_EQ(ended.status, 1) << ended.output;
        for (const std::string& text : texts) EXPECT_NE(ended.output.find(text), std::string::npos) << ended.output;
        std::size_t files = 0;
        for ([[maybe_unused]] const auto& entry : fs::directory_iterator(here_.path())) ++files;
        EXPECT_EQ(files, fs::exists(here_.path() / "in.h5") ? 1U : 0U) << ended.output;
    }

    test::Temporary here_;
};

TEST_F(KWaveBadInput, FilesThatAreNone) {
    expect_refused({"error[K0701]"});
    const std::string path = copy("2d_p_dirichlet_one");
    const std::string whole = test::read_file(path);
    test::write_file(path, whole.substr(0, whole.size() / 2));
    expect_refused({"error[K0703]", "= help:"});
    test::write_file(path, "no HDF5 at all");
    expect_refused({"error[K0702]", "= help:"});
}

TEST_F(KWaveBadInput, HeadersOfOtherFiles) {
    KwaveEdit(copy("2d_p_dirichlet_one")).attribute("file_type", "");
    expect_refused({"error[K0750]", "no attribute file_type", "kasc run PROGRAM.kas"});
    KwaveEdit(copy("2d_p_dirichlet_one")).attribute("file_type", "output");
    expect_refused({"error[K0750]", "it is of type 'output'"});
    KwaveEdit(copy("2d_p_dirichlet_one")).attribute("major_version", "2");
    expect_refused({"error[K0751]", "version 2.2", "= help:"});
    KwaveEdit(copy("2d_p_dirichlet_one")).attribute("minor_version", "");
    expect_refused({"error[K0751]", "has no texts major_version and minor_version"});
    // Padded texts are those texts.
    KwaveEdit(copy("2d_p_dirichlet_one")).attribute("file_type", "input   ");
    const auto padded = run("--benchmark 1");
    EXPECT_EQ(padded.status, 0) << padded.output;
    fs::remove(here_.path() / "out.h5");
}

TEST_F(KWaveBadInput, NumbersThatAreMissingOrNone) {
    for (const char* name : {"Nx", "dt", "c_ref", "p_source_flag", "p_source_mode", "nonuniform_grid_flag"}) {
        KwaveEdit(copy("2d_p_dirichlet_one")).remove(name);
        expect_refused({std::string("error[K0704]: no dataset '") + name + "'", "= help:"});
    }
    KwaveEdit(copy("2d_p_dirichlet_one")).replace("Nt", {1, 1, 2}, {60, 60});
    expect_refused({"error[K0752]: dataset 'Nt'", "of shape (1, 1, 2)", "one whole number"});
    KwaveEdit(copy("2d_p_dirichlet_one")).replace("Nt", {1, 1, 1}, {60.5});
    expect_refused({"error[K0752]: dataset 'Nt'", "is 60.5"});
    for (const double steps : {0.0, -3.0, 2147483648.0}) {
        KwaveEdit(copy("2d_p_dirichlet_one")).replace("Nt", {1, 1, 1}, {steps});
        expect_refused({"error[K0752]: dataset 'Nt'", "one whole number from 1 to 2147483647"});
    }
    KwaveEdit(copy("2d_p_dirichlet_one")).replace("dt", {1, 1, 1}, {std::nan("")});
    expect_refused({"error[K0752]: dataset 'dt'"});
}

TEST_F(KWaveBadInput, ArraysThatAreMissingOrOfAnotherShape) {
    for (const char* name : {"c0", "rho0_sgy", "p_source_index", "p_source_input", "sensor_mask_index"}) {
        KwaveEdit(copy("2d_p_dirichlet_one")).remove(name);
        expect_refused({std::string("error[K0704]: no dataset '") + name + "'"});
    }
    KwaveEdit(copy("2d_p_dirichlet_one")).replace("c0", {1, 4, 4}, std::vector<double>(16, 1500));
    expect_refused({"error[K0718]: axis 'x' is 4 in 'c0', and 64 by its declaration"});
    KwaveEdit(copy("2d_p_dirichlet_one")).set("p_source_flag", {41});
    expect_refused({"error[K0746]", "'p_time' has 40 cells, 0 to 39"});
    // k-Wave-python 0.6.0 writes 1 for any number of samples.
    KwaveEdit(copy("2d_p_dirichlet_one")).set("p_source_flag", {1});
    expect_refused({"error[K0741]: the requirement 'extent(p_time) == p_samples' is not met", "k-Wave-python"});
    KwaveEdit(copy("2d_u_dirichlet_one")).set("uy_source_flag", {1});
    expect_refused({"error[K0741]: the requirement 'extent(uy_time) == uy_samples' is not met"});
    KwaveEdit(copy("2d_p_dirichlet_one")).set("p_source_many", {1});
    expect_refused({"error[K0741]", "extent(p_signal)"});
    KwaveEdit(copy("2d_p_dirichlet_one")).set("p_source_mode", {3});
    expect_refused({"error[K0741]"});
}

TEST_F(KWaveBadInput, CellsOutsideTheGrid) {
    for (const double cell : {0.0, 3073.0}) {
        const std::string is = std::to_string(static_cast<int>(cell));
        const std::string grid = " is " + is + ", and the grid of 64 x 48 x 1 has the points 1 to 3072";
        const std::vector<double> list =
            test::read_arrays(test::kwave_input("2d_p_dirichlet_one"), {"sensor_mask_index"}).begin()->second.values;
        // As the file counts them, from 1.
        KwaveEdit(copy("2d_p_dirichlet_one")).set("sensor_mask_index", {list[0], list[1], cell});
        expect_refused({"error[K0756]: entry 3 of 'sensor_mask_index'" + grid, "in.h5:/sensor_mask_index"});
        KwaveEdit(copy("2d_p_dirichlet_one")).set("sensor_mask_index", {cell, cell});
        expect_refused({"error[K0756]: entry 1 of 'sensor_mask_index'" + grid, "with 2 of its 22 entries"});
        KwaveEdit(copy("2d_p_dirichlet_one")).set("p_source_index", {cell});
        expect_refused({"error[K0756]: entry 1 of 'p_source_index'" + grid});
    }
    KwaveEdit(copy("2d_p_dirichlet_one")).set("p_source_index", {1101});
    expect_refused({"error[K0743]: entries 1 and 2 of 'p_source_index' are both 1101", "in.h5:/p_source_index"});
    KwaveEdit(copy("3d_transducer")).set("delay_mask", {0});
    expect_refused({"error[K0756]: entry 1 of 'delay_mask' is 0", "delays of this signal are 1 to"});
    KwaveEdit(copy("3d_transducer")).set("delay_mask", {1, 1000000});
    expect_refused({"error[K0756]: entry 2 of 'delay_mask' is 1000000"});
    KwaveEdit(copy("3d_transducer")).set("u_source_index", {0});
    expect_refused({"error[K0756]: entry 1 of 'u_source_index' is 0"});
}

TEST_F(KWaveBadInput, BoxesOutsideTheGrid) {
    KwaveEdit(copy("2d_corners")).set("sensor_mask_corners", {5, 1, 1, 4, 3, 1});
    expect_refused({"error[K0753]: box 1 of the sensor, (5, 1, 1) to (4, 3, 1)", "64 x 48 x 1", "= help:"});
    KwaveEdit(copy("2d_corners")).set("sensor_mask_corners", {0, 1, 1, 4, 3, 1});
    expect_refused({"error[K0753]"});
    KwaveEdit(copy("2d_corners")).set("sensor_mask_corners", {1, 1, 1, 65, 3, 1});
    expect_refused({"error[K0753]"});
    KwaveEdit(copy("2d_corners")).replace("sensor_mask_corners", {1, 3, 4}, std::vector<double>(12, 1));
    expect_refused({"error[K0752]", "(1, 3, 4)", "shape (1, N, 6)"});
    KwaveEdit(copy("2d_corners")).remove("sensor_mask_corners");
    expect_refused({"error[K0704]"});
    KwaveEdit(copy("2d_corners")).set("sensor_mask_type", {2});
    expect_refused({"error[K0752]: dataset 'sensor_mask_type'", "0, a list of cells, or 1, boxes"});
}

TEST_F(KWaveBadInput, SimulationsOfOtherKinds) {
    for (const char* flag : {"nonuniform_grid_flag", "elastic_flag"}) {
        KwaveEdit(copy("2d_p_dirichlet_one")).set(flag, {1});
        expect_refused({std::string("error[K0741]: the requirement '") + flag + " == 0' is not met"});
    }
    KwaveEdit(copy("2d_p0_power_law")).set("alpha_power", {1});
    expect_refused({"error[K0741]: the requirement 'alpha_power != 1' is not met"});
    for (const double power : {-0.5, 3.0}) {
        KwaveEdit(copy("2d_p0_power_law")).set("alpha_power", {power});
        expect_refused({"error[K0741]: the requirement 'alpha_power >= 0 && alpha_power < 3' is not met"});
    }
    KwaveEdit(copy("2d_p0_power_law")).set("absorbing_flag", {3});
    expect_refused({"error[K0741]"});
}

TEST_F(KWaveBadInput, WhatKWaveDoesNotHaveAroundAnAxis) {
    KwaveEdit(copy("2d_p0_power_law")).set("axisymmetric_flag", {1});
    expect_refused({"error[K0741]: the requirement 'absorbing_flag != 1' is not met", "Stokes' absorption alone"});
    KwaveEdit(copy("3d_p_dirichlet_one")).set("axisymmetric_flag", {1});
    expect_refused({"error[K0741]: the requirement 'Nz == 1' is not met"});
    KwaveEdit(copy("as_p0_homogeneous")).set("axisymmetric_flag", {2});
    expect_refused({"error[K0741]: the requirement 'axisymmetric_flag <= 1' is not met"});
    // The layer of y is at the far end alone: it may be more than half of the grid, not more than all.
    KwaveEdit(copy("as_p0_homogeneous")).set("pml_y_size", {49});
    expect_refused({"error[K0741]", "pml_y_size"});
}

TEST_F(KWaveBadInput, SimulationsInOneDimension) {
    KwaveEdit(copy("2d_p_dirichlet_one")).replace("Ny", {1, 1, 1}, {1});
    expect_refused({"error[K0755]", "in 1 dimension: 1D is not supported", "compute two and three dimensions"});
    // What a file of one dimension lacks besides is not told.
    {
        KwaveEdit file(copy("2d_p_dirichlet_one"));
        for (const char* other : {"Ny", "Nz", "dy", "pml_y_size"}) file.remove(other);
    }
    const auto told = run();
    EXPECT_EQ(told.status, 1);
    EXPECT_NE(told.output.find("error[K0755]"), std::string::npos) << told.output;
    EXPECT_EQ(told.output.find("K0704"), std::string::npos) << told.output;
}

TEST_F(KWaveBadInput, FlagsAreThoseOfTheCommand) {
    copy("2d_p0_power_law");
    const std::string checkpoint = (here_.path() / "ck.h5").string();
    // What they say is looked at in run().
    EXPECT_NE(run("--check --memory 20K --checkpoint_timesteps 5 --checkpoint_file " + checkpoint).status, 0);
    const auto both = run("--check --checkpoint_timesteps 5 --checkpoint_file " + checkpoint);
    EXPECT_NE(both.output.find("leave --check out, or leave --checkpoint_file and --memory out"), std::string::npos)
        << both.output;
    test::write_file(checkpoint, "no checkpoint");
    const auto damaged = run("--checkpoint_timesteps 5 --checkpoint_file " + checkpoint);
    EXPECT_NE(damaged.output.find("error[K0840]"), std::string::npos) << damaged.output;
    EXPECT_NE(damaged.output.find("remove the checkpoint"), std::string::npos) << damaged.output;
    EXPECT_EQ(run("--target cuda -g 999").status == 0, false);
    std::filesystem::remove(here_.path() / "in.h5");
    EXPECT_NE(run().output.find("-i names an input file"), std::string::npos);
}

TEST_F(KWaveBadInput, MediaThatAreNone) {
    KwaveEdit(copy("2d_p0_heterogeneous_legacy")).set("c0", {1500, std::nan("")});
    expect_refused({"error[K0712]: 1 of 3072 values of 'c0' are not finite", "--allow not-finite"});
    KwaveEdit(copy("2d_p0_heterogeneous_legacy")).set("rho0", {0});
    expect_refused({"error[K0741]: the requirement 'rho0 > 0' is not met at 1 of 3072 cells"});
    KwaveEdit(copy("2d_p0_power_law")).set("alpha_coeff", {-1});
    expect_refused({"error[K0741]: the requirement 'alpha_coeff >= 0' is not met"});
}

TEST_F(KWaveBadInput, LayersThatLeaveNoRoomOrAmplify) {
    KwaveEdit(copy("2d_p_dirichlet_one")).set("pml_x_size", {33});
    expect_refused({"error[K0741]: the requirement 'pml_x_size >= 0 && 2 * pml_x_size <= extent(x)' is not met"});
    KwaveEdit(copy("2d_p_dirichlet_one")).set("pml_y_alpha", {-2});
    expect_refused({"error[K0741]: the requirement 'pml_y_alpha >= 0' is not met"});
}

TEST_F(KWaveBadInput, UnstableSteps) {
    {
        KwaveEdit file(copy("2d_p0_heterogeneous_legacy"));
        file.set("c_ref", {1400});
        file.set("dt", {1e-7});
    }
    const auto numbers = test::read_arrays((here_.path() / "in.h5").string(), {"dx", "dy"});
    const double dx = numbers.at("dx").values.front(), dy = numbers.at("dy").values.front();
    const double k = 3.14159265358979 * std::sqrt(1 / (dx * dx) + 1 / (dy * dy));
    const double bound = 2 / (1400 * k) * std::asin(1400 / 1617.0);
    char text[32];
    std::snprintf(text, sizeof text, "%.2fe-08", std::floor(bound * 1e10) / 100);
    // Where the medium varies that is no proof: the user is told, and the simulation runs.
    const auto told = run("--p_raw");
    EXPECT_EQ(told.status, 0) << told.output;
    for (const std::string& wanted :
         {"warning[K0740]: the step dt = 1e-07 is likely unstable: the largest stable is " + std::string(text),
          std::string("--allow unstable leaves this warning out"), std::string("c_ref of 1617")})
        EXPECT_NE(told.output.find(wanted), std::string::npos) << told.output;
    const auto allowed = run("--p_raw --allow unstable");
    EXPECT_EQ(allowed.status, 0) << allowed.output;
    EXPECT_EQ(allowed.output.find("K0740"), std::string::npos) << allowed.output;
}

TEST_F(KWaveBadInput, ResultsThatAreNotFiniteAreToldOf) {
    KwaveEdit(copy("2d_p_dirichlet_one")).set("p_source_input", {3e38, 3e38, 3e38});
    const std::string leg = "--checkpoint_timesteps 50 --checkpoint_file " + (here_.path() / "ck.h5").string();
    for (const std::string& legs : {std::string(), leg}) {
        // With checkpoints the series is written row by row, and the call ends with what it holds by then.
        const auto told = run("--p_raw --u_max_all " + legs);
        EXPECT_EQ(told.status, 0) << told.output;
        EXPECT_NE(told.output.find("warning[K0748]: results are not finite: "), std::string::npos) << told.output;
        EXPECT_NE(told.output.find(legs.empty() ? " of 1320 values of 'p', the first at ["
                                                : " of 1100 values of 'p', the first at ["),
                  std::string::npos)
            << told.output;
        EXPECT_EQ(run("--p_raw --u_max_all --allow not-finite").output.find("K0748"), std::string::npos);
    }
}

TEST_F(KWaveBadInput, WarningsAndPlaces) {
    copy("2d_p0_power_law");
    // What is wrong with the place of the output is told before anything is built.
    fs::create_directory(here_.path() / "out.h5");
    const auto folder = run();
    EXPECT_EQ(folder.status, 1);
    EXPECT_NE(folder.output.find("error[K0720]"), std::string::npos) << folder.output;
    fs::remove(here_.path() / "out.h5");
    const auto few = run("--memory 20K");
    EXPECT_EQ(few.status, 1);
    EXPECT_NE(few.output.find("error[K0723]: the arrays need"), std::string::npos) << few.output;
    copy("3d_p0_odd_size");
    const auto odd = run("--memory 20K");
    EXPECT_NE(odd.output.find("warning[K0747]: transforms along 'x' are slow: its 31 cells have the prime factor 31"),
              std::string::npos)
        << odd.output;
    EXPECT_NE(odd.output.find("30 or 32 cells"), std::string::npos) << odd.output;
    EXPECT_EQ(odd.output.find("along 'y'"), std::string::npos) << odd.output;
    KwaveEdit(copy("2d_p0_power_law")).set("alpha_power", {1.02});
    const auto near = run("--benchmark 1");
    EXPECT_EQ(near.status, 0) << near.output;
    EXPECT_NE(near.output.find("warning[K0754]: alpha_power = 1.02 is near 1"), std::string::npos) << near.output;
}

}  // namespace
}  // namespace kasc
