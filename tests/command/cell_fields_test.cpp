// Fields whose cells have a shape, in files: whole cells or a dataset a word, series, pictures.
#include <gtest/gtest.h>

#include <cmath>

#include "runtime/hdf5/file.hpp"
#include "runtime/hdf5/read_datasets.hpp"
#include "support/interrupt.hpp"
#include "support/shell.hpp"
#include "support/temporary.hpp"

namespace kasc {
namespace {

namespace fs = std::filesystem;
using Values = std::vector<float>;

const char* const flow =
    "param float dt = 0.1;\n"
    "type populations = float[5];\n"
    "vector3 u[x, y] boundary mirror;\n"
    "matrix3x3 F[x];\n"
    "populations f[x, y];\n"
    "input u, F, f;\n"
    "u = u + dt * (u[1, 0] + u[-1, 0] - 2 * u);\n"
    "f = 2 * f;\n"
    "return u, F, f;\n";

class CellFields : public testing::Test {
protected:
    static constexpr std::uint64_t nx = 7, ny = 5;

    [[nodiscard]] std::string file(const std::string& name) const { return (here_.path() / name).string(); }
    [[nodiscard]] test::ShellResult kasc(const std::string& arguments) const {
        return test::shell("cd " + here_.path().string() + " && " KASC_COMMAND " " + arguments);
    }
    void write(const std::string& name, const std::vector<runtime::ArrayView>& arrays) const {
        ASSERT_TRUE(runtime::write_hdf5(file(name), arrays, {}).empty());
    }
    void program(const std::string& text) const { test::write_file(here_.path() / "p.kas", text); }
    [[nodiscard]] Values read(const std::string& name, const std::string& dataset, const runtime::Shape& shape) const {
        const auto read =
            runtime::read_datasets(file(name), runtime::FileStamp{fs::file_size(file(name))}, {{dataset, shape}});
        EXPECT_TRUE(read) << dataset << render_text(read.diagnostics);
        if (!read) return {};
        const auto words = read->arrays.front().values.floats();
        return {words.begin(), words.end()};
    }
    static Values noise(std::size_t words, unsigned random) {
        Values values(words);
        for (float& value : values)
            value = static_cast<float>((random = random * 1664525U + 1013904223U) >> 16U) / 65536.0F;
        return values;
    }
    /// The word of each of the cells.
    static Values word(const Values& cells, std::size_t words, std::size_t word) {
        Values all;
        for (std::size_t i = word; i < cells.size(); i += words) all.push_back(cells[i]);
        return all;
    }
    test::Temporary here_;
};

TEST_F(CellFields, AreReadWholeOrByWordsAndWrittenWhole) {
    program(flow);
    const Values u = noise(nx * ny * 3, 1), F = noise(nx * 9, 2), f = noise(nx * ny * 5, 3);
    write("whole.h5", {{"u", {ny, nx, 3}, u}, {"F", {nx, 3, 3}, F}, {"f", {ny, nx, 5}, f}});
    ASSERT_EQ(kasc("run p.kas --target cpu --in whole.h5 --out a.h5 --check").status, 0);

    Values expected(u.size());
    for (std::size_t i = 0; i < u.size(); ++i) {
        const std::size_t x = i / 3 % nx;
        const float next = x + 1 < nx ? u[i + 3] : u[i], before = x > 0 ? u[i - 3] : u[i];
        expected[i] = u[i] + 0.1F * (next + before - 2 * u[i]);
    }
    const Values found = read("a.h5", "u", {ny, nx, 3});
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < u.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-6F) << i;
    EXPECT_EQ(read("a.h5", "F", {nx, 3, 3}), F);
    EXPECT_EQ(read("a.h5", "f", {ny, nx, 5})[17], 2 * f[17]);

    std::vector<Values> words;
    std::vector<runtime::ArrayView> arrays{{"F", {nx, 9}, F}, {"f", {ny, nx, 5}, f}};
    for (std::size_t k = 0; k < 3; ++k) words.push_back(word(u, 3, k));
    for (std::size_t k = 0; k < 3; ++k) arrays.push_back({std::string("u_") + "xyz" [k], { ny, nx }, words[k]});
    write("words.h5", arrays);
    ASSERT_EQ(kasc("run p.kas --target cpu --in words.h5 --out b.h5").status, 0);
    EXPECT_TRUE(test::read_file(file("a.h5")) == test::read_file(file("b.h5")));

