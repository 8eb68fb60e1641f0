// Parts that are the same along some axes, in fields over the others.
#include "rewrite/axis_tables.hpp"

#include <gtest/gtest.h>

#include "frontend/expression_parts.hpp"
#include "unit/rewrite/rewritten.hpp"

namespace kasc {
namespace {

class AxisTablesTest : public testing::Test {
protected:
    /// What calls a function of mathematics pays here.
    static std::optional<Verdict> calls(const TablePart& part) {
        const bool any =
            any_part(part.value, [](const Expression& e) { return std::holds_alternative<IntrinsicCall>(e.node); });
        return any ? std::optional(Verdict::yes("it calls")) : std::nullopt;
    }
    static std::string tables_of(const std::string& text) {
        return test::statements_of(axis_tables(test::checked_program(text), calls).program);
    }

    inline static const std::string fields =
        "float u[x, y], v[x, y], w[x] boundary mirror, s[x], d[x]; input u, w, d; param int n = 3; param float a = "
        "0.5;\n";
};

TEST_F(AxisTablesTest, HoldTheLargestPartThatIsTheSameAlongAnAxis) {
    EXPECT_EQ(tables_of(fields + "v = u*(1 + exp(a*x))*sin(a*y); return v;"),
              "v_of_x = 1 + exp(a * x)\nv_of_y = sin(a * y)\nv = u * v_of_x * v_of_y\n");
    EXPECT_EQ(tables_of(fields + "v = u*exp(w[x - 1]*w); return v;"), "v_of_x = exp(w[-1] * w)\nv = u * v_of_x\n");
}

TEST_F(AxisTablesTest, NeitherHoldWhatIsOneNumberNorWhatEachCellHasOfItsOwn) {
    EXPECT_EQ(tables_of(fields + "v = u*exp(a) + exp(u*w); return v;"), "v = u * exp(a) + exp(u * w)\n");
    EXPECT_EQ(tables_of(fields + "s = exp(w)*d; return s;"), "s = exp(w) * d\n");
    const std::string once = tables_of(fields + "s = sum(exp(w)*u, y); return s;");
    EXPECT_EQ(once.find("_of_"), std::string::npos) << once;  // once a result
    EXPECT_NE(tables_of(fields + "s = sum(exp(0.1*y)*u, y); return s;").find("= exp(0.1 * y)"), std::string::npos);
}

TEST_F(AxisTablesTest, LeaveProductsThatAreAddedWithoutARoundingOfTheirOwn) {
    EXPECT_EQ(tables_of(fields + "v = u + w*exp(w); return v;"), "v_of_x = exp(w)\nv = u + w * v_of_x\n");
    EXPECT_EQ(tables_of(fields + "v = u - (-(w*exp(w))); return v;"), "v_of_x = -(w * exp(w))\nv = u - v_of_x\n");
    EXPECT_EQ(tables_of(fields + "v = u*(w*exp(w)); return v;"), "v_of_x = w * exp(w)\nv = u * v_of_x\n");
}

TEST_F(AxisTablesTest, ServePositions) {
    EXPECT_EQ(tables_of(fields + "v = u[x = int(y*exp(a*x))]; return v;"),
              "v_of_x = exp(a * x)\nv = u[x = int(y * v_of_x)]\n");
    EXPECT_EQ(tables_of(fields + "v = u[x = int(y*exp(a*x))]*exp(a*x); return v;"),
              "v_of_x = exp(a * x)\nv = u[x = int(y * v_of_x)] * v_of_x\n");
    EXPECT_EQ(tables_of(fields + "int c[y]; c = 0; c[y = int(y*exp(a*x))] += 1; return c;"),
              "c = 0\nc_of_x = exp(a * x)\nc[y = int(y * c_of_x)] = c[y = int(y * c_of_x)] + 1\n");
}

TEST_F(AxisTablesTest, AreMadeOnceOfEqualPartsAndAgainBehindWhatTheyAreMadeOf) {
    EXPECT_EQ(tables_of(fields + "v = u*exp(w); v = v/exp(w); w = d; v = v*exp(w); return v;"),
              "v_of_x = exp(w)\nv = u * v_of_x\nv = v / v_of_x\nw = d\nv_of_x_2 = exp(w)\nv = v * v_of_x_2\n");
}

TEST_F(AxisTablesTest, StandBeforeTheLoopThatDoesNotChangeThem) {
    const auto first = [](const std::string& body) {
        const AxisTables made =
            axis_tables(test::checked_program(fields + "for (k = 0; k < n; k++) {" + body + "}\nreturn u;"), calls);
        EXPECT_TRUE(made.changed);
        return rewriting::targets(made.program.statements.front()).size() == 1 &&
               std::holds_alternative<FieldStatement>(made.program.statements.front());
    };
    EXPECT_TRUE(first("u = u*exp(w);"));
    EXPECT_FALSE(first("u = u*exp(w*k);"));
    EXPECT_FALSE(first("u = u*exp(w); w = w + 1;"));
}

class TablesOfPairsTest : public testing::Test {
protected:
    static std::string tables_of(const std::string& text) {
        const auto pairs = [](const TablePart& part) {
            return part.of_pairs ? std::optional(Verdict::yes("it is of pairs")) : std::nullopt;
        };
        return test::statements_of(axis_tables(test::checked_program(text), pairs).program);
    }
};

TEST_F(TablesOfPairsTest, HoldWhatTheResultsOfARowHaveInCommon) {
    const std::string made =
        tables_of("uint8 W[k, o]; float z[o], X[k, t], Y[o, t]; input W, z, X; Y = 2*sum((W - z)*X, k); return Y;");
    EXPECT_NE(made.find("_of_k_o = W - z\n"), std::string::npos) << made;
    EXPECT_NE(made.find("_of_k_o * X"), std::string::npos) << made;
}

TEST_F(TablesOfPairsTest, AreOneForAnAxisReadAtThePlacesOfTwo) {
    const std::string made = tables_of(
        "float u[f, n], m[f], c[i, j]; axis i = extent(f); axis j = extent(f); input u, m;\n"
        "c = sum((u[f = i] - m[f = i])*(u[f = j] - m[f = j]), n); return c;");
    EXPECT_NE(made.find("_of_f_n = u - m\n"), std::string::npos) << made;
    EXPECT_NE(made.find("_of_f_n[f = i] * c_parts_of_f_n[f = j]"), std::string::npos) << made;
    EXPECT_EQ(made.find("_of_f_n_2"), std::string::npos) << made;
}

TEST_F(TablesOfPairsTest, LeaveWhatAPlaceAlsoComputes) {
    const std::string made = tables_of(
        "float u[f, n], c[i, j]; axis i = extent(f); axis j = extent(f); input u;\n"
        "c = sum((u[f = i] - i)*u[f = j], n); return c;");
    EXPECT_NE(made.find("_of_i_n = u[f = i] - i\n"), std::string::npos) << made;
}

TEST_F(TablesOfPairsTest, LeaveProductsThatAreAddedWithoutARoundingOfTheirOwn) {
    const std::string made =
        tables_of("float a[k, i], s[k], b[k, j], c[i, j]; input a, s, b; c = sum(max(a*s + b, a*s*b), k); return c;");
    EXPECT_NE(made.find("max(a * s + b, c_parts_of_k_i * b)"), std::string::npos) << made;
}

TEST_F(AxisTablesTest, AreOfTheStatementsPrecisionAndKind) {
    const auto type_of = [](const std::string& text) {
        const AxisTables made = axis_tables(test::checked_program(text), calls);
        EXPECT_TRUE(made.changed);
        VariableId last;
        for (const VariableId v : made.program.variables.ids()) last = v;
        return field_shape(made.program, last).type;
    };
    EXPECT_EQ(type_of("double u[x, y], v[x, y]; input u; v = u*exp(0.5*x); return v;"), CellType::float64);
    EXPECT_EQ(type_of("complex u[x, y], v[x, y]; input u; v = u*complex(cos(0.5*x), sin(0.5*x)); return v;"),
              CellType::complex64);
}

}  // namespace
}  // namespace kasc
