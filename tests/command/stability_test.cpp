// What kasc run says of a time step, beside what the program does in thousands of steps on the CPU: no run is refused
// for it, programs that are right are not suspected, and what blows up was warned of.
#include <gtest/gtest.h>

#include <cmath>
#include <deque>
#include <functional>

#include "runtime/hdf5/file.hpp"
#include "support/recorded.hpp"
#include "support/shell.hpp"
#include "support/temporary.hpp"

namespace kasc {
namespace {

/// A field over x and y (y of one cell: over x alone), the x axis fastest.
struct Grid {
    std::size_t nx, ny = 1;
    using Value = std::function<double(double, double)>;
};

class Steps : public testing::Test {
protected:
    struct Seen {
        std::string output;
        double largest = 0;  ///< of the result's moduli; infinite where some are no numbers
        [[nodiscard]] bool warned() const { return output.find("warning[K0740]") != std::string::npos; }
        [[nodiscard]] bool says(const std::string& text) const { return output.find(text) != std::string::npos; }
    };

    void program(const std::string& text) { test::write_file(file("p.kas"), text); }
    void input(const std::string& name, const Grid& grid, const Grid::Value& value) {
        std::vector<float>& cells = cells_.emplace_back();
        for (std::size_t y = 0; y < grid.ny; ++y) {
            for (std::size_t x = 0; x < grid.nx; ++x)
                cells.push_back(static_cast<float>(value(static_cast<double>(x), static_cast<double>(y))));
        }
        std::vector<std::uint64_t> shape{grid.nx};
        if (grid.ny > 1) shape.insert(shape.begin(), grid.ny);
        arrays_.push_back({name, shape, runtime::Words(runtime::WordType::float32, cells.data(), cells.size())});
    }
    /// Runs to the end, whatever is said of the step.
    Seen run(const std::string& result, const std::string& settings) {
        EXPECT_TRUE(runtime::write_hdf5(file("in.h5"), arrays_, {}).empty());
        const auto run = test::shell("OMP_NUM_THREADS=1 " KASC_COMMAND " run " + file("p.kas") + " --target cpu --in " +
                                     file("in.h5") + " --out " + file("out.h5") + " " + settings);
        EXPECT_EQ(run.status, 0) << run.output;
        Seen seen{run.output, 0};
        const auto arrays = test::read_arrays(file("out.h5"), {result});
        for (const double value : arrays.at(result).values)
            seen.largest = std::isfinite(value) ? std::max(seen.largest, std::abs(value)) : INFINITY;
        return seen;
    }
    /// Nothing is said, and the result stays in bounds.
    void expect_good(const std::string& result, double bound, const std::string& settings) {
        const Seen seen = run(result, settings);
        EXPECT_FALSE(seen.warned()) << seen.output;
        EXPECT_LE(seen.largest, bound) << settings << "\n" << seen.output;
    }
    /// The step is suspected with this limit, and the result is useless.
    void expect_bad(const std::string& result, double bound, const std::string& settings, const std::string& said) {
        const Seen seen = run(result, settings);
        EXPECT_TRUE(seen.says("warning[K0740]: the step " + said)) << seen.output;
        EXPECT_TRUE(seen.says("leaves this warning out")) << seen.output;
        EXPECT_GT(seen.largest, bound) << settings << "\n" << seen.output;
    }

private:
    [[nodiscard]] std::string file(const std::string& name) const { return (here_.path() / name).string(); }
    test::Temporary here_;
    std::deque<std::vector<float>> cells_;
    std::vector<runtime::ArrayView> arrays_;
};

double bump(double x, double centre, double width) { return std::exp(-(x - centre) * (x - centre) / (width * width)); }
/// 1 inside, less towards both ends of n cells, by 20 cells.
double sponge(double x, double n) {
    const double deep = std::max({0.0, 20 - x, x - (n - 21)}) / 20;
    return std::exp(-0.3 * deep * deep);
}
/// Values in [-1, 1] without a period.
double noise(double x, double y) { return std::sin(12.9898 * x + 78.233 * y + 43.7 * std::sin(x * y + 3 * y)); }

TEST_F(Steps, VelocityAndStressInASponge) {
    program(
        "param float dt; param int steps;\n"
        "float v[x] boundary value(0), s[x] boundary value(0), d[x] boundary value(0);\n"
        "input v, s, d;\n"
        "for (n = 0; n < steps; n++) {\n"
        "    v = d*(v + dt*(s - s[x - 1]));\n"
        "    s = d*(s + dt*(v[x + 1] - v));\n"
        "}\n"
        "return s;\n");
    const Grid line{200};
    input("v", line, [](double, double) { return 0; });
    input("s", line, [](double x, double) { return bump(x, 100, 4); });
    input("d", line, [](double x, double) { return sponge(x, 200); });
    expect_good("s", 1e-3, "--set dt=0.5 --set steps=200000");
    expect_good("s", 1e-3, "--set dt=0.99 --set steps=20000");
    expect_bad("s", 1e6, "--set dt=1.01 --set steps=2000", "dt = 1.01 is likely unstable: the largest stable is 1\n");
}

TEST_F(Steps, VelocityAndStressInASpongeOfTwoDimensions) {
    program(
        "param float dt; param int steps;\n"
        "float u[x, y] boundary value(0), v[x, y] boundary value(0), p[x, y] boundary value(0), d[x, y] boundary "
        "value(0), c[x, y];\n"
        "input u, v, p, d, c;\n"
        "for (n = 0; n < steps; n++) {\n"
        "    u = d*(u - dt*(p[x + 1] - p));\n"
        "    v = d*(v - dt*(p[y + 1] - p));\n"
        "    p = d*(p - dt*c*c*(u - u[x - 1] + v - v[y - 1]));\n"
        "}\n"
        "return p;\n");
    const Grid plane{64, 64};
    for (const char* name : {"u", "v"}) input(name, plane, [](double, double) { return 0; });
    input("p", plane, [](double x, double y) { return bump(x, 30, 3) * bump(y, 34, 3); });
    input("d", plane, [](double x, double y) { return sponge(x, 64) * sponge(y, 64); });
    input("c", plane, [](double x, double y) { return x + y > 60 ? 1 : 0.6; });
    expect_good("p", 1e-3, "--set dt=0.5 --set steps=20000");
    expect_good("p", 1e-3, "--set dt=0.7 --set steps=20000");
    expect_bad("p", 1e6, "--set dt=0.75 --set steps=2000", "dt = 0.75 is likely unstable: the largest stable is 0.70");
}

TEST_F(Steps, SubstancesThatReactAndFormPatterns) {
    // Gray and Scott's spots; every wave of a spot grows as long as it is small.
    program(
        "param float dt; param int steps; param float Du = 0.16; param float Dv = 0.08; param float F = 0.035;\n"
        "param float k = 0.065;\n"
        "float u[x, y] boundary periodic, v[x, y] boundary periodic, r[x, y];\n"
        "input u, v;\n"
        "for (n = 0; n < steps; n++) {\n"
        "    r = u*v*v;\n"
        "    u = u + dt*(Du*laplace2(u, 1) - r + F*(1 - u));\n"
        "    v = v + dt*(Dv*laplace2(v, 1) + r - (F + k)*v);\n"
        "}\n"
        "return v;\n");
    const Grid plane{64, 64};
    const auto seed = [](double x, double y) { return std::max(std::abs(x - 32), std::abs(y - 32)) < 6; };
    input("u", plane, [&](double x, double y) { return (seed(x, y) ? 0.5 : 1) + 0.01 * noise(x, y); });
    input("v", plane, [&](double x, double y) { return (seed(x, y) ? 0.25 : 0) + 0.01 * noise(y, x); });
    expect_good("v", 1, "--set dt=1 --set steps=10000");
    expect_bad("v", 1e6, "--set dt=2 --set steps=10000", "dt = 2 is likely unstable: the largest stable is 1.49\n");
}

TEST_F(Steps, TuringsPatterns) {
    // Schnakenberg's, at the state that is the same everywhere: waves of a band of lengths grow, the uniform one does
    // not.
    program(
        "param float tau = 0.01; param int steps; param float D = 20;\n"
        "float u[x] boundary periodic, v[x] boundary periodic, w[x];\n"
        "input u, v;\n"
        "for (n = 0; n < steps; n++) {\n"
        "    w = u;\n"
        "    u = u + tau*(laplace2(u, 1) + 0.1 - w + w*w*v);\n"
        "    v = v + tau*(D*laplace2(v, 1) + 0.9 - w*w*v);\n"
        "}\n"
        "return u;\n");
    const Grid line{100};
    input("u", line, [](double x, double) { return 1 + 0.01 * noise(x, 1); });
    input("v", line, [](double x, double) { return 0.9 + 0.01 * noise(x, 2); });
    expect_good("u", 10, "--set steps=50000");
    expect_bad("u", 1e6, "--set steps=5000 --set tau=0.03",
               "tau = 0.03 is likely unstable: the largest stable is 0.024");
}

TEST_F(Steps, EdgesThatDiffusionKeeps) {
    // Perona and Malik's. Where the picture is steeper than the contrast K, diffusion runs backwards, by the equation.
    program(
        "param float K = 0.1; param float lambda = 0.2; param int steps;\n"
        "float u[x, y] boundary mirror;\n"
        "function flow(d) = d/(1 + d*d/(K*K));\n"
        "input u;\n"
        "for (n = 0; n < steps; n++) {\n"
        "    u = u + lambda*(flow(u[x - 1] - u) + flow(u[x + 1] - u) + flow(u[y - 1] - u) + flow(u[y + 1] - u));\n"
        "}\n"
        "return u;\n");
    input("u", {48, 48}, [](double x, double y) { return (x > 20 ? 1 : 0) + 0.1 * noise(x, y); });
    expect_good("u", 1.2, "--set steps=5000");
    expect_good("u", 1.2, "--set steps=5000 --set K=0.01");
    expect_good("u", 1.2, "--set steps=5000 --set K=10 --set lambda=0.25");
    const Seen seen = run("u", "--set steps=5000 --set K=3 --set lambda=0.4");
    EXPECT_TRUE(seen.says("warning[K0740]: the step lambda = 0.4 is likely unstable: the largest stable is 0.2"))
        << seen.output;
}

TEST_F(Steps, EdgesByExponentials) {
    program(
        "param float K = 0.1; param int steps;\n"
        "float u[x, y] boundary mirror;\n"
        "function flow(d) = d*exp(-d*d/(K*K));\n"
        "input u;\n"
        "for (n = 0; n < steps; n++) {\n"
        "    u = u + 0.3*(flow(u[x - 1] - u) + flow(u[x + 1] - u) + flow(u[y - 1] - u) + flow(u[y + 1] - u));\n"
        "}\n"
        "return u;\n");
    input("u", {48, 48}, [](double x, double y) { return (x > 20 ? 1 : 0) + 0.1 * noise(x, y); });
    expect_good("u", 1.2, "--set steps=500 --set K=0.01");
    expect_good("u", 1.2, "--set steps=500 --set K=0.1");
}

TEST_F(Steps, FiltersThatSharpen) {
    program(
        "param float amount = 0.8; param float sigma = 1; param int steps;\n"
        "float u[x, y] boundary mirror, w[x, y] boundary mirror;\n"
        "input u;\n"
        "for (n = 0; n < steps; n++) {\n"
        "    w = (u[x - 1] + u[x + 1] + u[y - 1] + u[y + 1])*exp(-1/(2*sigma*sigma)) + u;\n"
        "    w = w/(1 + 4*exp(-1/(2*sigma*sigma)));\n"
        "    u = min(max(u + amount*(u - w), 0), 1);\n"
        "}\n"
        "return u;\n");
    input("u", {48, 48}, [](double x, double y) { return 0.5 + 0.3 * (x > 20 ? 1 : 0) + 0.1 * noise(x, y); });
    expect_good("u", 1, "--set steps=5");
    expect_good("u", 1, "--set steps=500 --set amount=3");
    program(
        "param float k = 1; param int steps;\n"
        "float u[x, y] boundary mirror;\n"
        "input u;\n"
        "for (n = 0; n < steps; n++) { u = (1 + 4*k)*u - k*(u[x - 1] + u[x + 1] + u[y - 1] + u[y + 1]); }\n"
        "return u;\n");
    expect_good("u", 1e4, "--set steps=4");
}

TEST_F(Steps, AdvectionUpwind) {
    program(
        "param float dt; param float dx = 0.5; param int steps;\n"
        "float T[x] boundary periodic, c[x] boundary periodic;\n"
        "input T, c;\n"
        "for (n = 0; n < steps; n++) { T = T - dt/dx*(c*T - c[x - 1]*T[x - 1]); }\n"
        "return T;\n");
    input("T", {100}, [](double x, double) { return bump(x, 30, 5); });
    input("c", {100}, [](double x, double) { return 1 + 0.5 * std::sin(2 * 3.14159265 * x / 100); });
    expect_good("T", 3.1, "--set dt=0.3 --set steps=20000");
    expect_bad("T", 1e6, "--set dt=0.7 --set steps=20000", "dt = 0.7 is likely unstable: the largest stable is 0.33");
}

TEST_F(Steps, WavesByLeapfrog) {
    // A medium in layers, with losses that vary.
    program(
        "param float dt; param int steps;\n"
        "float p[x, y] boundary value(0), before[x, y], next[x, y], c[x, y], loss[x, y];\n"
        "input p, c, loss;\n"
        "before = p;\n"
        "for (n = 0; n < steps; n++) {\n"
        "    next = (2*p - (1 - loss*dt/2)*before + dt*dt*c*c*laplace4(p, 1))/(1 + loss*dt/2);\n"
        "    before = p;\n"
        "    p = next;\n"
        "}\n"
        "return p;\n");
    const Grid plane{64, 64};
    input("p", plane, [](double x, double y) { return bump(x, 30, 3) * bump(y, 34, 3); });
    input("c", plane, [](double, double y) { return y > 40 ? 2 : 1; });
    input("loss", plane, [](double x, double) { return x > 44 ? 0.02 * (x - 44) : 0; });
    expect_good("p", 1, "--set dt=0.3 --set steps=20000");
    expect_bad("p", 1e6, "--set dt=0.32 --set steps=2000", "dt = 0.32 is likely unstable: the largest stable is 0.306");
}

TEST_F(Steps, SchroedingersEquationInAWell) {
    program(
        "param float dt; param int steps;\n"
        "float a[x] boundary value(0), b[x] boundary value(0), V[x] boundary value(0);\n"
        "function H(u) = V*u - second2(u, x, 1)/2;\n"
        "input a, b, V;\n"
        "for (n = 0; n < steps; n++) {\n"
        "    a = a + dt*H(b);\n"
        "    b = b - dt*H(a);\n"
        "}\n"
        "return a;\n");
    input("a", {128}, [](double x, double) { return bump(x, 50, 8); });
    input("b", {128}, [](double, double) { return 0; });
    input("V", {128}, [](double x, double) { return 0.0005 * (x - 64) * (x - 64); });
    expect_good("a", 2, "--set dt=0.4 --set steps=50000");  // 2/(2 + 2.05) = 0.494
    expect_bad("a", 1e6, "--set dt=0.7 --set steps=5000", "dt = 0.7 is likely unstable: the largest stable is 0.49");
}

TEST_F(Steps, HuntersAndPrey) {
    program(
        "param float dt; param int steps; param float D = 0.5;\n"
        "float a[x, y] boundary mirror, b[x, y] boundary mirror, w[x, y];\n"
        "input a, b;\n"
        "for (n = 0; n < steps; n++) {\n"
        "    w = a;\n"
        "    a = a + dt*(D*laplace2(a, 1) + w*(1 - b));\n"
        "    b = b + dt*(D*laplace2(b, 1) - b*(1 - w));\n"
        "}\n"
        "return a;\n");
    const Grid plane{32, 32};
    input("a", plane, [](double x, double y) { return 1 + 0.2 * noise(x, y) + 0.3 * bump(x, 10, 5); });
    input("b", plane, [](double x, double y) { return 1 + 0.2 * noise(y, x); });
    expect_good("a", 3, "--set dt=0.01 --set steps=10000");
    expect_good("a", 20, "--set dt=0.1 --set steps=500");
    expect_bad("a", 1e6, "--set dt=0.6 --set steps=2000", "dt = 0.6 is likely unstable: the largest stable is 0.");
}

TEST_F(Steps, ShallowWater) {
    program(
        "param float dt; param float g = 9.81; param float dx = 10; param int steps;\n"
        "float h[x] boundary periodic, u[x] boundary periodic, deep[x] boundary periodic;\n"
        "input h, u, deep;\n"
        "for (n = 0; n < steps; n++) {\n"
        "    u = u - dt*g/dx*(h[x + 1] - h);\n"
        "    h = h - dt/dx*((deep + deep[x + 1])/2*u - (deep + deep[x - 1])/2*u[x - 1]);\n"
        "}\n"
        "return h;\n");
    input("h", {200}, [](double x, double) { return bump(x, 60, 8); });
    input("u", {200}, [](double, double) { return 0; });
    input("deep", {200}, [](double x, double) { return 100 - 80 * bump(x, 140, 30); });
    expect_good("h", 3, "--set dt=0.3 --set steps=20000");  // 10/sqrt(981) = 0.319
    expect_bad("h", 1e6, "--set dt=0.33 --set steps=20000",
               "dt = 0.33 is likely unstable: the largest stable is 0.319");
}

TEST_F(Steps, MixturesThatSeparate) {
    // Cahn and Hilliard's: long waves grow, by the equation.
    program(
        "param float dt; param int steps;\n"
        "float c[x, y] boundary periodic, mu[x, y] boundary periodic;\n"
        "input c;\n"
        "for (n = 0; n < steps; n++) {\n"
        "    mu = c*c*c - c - laplace2(c, 1);\n"
        "    c = c + dt*laplace2(mu, 1);\n"
        "}\n"
        "return c;\n");
    input("c", {48, 48}, [](double x, double y) { return 0.1 * noise(x, y); });
    expect_good("c", 1.2, "--set dt=0.01 --set steps=10000");
    expect_good("c", 1.2, "--set dt=0.02 --set steps=5000");
    expect_bad("c", 1e6, "--set dt=0.06 --set steps=5000", "dt = 0.06 is likely unstable: the largest stable is 0.03");
}

TEST_F(Steps, TheWarningCanBeLeftOut) {
    program(
        "param float dt; param int steps;\n"
        "float T[x] boundary mirror;\n"
        "input T;\n"
        "for (n = 0; n < steps; n++) { T = T + dt*laplace2(T, 1); }\n"
        "return T;\n");
    input("T", {32}, [](double x, double) { return noise(x, 0); });
    expect_bad("T", 1e6, "--set dt=0.7 --set steps=100", "dt = 0.7 is likely unstable: the largest stable is 0.5\n");
    const Seen seen = run("T", "--set dt=0.7 --set steps=100 --allow unstable");
    EXPECT_FALSE(seen.warned()) << seen.output;
    // The warning is given before the run, and where the result is.
    const Seen told = run("T", "--set dt=0.7 --set steps=100");
    EXPECT_LT(told.output.find("K0740"), told.output.find("ran on")) << told.output;
}

}  // namespace
}  // namespace kasc