    // What was written is read again, and explained.
    EXPECT_EQ(kasc("run p.kas --target cpu --in a.h5 --out c.h5").status, 0);
    EXPECT_EQ(kasc("explain p.kas --in a.h5").status, 0);
}

/// Words of doubles keep their digits, labels and places stay whole numbers.
TEST_F(CellFields, OfDoublesAndIntegersAreReadAndWritten) {
    program(
        "type wide = double[2]; type place = int[2]; type label = uint8[3];\n"
        "wide d[x, y]; place at[p]; label m[x, y];\n"
        "double seen[p];\n"
        "input d, at, m;\n"
        "seen = d[x = at.x, y = at.y].y;\n"
        "d = wide(d.y, d.x + 1);\n"
        "m = m.z > 3 ? m + 1 : m;\n"
        "return d, at, m, seen;\n");
    std::vector<double> d;
    std::vector<std::uint8_t> m;
    for (std::size_t i = 0; i < nx * ny * 2; ++i) d.push_back(1 + 1e-12 * static_cast<double>(i));
    for (std::size_t i = 0; i < nx * ny * 3; ++i) m.push_back(static_cast<std::uint8_t>(i % 7));
    const std::vector<std::int32_t> at{1, 2, 6, 4, 0, 0};
    using runtime::Words;
    using runtime::WordType;
    write("in.h5", {{"d", {ny, nx, 2}, Words(WordType::float64, d.data(), d.size())},
                    {"at", {3, 2}, Words(WordType::int32, at.data(), at.size())},
                    {"m", {ny, nx, 3}, Words(WordType::uint8, m.data(), m.size())}});
    const auto run = kasc("run p.kas --target cpu --in in.h5 --out out.h5 --check");
    ASSERT_EQ(run.status, 0) << run.output;
    const auto found = runtime::read_datasets(file("out.h5"), runtime::FileStamp{fs::file_size(file("out.h5"))},
                                              {{"d", {ny, nx, 2}, 0, 0, WordType::float64},
                                               {"at", {3, 2}, 0, 0, WordType::int32},
                                               {"m", {ny, nx, 3}, 0, 0, WordType::uint8},
                                               {"seen", {3}, 0, 0, WordType::float64}});
    ASSERT_TRUE(found) << render_text(found.diagnostics);
    const auto word = [&](std::size_t array, std::size_t i) { return found->arrays[array].values[i]; };
    for (std::size_t i = 0; i < nx * ny; ++i) {
        EXPECT_EQ(word(0, 2 * i), d[2 * i + 1]);
        EXPECT_EQ(word(0, 2 * i + 1), d[2 * i] + 1);
        for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(word(2, 3 * i + k), m[3 * i + k] + (m[3 * i + 2] > 3 ? 1 : 0));
    }
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(word(1, 2 * i), at[2 * i]);
        const auto cell = static_cast<std::size_t>(at[2 * i]) + nx * static_cast<std::size_t>(at[2 * i + 1]);
        EXPECT_EQ(word(3, i), d[2 * cell + 1]);
    }
}

TEST_F(CellFields, FilesThatDoNotFit) {
    program(flow);
    const Values u = noise(nx * ny * 3, 1), F = noise(nx * 9, 2), f = noise(nx * ny * 5, 3);
    const auto said = [&](const std::vector<runtime::ArrayView>& arrays) {
        write("in.h5", arrays);
        const auto run = kasc("run p.kas --target cpu --in in.h5 --out out.h5");
        EXPECT_EQ(run.status, 1) << run.output;
        EXPECT_FALSE(fs::exists(file("out.h5")));
        return run.output;
    };
    EXPECT_NE(said({{"u", {3, ny, nx}, u}, {"F", {nx, 9}, F}, {"f", {ny, nx, 5}, f}}).find("error[K0719]"),
              std::string::npos);
    EXPECT_NE(
        said({{"u", {ny, nx, 3}, u}, {"u_y", {nx}, u}, {"F", {nx, 9}, F}, {"f", {ny, nx, 5}, f}}).find("error[K0729]"),
        std::string::npos);
    EXPECT_NE(said({{"F", {nx, 9}, F}, {"f", {ny, nx, 5}, f}}).find("error[K0704]: no dataset 'u'"), std::string::npos);
    const std::string no_pictures = kasc("run p.kas --target cpu --in in.h5 --out out.h5 --picture u=u.png").output;
    EXPECT_NE(no_pictures.find("they are u_x, u_y, u_z"), std::string::npos) << no_pictures;
}

/// Cells in and out row by row, and words of them that come from elsewhere.
const char* const series =
    "param int steps; param float dt = 0.1; param float most = 2;\n"
    "vector3 u[x, y] boundary mirror, q[x, y, t], movie[x, y, t];\n"
    "float speed[x, y, t];\n"
    "input u, q;\n"
    "require(q.z < most);\n"
    "for (n = 0; n < steps; n++) {\n"
    "    u = u + dt * (u[1, 0] + u[-1, 0] - 2 * u + q[t = n]);\n"
    "    movie[t = n] = u;\n"
    "    speed[t = n] = u.x * u.x + u.y * u.y + u.z * u.z;\n"
    "}\n"
    "return u, movie, speed;\n";

