// Reductions by name over the words of cells.
#include <gtest/gtest.h>

#include "frontend/program.hpp"
#include "library/library.hpp"

namespace kasc {
namespace {

const Library& kasc_library() {
    static const Library library = *read_library({std::string(KASC_SOURCE_DIR) + "/elementlib"}).value;
    return library;
}

void expect_same_folds(const std::string& of_cells, const std::string& of_words) {
    const auto cells = read_program(make_source("cells.kas", of_cells), kasc_library());
    const auto words = read_program(make_source("cells.kas", of_words), kasc_library());
    ASSERT_TRUE(cells) << render_text(cells.diagnostics);
    ASSERT_TRUE(words) << render_text(words.diagnostics);
    EXPECT_EQ(print(*cells.value, kasc_library()), print(*words.value, kasc_library()));
}

TEST(CellFolds, ByNameAreThoseOfWords) {
    expect_same_folds(R"(
vector3 u[x, y], m[y]; float s[x, y], n[x, y];
input u;
s = norm(u - 1) + mean(u) + count(u > 2);
n = any(u > 2) && !all(u < s) ? 1 : 0;
m = mean(u, x);
return s, n, m;
)",
                      R"(
float u_x[x, y], u_y[x, y], u_z[x, y], m_x[y], m_y[y], m_z[y], s[x, y], n[x, y];
input u_x, u_y, u_z;
s = sqrt((u_y - 1)*(u_y - 1) + (u_x - 1)*(u_x - 1) + (u_z - 1)*(u_z - 1)) + (u_y + u_x + u_z)/3.0
    + ((u_y > 2 ? 1 : 0) + (u_x > 2 ? 1 : 0) + (u_z > 2 ? 1 : 0));
n = (u_x > 2 || u_y > 2 || u_z > 2) && !(u_x < s && u_y < s && u_z < s) ? 1 : 0;
m_x = mean(u_x, x);
m_y = mean(u_y, x);
m_z = mean(u_z, x);
return s, n, m_x, m_y, m_z;
)");
}

/// Functions of the program, and what a library's text says beside them.
TEST(CellFolds, ByNameLeaveFunctionsTheirNames) {
    expect_same_folds("vector3 u[x]; float s[x]; function norm(a) = 2*a.y; input u; s = norm(u); return s;",
                      "float u_x[x], u_y[x], u_z[x], s[x]; input u_x, u_y, u_z; s = 2*u_y; return s;");
    Library library = kasc_library();
    library.field_functions.push_back({make_source("size.kas", "function size_along(u, a) = norm(u, a).y;")});
    const auto read = [&](const std::string& own, const std::string& value) {
        const auto made = read_program(
            make_source("p.kas", own + "vector3 u[x, y]; float s[y]; input u; s = " + value + "; return s;"), library);
        return made ? print(*made, library) : render_text(made.diagnostics);
    };
    EXPECT_EQ(read("function norm(a) = a - 1; ", "size_along(u, x) + norm(0)"), read("", "size_along(u, x) + (0 - 1)"));
}

}  // namespace
}  // namespace kasc
