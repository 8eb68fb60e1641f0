// Integers that are drawn for inputs are such that programs can be run on them.
#include "contract/random_integers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <set>

#include "frontend/evaluate.hpp"

namespace kasc {
namespace {

using Extents = std::map<std::string, long long>;

/// A program whose axes have the cells that `extents` says, 10 each of the others.
struct Case {
    Case(const std::string& text, const Extents& lengths = {})
        : program(read_program(make_source("case.kas", text), Library{}).value.value()) {
        for (const Parameter& p : program.parameters) parameters.push_back(evaluate(*p.fallback, parameters));
        for (const Axis& axis : program.axes)
            extents.push_back(lengths.contains(axis.name) ? lengths.at(axis.name) : 10);
    }
    Program program;
    std::vector<double> parameters;
    std::vector<long long> extents;
};

/// "px 0 9": the ranges of the inputs of integers, one a line.
std::string ranges(const std::string& text, const Extents& extents = {}) {
    const Case c(text, extents);
    const auto found = integer_ranges(c.program, c.parameters, c.extents);
    std::string lines;
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (!is_integer(field_shape(c.program, c.program.inputs[i]).type)) continue;
        lines += c.program.variables[c.program.inputs[i]].name + " " + std::to_string(found[i].low) + " " +
                 std::to_string(found[i].high) + "\n";
    }
    return lines;
}

/// What was drawn for an input of int; of none: what is said.
std::vector<int> drawn(const Case& c, const std::string& input, std::string* said = nullptr) {
    const auto words = random_integers(c.program, c.parameters, c.extents);
    if (said) *said = render_text(words.diagnostics);
    if (!words) return {};
    for (std::size_t i = 0; i < c.program.inputs.size(); ++i) {
        if (c.program.variables[c.program.inputs[i]].name != input) continue;
        std::vector<int> numbers((*words)[i].size() / sizeof(int));
        std::memcpy(numbers.data(), (*words)[i].data(), (*words)[i].size());
        return numbers;
    }
    return {};
}

const std::string points = "float T[x, y] boundary (x: keep(2), y: mirror), at[p]; int px[p], py[p]; input T, px, py; ";

TEST(IntegerRanges, PositionsLieOnTheGrid) {
    const Extents extents{{"x", 100}, {"y", 30}};
    EXPECT_EQ(ranges(points + "at = T[x = px, y = py]; return at;", extents), "px 0 99\npy 0 29\n");
    EXPECT_EQ(ranges(points + "T[x = px, y = py] += 1; return T;", extents), "px 2 97\npy 0 29\n");
    EXPECT_EQ(ranges(points + "at = px < 0 ? 0 : T[x = px, y = 3 - py]; return at;", extents), "px 0 99\npy -26 3\n");
    EXPECT_EQ(ranges(points + "at = T[x = 2*px + 1, y = -2*py]; return at;", extents), "px 0 49\npy -14 0\n");
    EXPECT_EQ(ranges(points + "at = T[x = min(max(px, 0), extent(x) - 1), y = py/4]; return at;", extents),
              "px 0 99\npy 0 119\n");
    EXPECT_EQ(ranges(points + "at = T[x = px % extent(x), y = px / extent(x)]; return at;", extents),
              "px 0 2999\npy 0 15\n");
    EXPECT_EQ(ranges("float T[x]; uint8 p[x]; input T, p; T = T[x = p]; return T;", {{"x", 1000}}), "p 0 255\n");
}

TEST(IntegerRanges, FieldsHandOnWhatTheyAreAssigned) {
    EXPECT_EQ(ranges("float T[x], U[p]; int from[p], at[p], next[x]; input T, from, next; at = from + 1;"
                     "for (n = 0; n < 4; n++) { U = T[x = at]; at = next[x = at]; } return U;"),
              "from -1 8\nnext 0 9\n");
    // Where a field's own positions and those of another that is made of it exclude each other, its own count.
    EXPECT_EQ(ranges("float T[x], U[p]; int a[p], b[p]; input T, a; U = T[x = a]; b = a + 20; U = U + T[x = b];"
                     "return U;"),
              "a 0 9\n");
}

TEST(IntegerRanges, RequirementsAndWhatNumbersAreComparedWithTellTheRest) {
    const std::string labels = "axis k = 40; int label[x], count[k]; param int most = 7; input label; ";
    const std::string counted = "count = sum(label == k ? 1 : 0, x); return count;";
    const std::string compared = "count = sum(label < 3 ? 1 : 0); return count;";
    EXPECT_EQ(ranges(labels + compared), "label 0 15\n");
    EXPECT_EQ(ranges(labels + counted, {{"k", 40}}), "label 0 39\n");
    EXPECT_EQ(ranges(labels + "count = sum(label % 6); return count;"), "label 0 5\n");
    EXPECT_EQ(ranges(labels + "require(label > 0); " + compared), "label 1 16\n");
    EXPECT_EQ(ranges(labels + "require(0 <= label && label < most); " + compared), "label 0 6\n");
    EXPECT_EQ(ranges(labels + "require(label >= -100, label < -90); " + compared), "label -100 -91\n");
    EXPECT_EQ(ranges(labels + "require(label == most); " + compared), "label 7 7\n");
}

TEST(RandomIntegers, EachIsOfItsRangeAndMostDiffer) {
    const Case c(points + "at = T[x = px, y = py]; return at;", {{"p", 2000}, {"x", 100}});
    const std::vector<int> px = drawn(c, "px");
    ASSERT_EQ(px.size(), 2000U);
    EXPECT_EQ(*std::min_element(px.begin(), px.end()), 0);
    EXPECT_EQ(*std::max_element(px.begin(), px.end()), 99);
    EXPECT_EQ(std::set<int>(px.begin(), px.end()).size(), 100U);
    EXPECT_EQ(px, drawn(c, "px"));
    EXPECT_NE(px, drawn(c, "py"));
}

TEST(RandomIntegers, EntriesOfListsAreDifferentCells) {
    for (const char* statement : {"T[x = px, y = py] = at;", "T[x = py, y = px] = at;"}) {
        const Case c(points + "at = px; " + statement + " return T;", {{"p", 60}});
        const std::vector<int> px = drawn(c, "px"), py = drawn(c, "py");
        std::set<std::pair<int, int>> cells;
        for (std::size_t i = 0; i < px.size(); ++i) cells.insert({px[i], py[i]});
        EXPECT_EQ(cells.size(), 60U) << statement;
    }
    // One list a row, an entry each of lists along two axes, and one input for both axes.
    EXPECT_EQ(drawn(Case("float T[x] boundary mirror; int p[i, t]; input T, p;"
                         "for (n = 0; n < 7; n++) { T[x = p[t = n]] = n; } return T;",
                         {{"t", 7}, {"i", 9}}),
                    "p")
                  .size(),
              63U);
    EXPECT_EQ(drawn(Case("float T[x, y]; int p[i], q[j]; input T, p, q; T[x = p, y = q] = 1; return T;"), "q").size(),
              10U);
    EXPECT_EQ(drawn(Case("float T[x, y]; int p[i]; input T, p; T[x = p, y = p] = 1; return T;"), "p").size(), 10U);
}

TEST(RandomIntegers, WhatTheyDoNotServeIsRefusedWithItsReason) {
    const auto said = [](const std::string& text, const Extents& extents = {}) {
        std::string text_said;
        EXPECT_TRUE(drawn(Case(text, extents), "px", &text_said).empty());
        return text_said;
    };
    const std::string list = "float T[x], at[p]; int px[p], py[p]; input T, px, py; ";
    EXPECT_NE(said(list + "T[x = px] = 1; at = py; return T, at;", {{"p", 11}})
                  .find("error[K0908]: random integers do not serve: two entries of a list are the same cell of 'T'"),
              std::string::npos);
    EXPECT_NE(said(list + "at = T[x = px + py]; return at;")
                  .find("error[K0908]: random integers do not serve: positions lie outside of the axis 'x': "),
              std::string::npos);
    EXPECT_NE(said(list + "at = T[x = px] + T[x = px + 10]; return at;")
                  .find("error[K0908]: random integers do not serve: no integer is a position on all axes where 'px' "
                        "stands"),
              std::string::npos);
    EXPECT_NE(said(list + "require(px > py); at = px + py; return at;")
                  .find("error[K0908]: random integers do not serve: the requirement 'px > py' is not met at "),
              std::string::npos);
}

}  // namespace
}  // namespace kasc
