// Running sums become statements of their own: along which axis, on which field; their texts read back.
#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "frontend/program.hpp"
#include "frontend/reduction.hpp"
#include "support/running_numbers.hpp"
#include "unit/frontend/cell_programs.hpp"
#include "unit/frontend/same_program.hpp"

namespace kasc {
namespace {

using test::program_text, test::said_codes;

constexpr const char* declared =
    "float u[x, y], v[x], line[y], s[x, y], r[x], total[], rows[x, t]; double d[x], e[x]; int k[x], n[x]; int64 m[x]; "
    "param int steps = 3; axis t = steps; ";

std::string text_of(const std::string& statements, const std::string& further = "") {
    return declared + further + "input u, v, line, d, k; " + statements + " return s, r, total, rows, e, n, m;";
}
constexpr const char* others = "s = u; r = v; total = line[y = 0]; rows = x + t; e = d; n = k; m = k; ";

/// What is between the last of `others` and the return statement, as the program is printed.
std::string made(const std::string& statements, const std::string& further = "") {
    const std::string text = program_text(text_of(others + statements, further));
    if (text.empty()) return text;
    EXPECT_EQ(program_text(text), text) << "read back";
    const std::string before = "m = k;\n";
    const std::size_t begin = text.find(before) + before.size();
    return text.substr(begin, text.rfind("return") - begin);
}

CellType type_of(const std::string& statements, const char* name) {
    const auto program = read_program(make_source("p.kas", text_of(others + statements)), test::field_library());
    EXPECT_TRUE(program) << render_text(program.diagnostics);
    for (const Variable& v : program->variables)
        if (v.name == name) return std::get<FieldShape>(v.shape).type;
    throw std::out_of_range(name);
}

TEST(Running, ThatIsAWholeStatementIsAssignedDirectly) {
    EXPECT_EQ(made("r = running_sum(v, x);"), "r = running_sum(v, x);\n");
    EXPECT_EQ(made("r = running_product(v, -x);"), "r = running_product(v, -x);\n");
    EXPECT_EQ(made("s = running_minimum(u + line, y);"), "s = running_minimum(u + line, y);\n");
    EXPECT_EQ(made("s = running_maximum(u, -y);"), "s = running_maximum(u, -y);\n");
    EXPECT_EQ(made("r = running_sum(r, x);"), "r = running_sum(r, x);\n") << "of its own target";
    EXPECT_EQ(made("q = running_sum(u, x); total = q[y = 0, x = 0];", "float q[y, x];"),
              "q = running_sum(u, x);\ntotal = q[y = 0, x = 0];\n")
        << "in any order of axes";
}

TEST(Running, InAnExpressionIsAFieldOfItsOwn) {
    EXPECT_EQ(made("r = 2*running_sum(v*d, x) - mean(v);"),
              "r_running_sum = running_sum(v * d, x);\nr_mean = sum(v);\n"
              "r = 2 * r_running_sum - r_mean / (1 * extent(x));\n");
    EXPECT_EQ(made("s = running_sum(v, x);"), "s_running_sum = running_sum(v, x);\ns = s_running_sum;\n")
        << "broadcast along y";
    EXPECT_EQ(made("r = -running_sum(v, x);"), "r_running_sum = running_sum(v, x);\nr = -r_running_sum;\n");
    EXPECT_EQ(made("s = running_sum(running_sum(u, x), y);"),
              "s_running_sum = running_sum(u, x);\ns = running_sum(s_running_sum, y);\n");
    EXPECT_EQ(made("total = sum(running_maximum(v, x)*v);"),
              "total_running_maximum = running_maximum(v, x);\ntotal = sum(total_running_maximum * v);\n");
    EXPECT_EQ(made("r = running_sum(v - mean(v), x);"),
              "r_mean = sum(v);\nr = running_sum(v - r_mean / (1 * extent(x)), x);\n");
}

TEST(Running, TheAxisMayBeLeftOutWhereThereIsOne) {
    EXPECT_EQ(made("r = running_sum(v);"), "r = running_sum(v, x);\n");
    EXPECT_EQ(made("r = running_sum(u[y = 0]);"), "r = running_sum(u[y = 0], x);\n");
    EXPECT_EQ(said_codes(text_of(std::string(others) + "s = running_sum(u);")), "K0254");
}

TEST(Running, SlicesAndOtherTypesTakeItsCells) {
    EXPECT_EQ(made("rows[t = 1] = running_sum(v, x);"),
              "rows_running_sum = running_sum(v, x);\nrows[t = 1] = rows_running_sum;\n");
    EXPECT_EQ(made("for (j = 0; j < steps; j++) { rows[t = j] = running_sum(v, -x); }"),
              "for (j = 0; j < steps; j++) {\n    rows_running_sum = running_sum(v, -x);\n"
              "    rows[t = j] = rows_running_sum;\n}\n");
    EXPECT_EQ(made("r = running_sum(d, x);"), "r_running_sum = running_sum(d, x);\nr = r_running_sum;\n");
    EXPECT_EQ(made("r += running_sum(v, x);"), "r_running_sum = running_sum(v, x);\nr += r_running_sum;\n");
    EXPECT_EQ(made("h = running_sum(v, x); r = h;", "half h[x];"),
              "h_running_sum = running_sum(v, x);\nh = h_running_sum;\nr = h;\n");
    EXPECT_EQ(made("q = running_sum(v, x); r = q;", "float q[x] boundary mirror;"), "q = running_sum(v, x);\nr = q;\n");
    EXPECT_EQ(made("u = running_sum(u, x);", ""), "u = running_sum(u, x);\n");
}

TEST(Running, HasTheTypeOfWhatIsAskedFor) {
    EXPECT_EQ(type_of("r = 2*running_sum(v, x);", "r_running_sum"), CellType::float32);
    EXPECT_EQ(type_of("r = 2*running_sum(d, x);", "r_running_sum"), CellType::float64);
    EXPECT_EQ(type_of("e = 2*running_sum(v, x);", "e_running_sum"), CellType::float64);
    EXPECT_EQ(type_of("r = 0.5*running_sum(k, x);", "r_running_sum"), CellType::float32);
    EXPECT_EQ(type_of("n = 2*running_sum(k, x);", "n_running_sum"), CellType::int32);
    EXPECT_EQ(type_of("m = 2*running_sum(k, x);", "m_running_sum"), CellType::int64);
    EXPECT_EQ(type_of("n = running_sum(m, x);", "n_running_sum"), CellType::int64);
    EXPECT_EQ(made("n = running_maximum(k, x);"), "n = running_maximum(k, x);\n");
    EXPECT_EQ(made("m = running_sum(k, x);"), "m = running_sum(k, x);\n");
    EXPECT_EQ(made("e = running_sum(v, x);"), "e = running_sum(v, x);\n");
}

TEST(Running, EqualOnesOfAStatementAreOne) {
    EXPECT_EQ(made("r = running_sum(v, x)*running_sum(v) + running_sum(v, -x) + running_minimum(v, x);"),
              "r_running_sum = running_sum(v, x);\nr_running_sum_2 = running_sum(v, -x);\n"
              "r_running_minimum = running_minimum(v, x);\n"
              "r = r_running_sum * r_running_sum + r_running_sum_2 + r_running_minimum;\n");
}

TEST(Running, ReadsNeighboursCoordinatesAndAxesOfNoField) {
    EXPECT_EQ(made("u = s; r = running_sum(x*q[x - 1], x);", "float q[x] boundary periodic; input q;"),
              "u = s;\nr = running_sum(x * q[-1], x);\n");
    EXPECT_EQ(made("g = running_sum(v*j, j); r = g[j = 3];", "float g[x, j]; axis j = 4;"),
              "g = running_sum(v * j, j);\nr = g[j = 3];\n");
    EXPECT_EQ(made("w = running_product(j + 1, j); total = w[j = 3];", "int w[j]; axis j = 4;"),
              "w = running_product(j + 1, j);\ntotal = w[j = 3];\n");
}

TEST(Running, GoesAlongWhatAFunctionIsGiven) {
    EXPECT_EQ(made("r = up(v, x) + up(v, -x) + down(v, x) + down(v, -x);",
                   "function up(a, k) = running_sum(a, k); function down(a, k) = running_sum(a, -k);"),
              "r_running_sum = running_sum(v, x);\nr_running_sum_2 = running_sum(v, -x);\n"
              "r = r_running_sum + r_running_sum_2 + r_running_sum_2 + r_running_sum;\n");
    EXPECT_EQ(made("let q = running_sum(v, x); r = q*q; for a in (x, y) { s = s + running_sum(u, -a); }"),
              "r_running_sum = running_sum(v, x);\nr = r_running_sum * r_running_sum;\n"
              "s_running_sum = running_sum(u, -x);\ns = s + s_running_sum;\n"
              "s_running_sum_2 = running_sum(u, -y);\ns = s + s_running_sum_2;\n");
    EXPECT_EQ(made("s = axis_sum(a, u, running_sum(u, a));"),
              "s_running_sum = running_sum(u, x);\ns_running_sum_2 = running_sum(u, y);\n"
              "s = s_running_sum + s_running_sum_2;\n");
}

/// Names that came late are taken from no program, and from no library.
TEST(Running, AFunctionOfTheProgramKeepsItsName) {
    EXPECT_EQ(made("r = running_sum(v, 2);", "function running_sum(a, b) = a + b;"), "r = v + 2;\n");
    EXPECT_EQ(made("running_sum = running_sum(v, x); r = running_sum;", "float running_sum[x];"),
              "running_sum = running_sum(v, x);\nr = running_sum;\n");
}

TEST(Running, OfCellsWithAShapeIsOfEachWord) {
    test::expect_same("vector3 p[x, y], q[x, y]; input p; q = 2*running_sum(p, x) + running_maximum(p, -y); return q;",
                      "float p_x[x, y], p_y[x, y], p_z[x, y], q_x[x, y], q_y[x, y], q_z[x, y]; input p_x, p_y, p_z; "
                      "q_x = 2*running_sum(p_x, x) + running_maximum(p_x, -y); q_y = 2*running_sum(p_y, x) + "
                      "running_maximum(p_y, -y);"
                      "q_z = 2*running_sum(p_z, x) + running_maximum(p_z, -y); return q_x, q_y, q_z;");
    test::expect_same("vector3 p[x], q[x]; input p; q = running_sum(p); return q;",
                      "float p_x[x], p_y[x], p_z[x], q_x[x], q_y[x], q_z[x]; input p_x, p_y, p_z; "
                      "q_x = running_sum(p_x); q_y = running_sum(p_y); q_z = running_sum(p_z); return q_x, q_y, q_z;");
}

TEST(Running, OfAFieldThatIsOneNumberStillCountsItsCells) {
    const std::string text = "float c[x] or uniform, r[x], v[x]; input c, v; r = v; r = running_sum(c, x); return r;";
    const std::string printed = program_text(text, {{"c", 2}});
    EXPECT_NE(printed.find("r = running_sum(c, x);"), std::string::npos) << printed;
}

TEST(Running, StandsInConditionsThroughAReduction) {
    EXPECT_EQ(said_codes(text_of(std::string(others) + "while (maximum(running_sum(r, x)) > 1) { r = r/2; }")), "");
    EXPECT_EQ(said_codes(text_of(std::string(others) + "while (running_sum(r, x) > 1) { r = r/2; }")), "K0264")
        << "cells cannot end alone";
}

TEST(Running, AlongFacesAndCellsHalfAStepOn) {
    for (const char* faces : {"staggered(x)", "staggered(x, same)"}) {
        const std::string text =
            std::string("axis xf = ") + faces +
            "; float p[x] boundary mirror, q[x], b[x], w[xf]; input p; w = p[x = xf] - p[x = xf - 1]; "
            "q = running_sum(p + w[xf = x], -x); b = 2*running_sum(q, -x); "
            "w = running_sum(w, -xf); return q, b, w;";
        const std::string printed = program_text(text);
        EXPECT_EQ(program_text(printed), printed);
        const bool same = std::string(faces).find("same") != std::string::npos;
        EXPECT_NE(printed.find(same ? "w = running_sum(w, -x);" : "w = running_sum(w, -xf);"), std::string::npos)
            << printed;
        EXPECT_NE(printed.find(", -x);\n"), std::string::npos) << "cells from their own last one: " << printed;
    }
}

/// The order as docs/language.md says it, piece by piece.
class Line {
public:
    Line(FoldOperator op, std::vector<double> cells) : numbers_{op, false, false}, cells_(std::move(cells)) {}

