// Runs in blocks, by mpirun: beside the run of one process, whose results they have but for an error that falls with
// the overlap; what goes across faces, edges and corners; what is refused.
#include <gtest/gtest.h>

#include <cmath>

#include "support/launched.hpp"
#include "support/of_the_day.hpp"
#include "support/recorded.hpp"
#include "support/temporary.hpp"

namespace kasc {
namespace {

class LocalBasis : public testing::Test {
protected:
    void SetUp() override {
        if (!test::can_launch()) GTEST_SKIP() << "kasc was built without MPI";
    }
    [[nodiscard]] std::string file(const std::string& name) const { return (folder_.path() / name).string(); }
    void write(const std::string& text) const { test::write_file(folder_.path() / "program.kas", text); }
    /// What one process computes goes to alone.h5.
    void run_alone() const {
        const auto alone = test::shell(KASC_COMMAND " " + call() + " --out " + file("alone.h5"));
        ASSERT_EQ(alone.status, 0) << alone.output;
    }
    [[nodiscard]] test::ShellResult run(int processes, const std::string& flags) const {
        return test::shell(test::launched(processes, call() + " --out " + file("blocks.h5") + " " + flags));
    }
    /// A run that ends well: what it computes goes to blocks.h5.
    void run_well(int processes, const std::string& flags) const {
        const auto blocks = run(processes, flags);
        ASSERT_EQ(blocks.status, 0) << blocks.output;
    }
    /// The largest difference between the two files, relative to the largest value.
    [[nodiscard]] double error(const std::string& name) const {
        const auto wanted = test::read_arrays(file("alone.h5"), {name}),
                   found = test::read_arrays(file("blocks.h5"), {name});
        const auto &a = wanted.at(name), &b = found.at(name);
        EXPECT_EQ(a.shape, b.shape);
        double largest = 0, difference = 0;
        for (std::size_t i = 0; i < a.values.size(); ++i) {
            largest = std::max(largest, std::abs(a.values[i]));
            difference = std::max(difference, std::abs(a.values[i] - b.values.at(i)));
        }
        EXPECT_GT(largest, 0);
        return difference / largest;
    }

private:
    test::Temporary folder_;
    [[nodiscard]] std::string call() const { return "run " + file("program.kas") + " --target cpu"; }
};

const std::string wave_numbers = "function wave(i, n) = 6.283185307179586 / n * (i < (n + 1) / 2 ? i : i - n);\n";

TEST_F(LocalBasis, TheErrorOfAGradientFallsWithTheOverlap) {
    write(
        wave_numbers +
        "axis x = 44; axis y = 40; axis z = 36;\n"
        "axis kx = half(x); float u[x, y, z], v[x, y, z];\n"
        "complex i_kx[kx], i_ky[y], i_kz[z], U[kx, y, z];\n"
        "i_kx = complex(0, 2 * kx == extent(x) ? 0 : wave(kx, extent(x)));\n"
        "i_ky = complex(0, 2 * y == extent(y) ? 0 : wave(y, extent(y)));\n"
        "i_kz = complex(0, 2 * z == extent(z) ? 0 : wave(z, extent(z)));\n"
        "u = sin(0.857 * x) * cos(0.628 * y + 1) + exp(-0.05 * ((x - 21) * (x - 21) + (y - 20) * (y - 20) + (z - 18) * "
        "(z - 18)));\n"
        "U = fft(u);\n"
        "v = ifft(i_kx * U) + ifft(i_ky * U) + ifft(i_kz * U);\n"
        "return v;\n");
    run_alone();
    run_well(8, "--basis local:4 --blocks 2x2x2");
    const double of_4 = error("v");
    run_well(8, "--basis local:9 --blocks 2x2x2");
    const double of_9 = error("v");
    EXPECT_LT(of_4, 0.05);
    EXPECT_LT(of_9, 0.003);
    EXPECT_LT(of_9, 0.2 * of_4);
}

TEST_F(LocalBasis, AWavePacketGoesThroughFacesEdgesAndCorners) {
    // Half a step in space, half in waves: through the corner in which all blocks meet.
    write(wave_numbers +
          "param int steps = 40;\n"
          "axis x = 44; axis y = 40; axis z = 36;\n"
          "complex psi[x, y, z]; float density[x, y, z], k2[x, y, z];\n"
          "complex turn[x, y, z], over[x, y, z];\n"
          "function square(a) = a * a;\n"
          "function envelope(r) = exp(-0.05 * r);\n"
          "k2 = square(wave(x, extent(x))) + square(wave(y, extent(y))) + square(wave(z, extent(z)));\n"
          "turn = complex(cos(0.15 * k2), -sin(0.15 * k2));\n"
          "psi = envelope(square(x - 17) + square(y - 15) + square(z - 13)) * exp(complex(0, 0.6 * (x + y + z)));\n"
          "over = exp(complex(0, -0.02 * cos(0.3 * x)));\n"
          "for (n = 0; n < steps; n++) { psi = over * ifft(turn * fft(psi)); }\n"
          "density = real(psi * conj(psi));\n"
          "return density;\n");
    run_alone();
    run_well(8, "--basis local:4 --blocks 2x2x2");
    const double of_4 = error("density");
    run_well(8, "--basis local:9 --blocks 2x2x2");
    const double of_9 = error("density");
    EXPECT_LT(of_9, 0.02);
    EXPECT_LT(of_9, 0.3 * of_4);
}

const std::string recorded =
    wave_numbers +
    "param int steps = 30;\n"
    "axis kx = half(x); axis x = 44; axis y = 41; axis t = steps; axis s = 6;\n"
    "float p[x, y], q[x, y] boundary periodic, k2[kx, y], rec[s, t], most[s], plane[x, t], one[t], near[x, y];\n"
    "int sx[s], sy[s];\n"
    "sx = 7 * s + 3;\n"
    "sy = 40 - 8 * s;\n"
    "k2 = wave(kx, extent(x)) * wave(kx, extent(x)) + wave(y, extent(y)) * wave(y, extent(y));\n"
    "p = exp(-0.02 * ((x - 21) * (x - 21) + (y - 20) * (y - 20)));\n"
    "q = 0; most = 0;\n"
    "for (n = 0; n < steps; n++) {\n"
    "    q = q - 0.3 * ifft(k2 * fft(p)) + 0.001 * (q[x - 1] + q[y + 1] - 2 * q);\n"
    "    p = p + 0.3 * q;\n"
    "    p[x = sx, y = sy] += 0.02 * sin(0.2 * n) * (s + 1);\n"
    "    p[x = 22, y = 20] = p[x = 22, y = 20] + 0.1 * cos(0.2 * n);\n"
    "    rec[t = n] = p[x = sx + 1, y = sy];\n"
    "    most = max(most, p[x = sx + 1, y = sy]);\n"
    "    plane[t = n] = p[y = 30];\n"
    "    one[t = n] = p[x = 21, y = 1];\n"
    "}\n"
    "near = y < 20 ? 10 * x + y : 0;\n"
    "return p, rec, most, plane, one, near;\n";

TEST_F(LocalBasis, SourcesAndRecordingsAreWhereTheirCellsAre) {
    write(recorded);
    run_alone();
    run_well(4, "--basis local:9 --blocks 2x2");
    for (const char* name : {"p", "rec", "most", "plane", "one"}) EXPECT_LT(error(name), 0.008) << name;
    // What is no transform's is the same.
    EXPECT_EQ(error("near"), 0);
    run_well(3, "--basis local:6 --blocks 3");
    for (const char* name : {"p", "rec", "most", "plane", "one"}) EXPECT_LT(error(name), 0.03) << name;
}

TEST_F(LocalBasis, ResultsOfEveryType) {
    // Along one of two axes, in double: numbers without axes, of one cell, and of cells that no transform has.
    write(
        wave_numbers +
        "axis x = 120; axis y = 3;\n"
        "double_complex psi[x, y], turn[x, y], spot[y]; double v[x, y], re[x, y], one[], now[]; int place[x, y], "
        "count[]; int64 "
        "far[x];\n"
        "v = 0.02 * cos(6.283185307179586 * 3 * x / extent(x)) + 0.001 * y;\n"
        "psi = exp(complex(-0.01 * (x - 50) * (x - 50), 0.7 * x));\n"
        "turn = exp(complex(0, -0.2 * wave(x, extent(x)) * wave(x, extent(x))));\n"
        "now = 0; count = 0;\n"
        "for (n = 0; n < 20; n++) {\n"
        "    psi = exp(complex(0, -v)) * ifft(turn * fft(psi, x), x);\n"
        "    now = now + 0.1; count = count + 1;\n"
        "}\n"
        "one = abs(psi[x = 55, y = 1]); spot = psi[x = 50]; place = 10 * x + y; far = 3000000000 * x; re = real(psi);\n"
        "return one, now, place, count, far, psi, re, spot;\n");
    run_alone();
    run_well(4, "--basis local:15");
    for (const char* name : {"now", "place", "count", "far"}) EXPECT_EQ(error(name), 0) << name;
    for (const char* name : {"one", "re"}) EXPECT_LT(error(name), 0.001) << name;
}

TEST_F(LocalBasis, InputsAreReadWithTheirOverlaps) {
    // A file of inputs from a run of its own, with cells of three words.
    write(
        "axis x = 30; axis y = 26; axis q = 5; vector3 c[x, y]; float slow[x, y], far[q];\n"
        "c = vector3(sin(0.4 * x), cos(0.5 * y), 1); slow = 1 + 0.3 * sin(0.3 * (x + y)); far = q;\n"
        "return c, slow, far;\n");
    const auto inputs =
        test::shell(KASC_COMMAND " run " + file("program.kas") + " --target cpu --out " + file("in.h5"));
    ASSERT_EQ(inputs.status, 0) << inputs.output;
    write(wave_numbers +
          "axis kx = half(x); vector3 c[x, y]; float slow[x, y], far[q], p[x, y], v[x, y];\n"
          "input c, slow, far;\n"
          "require(slow > 0.1);\n"
          "p = ifft(wave(kx, extent(x)) * wave(kx, extent(x)) * fft(c.x));\n"
          "v = ifft(wave(y, extent(y)) * wave(y, extent(y)) * fft(slow * p)) + far[q = 2];\n"
          "return p, v;\n");
    const std::string with = " --in " + file("in.h5");
    const auto alone =
        test::shell(KASC_COMMAND " run " + file("program.kas") + " --target cpu" + with + " --out " + file("alone.h5"));
    ASSERT_EQ(alone.status, 0) << alone.output;
    run_well(4, "--basis local:6 --blocks 2x2" + with);
    for (const char* name : {"p", "v"}) EXPECT_LT(error(name), 0.01) << name;
}

TEST_F(LocalBasis, SaysItsBlocksAndWhatIsKnownOfTheirError) {
    write(recorded);
    const auto told = run(4, "--basis local:8");
    ASSERT_EQ(told.status, 0) << told.output;
    EXPECT_NE(told.output.find(" blocks of x, y: "), std::string::npos) << told.output;
    EXPECT_NE(told.output.find("known of overlaps of 8: "), std::string::npos) << told.output;
    EXPECT_NE(told.output.find("\nmessages: by MPI, "), std::string::npos) << told.output;
}

TEST_F(LocalBasis, ExplainSaysWhatOverlapsSend) {
    write(wave_numbers +
          "axis kx = half(x); axis x = 64; axis y = 48; float p[x, y];\n"
          "p = x * y; for (n = 0; n < 9; n++) { p = ifft(wave(kx, extent(x)) * fft(p)); } return p;\n");
    const auto said = test::shell(KASC_COMMAND " explain " + file("program.kas") +
                                  " --device cpu --ranks 4 --basis local:8 --blocks 2x2");
    ASSERT_EQ(said.status, 0) << said.output;
    EXPECT_NE(said.output.find("\nin 2x2 blocks of x, y: 32 x 24 cells, with their overlaps 48 x 40\n"),
              std::string::npos)
        << said.output;
    // 48 x 40 cells without its own 32 x 24, of 4 bytes.
    EXPECT_NE(said.output.find("  p                      4.6 kB\n"), std::string::npos) << said.output;
}

TEST_F(LocalBasis, WhatDoesNotFitIsRefused) {
    write(recorded);
    const auto says = [&](const test::ShellResult& said, const std::string& text) {
        EXPECT_NE(said.status, 0) << said.output;
        EXPECT_NE(said.output.find(text), std::string::npos) << said.output;
        const auto first = said.output.find("error[");
        EXPECT_EQ(said.output.find("error[", first + 1), std::string::npos) << said.output;
    };
    says(test::shell(KASC_COMMAND " run " + file("program.kas") + " --target cpu --basis local:8 --out " +
                     file("blocks.h5")),
         "error[K0927]: --basis local is of several processes");
    says(run(4, "--basis local:8 --blocks 2x3"), "error[K0927]: --blocks are 6, and 4 processes were started");
    says(run(4, "--basis local:20 --blocks 2x2"), "error[K0928]: a block of axis 'x' with its overlaps");
    says(run(2, "--basis local:8 --checkpoint " + file("c.h5")), "error[K0927]: --basis local runs to its end");
    write("axis x = 40; axis kx = half(x); float u[x], all[]; u = ifft(fft(x)); all = sum(u); return u, all;\n");
    says(run(2, "--basis local:4"), "error[K0818]: all cells along 'x' are looked at");
}

}  // namespace
}  // namespace kasc