TEST_F(CellFields, SeriesPassThroughMemoryRowByRow) {
    constexpr std::uint64_t nt = 8000;
    program(series);
    const Values u = noise(nx * ny * 3, 1), q = noise(nt * nx * ny * 3, 2);
    write("in.h5", {{"u", {ny, nx, 3}, u}, {"q", {nt, ny, nx, 3}, q}});
    setenv("OMP_NUM_THREADS", "1", 1);
    const std::string call =
        "run " + file("p.kas") + " --target cpu --set steps=8000 --in " + file("in.h5") + " --out ";
    auto run = kasc(call + "whole.h5");
    ASSERT_EQ(run.status, 0) << run.output;
    const std::string whole = test::read_file(file("whole.h5"));
    const Values movie = read("whole.h5", "movie", {nt, ny, nx, 3}), last = read("whole.h5", "u", {ny, nx, 3});
    EXPECT_EQ(Values(movie.end() - static_cast<std::ptrdiff_t>(last.size()), movie.end()), last);
    // Some rows of all series at a time.
    run = kasc(call + "windows.h5 --memory 1M");
    EXPECT_EQ(run.status, 0) << run.output;
    EXPECT_TRUE(test::read_file(file("windows.h5")) == whole);
    EXPECT_NE(kasc(call + "windows.h5 --memory 1M --check").output.find("K0907"), std::string::npos)
        << "nothing passes through memory row by row";
    // What the data must meet is asked of each word's rows.
    for (const char* memory : {"", "--memory 1M"}) {
        run = kasc(call + "faulty.h5 --set most=0.99 " + memory);
        EXPECT_NE(run.output.find("error[K0741]"), std::string::npos) << run.output;
        EXPECT_NE(run.output.find("; the first is x = 3, y = 3, t = 0"), std::string::npos) << run.output;
        EXPECT_EQ(run.output.find("cells of t = 0 to") != std::string::npos, *memory != '\0') << run.output;
    }
    // Stopped, and gone on with.
    std::string said;
    test::interrupt_midway(KASC_COMMAND " " + call + file("pieces.h5") + " --every 100 --checkpoint " + file("c.h5"),
                           file("pieces.h5"), file("c.h5"), SIGINT, file("log"), said);
    EXPECT_NE(said.find("K0814"), std::string::npos) << said;
    run = kasc(call + "pieces.h5 --memory 2M --restart c.h5");
    EXPECT_EQ(run.status, 0) << run.output;
    EXPECT_TRUE(test::read_file(file("pieces.h5")) == whole);
}

TEST_F(CellFields, PicturesShowWordsOfThem) {
    program(flow);
    const Values u = noise(nx * ny * 3, 1), F = noise(nx * 9, 2), f = noise(nx * ny * 5, 3);
    write("in.h5", {{"u", {ny, nx, 3}, u}, {"F", {nx, 9}, F}, {"f", {ny, nx, 5}, f}});
    ASSERT_EQ(kasc("run p.kas --target cpu --in in.h5 --out out.h5 --picture u_y=run.png").status, 0);
    auto view = kasc("view out.h5 --list");
    EXPECT_EQ(view.status, 0);
    EXPECT_NE(view.output.find("F_zx                                      7\n"), std::string::npos) << view.output;
    EXPECT_NE(view.output.find("f_4                                   5 x 7\n"), std::string::npos) << view.output;
    EXPECT_NE(view.output.find("u_y                                   5 x 7\n"), std::string::npos) << view.output;
    // All words of one, and one of them.
    view = kasc("view out.h5 u");
    EXPECT_EQ(view.status, 0);
    EXPECT_NE(view.output.find("u_z                                   5 x 7   out-u_z.png\n"), std::string::npos)
        << view.output;
    ASSERT_EQ(kasc("view out.h5 u_y -o y.png").status, 0);
    EXPECT_TRUE(test::read_file(file("y.png")) == test::read_file(file("out-u_y.png")));
    EXPECT_FALSE(test::read_file(file("y.png")) == test::read_file(file("out-u_x.png")));
    // A file of another program, which says nothing of cells.
    const Values y = word(u, 3, 1);
    write("y.h5", {{"u_y", {ny, nx}, y}});
    ASSERT_EQ(kasc("view y.h5 u_y -o alone.png").status, 0);
    ASSERT_EQ(kasc("view in.h5 u_y -o of_cells.png").status, 0);
    EXPECT_TRUE(test::read_file(file("of_cells.png")) == test::read_file(file("alone.png")));
    EXPECT_NE(kasc("view in.h5 u_w").output.find("error[K0909]"), std::string::npos);
}

}  // namespace
}  // namespace kasc
