// kasc view on k-Wave's files and on results of kasc run.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "runtime/hdf5/file.hpp"
#include "support/shell.hpp"
#include "support/temporary.hpp"

namespace kasc {
namespace {

namespace fs = std::filesystem;

class View : public testing::Test {
protected:
    [[nodiscard]] test::ShellResult view(const std::string& arguments) const {
        return test::shell("cd " + here_.path().string() + " && " KASC_COMMAND " view " + arguments);
    }
    [[nodiscard]] std::vector<std::string> pictures() const {
        std::vector<std::string> names;
        for (const auto& entry : fs::directory_iterator(here_.path())) {
            if (entry.path().extension() == ".png") names.push_back(entry.path().filename().string());
        }
        std::sort(names.begin(), names.end());
        return names;
    }
    void write(const std::string& name, const std::vector<runtime::ArrayView>& arrays) const {
        ASSERT_TRUE(runtime::write_hdf5((here_.path() / name).string(), arrays, {}).empty());
    }
    static std::string data(const std::string& name) { return KASC_SOURCE_DIR "/tests/kwave/data/" + name; }
    static constexpr const char* power_law = "3d_p0_power_law_nonlinear_heterogeneous";
    test::Temporary here_;
};

TEST_F(View, SaysWhatIsThereAndDrawsIt) {
    const auto run = view(data("2d_p0_u.reference.h5"));
    EXPECT_EQ(run.status, 0) << run.output;
    EXPECT_EQ(run.output,
              "p                               1 x 60 x 22   2d_p0_u.reference-p.png\n"
              "p_final                         1 x 48 x 64   2d_p0_u.reference-p_final.png\n"
              "p_max                            1 x 1 x 22\n"
              "p_min                            1 x 1 x 22\n"
              "p_rms                            1 x 1 x 22\n"
              "ux                              1 x 60 x 22   2d_p0_u.reference-ux.png\n"
              "ux_max                           1 x 1 x 22\n"
              "ux_min                           1 x 1 x 22\n"
              "ux_rms                           1 x 1 x 22\n"
              "uy                              1 x 60 x 22   2d_p0_u.reference-uy.png\n"
              "uy_max                           1 x 1 x 22\n"
              "uy_min                           1 x 1 x 22\n"
              "uy_rms                           1 x 1 x 22\n");
    EXPECT_EQ(pictures(), (std::vector<std::string>{"2d_p0_u.reference-p.png", "2d_p0_u.reference-p_final.png",
                                                    "2d_p0_u.reference-ux.png", "2d_p0_u.reference-uy.png"}));
}

TEST_F(View, AListDrawsNothing) {
    const auto run = view("--list " + data("2d_p_additive_one.input.h5"));
    EXPECT_EQ(run.status, 0) << run.output;
    EXPECT_NE(run.output.find("dt                                1 x 1 x 1   1.99999999e-08\n"), std::string::npos)
        << run.output;
    EXPECT_NE(run.output.find("p_source_input                   1 x 40 x 1\n"), std::string::npos) << run.output;
    EXPECT_TRUE(pictures().empty());
}

TEST_F(View, OptionsChangeThePicture) {
    const std::string file = data(std::string(power_law) + ".reference.h5");
    std::vector<std::string> seen;
    for (const char* options : {"", "--axis x", "--axis x --at 9", "--axis y", "--at middle", "--range 0:1e5",
                                "--colours heat", "--colours grey", "--unit kPa", "--spacing x=1cm", "--grid GRID"}) {
        std::string call = options;
        if (const std::size_t at = call.find("GRID"); at != std::string::npos)
            call.replace(at, 4, data(std::string(power_law) + ".input.h5"));
        const auto run = view(file + " p_final -o a.png " + call);
        EXPECT_EQ(run.status, 0) << run.output;
        EXPECT_EQ(pictures(), std::vector<std::string>{"a.png"});
        seen.push_back(test::read_file(here_.path() / "a.png"));
        for (std::size_t i = 0; i + 1 < seen.size(); ++i) EXPECT_NE(seen[i], seen.back()) << options;
    }
    ASSERT_EQ(view(file + " p_final -o a.png").status, 0);
    EXPECT_EQ(test::read_file(here_.path() / "a.png"), seen.front());
}

TEST_F(View, SensorsAreTracesWhereTheyAreFewOrNamed) {
    const std::string file = data(std::string(power_law) + ".reference.h5");
    ASSERT_EQ(view(file + " p -o all.png").status, 0);
    ASSERT_EQ(view(file + " p -o some.png --sensors 0,3-5").status, 0);
    ASSERT_EQ(view(file + " p -o one.png --sensors 3").status, 0);
    ASSERT_EQ(view(file + " p -o every.png --as traces").status, 0);
    std::vector<std::string> pictures;
    for (const char* name : {"all.png", "some.png", "one.png", "every.png"}) {
        pictures.push_back(test::read_file(here_.path() / name));
        for (std::size_t i = 0; i + 1 < pictures.size(); ++i) EXPECT_NE(pictures[i], pictures.back()) << name;
    }
}

TEST_F(View, ShapesDecideWhatIsNoNameOfKWaves) {
    const std::vector<float> values(2000, 1.5F);
    write("r.h5", {{"field", {10, 20}, runtime::Words(values).subspan(0, 200)},
                   {"number", {}, runtime::Words(values).subspan(0, 1)},
                   {"probe", {500, 4}, values},
                   {"series", {2000}, values},
                   {"volume", {10, 10, 20}, values},
                   {"five", {2, 10, 5, 20}, values}});
    const auto run = view("r.h5");
    EXPECT_EQ(run.status, 0) << run.output;
    EXPECT_EQ(run.output,
              "field                               10 x 20   r-field.png\n"
              "five                        2 x 10 x 5 x 20\n"
              "number                             a number   1.5\n"
              "probe                               500 x 4   r-probe.png\n"
              "series                                 2000   r-series.png\n"
              "volume                         10 x 10 x 20   r-volume.png\n");
}

TEST_F(View, ValuesThatAreNotFiniteAreNoFault) {
    std::vector<float> values(100, 1.0F);
    values[3] = std::numeric_limits<float>::quiet_NaN();
    write("r.h5", {{"field", {10, 10}, values}});
    const auto run = view("r.h5");
    EXPECT_EQ(run.status, 0);
    EXPECT_EQ(run.output, "field                               10 x 10   r-field.png\n");
}

}  // namespace
}  // namespace kasc
