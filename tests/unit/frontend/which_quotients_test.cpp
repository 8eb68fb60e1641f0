// Which quotients are products, and which are divisions.
#include <gtest/gtest.h>

#include "frontend/check.hpp"
#include "frontend/expression_parts.hpp"
#include "unit/frontend/test_library.hpp"

namespace kasc {
namespace {

const std::string around = R"(
float u[x, y] boundary mirror, v[x, y];
complex z[x, y], w[x, y];
int i[x, y], j[x, y];
float total[];
param float h; param float dt = 0.5; param int n;
)";

/// How many quotients of each kind the statements have.
std::pair<int, int> quotients(const std::string& statements) {
    const auto program = read_program(make_source("quotients.kas", around + statements), test::test_library());
    if (!program) throw std::runtime_error(render_text(program.diagnostics));
    int products = 0, divisions = 0;
    for (const Statement& statement : program->statements) {
        const auto* field = std::get_if<FieldStatement>(&statement);
        const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&statement);
        if (loop) field = std::get_if<FieldStatement>(&(*loop)->body.front());
        if (!field) continue;
        for_each_part(*field->value, [&](const Expression& part) {
            const auto* operation = std::get_if<BinaryOperation>(&part.node);
            if (!operation) return;
            products += operation->op == BinaryOperator::divide_by_number ? 1 : 0;
            divisions += operation->op == BinaryOperator::divide ? 1 : 0;
        });
    }
    return {products, divisions};
}
using Kinds = std::pair<int, int>;

TEST(Quotient, ByWhatIsTheSameForAllCellsAreProducts) {
    EXPECT_EQ(quotients("input u; v = (u[x + 1] - u)/h; return v;"), Kinds(1, 0));
    EXPECT_EQ(quotients("input u; v = (u[x + 1] - u)/(2*h*dt); return v;"), Kinds(1, 0));
    EXPECT_EQ(quotients("input u; v = u/n + x/extent(x); return v;"), Kinds(2, 0));
    EXPECT_EQ(quotients("input u; v = u/0.1 + u/6; return v;"), Kinds(2, 0));
    EXPECT_EQ(quotients("input z; w = z/h; return w;"), Kinds(1, 0));
    EXPECT_EQ(quotients("function slope(e, a) = e/a; input u; v = slope(u, h); return v;"), Kinds(1, 0));
    EXPECT_EQ(quotients("input i; j = int(i/h); return j;"), Kinds(1, 0));
}

TEST(Quotient, ByOthersAreDivisions) {
    EXPECT_EQ(quotients("input u; v = u/2 + u/-0.25; return v;"), Kinds(0, 2)) << "which compilers multiply by";
    EXPECT_EQ(quotients("input u; v = u*(dt/h); return v;"), Kinds(0, 1)) << "the host's";
    EXPECT_EQ(quotients("input u, v; v = u/v; return v;"), Kinds(0, 1));
    EXPECT_EQ(quotients("input u; total = sum(u); v = u/total; return v;").second, 1);
    EXPECT_EQ(quotients("input u; for (k = 0; k < 3; k++) { u = u/(k + 1.5); } return u;"), Kinds(0, 1));
    EXPECT_EQ(quotients("input i; j = i/3; return j;"), Kinds(0, 1)) << "of integers";
    EXPECT_EQ(quotients("input z; w = z/complex(h, 1); return w;"), Kinds(0, 1));
}

}  // namespace
}  // namespace kasc
