// The cells at which schemes are tested: the first extremes and labels, whatever the number of threads.

#include "stability/cells.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <random>

namespace kasc::stability {
namespace {

constexpr long long width = 9000, height = 80;

struct Sampled {
    Program program;
    std::vector<long long> extents{width, height};

    /// The cells that are looked at with one input, where none is spread evenly but one in the middle.
    [[nodiscard]] std::vector<Cell> cells(const void* input, bool labels, const std::vector<Range>& ranges) const {
        const std::vector<const void*> inputs{input};
        const Data data{extents, inputs, {}};
        SampledInputs sampled;
        (labels ? sampled.labels : sampled.extremes).insert(0);
        std::vector<Cell> cells = sample_cells(program, sampled, data, ranges, labels ? 5 : 1);
        // Found once, it is known.
        EXPECT_EQ(sample_cells(program, sampled, data, ranges, labels ? 5 : 1), cells);
        return cells;
    }
};

Sampled sampled(const std::string& type) {
    const std::string text = type + " T[x, y]; input T; T = 2*T; return T;";
    auto program = read_program(make_source("case.kas", text), Library{});
    EXPECT_TRUE(program) << render_text(program.diagnostics);
    return {std::move(*program.value)};
}

class CellsTest : public testing::TestWithParam<const char*> {
protected:
    void SetUp() override { setenv("OMP_NUM_THREADS", GetParam(), 1); }
    void TearDown() override { unsetenv("OMP_NUM_THREADS"); }
};

TEST_P(CellsTest, ExtremesAreTheFirstOfTheirKind) {
    std::vector<float> T(width * height, NAN);
    std::mt19937 random(5);
    for (std::size_t i = 0; i < T.size(); i += 3) T[i] = static_cast<float>(random() % 1000);
    const auto at = [](long long x, long long y) { return static_cast<std::size_t>(x + width * y); };
    T[at(8000, 7)] = T[at(4097, 7)] = T[at(2, 70)] = 5000;
    T[at(31, 66)] = T[at(8999, 79)] = -1;
    T[at(0, 0)] = 1e9F;
    const Sampled all = sampled("float");
    const auto first = [](std::vector<Cell> cells) { return std::vector<Cell>{cells.at(0), cells.at(1)}; };
    EXPECT_EQ(first(all.cells(T.data(), false, {{1, width}, {1, height}})), (std::vector<Cell>{{4097, 7}, {31, 66}}));
    EXPECT_EQ(first(all.cells(T.data(), false, {{0, width}, {0, height - 1}})), (std::vector<Cell>{{0, 0}, {31, 66}}));
    // Nothing but NaN and an infinity: that is the largest, and there is no smallest.
    std::vector<float> none(T.size(), NAN);
    none[at(77, 33)] = INFINITY;
    EXPECT_EQ(all.cells(none.data(), false, {{0, width}, {0, height}}).size(), 2U);
    EXPECT_EQ(all.cells(none.data(), false, {{0, width}, {0, height}}).front(), (Cell{77, 33}));
}

TEST_P(CellsTest, OfIntegersToo) {
    std::vector<std::uint8_t> T(width * height, 255);
    const Sampled all = sampled("uint8");
    const std::vector<Range> ranges{{5, width}, {2, height}};
    EXPECT_EQ(all.cells(T.data(), false, ranges).at(0), (Cell{5, 2}));
    EXPECT_EQ(all.cells(T.data(), false, ranges).at(1), (Cell{5, 2}));
}

TEST_P(CellsTest, LabelsInTheOrderInWhichTheyAppear) {
    std::vector<std::uint8_t> T(width * height, 4);
    T[30 * width + 8999] = 9;
    T[40 * width] = T[3 * width + 17] = 2;
    for (std::size_t i = 0; i < 200; ++i) T[60 * width + i] = static_cast<std::uint8_t>(100 + i % 60);
    const std::vector<Cell> cells = sampled("uint8").cells(T.data(), true, {{0, width}, {0, height}});
    ASSERT_GE(cells.size(), 5U);
    EXPECT_EQ(std::vector<Cell>(cells.begin(), cells.begin() + 5),
              (std::vector<Cell>{{0, 0}, {17, 3}, {8999, 30}, {0, 60}, {1, 60}}));
}

INSTANTIATE_TEST_SUITE_P(Threads, CellsTest, testing::Values("1", "4"));

}  // namespace
}  // namespace kasc::stability
