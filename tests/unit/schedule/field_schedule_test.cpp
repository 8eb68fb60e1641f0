// What a field schedule says of a fusion: loads, evaluations, stores, reach, margin, edges, and why some are refused.
#include "schedule/field/schedule.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "schedule/field/walk/histogram.hpp"
#include "schedule/field/walk/warp.hpp"
#include "support/choice.hpp"
#include "support/field_case.hpp"

namespace kasc::test {
namespace {

const FieldChoice grid{Walk::grid, 32, 4, 1, 1};
const FieldChoice line{Walk::grid, 256, 1, 1, 1};

FieldSchedule scheduled(const FieldCase& c, const FieldChoice& choice = grid) {
    const FieldScheduleResult result = schedule_field(c.program, c.graph, c.whole(), choice);
    if (!result.value) throw std::runtime_error(result.reason);
    return *result.value;
}
std::string refusal(const std::string& text, const FieldChoice& choice = grid) {
    const FieldCase c(text);
    return schedule_field(c.program, c.graph, c.whole(), choice).reason;
}

const std::string thirteen =
    "T = T + B * (T[-1,0,0] + T[1,0,0] + T[0,-1,0] + T[0,1,0] + T[0,0,-1] + T[0,0,1] + T[-2,0,0] + T[2,0,0] + "
    "T[0,-2,0] "
    "+ T[0,2,0] + T[0,0,-2] + T[0,0,2]); return T;";

TEST(FieldSchedule, AMapIsStoredOverWhatItReads) {
    const FieldCase c("float u[x,y]; input u; u = 2.0 * u; return u;");
    const FieldSchedule s = scheduled(c);
    EXPECT_EQ(s.work->loads.size(), 1U);
    EXPECT_EQ(s.work->evaluations.size(), 1U);
    ASSERT_EQ(s.work->overwrites.size(), 1U);
    EXPECT_TRUE(s.work->overwrites[0].verdict);
    EXPECT_FALSE(s.work->edges);
    EXPECT_EQ(s.work->margin, 0);
}

TEST(FieldSchedule, KeptLayersAsWideAsTheStencilNeedNoEdgePath) {
    const FieldCase c("float T[x,y,z] boundary keep(2), B[x,y,z]; input T, B; " + thirteen);
    const FieldSchedule s = scheduled(c);
    EXPECT_EQ(s.work->loads.size(), 14U);
    EXPECT_EQ(s.work->margin, 2);
    EXPECT_FALSE(s.work->edges);
    ASSERT_EQ(s.work->overwrites.size(), 1U);
    EXPECT_FALSE(s.work->overwrites[0].verdict);
    EXPECT_EQ(s.work->overwrites[0].verdict.reason(), "T.0 is read at neighbours, which other threads overwrite");
    EXPECT_EQ(s.work->reach_low, (std::vector<int>{2, 2, 2}));
}

TEST(FieldSchedule, WhatIsReadElsewhereIsNotOverwritten) {
    const auto reason = [](const std::string& text) {
        const FieldCase c(text);
        const FieldSchedule s = scheduled(c);
        return s.work->overwrites.size() == 1 ? s.work->overwrites[0].verdict.reason()
                                              : std::string("no former version");
    };
    EXPECT_EQ(reason("float u[x,y]; param int k; input u; u = u + u[x = k]; return u;"),
              "u.0 is read at one position by all cells, which other threads overwrite");
    EXPECT_EQ(reason("float u[x,y]; int l[x]; input u, l; u = u + u[y = l]; return u;"),
              "u.0 is read at positions that cells compute, which other threads overwrite");
    EXPECT_EQ(reason("float u[x,y], v[x,y]; input u; v = 2.0 * u; return v;"), "no former version");
}

TEST(FieldSchedule, KeptLayersHideTheEndsOfRows) {
    const auto hides = [](const std::string& faces, const std::string& text) {
        const FieldCase c("float T[x,y] boundary " + faces + ", d[x,y], l[x,y]; input T, d; " + text + " return T, d;");
        return scheduled(c).work->ends == RowEnds::hidden;
    };
    const std::string step = "T = T + T[-1,0] + T[1,0];", dose = "d = d + T;";
    EXPECT_TRUE(hides("keep(1)", step + dose));
    EXPECT_TRUE(hides("keep(1)", "l = T[-1,0] + T[1,0]; T = T + l;" + dose));
    EXPECT_TRUE(hides("(x: keep(1), mirror)", step + dose));
    EXPECT_FALSE(hides("keep(1)", step + "d = d + T[1,0];"));             // the dose has no rim
    EXPECT_FALSE(hides("keep(1)", "l = T[1,0]; T = T + l; d = d + l;"));  // nor here
    EXPECT_FALSE(hides("keep(1)", "T = T + T[-2,0];" + dose));            // a rim that is narrower than the reach
    EXPECT_FALSE(hides("mirror", step + dose));
    EXPECT_FALSE(hides("mirror", step + "T[x = 3] = 1;" + dose));  // the former value itself reaches out
    EXPECT_FALSE(hides("keep(1)", step));                          // all of it has the rim: nothing is visited there
}

TEST(FieldSchedule, AllEntriesOfAListAreVisited) {
    const FieldCase c("float T[x,y] boundary keep(2), e[p]; int l[p]; input T, e, l; T[x = l, y = l] = e; return T;");
    const auto schedule = schedule_field(c.program, c.graph, c.whole(), FieldChoice{Walk::grid, 32, 1, 1, 1});
    ASSERT_TRUE(schedule.value) << schedule.reason;
    EXPECT_EQ(schedule.value->work->margin, 0);
}

TEST(FieldSchedule, NarrowerKeptLayersVisitTheEdge) {
    const FieldCase c("float T[x,y,z] boundary keep(1), B[x,y,z]; input T, B; " + thirteen);
    const FieldSchedule s = scheduled(c);
    EXPECT_EQ(s.work->margin, 1);
    EXPECT_TRUE(s.work->edges);
    EXPECT_EQ(s.work->interior_low, (std::vector<int>{2, 2, 2}));
}

TEST(FieldSchedule, ProducersAreRecomputedAtTheConsumersSteps) {
    const FieldCase c(
        "float w[x] boundary mirror, v[x] boundary mirror, u[x]; input w; v = w[1] - w; u = v[-1] + v[1]; return u;");
    const FieldSchedule s = scheduled(c, line);
    ASSERT_EQ(s.work->evaluations.size(), 3U);
    EXPECT_EQ(s.work->evaluations[0].offset, std::vector<int>{-1});
    EXPECT_EQ(s.work->evaluations[1].offset, std::vector<int>{1});
    EXPECT_EQ(s.work->evaluations[2].offset, std::vector<int>{0});
    std::vector<int> offsets;
    for (const ValueAt& load : s.work->loads) offsets.push_back(load.offset[0]);
    EXPECT_EQ(offsets, (std::vector<int>{-1, 0, 1, 2}));
    EXPECT_EQ(s.work->reach_low[0], 1);
    EXPECT_EQ(s.work->reach_high[0], 2);
}

TEST(FieldSchedule, AKeptFieldReadInsideMovesTheInteriorInwards) {
    const std::string step = "u = u + 0.1 * (u[-1] + u[1]); ";
    const FieldCase c("float u[x] boundary keep(2); input u; " + step + step + "return u;");
    const FieldSchedule s = scheduled(c, line);
    EXPECT_EQ(s.work->margin, 2);
    // At 2 the neighbour 1 still shows its kept value; from 3 on nothing does.
    EXPECT_EQ(s.work->interior_low[0], 3);
    EXPECT_EQ(s.work->interior_high[0], 3);
    EXPECT_TRUE(s.work->edges);
}

TEST(FieldSchedule, ARecordIsStoredWhereItsOperandStands) {
    const FieldCase c(
        "float T[x,y] boundary keep(1), rec[t]; param int px = 3; param int n = 0; input T, rec; "
        "T = T + T[1,0]; rec[t = n] = T[x = px, y = 2]; return T, rec;");
    const FieldSchedule s = scheduled(c);
    ASSERT_EQ(s.work->stores.size(), 2U);
    EXPECT_TRUE(s.work->stores[0].fixed.empty());
    EXPECT_EQ(s.work->stores[1].fixed.size(), 2U);
    EXPECT_EQ(s.work->margin, 0) << "the record may stand on the rim";
    EXPECT_TRUE(s.work->edges);
    const std::string text = print(s, c.program, c.graph);
    EXPECT_NE(text.find("store rec.1 where x = px where y = 2"), std::string::npos) << text;
    EXPECT_NE(text.find("1 outermost layers kept"), std::string::npos) << text;
}

TEST(FieldSchedule, ThirteenPointsOfThirteenPointsStillFit) {
    const std::string step = "T = T + (T[-1,0] + T[1,0] + T[0,-1] + T[0,1]); ";
    std::string text = "float T[x,y] boundary mirror; input T; ";
    for (int k = 0; k < 4; ++k) text += step;
    EXPECT_EQ(refusal(text + "return T;"), "");
    for (int k = 0; k < 12; ++k) text += step;
    EXPECT_NE(refusal(text + "return T;").find("recomputation: more than 400 evaluations"), std::string::npos);
}

TEST(FieldSchedule, RefusalsSayWhy) {
    EXPECT_NE(refusal("float u[x,y], v[x,z], w[x,z]; input u, v; u = 2.0 * u; w = v * 2.0; return u, w;")
                  .find("mixed iteration axes"),
              std::string::npos);
    EXPECT_NE(refusal("float T[x,y]; param int p = 1; input T; T = 2.0 * T; T = T - T[x = p]; return T;")
                  .find("where the cell's own thread does not compute it"),
              std::string::npos);
    EXPECT_NE(refusal("float u[x] boundary mirror, v[x]; input u; v = u[-33]; return v;", {Walk::grid, 256, 1, 2, 1})
                  .find("vectors of 2 reach 32 cells"),
              std::string::npos);
    // Complex by what is stored alone, and by what is computed alone.
    EXPECT_NE(refusal("float u[x], v[x]; complex c[x]; input u; c = 2.0 * u; v = real(c); return v;",
                      {Walk::grid, 256, 1, 2, 1})
                  .find("complex cells are read and written one at a time: c"),
              std::string::npos);
    EXPECT_NE(refusal("float u[x], v[x]; input u; v = imag(complex(1.0, u)); return v;", {Walk::grid, 256, 1, 2, 1})
                  .find("complex cells are read and written one at a time: v"),
              std::string::npos);
    EXPECT_NE(refusal("float A[x,y], B[y,x], C[x,y]; input A, B; C = A * B; return C;", {Walk::grid, 32, 4, 4, 1})
                  .find("contiguous in B"),
              std::string::npos);
    EXPECT_NE(
        refusal("float u[x], v[x]; input u; v = u; return v;", {Walk::column, 32, 1, 1, 16}).find("two or three axes"),
        std::string::npos);
    EXPECT_NE(
        refusal("float u[x,y], v[x,y]; input u; v = u; return v;", {Walk::grid, 64, 32, 1, 1}).find("1024 threads"),
        std::string::npos);
}

TEST(FieldSchedule, AWarpHasItsReasons) {
    const std::string star =
        "float T[x,y] boundary mirror; input T; T = T[-1,0] + T[1,0] + T[0,-1] + T[0,1]; return T;";
    const auto star_by = [&](const std::string& plan) { return refusal(star, choice(plan)); };
    EXPECT_EQ(star_by("warp 64x1 chunk 8"), "");
    EXPECT_EQ(star_by("warp 48x1 chunk 8"), "a block of warps has multiples of 32 threads");
    EXPECT_EQ(star_by("warp 32x2 chunk 8"), "warps that walk along rows stand side by side on one");
    EXPECT_EQ(star_by("warp 32x1 rows 2 chunk 8"), "a warp walks along the rows");
    EXPECT_EQ(star_by("warp 32x1 chunk 8 neighbours shared"), "a warp has neighbours in the registers of its threads");
    EXPECT_EQ(star_by("warp 32x1 chunk 8 borders uniform"),
              "threads of a warp exchange words before each tests its own cells");
    EXPECT_EQ(star_by("warp 32x1 chunk 8 unroll 9"), "a loop is unrolled 1 to 8 times");
    EXPECT_EQ(star_by("grid 32x1 chunk 8"), "only a column or a warp walks along an axis");

    const FieldChoice warp = choice("warp 32x1 chunk 8");
    EXPECT_EQ(refusal("float u[x] boundary mirror, v[x]; input u; v = u[-1]; return v;", warp),
              "a warp walks along rows of planes: two or three axes");
    EXPECT_EQ(refusal("float T[x,y] boundary mirror, p[x] boundary mirror; input T, p; "
                      "T = p[1] + T[0,-1] + T[0,1]; return T;",
                      warp),
              "no cell beside is read: a warp has nothing to exchange");
    EXPECT_EQ(refusal("float T[x,y] boundary mirror; input T; T = T[-9,0] + T[9,0]; return T;", warp),
              "more than half of a warp would compute nothing");
    EXPECT_NE(refusal("float u[x,y] boundary mirror, v[x,y]; input u; v = imag(complex(1.0, u[1,0])); return v;", warp)
                  .find("complex cells are read and written one at a time: v"),
              std::string::npos);
    EXPECT_NE(refusal("float A[x,y] boundary mirror, B[y,x]; input A, B; A = A[1,0] * B; return A;", warp)
                  .find("exchanged neighbours along x need it contiguous in B"),
              std::string::npos);
}

/// "y: words in front, words behind; < and > where they are taken from the threads beside at each step".
std::string rows_text(std::vector<WarpRow> read) {
    std::string text;
    for (const WarpRow& r : passing_rows(std::move(read)))
        text += fmt::format("{}{}: {}{} {}{}", text.empty() ? "" : ", ", r.y, r.low, r.takes_low ? "<" : "", r.high,
                            r.takes_high ? ">" : "");
    return text;
}

TEST(FieldSchedule, AWarpExchangesAWordOnceWhereItIsFirstRead) {
    // A star: the row of the cell, as it becomes that.
    EXPECT_EQ(rows_text({{0, 1, 1}, {-1, 0, 0}, {1, 0, 0}}), "-1: 0 0, 0: 1< 1>, 1: 0 0");
    // A box: the row that comes in.
    EXPECT_EQ(rows_text({{-1, 1, 1}, {0, 1, 1}, {1, 1, 1}}), "-1: 1 1, 0: 1 1, 1: 1< 1>");
    // A diamond: more where it is wider; each side by itself.
    EXPECT_EQ(rows_text({{-1, 1, 0}, {0, 2, 1}, {1, 1, 2}}), "-1: 1 0, 0: 2< 1, 1: 1< 2>");
    // Rows that nothing is read of pass through, without words beside.
    EXPECT_EQ(rows_text({{2, 0, 1}, {-1, 0, 1}}), "-1: 0 1>, 0: 0 0, 1: 0 0, 2: 0 1>");
}

TEST(FieldSchedule, AWarpComputesAllButWhatItsEndsReachFor) {
    const auto piece = [](const std::string& program, const std::string& plan) {
        const FieldCase c(program);
        const auto s = schedule_field(c.program, c.graph, c.whole(), choice(plan));
        EXPECT_TRUE(s.value) << s.reason;
        const WarpPiece p = warp_piece(*s.value->work, s.value->choice);
        return fmt::format("{} {} {}", p.before, p.after, p.cells);
    };
    const std::string aside = "float T[x,y] boundary mirror; input T; T = T[-1,0] + T[2,0]; return T;";
    EXPECT_EQ(piece(aside, "warp 32x1 chunk 4"), "1 2 29");
    EXPECT_EQ(piece(aside, "warp 32x1 vector 2 chunk 4"), "1 1 60");
    EXPECT_EQ(piece("float T[x,y] boundary mirror; input T; T = T[-1,0] + T; return T;", "warp 32x1 chunk 4"),
              "1 0 31");
    // What is computed anew for a neighbour reaches further than it.
    EXPECT_EQ(piece("float T[x,y] boundary mirror, f[x,y] boundary mirror; input T; f = T[1,0] - T; T = f - f[-2,0]; "
                    "return T;",
                    "warp 32x1 chunk 4"),
              "2 1 29");
}

TEST(FieldSchedule, ChoicesAreFeasibleAndOrdered) {
    const FieldCase three("float T[x,y,z] boundary keep(2), B[x,y,z]; input T, B; " + thirteen);
    const std::vector<FieldChoice> all = field_choices({3, false});
    int columns = 0, rows = 0, shared = 0, uniform = 0;
    for (const FieldChoice& choice : all) {
        EXPECT_TRUE(schedule_field(three.program, three.graph, three.whole(), choice).value) << print(Choice{choice});
        columns += choice.walk == Walk::column;
        rows += choice.rows > 1;
        shared += choice.neighbours == Neighbours::shared;
        uniform += choice.borders == Borders::uniform;
    }
    EXPECT_GE(columns, 20);
    EXPECT_GE(rows, 20);
    EXPECT_GE(shared, 5);
    EXPECT_GE(uniform, 20);
    const std::vector<FieldChoice> tiles = field_choices({3, true});
    EXPECT_GE(tiles.size(), 4U);
    for (const FieldChoice& choice : tiles) {
        EXPECT_EQ(choice.walk, Walk::row);
        EXPECT_TRUE(schedule_field(three.program, three.graph, three.whole(), choice).value);
    }

    const FieldCase cell("float T[x], r[t]; param int n = 0; input T, r; r[t = n] = T[x = 1]; return r;");
    EXPECT_EQ(field_choices({0, false}).size(), 1U);
}

std::string refused(const FieldCase& c, const std::string& plan) {
    return schedule_field(c.program, c.graph, c.whole(), choice(plan)).reason;
}

TEST(FieldSchedule, EachWordOfAChoiceIsRefusedWithItsReason) {
    const FieldCase three("float T[x,y,z] boundary keep(2), B[x,y,z]; input T, B; " + thirteen);
    EXPECT_EQ(refused(three, "grid 8x8x8"), "");
    EXPECT_NE(refused(three, "grid 32x8x8").find("1024 threads"), std::string::npos);
    EXPECT_NE(refused(three, "grid 70000x70000").find("1024 threads"), std::string::npos);
    EXPECT_NE(refused(three, "grid 1x1x128").find("64 threads along the third"), std::string::npos);
    EXPECT_NE(refused(three, "grid 0x4").find("without threads"), std::string::npos);
    EXPECT_NE(refused(three, "grid 8x8 chunk 4").find("only a column"), std::string::npos);
    EXPECT_NE(refused(three, "grid 8x8 neighbours cache").find("reads each neighbour once"), std::string::npos);
    EXPECT_NE(refused(three, "column 8x8x2 chunk 4").find("walks along the third"), std::string::npos);
    EXPECT_NE(refused(three, "column 8x8 vector 3").find("1, 2, 4 or 8"), std::string::npos);
    EXPECT_NE(refused(three, "column 8x8 rows 9").find("1 to 8 rows"), std::string::npos);
    EXPECT_NE(refused(three, "column 8x8 unroll 100").find("unrolled 1 to 8"), std::string::npos);
    EXPECT_NE(refused(three, "grid 8x8 borders mapped").find("nothing is mapped"), std::string::npos);
    EXPECT_NE(refused(three, "grid 32x16 vector 4 rows 4 neighbours shared").find("48 KB"), std::string::npos);
    const FieldCase point("float u[x,y], v[x,y]; input u; v = u; return v;");
    EXPECT_NE(refused(point, "grid 8x8 neighbours shared").find("nothing to share"), std::string::npos);
    const FieldCase flat("float u[x,y] boundary mirror, v[x,y]; input u; v = u[1,0]; return v;");
    EXPECT_NE(refused(flat, "column 8x2 chunk 4").find("one row of threads"), std::string::npos);
    EXPECT_NE(refused(flat, "column 8x1 rows 2 chunk 4").find("walks along the rows"), std::string::npos);
    EXPECT_NE(refused(flat, "grid 8x8 neighbours shared borders mapped").find("does not look"), std::string::npos);
}

TEST(FieldSchedule, StagedFieldsHaveTheWordsOfACellBesideEachOther) {
    const std::string text = "axis c = 2; float u[c,x,y], w[x,y,c], v[c,x,y]; input u, w; ";
    const FieldCase both(text + "v[c = 0] = u[c = 1] + w[c = 0]; v[c = 1] = u[c = 0] - u[c = 0, x = x + 1]; return v;");
    const FieldScheduleResult s = schedule_field(both.program, both.graph, both.whole(), choice("staged 64x1"));
    ASSERT_TRUE(s.value) << s.reason;
    const auto& fields = s.value->kept<StagedParts>()->fields;
    ASSERT_EQ(fields.size(), 2U);  // w has an array a word
    EXPECT_FALSE(fields[0].stored);
    EXPECT_TRUE(fields[1].stored);
    EXPECT_EQ(fields[1].words, 2);
    EXPECT_EQ(barriers_met(*s.value->block), 2);
    EXPECT_EQ(shared_bytes(*s.value->block), 2 * 64 * 3 * 4);
    EXPECT_NE(refused(both, "staged 64x2").find("are of one row"), std::string::npos);
    EXPECT_NE(refused(both, "staged 64x1 vector 2").find("compute one cell"), std::string::npos);
    EXPECT_NE(refused(both, "staged 64x1 neighbours shared").find("own cells"), std::string::npos);
    EXPECT_NE(refused(both, "staged 64x1 borders uniform").find("test for themselves"), std::string::npos);
    const FieldCase planes("float u[x,y], v[x,y]; input u; v = u; return v;");
    EXPECT_NE(refused(planes, "staged 64x1").find("no field has all words"), std::string::npos);
    // Half of what is stored would be what another cell has left in shared memory.
    const FieldCase part("axis c = 2; float u[x,y], v[c,x,y]; input u, v; v[c = 1] = u; return v;");
    EXPECT_NE(refused(part, "staged 64x1").find("no field has all words"), std::string::npos);
}

TEST(FieldSchedule, CopiesAreOfCellsToWhichEntriesAddIntegers) {
    const FieldCase three("float T[x,y,z] boundary keep(2), B[x,y,z]; input T, B; " + thirteen);
    EXPECT_NE(refused(three, "histogram 256x1").find("no entries add integers"), std::string::npos);
    const FieldCase bytes("axis k = 256; uint8 b[x,y]; int h[k]; input b, h; h[k = b] += 1; return h;");
    EXPECT_EQ(refused(bytes, "histogram 256x1 vector 8 chunk 16 unroll 4"), "");
    EXPECT_NE(refused(bytes, "histogram 48x1").find("whole warps"), std::string::npos);
    EXPECT_NE(refused(bytes, "histogram 32x2").find("one row of"), std::string::npos);
    EXPECT_NE(refused(bytes, "histogram 256x1 rows 2").find("not row by row"), std::string::npos);
    EXPECT_NE(refused(bytes, "histogram 256x1 neighbours shared").find("no tile"), std::string::npos);
    EXPECT_NE(refused(bytes, "histogram 256x1 unroll 9").find("unrolled 1 to 8"), std::string::npos);
    EXPECT_NE(refused(bytes, "column 32x1 chunk 4").find("thread by thread"), std::string::npos);
    const FieldCase kept("int h[k] boundary keep(1), b[x]; input b, h; h[k = b] += 1; return h;");
    EXPECT_EQ(refused(kept, "histogram 256x1 chunk 16"), "");
    EXPECT_NE(refused(kept, "histogram 256x1 vector 4 chunk 16").find("one by one"), std::string::npos);
}

TEST(FieldSchedule, ABlockHasAsManyCopiesAsItHasWordsFor) {
    const FieldChoice choice{Walk::histogram, 256, 1, 1, 16};
    EXPECT_EQ(histogram_words(choice, 1, 4), 4096);
    EXPECT_EQ(histogram_words(choice, 2, 8), 1024);
    EXPECT_EQ(histogram_copies(4096, 1), 32);
    EXPECT_EQ(histogram_copies(4096, 128), 32);
    EXPECT_EQ(histogram_copies(4096, 129), 16);
    EXPECT_EQ(histogram_copies(4096, 4096), 1);
    EXPECT_EQ(histogram_copies(4096, 4097), 0);
}

TEST(FieldSchedule, VectorsOfEightCellsAreOf16BitsOrFewer) {
    const auto made = [](const std::string& type, const std::string& beta) {
        return FieldCase(type + " T[x,y,z] boundary keep(2); " + beta +
                         " B[x,y,z]; float w[z]; input T, B, w; T = T + w*B*(T[1,0,0] - T[0,0,-2]); return T;");
    };
    const FieldCase halves = made("half", "half");
    EXPECT_EQ(refused(halves, "grid 16x2x4 vector 8"), "");
    EXPECT_NE(refused(halves, "column 16x2 vector 8 chunk 4").find("of grids"), std::string::npos);
    EXPECT_NE(refused(halves, "grid 16x2 vector 8 neighbours shared").find("of grids"), std::string::npos);
    EXPECT_NE(refused(made("half", "float"), "grid 16x2x4 vector 8").find("16 bits or fewer"), std::string::npos);
    EXPECT_NE(refused(made("float", "half"), "grid 16x2x4 vector 8").find("16 bits or fewer"), std::string::npos);
    const auto wide = [](const FieldCase& c) {
        const FieldScheduler scheduler(c.program, c.graph, c.whole());
        const auto all = field_choices({scheduler.axes(), false, access_cells(scheduler.work())});
        return std::count_if(all.begin(), all.end(), [](const FieldChoice& choice) { return choice.vector == 8; });
    };
    EXPECT_GE(wide(halves), 8);
    EXPECT_EQ(wide(made("half", "float")), 0);
}

TEST(FieldSchedule, TilesHoldTheHaloInWholeGroups) {
    const FieldCase three("float T[x,y,z] boundary keep(2), B[x,y,z]; input T, B; " + thirteen);
    const auto with = [&](const std::string& plan) {
        return *schedule_field(three.program, three.graph, three.whole(), choice(plan)).value;
    };
    const FieldSchedule block = with("grid 32x8 vector 4 neighbours shared");
    ASSERT_EQ(block.tiles.size(), 1U) << "beta is read at the cell alone";
    EXPECT_EQ(block.tiles[0].low, (std::vector<int>{4, 2, 2}));
    EXPECT_EQ(block.tiles[0].cells, (std::vector<int>{136, 12, 5}));
    EXPECT_EQ(shared_bytes(*block.block), 4 * 136 * 12 * 5);
    const FieldSchedule column = with("column 32x8 rows 2 chunk 16 neighbours shared");
    EXPECT_EQ(column.tiles[0].cells, (std::vector<int>{36, 20}));
    EXPECT_EQ(shared_bytes(*column.block), 4 * 2 * 36 * 20) << "two planes";
    // Four rows of eight threads are one warp: without padding rows of 12 words meet in banks 4 to 7.
    EXPECT_EQ(with("grid 8x8x8 neighbours shared").tiles[0].cells.front() % 32, 24);
}

TEST(FieldSchedule, TilesHoldCellsOfEveryType) {
    const auto with = [](const std::string& type, const std::string& plan) {
        const FieldCase three(type +
                              " T[x,y,z] boundary keep(2); input T; T = T[2,0,0] + T[0,-1,0] + T[0,0,1]; return T;");
        return *schedule_field(three.program, three.graph, three.whole(), choice(plan)).value;
    };
    for (const auto& [type, bytes] : {std::pair{"float", 4}, {"int", 4}, {"double", 8}, {"uint8", 1}}) {
        const FieldSchedule block = with(type, "grid 32x8 vector 4 neighbours shared");
        ASSERT_EQ(block.tiles.size(), 1U) << type;
        EXPECT_EQ(block.tiles[0].cells, (std::vector<int>{132, 9, 2})) << type;
        EXPECT_EQ(shared_bytes(*block.block), (bytes * 132 * 9 * 2 + 15) / 16 * 16) << type;
    }
    // Two rows of eight doubles are served together: without padding rows of 20 words would start 8 banks apart.
    EXPECT_EQ(with("double", "grid 8x8 neighbours shared").tiles[0].cells.front() % 16, 8);
    // A row of bytes is served in one go however it starts.
    EXPECT_EQ(with("uint8", "grid 32x8 neighbours shared").tiles[0].cells.front(), 34);
}

}  // namespace
}  // namespace kasc::test
