// Many linear steps at once: which loops are taken, why others are not, and what becomes of those that are.
#include "rewrite/modes.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "rewrite/mode_axes.hpp"
#include "rewrite/statements.hpp"

namespace kasc {
namespace {

Program read_stepping(const std::string& text) {
    const auto program = read_program(make_source("case.kas", text), Library{});
    EXPECT_TRUE(program) << render_text(program.diagnostics);
    return with_mode_axes(program ? *program : Program{}, {});
}

std::string stepping(const std::string& boundary, const std::string& body) {
    return "axis t = 4; float T[x, y] boundary " + boundary + ", q[x, y] boundary " + boundary +
           ", k[x, y], trace[t]; int i[x, y]; param float dt = 0.1; param double h = 2; param int steps = 3; "
           "param int first = 1; input T, k; q = k; i = 0; for (n = 0; n < steps; n++) { " +
           body + " } return T;";
}

/// What is said of the loop.
std::string said_of_steps(const std::string& boundary, const std::string& body) {
    const Modes modes = modes_of_loops(read_stepping(stepping(boundary, body)));
    std::string all;
    for (const ModesVerdict& v : modes.verdicts) all += v.verdict ? "yes" : v.verdict.reason();
    EXPECT_EQ(modes.changed, all.find("yes") != std::string::npos);
    return all;
}

std::string all_statements(const Program& program) {
    std::string all;
    rewriting::each_statement(program.statements,
                              [&](const Statement& s) { all += rewriting::statement_text(program, s) + "\n"; });
    return all;
}

TEST(Modes, OfAPeriodicFieldWhoseSidesCountAlike) {
    const Modes modes = modes_of_loops(read_stepping(
        "float T[x, y] boundary periodic; param float dt = 0.1; param int steps = 3; input T;\n"
        "for (n = 0; n < steps; n++) { T = T + dt*(T[x - 1] + T[x + 1] + T[y - 1] + T[y + 1] - 4*T); } return T;"));
    EXPECT_EQ(
        all_statements(modes.program),
        "T_modes = fft(T)\n"
        "x_wave = cos(6.283185307179586 * x_modes / extent(x))\n"
        "y_wave = cos(6.283185307179586 * (y < (extent(y) + 1) / 2 ? y : y - extent(y)) / extent(y))\n"
        "T_symbol = 1 + dt * (x_wave + x_wave + y_wave + y_wave - 4)\n"
        "T_less = abs(T_symbol) - 1\n"
        "T_scale = T_symbol < 0 && max(steps, 0) % 2 == 1 ? -(1 / extent(x) / extent(y)) : 1 / extent(x) / extent(y)\n"
        "T_powers = T_scale * exp(float(max(steps, 0)) * (T_less == -1 ? -10000 : log1p(T_less))) * T_modes\n"
        "T = unscaled_ifft(T_powers)\n");
}

TEST(Modes, OfOneThatIsCarriedToOneSide) {
    const Modes modes =
        modes_of_loops(read_stepping("double T[x] boundary periodic; param double c = 0.1; input T;\n"
                                     "for (n = 2; n < 10; n++) { T = T - c*(T - T[x - 1]); } return T;"));
    const std::string text = all_statements(modes.program);
    EXPECT_NE(text.find("x_wave = complex(cos("), std::string::npos) << text;
    EXPECT_NE(text.find("T_symbol = 1 - c * (1 - conj(x_wave))"), std::string::npos) << text;
    EXPECT_NE(text.find("T_angle = 8 * atan2(imag(T_symbol), real(T_symbol))"), std::string::npos) << text;
}

TEST(Modes, BetweenMirrorsOfAFieldAndItsImage) {
    const Modes modes = modes_of_loops(read_stepping(
        "float T[x, y] boundary (x: value(0), y: mirror); input T;\n"
        "for (n = 0; n < 9; n++) { T = T + 0.1*(T[x - 1] + T[x + 1] + T[y - 1] + T[y + 1] - 4*T); } return T;"));
    const std::string text = all_statements(modes.program);
    EXPECT_NE(text.find("T_image = (x_image == 0 || x_image == extent(x) + 1 ? 0 : x_image <= extent(x) ? 1 : -1) * "
                        "T[x = x_image <= extent(x) ? x_image - 1 : extent(x_image) - 1 - x_image, "
                        "y = y_image < extent(y) ? y_image : extent(y_image) - 1 - y_image]"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("T = T_stepped[x_image = x + 1, y_image = y]"), std::string::npos) << text;
}

TEST(Modes, ArePartOfAProgramThatReadsBack) {
    for (const char* boundary : {"periodic", "mirror", "-mirror", "value(0)", "(x: periodic, y: mirror)"}) {
        const Program program =
            read_stepping(stepping(boundary, "T = T + dt*(T[x - 1] + T[x + 1] + T[y - 1] + T[y + 1] - 4*T);"));
        const std::string text = print(modes_of_loops(program).program, Library{});
        const auto again = read_program(make_source("case.kas", text), Library{});
        ASSERT_TRUE(again) << text << render_text(again.diagnostics);
        EXPECT_EQ(print(*again, Library{}), text) << boundary;
    }
}

TEST(Modes, StandInTheProgramWithoutItsAxesWhereTheyAreNotAsked) {
    const Program program = read_stepping(stepping("periodic", "T = T + dt*(T[x - 1] + T[x + 1] - 2*T);"));
    EXPECT_EQ(print(program, Library{}).find("modes"), std::string::npos) << "the steps do not show them";
    EXPECT_EQ(with_mode_axes(program, {}).axes.size(), program.axes.size()) << "they are made once";
    EXPECT_TRUE(std::all_of(program.axes.begin() + 3, program.axes.end(), [](const Axis& a) { return a.own; }));
}

TEST(Modes, AreOfStepsInSeveralStatements) {
    EXPECT_EQ(said_of_steps("periodic", "T = (T[x - 1] + T[x + 1])/2; T = T + dt/(h*h)*(T[y - 1] - 2*T + T[y + 1]);"),
              "yes");
    EXPECT_EQ(
        said_of_steps("mirror", "q = T[x - 1] + T[x + 1] - 2*T; T = T + dt*q - dt*0.01*(q[x - 1] + q[x + 1] - 2*q);"),
        "yes");
}

TEST(Modes, SayWhyNot) {
    const std::string step = "T = T + dt*(T[x - 1] + T[x + 1] - 2*T);";
    EXPECT_EQ(said_of_steps("periodic", "T = 0.5*T;"), "no cell looks at another");
    EXPECT_EQ(said_of_steps("periodic", "T = k;"), "no step goes on from the one before");
    EXPECT_EQ(said_of_steps("periodic", "T = T[x - 1] + k;"), "k is no sum of T alone");
    EXPECT_EQ(said_of_steps("periodic", "T = k*T[x - 1];"),
              "'k * T[-1, 0]' is a product of what differs from cell to cell");
    EXPECT_EQ(said_of_steps("periodic", "T = T[x - 1]*T;"),
              "'T[-1, 0] * T' is a product of what differs from cell to cell");
    EXPECT_EQ(said_of_steps("periodic", "T = x*T[x - 1];"),
              "'x * T[-1, 0]' is a product of what differs from cell to cell");
    EXPECT_EQ(said_of_steps("periodic", "T = abs(T[x - 1]);"),
              "'abs(T[-1, 0])' is no sum of cells with factors that are the same for all");
    EXPECT_EQ(said_of_steps("periodic", "T = 1/T[x - 1];"), "'1 / T[-1, 0]' divides by what differs from cell to cell");
    EXPECT_EQ(said_of_steps("periodic", "T = T[x - 1] + dt;"), "'dt' is added to all cells");
    EXPECT_EQ(said_of_steps("periodic", "T = dt*n*T[x - 1];"), "'n' changes from step to step");
    EXPECT_EQ(said_of_steps("periodic", "T = T[x - 1, y = 2];"), "T is read at positions");
    EXPECT_EQ(said_of_steps("periodic", step + " trace[t = n] = T[x = 1, y = 1];"),
              "'trace[t = n] = T[x = 1, y = 1]' assigns some cells in each step");
    EXPECT_EQ(said_of_steps("periodic", "T[y = 1] = T[y = 2];"),
              "'T[y = 1] = T[y = 2]' assigns some cells in each step");
    EXPECT_EQ(said_of_steps("periodic", "i = T > 0 ? 1 : 0; " + step), "i is a field of int");
    EXPECT_NE(said_of_steps("periodic", "T = T - 0.01*sum(T)*T[x - 1];").find("is made of all cells of a step"),
              std::string::npos);
    EXPECT_EQ(
        said_of_steps("(x: keep(0), y: mirror)", step),
        "no wave goes on beyond the faces of T along x: both periodic, mirror, -mirror or value(0) is what has waves");
    EXPECT_EQ(said_of_steps("periodic", "T = T + 0.1*q[x - 1]; q = T;"), "T and q go on from step to step together");
    EXPECT_EQ(said_of_steps("periodic", "q = T + T[x - 1] - q; T = q;"), "T and q go on from step to step together");
}

TEST(Modes, SayWhyNotOfWalls) {
    const auto along_x = [](const char* faces, const std::string& body) { return said_of_steps(faces, body); };
    const std::string step = "T = T + dt*(T[x - 1] + T[x + 1] - 2*T);";
    const std::string none =
        "no wave goes on beyond the faces of T along x: both periodic, mirror, -mirror or value(0) is what has waves";
    EXPECT_EQ(along_x("mirror", step), "yes");
    EXPECT_EQ(along_x("-mirror", step), "yes");
    EXPECT_EQ(along_x("value(0)", step), "yes");
    EXPECT_EQ(along_x("(x: mirror / -mirror, y: mirror)", step), none);
    EXPECT_EQ(along_x("(x: mirror / value(0), y: mirror)", step), none);
    EXPECT_EQ(along_x("value(1)", step), none);
    EXPECT_EQ(along_x("value(dt)", step), none);
    EXPECT_EQ(along_x("value(0)", "T = T + dt*(T[x - 2] + T[x + 2] - 2*T);"),
              "along x a step looks 2 cells away, where value(0) is no image of T: that is -mirror");
    EXPECT_EQ(along_x("mirror", "T = T - dt*(T - T[x - 1]);"),
              "along x, which has walls, neighbours on both sides are not written with the same factors");
    EXPECT_EQ(along_x("(x: periodic, y: mirror)", "T = T - dt*(T - T[x - 1]) + dt*(T[y - 1] + T[y + 1] - 2*T);"),
              "yes");
}

TEST(Modes, KeepNothingAtFaces) {
    const Modes modes =
        modes_of_loops(read_stepping("float T[x] boundary keep(1); input T; "
                                     "for (n = 0; n < 9; n++) { T = (T[x - 1] + T[x + 1])/2; } return T;"));
    EXPECT_EQ(modes.verdicts.front().verdict.reason(), "T keeps layers at its faces");
}

TEST(Modes, OfWhatNobodyAsksBetween) {
    const auto returned = [](const std::string& outputs) {
        const Modes modes =
            modes_of_loops(read_stepping("float T[x] boundary periodic, q[x] boundary periodic; input T; "
                                         "for (n = 0; n < 9; n++) { q = T[x - 1] - T; T = T + 0.1*q; } return " +
                                         outputs + ";"));
        return modes.verdicts.front().verdict.reason();
    };
    EXPECT_EQ(returned("T").substr(0, 11), "what a step");
    EXPECT_EQ(returned("T, q"), "q is asked for behind the loop, or before it");
}

TEST(Modes, OfLoopsWithinLoopsAreTheInnermost) {
    const Modes modes = modes_of_loops(
        read_stepping("float T[x] boundary periodic, seen[t]; param int records = 3; input T;\n"
                      "for (r = 0; r < records; r++) { seen[t = r] = T[x = 1];\n"
                      "for (n = 0; n < r; n++) { T = T + 0.1*(T[x - 1] + T[x + 1] - 2*T); } } return seen;"));
    ASSERT_EQ(modes.verdicts.size(), 2u);
    EXPECT_TRUE(modes.verdicts[0].verdict);
    EXPECT_EQ(modes.verdicts[1].verdict.reason(), "a step transforms, or has a loop of its own");
    EXPECT_NE(all_statements(modes.program).find("exp(float(max(r, 0))"), std::string::npos)
        << all_statements(modes.program);
}

}  // namespace
}  // namespace kasc
