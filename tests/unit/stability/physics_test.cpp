// Schemes of many fields at steps that are used: what grows by the equations, what varies from cell to cell and what is
// no step is passed over. The same programs at steps that are too large are told, with the limit that theory has.

#include <cmath>

#include "unit/stability/stability_case.hpp"

namespace kasc {
namespace {

using test::exceeds;
using test::grows_at_any;
using test::StabilityCase;

const char* const second = "function second(f) = f[x - 1] - 2*f + f[x + 1];";

/// `statements` over fields that are all inputs, on 32 cells an axis; in the middle of the axis data vary.
struct Equations {
    std::string parameters, fields, names, statements;

    [[nodiscard]] StabilityCase at(double dt) const {
        StabilityCase made(parameters + " param int steps = 100000; float " + fields + "; input " + names +
                           "; for (n = 0; n < steps; n++) { " + statements + " } return " +
                           names.substr(0, names.find(',')) + ";");
        made.extents(32).set("dt", dt);
        return made;
    }
};

/// 1 far from the ends of 32 cells, 0.7 at them.
void make_sponge(std::vector<float>& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const double x = std::max(0.0, std::abs(static_cast<double>(i % 32) - 15.5) - 8) / 8;
        cells[i] = static_cast<float>(std::exp(-0.4 * x * x));
    }
}

void make_rough(std::vector<float>& cells, double mean, double share) {
    for (std::size_t i = 0; i < cells.size(); ++i)
        cells[i] = static_cast<float>(mean * (1 + share * std::sin(12.9898 * static_cast<double>(i * i))));
}

TEST(Physics, ElasticWavesInASpongeAndLayers) {
    const Equations elastic{
        "param float dt; param float dx = 1; param float lambda = 1; param float mu = 1;",
        "u[x, y] boundary value(0), w[x, y] boundary value(0), sxx[x, y] boundary value(0), syy[x, y] boundary "
        "value(0), sxy[x, y] boundary value(0), d[x, y] boundary value(0), m[x, y] boundary value(1)",
        "u, w, sxx, syy, sxy, d, m",
        "u = d*(u + dt/dx*(sxx - sxx[x - 1] + sxy - sxy[y - 1]));"
        "w = d*(w + dt/dx*(sxy[x + 1] - sxy + syy[y + 1] - syy));"
        "sxx = d*(sxx + m*dt/dx*((lambda + 2*mu)*(u[x + 1] - u) + lambda*(w - w[y - 1])));"
        "syy = d*(syy + m*dt/dx*(lambda*(u[x + 1] - u) + (lambda + 2*mu)*(w - w[y - 1])));"
        "sxy = d*(sxy + (m + m[x - 1])/2*dt/dx*mu*(u[y + 1] - u + w - w[x - 1]));"};
    for (const double dt : {0.01, 0.1, 0.4}) {  // 1/(sqrt(2) sqrt(3)) = 0.408
        StabilityCase made = elastic.at(dt);
        make_sponge(made.data("d"));
        make_rough(made.data("m"), 0.9, 0.1);
        EXPECT_EQ(made.messages(), "") << dt;
    }
    EXPECT_EQ(elastic.at(0.42).messages(), exceeds("dt", "0.42", "0.408"));
    EXPECT_EQ(elastic.at(40).messages(), exceeds("dt", "40", "0.408"));
}

TEST(Physics, LightInConductors) {
    const Equations yee{"param float dt;",
                        "ez[x, y] boundary value(0), hx[x, y] boundary value(0), hy[x, y] boundary value(0), "
                        "sigma[x, y]",
                        "ez, hx, hy, sigma",
                        "hx = hx - dt*(ez[y + 1] - ez); hy = hy + dt*(ez[x + 1] - ez);"
                        "ez = ((1 - sigma*dt/2)*ez + dt*(hy - hy[x - 1] - hx + hx[y - 1]))/(1 + sigma*dt/2);"};
    StabilityCase made = yee.at(0.7);
    make_rough(made.data("sigma"), 0.5, 1);
    EXPECT_EQ(made.messages(), "");
    EXPECT_EQ(yee.at(0.72).fill("sigma", 0).messages(), exceeds("dt", "0.72", "0.707"));
}

TEST(Physics, NervesThatFire) {
    const Equations nerve{
        "param float dt; param float D = 1; param float eps = 0.08;",
        "v[x, y] boundary mirror, w[x, y] boundary mirror, before[x, y]", "v, w, before",
        "before = v; v = v + dt*(D*(v[x - 1] + v[x + 1] + v[y - 1] + v[y + 1] - 4*v) + v - v*v*v/3 - w);"
        "w = w + dt*eps*(before + 0.7 - 0.8*w);"};
    for (const float v : {-1.2F, 0.0F, 0.5F}) EXPECT_EQ(nerve.at(0.2).fill("v", v).fill("w", 0.1F).messages(), "") << v;
    // At rest: 1 + dt (1 - 1.44 - 8) > -1.
    EXPECT_EQ(nerve.at(0.3).fill("v", -1.2F).fill("w", 0.1F).messages(), exceeds("dt", "0.3", "0.237"));
}

TEST(Physics, FlamesAndFilms) {
    // Kuramoto and Sivashinsky: long waves grow, the shortest must not: dt (16 - 4) < 2.
    const Equations flame{std::string("param float dt;") + second, "u[x] boundary periodic", "u",
                          "u = u - dt*(second(u) + u[x - 2] - 4*u[x - 1] + 6*u - 4*u[x + 1] + u[x + 2]"
                          " + u*(u[x + 1] - u[x - 1])/2);"};
    EXPECT_EQ(flame.at(0.05).fill("u", 0.3F).messages(), "");
    EXPECT_EQ(flame.at(0.16).fill("u", 0).messages(), "");
    EXPECT_EQ(flame.at(0.2).fill("u", 0).messages(), exceeds("dt", "0.2", "0.166"));
    EXPECT_EQ(flame.at(20).fill("u", 0).messages(), exceeds("dt", "20", "0.166"));
}

TEST(Physics, SchemesThatLookBack) {
    // Adams and Bashforth's second: diffusion up to dt = 1/4; central advection grows with dt^4, at any step.
    const auto looks_back = [](const std::string& flow) {
        return Equations{std::string("param float dt;") + second,
                         "u[x] boundary periodic, old[x] boundary periodic, f[x]", "u, old, f",
                         "f = " + flow + "; u = u + dt*(1.5*f - 0.5*old); old = f;"};
    };
    EXPECT_EQ(looks_back("second(u)").at(0.24).messages(), "");
    EXPECT_EQ(looks_back("second(u)").at(0.26).messages(), exceeds("dt", "0.26", "0.25"));
    EXPECT_EQ(looks_back("(u[x - 1] - u[x + 1])/2").at(0.08).messages(), "") << "1 + 1e-5, e to the 1 in the end";
    EXPECT_EQ(looks_back("(u[x - 1] - u[x + 1])/2").at(0.5).messages(), grows_at_any("dt", "0.5"));
}

TEST(Physics, WavesByAverages) {
    // Lax and Friedrichs': no step leaves the field as it is, but dt has its limit.
    const Equations lax{"param float dt;", "u[x] boundary periodic, c[x] boundary periodic", "u, c",
                        "u = (u[x - 1] + u[x + 1])/2 - dt/2*(c[x + 1]*u[x + 1] - c[x - 1]*u[x - 1]);"};
    EXPECT_EQ(lax.at(0.9).messages(), "");
    EXPECT_EQ(lax.at(1.2).messages(), exceeds("dt", "1.2", "1"));
}

TEST(Physics, StreamsOfParticles) {
    // Lattice Boltzmann, three velocities: relaxation is no step, and grows nothing below 2.
    StabilityCase lattice(
        "param float omega = 1.9; param int steps = 1000; float a[x] boundary periodic, b[x] boundary periodic, "
        "c[x] boundary periodic, rho[x] boundary periodic, j[x] boundary periodic; input a, b, c;"
        "for (n = 0; n < steps; n++) { rho = a + b + c; j = c - a;"
        "a = a + omega*(rho/6 - j/2 - a); b = b + omega*(2*rho/3 - b); c = c + omega*(rho/6 + j/2 - c);"
        "a = a[x + 1]; c = c[x - 1]; } return a;");
    EXPECT_EQ(lattice.extents(32).messages(), "");
    EXPECT_EQ(lattice.set("omega", 2.3).messages(), "");
}

TEST(Physics, TotalVariation) {
    const Equations flow{"param float dt; param float eps = 0.01;", "u[x, y] boundary mirror", "u",
                         "u = u + dt*axis_sum(a, u, (u[a + 1] - u)/sqrt(eps + (u[a + 1] - u)*(u[a + 1] - u))"
                         " - (u - u[a - 1])/sqrt(eps + (u - u[a - 1])*(u - u[a - 1])));"};
    StabilityCase made = flow.at(0.02);  // flat parts have 1/sqrt(eps) = 10: dt 80 < 2
    make_rough(made.data("u"), 1, 0.3);
    EXPECT_EQ(made.messages(), "");
    EXPECT_EQ(flow.at(0.1).messages(), exceeds("dt", "0.1", "0.025"));
}

/// What a line adds up to is no cell's own value, which would make of it a step that is too large.
TEST(Physics, RunningSumsAreNotKnown) {
    const auto at = [](const std::string& middle) {
        const Equations heat{"param float dt;", "u[x, y] boundary periodic, v[x, y]", "u, v",
                             "v = u; u = u + dt*(u[x - 1] - 2*" + middle + " + u[x + 1]);"};
        return heat.at(1).messages();
    };
    EXPECT_EQ(at("u"), exceeds("dt", "1", "0.5"));
    EXPECT_EQ(at("v"), exceeds("dt", "1", "0.5"));
    EXPECT_EQ(at("running_sum(u, x)"), "");
    EXPECT_EQ(at("running_maximum(v, -y)"), "");
}

TEST(Physics, OneDiffusivityOfTwoIsNoStep) {
    const std::string body =
        " float u[x] boundary periodic, v[x] boundary periodic; input u, v; for (n = 0; n < 100; n++) {"
        "u = u + h*(Du*second(u) + 0.1*(v - u)); v = v + h*(Dv*second(v) + 0.1*(u - v)); } return u;";
    const std::string diffusivities = std::string(second) + "param float Du = 0.9; param float Dv = 0.1;";
    EXPECT_EQ(StabilityCase(diffusivities + "param float h = 1;" + body).extents(32).messages(),
              exceeds("h", "1", "0.541"));
    std::string fixed = body;
    for (std::size_t at; (at = fixed.find("h*(")) != std::string::npos;) fixed.erase(at, 2);
    EXPECT_EQ(StabilityCase(diffusivities + fixed).extents(32).messages(), "");
}

TEST(Physics, ThresholdsAreNoSteps) {
    const std::string after =
        " u[x] boundary mirror; input u; for (n = 0; n < 100; n++) { u = u + 0.7*(flow(u[x + 1] - u) - flow(u - u[x - "
        "1])); } return u;";
    for (const char* flow : {"d/(1 + d*d/(K*K))", "d*K*K/(K*K + d*d)", "d*K*K/(K*K + d*d + 1e-9)", "d*exp(-d*d/(K*K))",
                             "abs(d) < K ? d : 0", "d*min(1, K/max(abs(d), 1e-6))"}) {
        StabilityCase made("param float K = 0.3; function flow(d) = " + std::string(flow) + "; float" + after);
        make_rough(made.extents(32).data("u"), 1, 0.4);
        EXPECT_EQ(made.messages(), "") << flow;
    }
}

}  // namespace
}  // namespace kasc
