// Many linear steps at once beside the steps, both evaluated statement by statement: in double, where they differ by
// roundings alone, and in float, where the waves lose no more than the steps do.
#include "rewrite/modes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "random/draw.hpp"
#include "random/field_rewrites.hpp"
#include "random/field_run.hpp"
#include "rewrite/mode_axes.hpp"

namespace kasc {
namespace {

struct Stepped {
    const char *name, *fields, *body;
    std::vector<long long> extents;
};
void PrintTo(const Stepped& s, std::ostream* out) { *out << s.name; }

class ModesBesideSteps : public testing::TestWithParam<Stepped> {};

Program read_stepped(const Stepped& stepped) {
    const std::string text = std::string(stepped.fields) +
                             " param float dt = 0.125; param int steps = 3; input T; for (n = 0; n < steps; n++) { " +
                             stepped.body + " } return T;";
    const auto read = read_program(make_source("case.kas", text), Library{});
    EXPECT_TRUE(read) << render_text(read.diagnostics);
    return read ? with_mode_axes(*read, {}) : Program{};
}

random::FieldRunCase drawn(const Program& stepping, const std::vector<long long>& extents, long long steps) {
    random::FieldRunCase run;
    run.problem.extents = extents;
    for (const AxisId id : stepping.axes.ids()) {
        if (id.index < extents.size()) continue;
        // 2*extent(x), 2*(extent(x) + 1), or half of an axis before.
        const Axis& axis = stepping.axes[id];
        if (axis.half_of) {
            run.problem.extents.push_back(run.problem.extents.at(axis.half_of->index) / 2 + 1);
            continue;
        }
        const std::string length = to_text(*axis.fallback_extent, stepping, {});
        for (std::size_t k = 0; k < extents.size(); ++k) {
            const std::string of = "extent(" + stepping.axes[AxisId{static_cast<std::uint32_t>(k)}].name + ")";
            if (length.find(of) == std::string::npos) continue;
            run.problem.extents.push_back(2 * (extents[k] + (length.find("+ 1") == std::string::npos ? 0 : 1)));
        }
    }
    run.problem.parameters = {0.125, static_cast<double>(steps)};
    unsigned state = 7;
    test::Cells cells(test::word_count(run.problem, field_shape(stepping, stepping.inputs.front())));
    for (double& cell : cells) {
        state = state * 1664525u + 1013904223u;
        cell = static_cast<double>(static_cast<float>(state >> 8) * (1.0F / 16777216.0F)) - 0.25;
    }
    run.inputs = {cells};
    return run;
}

double largest_of(const test::Cells& cells) {
    double largest = 1e-300;
    for (const double cell : cells) largest = std::max(largest, std::abs(cell));
    return largest;
}
/// Relative to the largest value.
double difference(const test::Cells& expected, const test::Cells& found) {
    double most = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        most = std::max(most, std::abs(expected[i] - found[i]));
        if (!std::isfinite(found[i])) return HUGE_VAL;
    }
    return most / largest_of(expected);
}

TEST_P(ModesBesideSteps, GiveTheSame) {
    const Program stepping = read_stepped(GetParam());
    const Modes modes = modes_of_loops(stepping);
    ASSERT_TRUE(modes.changed) << modes.verdicts.front().verdict.reason();
    const Program exact = random::in_double(stepping), exact_modes = random::in_double(modes.program);
    for (const long long steps : {-1, 0, 1, 2, 3, 17, 200}) {
        const random::FieldRunCase run = drawn(stepping, GetParam().extents, steps);
        const test::Cells expected = run_field_reference(exact, run).front();
        EXPECT_LT(difference(expected, run_field_reference(exact_modes, run).front()),
                  1e-13 + 1e-15 * static_cast<double>(steps))
            << steps << " steps in double";
        const double off = difference(expected, run_field_reference(stepping, run).front());
        const double off_modes = difference(expected, run_field_reference(modes.program, run).front());
        // Where all waves fade, the last one is what exp(-a) leaves of it.
        const double fades = std::max(0.0, -std::log(largest_of(expected)));
        EXPECT_LT(off_modes, std::max(5e-7 + 1e-7 * fades, 2 * off))
            << steps << " steps in float, which are off by " << off;
    }
}

const std::vector<Stepped> linear_steps{
    {"Heat1Even", "float T[x] boundary periodic;", "T = T + dt*(T[x - 1] - 2*T + T[x + 1]);", {12}},
    {"Heat1Odd", "float T[x] boundary periodic;", "T = T + dt*(T[x - 1] - 2*T + T[x + 1]);", {13}},
    {"OneCell", "float T[x] boundary periodic;", "T = T + dt*(T[x - 1] - 2*T + T[x + 1]);", {1}},
    {"TwoCells", "float T[x] boundary periodic;", "T = T + dt*(T[x - 1] - 2*T + T[x + 1]);", {2}},
    {"Heat2",
     "float T[x, y] boundary periodic;",
     "T = T + dt*(T[x - 1] + T[x + 1] + T[y - 1] + T[y + 1] - 4*T);",
     {6, 9}},
    {"Heat3",
     "float T[x, y, z] boundary periodic;",
     "T = T + dt*axis_sum(a, T, T[a - 1] + T[a + 1] - 2*T);",
     {5, 4, 6}},
    {"FourthOrder",
     "float T[x, y] boundary periodic;",
     "T = T + dt*axis_sum(a, T, (16*(T[a - 1] + T[a + 1]) - T[a - 2] - T[a + 2] - 30*T)/12);",
     {7, 8}},
    {"TurnsItsSign", "float T[x] boundary periodic;", "T = -0.5*T[x - 1] - 0.5*T[x + 1];", {8}},
    {"UpwindEven", "float T[x] boundary periodic;", "T = T - dt*(T - T[x - 1]);", {12}},
    {"UpwindOdd", "float T[x, y] boundary periodic;", "T = T - dt*(T - T[x - 1]) + dt/2*(T[y + 1] - T);", {7, 5}},
    {"Shift", "float T[x, y] boundary periodic;", "T = T[x - 1, y + 2];", {6, 5}},
    {"Mixed",
     "float T[x, y] boundary periodic;",
     "T = T + dt/4*(T[x - 1, y - 1] + T[x + 1, y + 1] - T[x - 1, y + 1] - T[x + 1, y - 1]) + dt*(T[x - 1] + T[x + 1] + "
     "T[y - 1] + T[y + 1] - 4*T);",
     {6, 8}},
    {"TwoStatements",
     "float T[x, y] boundary periodic;",
     "T = T + dt*(T[x - 1] - 2*T + T[x + 1]); T = T - dt*(T - T[y - 1]);",
     {6, 8}},
    {"Between",
     "float T[x, y] boundary mirror, q[x, y] boundary mirror;",
     "q = T[x - 1] + T[x + 1] + T[y - 1] + T[y + 1] - 4*T; T = T + dt*q - dt/16*(q[x - 1] + q[x + 1] + q[y - 1] + q[y "
     "+ 1] - "
     "4*q);",
     {6, 5}},
    {"Mirror1", "float T[x] boundary mirror;", "T = T + dt*(T[x - 1] - 2*T + T[x + 1]);", {7}},
    {"MirrorFar", "float T[x] boundary mirror;", "T = T + dt*(T[x - 3] - 2*T + T[x + 3]);", {2}},
    {"Mirror2",
     "float T[x, y] boundary mirror;",
     "T = T + dt/2*(T[x - 1, y - 1] + T[x + 1, y - 1] + T[x - 1, y + 1] + T[x + 1, y + 1] - 4*T);",
     {6, 3}},
    {"OddMirror2",
     "float T[x, y] boundary -mirror;",
     "T = T + dt*axis_sum(a, T, (16*(T[a - 1] + T[a + 1]) - T[a - 2] - T[a + 2] - 30*T)/12);",
     {6, 5}},
    {"ZeroWalls2",
     "float T[x, y] boundary value(0);",
     "T = T + dt/2*(T[x - 1, y - 1] + T[x + 1, y - 1] + T[x - 1, y + 1] + T[x + 1, y + 1] - 4*T);",
     {6, 5}},
    {"ZeroWallOfOneCell", "float T[x] boundary value(0);", "T = T + dt*(T[x - 1] - 2*T + T[x + 1]);", {1}},
    {"Walls3",
     "float T[x, y, z] boundary (x: mirror, y: -mirror, z: value(0));",
     "T = T + dt*axis_sum(a, T, T[a - 1] + T[a + 1] - 2*T);",
     {3, 4, 5}},
    {"OneWayBetweenWalls",
     "float T[x, y] boundary (x: mirror, y: periodic);",
     "T = T + dt*(T[x - 1] - 2*T + T[x + 1]) - dt*(T - T[y - 1]);",
     {4, 7}},
    {"AlongTheSecond", "float T[x, y] boundary periodic;", "T = T + dt*(T[y - 1] - 2*T + T[y + 1]);", {3, 8}},
    {"AlongTheOuter",
     "float T[x, y, z] boundary mirror;",
     "T = T + dt*(T[x - 1] - 2*T + T[x + 1] + T[z - 1] + T[z + 1] - 2*T);",
     {3, 2, 4}},
    {"Doubles",
     "double T[x, y] boundary periodic;",
     "T = T + dt*(T[x - 1] + T[x + 1] + T[y - 1] + T[y + 1] - 4*T);",
     {6, 9}}};

INSTANTIATE_TEST_SUITE_P(Steps, ModesBesideSteps, testing::ValuesIn(linear_steps),
                         [](const auto& given) { return given.param.name; });

/// Linear steps drawn at random: walls by axis, neighbours on both sides of them alike, some fields between.
class RandomSteps {
public:
    explicit RandomSteps(unsigned seed) : draw_(seed) {
        const int rank = draw_.between(1, 3);
        for (int k = 0; k < rank; ++k) {
            axes_.emplace_back(1, "xyz"[k]);
            walls_.push_back(draw_.of<std::string>({"periodic", "periodic", "mirror", "-mirror", "value(0)"}));
            extents.push_back(draw_.between(1, rank == 1 ? 12 : 6));
        }
        const std::string shape = fmt::format("[{}] boundary ({})", fmt::join(axes_, ", "), fmt::join(faces(), ", "));
        const std::string type = draw_.percent(30) ? "double" : "float";
        fields = fmt::format("{0} T{1}, q{1};", type, shape);
        // What lies between begins with the field, and is where it ends.
        const bool between = draw_.percent(40);
        if (between) body += fmt::format("q = {}; ", step("T"));
        body += fmt::format("T = {};", step(between ? "q" : "T"));
        if (draw_.percent(30)) body += fmt::format(" T = {};", step("T"));
    }
    std::string fields, body;
    std::vector<long long> extents;

private:
    random::Draw draw_;
    std::vector<std::string> axes_, walls_;

