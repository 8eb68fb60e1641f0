// What a thread does for its cells, path by path: places, rows of groups, former values, queues.
#include "schedule/field/cell_program.hpp"

#include <gtest/gtest.h>

#include "schedule/field/schedule.hpp"
#include "support/choice.hpp"
#include "support/field_case.hpp"

namespace kasc::test {
namespace {

CellProgram made(const FieldCase& c, const CellView& view) {
    const FieldPlanResult plan = plan_fields(c.program, c.graph, c.whole());
    return cell_program(c.program, c.graph, *plan.value, view);
}

/// "u(0, 0)" … of what is read; a row with its words: "u(·, 0)[-1, 1]".
std::vector<std::string> reads(const FieldCase& c, const CellProgram& program) {
    std::vector<std::string> all;
    for (const CellValue& value : program.values) {
        if (value.read == nullptr) continue;
        std::string text = c.program.variables[c.graph.values[value.value].variable].name + "(";
        const CellPlace& at = program.at(value);
        for (std::size_t k = 0; k < at.size(); ++k) {
            text += k == 0 ? "" : ", ";
            if (k == 0 && program.view.group)
                text += std::to_string(value.low) + " to " + std::to_string(value.high);
            else if (at[k].empty())
                text += "0";
            for (const MappedStep& step : at[k])
                text += (step.kind == BoundaryKind::mirror ? "m" : "") + std::to_string(step.step);
        }
        all.push_back(text + ")");
    }
    std::sort(all.begin(), all.end());
    return all;
}

const std::string chain =
    "float u[x, y] boundary mirror, v[x, y] boundary mirror, w[x, y]; input u; v = u[x - 1] + u; w = v[x - 1] * v; "
    "return w;";

TEST(CellProgram, StepsAddUpInTheInterior) {
    const FieldCase c(chain);
    const CellProgram program = made(c, {});
    EXPECT_EQ(reads(c, program), (std::vector<std::string>{"u(-1, 0)", "u(-2, 0)", "u(0, 0)"}));
    EXPECT_EQ(program.computed.size(), 3U);
    EXPECT_EQ(program.values[program.computed.back()].call, 1U) << "producers first";
    ASSERT_EQ(program.stores.size(), 1U);
    EXPECT_EQ(program.operand(program.values[program.stores[0].value], 0).cells, 0) << "no group: no cells beside";
}

TEST(CellProgram, AtTheEdgeEachBoundaryMapsItsOwnStep) {
    const FieldCase c(chain);
    EXPECT_EQ(reads(c, made(c, {Path::edge})), (std::vector<std::string>{"u(0, 0)", "u(m-1, 0)", "u(m-1m-1, 0)"}));
}

TEST(CellProgram, AGroupReadsRowsWithWhatItsCellsReachFor) {
    const FieldCase c(chain);
    const CellProgram program = made(c, {Path::interior, 1, true});
    EXPECT_EQ(reads(c, program), (std::vector<std::string>{"u(-2 to 0, 0)"}));
    EXPECT_EQ(program.computed.size(), 2U);
    const CellValue& w = program.values[program.stores[0].value];
    const CellValue& v = program.values[program.operand(w, 0).value];
    EXPECT_EQ(std::pair(v.low, v.high), std::pair(-1, 0));
    EXPECT_EQ(program.operand(w, 0).cells, -1);
    EXPECT_EQ(program.operand(w, 1).cells, 0);
}

TEST(CellProgram, RowsOfAThreadShareWhatTheyRead) {
    const FieldCase c(
        "float u[x, y] boundary mirror, p[x], w[x, y]; input u, p; w = p * (u[y - 1] + u[y + 1]); return w;");
    EXPECT_EQ(reads(c, made(c, {Path::interior, 3})),
              (std::vector<std::string>{"p(0, 0)", "u(0, -1)", "u(0, 0)", "u(0, 1)", "u(0, 2)", "u(0, 3)"}));
}

TEST(CellProgram, KeptLayersShowTheFormerValueWhereAPathHasThem) {
    const FieldCase c(
        "float T[x, y] boundary keep(1), d[x, y]; input T, d; T = T[x - 1] + T[x + 1]; d = d + T; return T, d;");
    const auto former = [](const CellProgram& program) {
        return program.values[program.operand(program.values[program.stores[1].value], 1).value].former.has_value();
    };
    EXPECT_FALSE(former(made(c, {})));
    EXPECT_TRUE(former(made(c, {Path::edge})));
    EXPECT_TRUE(former(made(c, {Path::interior, 1, true, true}))) << "groups that compute the rim";
    EXPECT_FALSE(former(made(c, {Path::interior, 1, true})));
}

TEST(CellProgram, WhatSlicesAloneWantIsNoPartOfTheWhole) {
    const FieldCase c(
        "float u[x, y], w[x, y], r[y]; param int px; input u; w = 2*u; r = u[x = px] * w[x = px]; return w, r;");
    const CellProgram program = made(c, {});
    int whole = 0, some = 0;
    for (const CellValue& value : program.values) ++(value.whole ? whole : some);
    EXPECT_EQ(whole, 2) << "u and w at the cell";
    EXPECT_EQ(some, 2) << "u at px, and the slice";
}

TEST(CellProgram, WhatTheInteriorSettlesIsNotRead) {
    const FieldCase c(
        "float T[x, y] boundary (x: value(skin) / mirror), skin[y], U[x, y]; input T, skin; U = T[x - 2] + T[x + 1]; "
        "return U;");
    const FieldPlanResult plan = plan_fields(c.program, c.graph, c.whole());
    const auto interior = [&](int low) {
        return reads(c, cell_program(c.program, c.graph, *plan.value, {}, {Standing{low, 1}, std::nullopt}));
    };
    EXPECT_EQ(interior(2), (std::vector<std::string>{"T(-2, 0)", "T(1, 0)"}));
    EXPECT_EQ(interior(1), (std::vector<std::string>{"T(-2, 0)", "T(1, 0)", "skin(0, 0)"}));
    EXPECT_EQ(reads(c, made(c, {})), interior(1)) << "cells stand anywhere";
    EXPECT_EQ(reads(c, made(c, {Path::edge})), (std::vector<std::string>{"T(-2, 0)", "T(m1, 0)", "skin(0, 0)"}));
}

TEST(CellProgram, WhatTheInteriorSettlesOfAGroupIsOfAllItsCells) {
    const FieldCase c(
        "float T[x, y] boundary (y: mirror, x: mirror / value(skin)), skin[y] boundary mirror, U[x, y]; input T, skin; "
        "U = T[x + 1, y + 1]; return U;");
    const FieldPlanResult plan = plan_fields(c.program, c.graph, c.whole());
    const auto interior = [&](int high) {
        return reads(c, cell_program(c.program, c.graph, *plan.value, {Path::interior, 1, true},
                                     {Standing{0, high}, std::nullopt}));
    };
    EXPECT_EQ(interior(1), (std::vector<std::string>{"T(1 to 1, 1)"}));
    EXPECT_EQ(interior(0), (std::vector<std::string>{"T(1 to 1, 1)", "skin(0 to 0, 1)"}));
}

TEST(CellProgram, EndsWhereItComputesTooMuch) {
    const FieldCase c(chain);
    const FieldPlanResult plan = plan_fields(c.program, c.graph, c.whole());
    EXPECT_GT(cell_program(c.program, c.graph, *plan.value, {}, {}, 1).computed.size(), 1U);
}

TEST(ColumnQueues, AreOfWordsThatOnePlaneAfterTheOtherReads) {
    const FieldCase c(
        "float u[x, y, z] boundary mirror, w[x, y, z]; input u; w = u[z - 2] + u + u[z + 1] + u[x - 1] + u[y - 1]; "
        "return w;");
    const auto scheduled = [&](const std::string& plan) {
        return *schedule_field(c.program, c.graph, c.whole(), choice(plan)).value;
    };
    const auto queues = [&](const std::string& plan) { return scheduled(plan).kept<ColumnParts>()->queues; };
    ASSERT_EQ(queues("column 8x4 chunk 4").size(), 1U);
    EXPECT_EQ(queues("column 8x4 chunk 4")[0].low, -2);
    EXPECT_EQ(queues("column 8x4 chunk 4")[0].high, 1);
    EXPECT_EQ(queues("column 8x4 rows 2 chunk 4").size(), 2U) << "one a row";
    EXPECT_TRUE(queues("column 8x4 chunk 4 neighbours cache").empty());
    EXPECT_EQ(scheduled("grid 8x4").kept<ColumnParts>(), nullptr) << "a grid keeps nothing";
}

}  // namespace
}  // namespace kasc::test