    [[nodiscard]] double at(long long cell) const {
        std::optional<double> all;
        long long from = 0, size = 1;
        for (int level = 0; level < running_levels; ++level) size *= running_base;
        for (; size > 0; size /= running_base) {
            double before = numbers_.nothing();
            for (; from + size <= (size == 1 ? cell + 1 : cell); from += size)
                before = numbers_.join(before, piece(from, size));
            all = all ? numbers_.join(*all, before) : before;
        }
        return *all;
    }

private:
    test::FoldedNumbers numbers_;
    std::vector<double> cells_;

    [[nodiscard]] double piece(long long from, long long size) const {
        if (size == 1) return cells_.at(static_cast<std::size_t>(from));
        double sum = numbers_.nothing();
        for (int part = 0; part < running_base; ++part)
            sum = numbers_.join(sum, piece(from + part * (size / running_base), size / running_base));
        return sum;
    }
};

TEST(Running, NumbersAreAddedPieceByPiece) {
    std::vector<double> cells;
    for (int k = 0; k < 140000; ++k) cells.push_back(std::sin(k * 0.7) + 1e-9 * k);
    for (const FoldOperator op : {FoldOperator::sum, FoldOperator::minimum, FoldOperator::maximum}) {
        const Line line(op, cells);
        test::RunningNumbers running({op, false, false});
        for (int k = 0; k < 140000; ++k) {
            const double value = running.with(cells[static_cast<std::size_t>(k)]);
            const bool asked = k < 300 || k % 997 == 0 || (k + 1) % 4096 < 3;
            if (!asked) continue;
            ASSERT_EQ(value, line.at(k)) << k;
        }
    }
}

TEST(Running, OfIntegersIsModulo32Bits) {
    test::RunningNumbers sums({FoldOperator::sum, true, false}), products({FoldOperator::product, true, false});
    EXPECT_EQ(sums.with(0x7fffffff), 0x7fffffff);
    EXPECT_EQ(sums.with(1), -0x80000000LL);
    EXPECT_EQ(sums.with(-1), 0x7fffffff);
    EXPECT_EQ(products.with(0x10001), 0x10001);
    EXPECT_EQ(products.with(0x10001), 0x20001);
}

}  // namespace
}  // namespace kasc
