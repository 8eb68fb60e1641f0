// What programs ask of their data, and what is found.
#include "contract/contract.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>

#include "contract/check_data.hpp"
#include "contract/uniform_positions.hpp"
#include "frontend/evaluate.hpp"

namespace kasc {
namespace {

Program read(const std::string& text) {
    auto program = read_program(make_source("case.kas", text), Library{});
    EXPECT_TRUE(program) << render_text(program.diagnostics);
    return program ? std::move(*program.value) : Program{};
}

/// A program with its data.
class Bound {
public:
    explicit Bound(const std::string& text) : program_(read(text)) {
        for (const Parameter& p : program_.parameters) parameters_.push_back(evaluate(*p.fallback, parameters_));
        extents_.assign(program_.axes.size(), 1);
        inputs_.assign(program_.inputs.size(), nullptr);
    }
    Bound& extent(const std::string& axis, long long extent) {
        for (const AxisId id : program_.axes.ids()) {
            if (program_.axes[id].name == axis) extents_[id.index] = extent;
        }
        return *this;
    }
    template <class T>
    Bound& data(const std::string& input, const std::vector<T>& cells) {
        for (std::size_t i = 0; i < program_.inputs.size(); ++i) {
            if (program_.variables[program_.inputs[i]].name == input) inputs_[i] = cells.data();
        }
        return *this;
    }
    /// The messages, one a line.
    [[nodiscard]] std::string found() const {
        std::string said;
        for (const Diagnostic& d :
             check_data(program_, contract_of(program_), {parameters_, extents_, inputs_, std::nullopt, {}})) {
            said += d.code + " " + d.message + (d.label.empty() ? "" : " | " + d.label) + "\n";
        }
        return said;
    }

private:
    Program program_;
    std::vector<double> parameters_;
    std::vector<long long> extents_;
    std::vector<const void*> inputs_;
};

/// All that a program asks, one a line.
std::string asked(const std::string& text) {
    std::string lines;
    for (const std::string& line : contract_text(read(text))) lines += line + "\n";
    return lines;
}

const std::string fields =
    "float T[x, y] boundary mirror, k[m], e[p, t], out[x, y], at[p]; uint8 kind[x, y]; int px[p], py[p], moving[p, t];"
    "param int steps = 3; param float dt = 1;"
    "input T, k, e, kind, px, py, moving;";

TEST(Contract, PositionsInInputsAreAskedFor) {
    EXPECT_EQ(asked(fields + "out = k[m = kind]; at = T[x = px, y = py + 1]; return out, at;"),
              "kind: positions along m, from 0 to extent(m) - 1\n"
              "px: positions along x, from 0 to extent(x) - 1\n"
              "py + 1: positions along y, from 0 to extent(y) - 1\n");
    // Twice the same is said once; a field that the program computes is its own business, and so is a coordinate.
    EXPECT_EQ(asked(fields + "T = k[m = kind] * k[m = kind]; out = T[x = x + kind]; return T, out;"),
              "kind: positions along m, from 0 to extent(m) - 1\n");
    EXPECT_EQ(asked("float T[x], k[m]; int c[x]; input T, k; c = T > 0 ? 1 : 0; T = k[m = c]; return T;"), "");
    EXPECT_EQ(asked("float T[x], k[m]; int c[x]; input T, k, c; c = c + 1; T = k[m = c]; return T;"), "");
}

/// A list of cells that is made of reals must have different cells all the same.
TEST(Contract, PositionsThatAreCutFromRealsMayLieAnywhere) {
    EXPECT_EQ(asked("float T[x], p[i], U[i]; input T, p; U = T[x = int(floor(p))]; T[x = int(p)] = 1; return T, U;"),
              "int(p): positions along x, from 0 to extent(x) - 1\n"
              "(x = int(p)): different cells of T\n");
}

TEST(Contract, AConditionMayGuardARead) {
    EXPECT_EQ(asked(fields + "out = T > 0 ? k[m = kind] : 0; return out;"), "");
    EXPECT_EQ(asked(fields + "out = T > 0 && k[m = kind] > 0 ? 1 : 0; return out;"), "");
    const std::string always = "kind: positions along m, from 0 to extent(m) - 1\n";
    EXPECT_EQ(asked(fields + "out = T > 0 ? 2 * k[m = kind] : k[m = kind]; return out;"), always);
    EXPECT_EQ(asked(fields + "out = k[m = kind] > 0 ? 1 : 0; return out;"), always);
    EXPECT_EQ(asked(fields + "out = max(1, -k[m = kind]); return out;"), always);
}

TEST(Contract, ListsHaveDifferentCells) {
    EXPECT_EQ(asked("float T[x, y] boundary (x: keep(1) / mirror, y: mirror), e[p]; int px[p], py[p];"
                    "input T, e, px, py; T[x = px, y = py] = e; return T;"),
              "px: positions along x, from 1 to extent(x) - 1\n"
              "py: positions along y, from 0 to extent(y) - 1\n"
              "(x = px, y = py): different cells of T\n");
    // What is added is added as often as a cell is named, unless the program requires that it is not.
    const std::string adding = "float T[x] boundary mirror, e[p]; int px[p]; input T, e, px; ";
    EXPECT_EQ(asked(adding + "T[x = px] += e; return T;"), "px: positions along x, from 0 to extent(x) - 1\n");
    EXPECT_EQ(asked(adding + "require(distinct(px)); T[x = px] += e; return T;"),
              "px: positions along x, from 0 to extent(x) - 1\n"
              "(x = px): different cells of T\n");
}

TEST(Contract, RequirementsAreSaidAsTheyAreWritten) {
    const std::string text = fields +
                             "require(k >= 0, dt > 0 && steps < 9); require(kind < extent(m));"
                             "out = T; return out;";
    EXPECT_EQ(asked(text), "k >= 0\ndt > 0 && steps < 9\nkind < extent(m)\n");
    EXPECT_NE(print(read(text), Library{}).find("require(k >= 0);\nrequire(dt > 0 && steps < 9);\n"),
              std::string::npos);
}

TEST(Contract, TheFirstCellAndItsValuesAreNamed) {
    const std::vector<float> T{1, 2, 3, 4, 5, -6}, k{1, std::numeric_limits<float>::quiet_NaN()};
    const std::vector<std::uint8_t> kind{0, 0, 1, 0, 0, 0};
    const auto bound = [&](const std::string& condition) {
        return Bound("float T[x, y], k[m]; uint8 kind[x, y]; param float dt = 0.1; input T, k, kind; require(" +
                     condition + "); T = 2*T; return T;")
            .extent("x", 3)
            .extent("y", 2)
            .extent("m", 2)
            .data("T", T)
            .data("k", k)
            .data("kind", kind)
            .found();
    };
    EXPECT_EQ(bound("T > -7"), "");
    EXPECT_EQ(bound("T > 2"),
              "K0741 the requirement 'T > 2' is not met at 3 of 6 cells; the first is x = 0, y = 0 | there T is 1\n");
    EXPECT_EQ(bound("T > 0 || y < 1"),
              "K0741 the requirement 'T > 0 || y < 1' is not met at 1 of 6 cells; the first is x = 2, y = 1 | there T "
              "is -6\n");
    // Through the label, to what is no number.
    EXPECT_EQ(bound("k[m = kind] > 0"),
              "K0741 the requirement 'k[m = kind] > 0' is not met at 1 of 6 cells; the first is x = 2, y = 0 | there "
              "kind is 1, k[m = kind] is nan\n");
    EXPECT_EQ(bound("dt > 1"), "K0741 the requirement 'dt > 1' is not met\n");
    EXPECT_EQ(bound("T[x = 1, y = 0] == 2"), "");
    // In float32, as a statement is computed.
    EXPECT_EQ(bound("dt == 0.1 && T * 0.1 / 0.1 == T"), "");
}

TEST(Contract, NumbersAreToldBeforeTheInputs) {
    const Program program = read(
        "option kind = 1; param float dt = 0.5; float T[x]; input T;"
        "require(kind == 0, dt < 1); require(T > 0, extent(x) > 100, dt > 1);"
        "T = 2*T; return T;");
    std::string found;
    for (const Diagnostic& d : check_numbers(program, {0.5})) found += d.code + " " + d.message + "\n";
    EXPECT_EQ(found,
              "K0741 the requirement 'kind == 0' is not met\n"
              "K0741 the requirement 'dt > 1' is not met\n");
    const auto library = read_library({std::string(KASC_SOURCE_DIR) + "/elementlib"});
    const auto streams = read_program(make_source("streams.kas",
                                                  "scalar s; param float a; input s; require(venorm3(vector3(a, 3, 0)) "
                                                  "== 5); s = sadd(s, s); return s;"),
                                      *library);
    EXPECT_TRUE(has_streams(*streams) && check_numbers(*streams, {4}).empty());
    EXPECT_EQ(check_numbers(*streams, {5}).size(), 1U);
}

TEST(Contract, RowsOfALoopAreListsOfTheirOwn) {
    const std::vector<float> T(4, 0), e(4, 0);
    const std::string text =
        "float T[x] boundary mirror, e[p, t]; int moving[p, t]; input T, e, moving;"
        "for (n = 0; n < 2; n++) { T[x = moving[t = n]] = e[t = n]; } return T;";
    const auto found = [&](const std::vector<std::int32_t>& moving) {
        return Bound(text)
            .extent("x", 4)
            .extent("p", 2)
            .extent("t", 2)
            .data("T", T)
            .data("e", e)
            .data("moving", moving)
            .found();
    };
    EXPECT_EQ(found({1, 2, 2, 1}), "");
    EXPECT_EQ(found({1, 2, 3, 3}),
              "K0743 two entries of a list are the same cell of 'T': p = 0, t = 1 and p = 1, t = 1 | both are x = 3\n");
    EXPECT_EQ(found({1, 2, 2, 4}),
              "K0742 positions lie outside of the axis 'x': 1 of 4; the first is 4, at p = 1, t = 1 | 'x' has 4 cells, "
              "0 to 3\n");
}

TEST(Contract, ListsOfSlicesNameACellOncePerSlice) {
    const std::vector<float> T(12, 0);
    const std::vector<std::int32_t> px{2, 1, 0, 2, 1, 1};  // by p, y
    EXPECT_EQ(Bound("float T[x, y] boundary mirror; int px[p, y]; input T, px; T[x = px] = 1; return T;")
                  .extent("x", 3)
                  .extent("y", 3)
                  .extent("p", 2)
                  .data("T", T)
                  .data("px", px)
                  .found(),
              "K0743 two entries of a list are the same cell of 'T': y = 2, p = 0 and y = 2, p = 1 | both are x = 1\n");
}

/// The field stands at a position along the list's own axis: entries are no rows that lie apart.
TEST(Contract, ListsAlongAnAxisOfTheirFieldNameACellTwice) {
    const std::vector<float> T(9, 0);
    const std::vector<std::int32_t> to{2, 0, 2};
    const auto found = [&](const std::string& assigned, const std::string& listed) {
        return Bound("float T[x, y] boundary mirror; int to[" + listed + "]; input T, to; " + assigned +
                     " = 1; return T;")
            .extent("x", 3)
            .extent("y", 3)
            .data("T", T)
            .data("to", to)
            .found();
    };
    EXPECT_EQ(found("T[x = to]", "x"),
              "K0743 two entries of a list are the same cell of 'T': x = 0 and x = 2 | both are x = 2\n");
    EXPECT_EQ(found("T[x = to, y = 1]", "y"),
              "K0743 two entries of a list are the same cell of 'T': y = 0 and y = 2 | both are x = 2\n");
    EXPECT_EQ(found("T[x = to]", "y"), "");
}

TEST(Contract, TheLastOfManyCellsIsFound) {
    std::vector<float> T(1'000'000, 1);
    T.back() = -1;
    EXPECT_EQ(Bound("float T[x, y]; input T; require(T > 0); T = 2*T; return T;")
                  .extent("x", 1000)
                  .extent("y", 1000)
                  .data("T", T)
                  .found(),
              "K0741 the requirement 'T > 0' is not met at 1 of 1000000 cells; the first is x = 999, y = 999 | there T "
              "is -1\n");
}

/// What is found does not depend on how many threads look for it: counts, firsts and their order.
TEST(Contract, ManyThreadsSayTheSame) {
    constexpr int width = 1100, height = 300;
    std::vector<float> T(width * height, 1), w(width * height, 2);
    std::vector<std::uint8_t> kind(width * height, 1);
    T[5 * width + 700] = T[5 * width + 20] = T[299 * width + 1099] = -3;
    w[5 * width + 700] = std::numeric_limits<float>::quiet_NaN();
    w[200 * width] = -1;
    kind[123 * width + 1099] = 9;
    kind[250 * width + 3] = 4;
    const std::vector<float> k{1, 2, 3};
    const std::string said =
        "K0741 the requirement 'w > T' is not met at 2 of 330000 cells; the first is x = 700, y = 5 | there w is nan, "
        "T is "
        "-3\n"
        "K0741 the requirement 'T > 0' is not met at 3 of 330000 cells; the first is x = 20, y = 5 | there T is -3\n"
        "K0742 positions lie outside of the axis 'm': 2 of 330000; the first is 9, at x = 1099, y = 123 | 'm' has 3 "
        "cells, 0 to 2\n";
    for (const char* threads : {"1", "4", "13"}) {
        setenv("OMP_NUM_THREADS", threads, 1);
        EXPECT_EQ(Bound("float T[x, y], w[x, y], k[m]; uint8 kind[x, y]; param float dt = 1; input T, w, kind, k;"
                        "require(w > T, k > 0, dt > 0, T > 0); T = k[m = kind] * w; return T;")
                      .extent("x", width)
                      .extent("y", height)
                      .extent("m", 3)
                      .data("T", T)
                      .data("w", w)
                      .data("kind", kind)
                      .data("k", k)
                      .found(),
                  said);
    }
    unsetenv("OMP_NUM_THREADS");
}

/// Conditions of every kind of node, over rows of several lengths, against the same condition in C++.
TEST(Contract, ConditionsMeanWhatTheySay) {
    for (const int width : {1, 31, 32, 33, 513}) {
        constexpr int height = 3;
        std::vector<float> T(static_cast<std::size_t>(width * height));
        std::vector<int> n(T.size());
        for (std::size_t i = 0; i < T.size(); ++i) {
            T[i] = 0.1F * static_cast<float>(i % 17) - 0.7F;
            n[i] = static_cast<int>(i * 7 % 23) - 11;
        }
        const auto broken = [&](const std::string& condition, const auto& holds) {
            std::size_t wanted = 0;
            for (int y = 0; y < height; ++y) {
                for (int x = 0; x < width; ++x) {
                    const auto i = static_cast<std::size_t>(y * width + x);
                    wanted += holds(T[i], n[i], x, y) ? 0 : 1;
                }
            }
            const std::string said = Bound(
                                         "float T[x, y]; int n[x, y]; param int two = 2; param float third = 0.3;"
                                         "input T, n; require(" +
                                         condition + "); T = T + n; return T;")
                                         .extent("x", width)
                                         .extent("y", height)
                                         .data("T", T)
                                         .data("n", n)
                                         .found();
            const std::string count = std::to_string(wanted) + " of " + std::to_string(width * height) + " cells";
            EXPECT_EQ(said.empty(), wanted == 0) << condition << said;
            EXPECT_TRUE(wanted == 0 || said.find("not met at " + count) != std::string::npos) << condition << said;
        };
        broken("T + 0.3 > third * T", [](float T_, int, int, int) { return T_ + 0.3F > 0.3F * T_; });
        broken("n / 2 * two == n", [](float, int n_, int, int) { return n_ / 2 * 2 == n_; });
        broken("(n - x) / 3 % 2 != 1", [](float, int n_, int x, int) { return (n_ - x) / 3 % 2 != 1; });
        broken("x + y * 2 < n || T <= 0", [](float T_, int n_, int x, int y) { return x + y * 2 < n_ || T_ <= 0; });
        broken("!(T < 0 && n >= 0)", [](float T_, int n_, int, int) { return !(T_ < 0 && n_ >= 0); });
        broken("(T > 0 ? T : -T) < 0.5", [](float T_, int, int, int) { return (T_ > 0 ? T_ : -T_) < 0.5F; });
        broken("(x == 0 ? 1 : 2 * T) > third", [](float T_, int, int x, int) { return (x == 0 ? 1 : 2 * T_) > 0.3F; });
        broken("max(T, third) == third && abs(T) < 0.6",
               [](float T_, int, int, int) { return std::max(T_, 0.3F) == 0.3F && std::abs(T_) < 0.6F; });
        broken("int(T * 10) < n && int(-T) == 0",
               [](float T_, int n_, int, int) { return static_cast<int>(T_ * 10) < n_ && static_cast<int>(-T_) == 0; });
        broken("(n & 6) < (x ^ y) || ~n > (n >> 1)",
               [](float, int n_, int x, int y) { return (n_ & 6) < (x ^ y) || ~n_ > (n_ >> 1); });
        broken("(x > 3 ? T < 0 : n < max(x, 2) - abs(n))",
               [](float T_, int n_, int x, int) { return x > 3 ? T_ < 0 : n_ < std::max(x, 2) - std::abs(n_); });
        broken("n[x = 0, y = 0] < n", [&](float, int n_, int, int) { return n[0] < n_; });
        broken("T[x = (x + n) % 5 == 0 ? 0 : x, y = y] >= T", [&](float T_, int n_, int x, int y) {
            return T[static_cast<std::size_t>(y * width + ((x + n_) % 5 == 0 ? 0 : x))] >= T_;
        });
    }
}

/// The messages for "T[x = <position>]" in loops of 4 and 3 iterations, 12 cells and px = 7.
std::string outside(const std::string& position, const std::string& outer = "f < 4") {
    const Program program =
        read("float T[x] boundary mirror, S[y]; param int px = 7; input T, S; S = 0; for (f = 0; " + outer +
             "; f++) { for (i = 0; i < 3; i++) { S = S + T[x = " + position + "]; } } return S;");
    const std::vector<double> parameters{7};
    const std::vector<long long> extents{12, 2};
    std::string said;
    for (const Diagnostic& d : check_uniform_positions(program, parameters, extents)) said += d.code + " " + d.message;
    return said;
}

TEST(Contract, PositionsThatAreOneForAllCellsAreTriedForAllIterations) {
    EXPECT_EQ(outside("px + f"), "");
    EXPECT_EQ(outside("f*3 + i"), "");
    EXPECT_EQ(outside("extent(x) - 1 - i"), "");
    EXPECT_EQ(outside("(f*7 + i) % 12"), "");
    EXPECT_EQ(outside("f*4 + i"),
              "K0746 the position 'f * 4 + i' of 'T' lies outside of the axis 'x' at f = 3, i = 0: it is 12");
    EXPECT_EQ(outside("i - 1"), "K0746 the position 'i - 1' of 'T' lies outside of the axis 'x' at i = 0: it is -1");
    EXPECT_EQ(outside("f == 2 ? 20 : 0"),
              "K0746 the position 'f == 2 ? 20 : 0' of 'T' lies outside of the axis 'x' at f = 2: it is 20");
    EXPECT_EQ(outside("px + 5"), "K0746 the position 'px + 5' of 'T' lies outside of the axis 'x': it is 12");
    // A loop that does not run comes to none; of one that runs a billion times the last iteration is looked at.
    EXPECT_EQ(outside("px + 5", "f < 0"), "");
    EXPECT_EQ(outside("f", "f < 1000000000"),
              "K0746 the position 'f' of 'T' lies outside of the axis 'x' at f = 999999999: it is 999999999");
}

/// The messages for "T[x = k + 1] = 1;" within `around` in a loop of 8 iterations, 8 cells.
std::string within(const std::string& around) {
    const Program program = read(
        "float T[x]; int few[]; param int px = 7; axis x = 8; T = x; few = count(T > 3); for (k = 0; k < 8; k++) { " +
        around + " { T[x = k + 1] = 1; } } return T;");
    std::string said;
    for (const Diagnostic& d : check_uniform_positions(program, {7}, {8})) said += d.code + " " + d.message;
    return said;
}

TEST(Contract, PositionsAreTriedInIterationsThatRun) {
    const std::string last = "K0746 the position 'k + 1' of 'T' lies outside of the axis 'x' at k = 7: it is 8";
    EXPECT_EQ(within("for (i = 0; i < 1; i++)"), last);
    EXPECT_EQ(within("if (k < 7)"), "");
    EXPECT_EQ(within("if (k < px && k > 2)"), "");
    EXPECT_EQ(within("if (k < extent(x))"), last);
    EXPECT_EQ(within("for (i = k; i < 7; i++)"), "");
    EXPECT_EQ(within("for (i = 0; i < k; i++)"), last);
    // What a cell has is not known before.
    EXPECT_EQ(within("if (few > 9)"), last);
}

TEST(Contract, SlicesAreNotAssignedInLayersThatABoundaryKeeps) {
    const auto kept = [](const std::string& position) {
        const Program program = read(
            "float T[x] boundary keep(1), S[x] boundary (x: mirror / keep(2)); param int px = 0;"
            "input T, S; for (f = 0; f < 4; f++) { " +
            position + " = 1; S = S + T[x = 0]; } return T, S;");
        std::string said;
        for (const Diagnostic& d : check_uniform_positions(program, {0}, {8}))
            said += d.code + " " + d.message + " | " + d.label;
        return said;
    };
    EXPECT_EQ(
        kept("T[x = px]"),
        "K0746 the position 'px' lies in a layer that the boundary of 'T' keeps: it is 0 | along 'x', cells 1 to 6 "
        "can be assigned");
    EXPECT_EQ(kept("T[x = px + 1]"), "");
    EXPECT_EQ(kept("T[x = f + 1]"), "");
    EXPECT_EQ(
        kept("T[x = 7 - f]"),
        "K0746 the position '7 - f' lies in a layer that the boundary of 'T' keeps at f = 0: it is 7 | along 'x', "
        "cells 1 to 6 can be assigned");
    EXPECT_EQ(kept("S[x = px]"), "");
    EXPECT_EQ(
        kept("S[x = f + 3]"),
        "K0746 the position 'f + 3' lies in a layer that the boundary of 'S' keeps at f = 3: it is 6 | along 'x', "
        "cells 0 to 5 can be assigned");
}

TEST(Contract, WhatIsNotThereIsLeftOut) {
    EXPECT_EQ(Bound("float q[x, t], T[x]; input q, T; require(q > 0); for (n = 0; n < 2; n++) { T = T + q[t = n]; } "
                    "return T;")
                  .found(),
              "");
}

TEST(Contract, WindowsShowRowsOfOneAxis) {
    const Program program = read(
        "float q[x, t], r[x, t], s[x, u], T[x]; input q, r, s, T; require(q < r); require(q[t = 0] > 0);"
        "require(s > 0); for (n = 0; n < 2; n++) { T = T + q[t = n] + r[t = n]; } "
        "for (k = 0; k < 2; k++) { T = T + s[u = k]; } return T;");
    const auto asked = asked_in_windows(program, contract_of(program), {true, true, false, false});
    ASSERT_FALSE(asked);
    ASSERT_EQ(asked.diagnostics.size(), 1U);
    EXPECT_EQ(asked.diagnostics.front().code, "K0745");
    EXPECT_EQ(text_of(asked.diagnostics.front().span), "q[t = 0] > 0");
    EXPECT_EQ(*asked_in_windows(program, contract_of(program), {false, true, true, false}).value,
              (std::vector<bool>{false, true, true, false}));
    // Rows 4 and 5 of 8.
    const std::vector<float> q{1, 1, 1, 5}, r{2, 2, 2, 2}, s(16, 0);
    const std::vector<double> none;
    const std::vector<long long> extents{2, 8, 8};
    const auto found = check_data(program, contract_of(program),
                                  {none,
                                   extents,
                                   {q.data(), r.data(), s.data(), nullptr},
                                   contract::RowWindow{program.axes.ids()[1], 4, 2},
                                   {true, true, false, false}});
    ASSERT_EQ(found.size(), 1U) << render_text(found);
    EXPECT_EQ(found.front().message,
              "the requirement 'q < r' is not met at 1 of 4 cells of t = 4 to 5; the first is x = 1, t = 5");
}

}  // namespace
}  // namespace kasc