    std::vector<std::string> faces() {
        std::vector<std::string> all;
        for (std::size_t k = 0; k < axes_.size(); ++k) all.push_back(axes_[k] + ": " + walls_[k]);
        return all;
    }
    /// Factors are at most 1 together: steps do not grow.
    std::string step(const std::string& of) {
        std::string sum = fmt::format("0.25*{}", of);
        const int terms = draw_.between(1, 3);
        for (int t = 0; t < terms; ++t) {
            std::vector<std::vector<int>> places{{}};
            for (std::size_t k = 0; k < axes_.size(); ++k) {
                // A step that looks nowhere is none of these.
                const bool looks = draw_.percent(60) || (t == 0 && k + 1 == axes_.size());
                const int far = !looks ? 0 : walls_[k] == "value(0)" ? 1 : draw_.between(1, 2);
                const int way = draw_.percent(50) ? far : -far;
                std::vector<std::vector<int>> more;
                for (const std::vector<int>& place : places) {
                    for (const int cells :
                         walls_[k] == "periodic" || far == 0 ? std::vector{way} : std::vector{-far, far}) {
                        more.push_back(place);
                        more.back().push_back(cells);
                    }
                }
                places = std::move(more);
            }
            const double factor = 0.75 / terms / static_cast<double>(places.size());
            for (const std::vector<int>& place : places)
                sum += fmt::format(" {} {}*{}[{}]", t == 1 ? "-" : "+", factor, of, fmt::join(place, ", "));
        }
        return draw_.percent(30) ? fmt::format("0.5*{} + 4*dt*({})", of, sum) : sum;
    }
};

TEST(ModesOfRandomSteps, GiveTheSame) {
    for (unsigned seed = 1; seed <= 150; ++seed) {
        const RandomSteps drawn_steps(seed);
        const Stepped stepped{"random", drawn_steps.fields.c_str(), drawn_steps.body.c_str(), drawn_steps.extents};
        SCOPED_TRACE(fmt::format("seed {}: {} {}", seed, stepped.fields, stepped.body));
        const Program stepping = read_stepped(stepped);
        const Modes modes = modes_of_loops(stepping);
        ASSERT_TRUE(modes.changed) << modes.verdicts.front().verdict.reason();
        const Program exact = random::in_double(stepping), exact_modes = random::in_double(modes.program);
        for (const long long steps : {0, 1, 7}) {
            const random::FieldRunCase run = drawn(stepping, stepped.extents, steps);
            const test::Cells expected = run_field_reference(exact, run).front();
            ASSERT_LT(difference(expected, run_field_reference(exact_modes, run).front()), 1e-11) << steps << " steps";
        }
    }
}

}  // namespace
}  // namespace kasc
