// Which additions are made in pieces of their list, and what they become.
#include "rewrite/list_pieces.hpp"

#include <gtest/gtest.h>

#include "frontend/list_entries.hpp"
#include "graph/field_target.hpp"
#include "support/field_reference.hpp"

namespace kasc {
namespace {

ListPieces in_pieces(const std::string& text) {
    const auto program = read_program(make_source("case.kas", text), Library{});
    EXPECT_TRUE(program) << render_text(program.diagnostics);
    return program ? list_pieces(*program) : ListPieces{};
}

/// What the statements assign, those in pieces with their axes: "u_pieces[k,i_pieces] u_parts u_sums u".
std::string assigned(const ListPieces& pieces) {
    std::string text;
    for (const Statement& s : pieces.program.statements) {
        const auto& field = std::get<FieldStatement>(s);
        text += (text.empty() ? "" : " ") + pieces.program.variables[field.target].name;
        if (!makes_pieces(field)) continue;
        std::string axes;
        for (const AxisId axis : field_shape(pieces.program, field.target).axes)
            axes += (axes.empty() ? "" : ",") + pieces.program.axes[axis].name;
        text += "[" + axes + "]";
    }
    return text;
}
std::string assigned_of(const std::string& declared, const std::string& statement) {
    return assigned(in_pieces(declared + " float w[i]; int at[i]; input u, w, at; " + statement + " return u;"));
}

TEST(ListPieces, AnAdditionToFewCellsIsASumOfPiecesThatAFoldJoins) {
    const ListPieces pieces =
        in_pieces("axis k = 16; float u[k], w[i]; int at[i]; input u, w, at; u[k = at] += w; return u;");
    EXPECT_TRUE(pieces.changed);
    EXPECT_EQ(assigned(pieces), "u_pieces[k,i_pieces] u_parts u_sums u");
    const auto& by_piece = std::get<FieldStatement>(pieces.program.statements[0]);
    EXPECT_EQ(by_piece.operands.size(), 2U) << "the label and what is added, not what it is added to";
    const auto& parts = std::get<FieldStatement>(pieces.program.statements[1]);
    ASSERT_TRUE(parts.fold);
    EXPECT_EQ(parts.fold->lanes, 8);
    EXPECT_EQ(pieces.program.axes[parts.fold->axes.front()].parts->cells, piece_entries);
    EXPECT_EQ(field_shape(pieces.program, parts.target).type, CellType::float64);
}

TEST(ListPieces, FewAreAsManyCellsAsTheTextSays) {
    const auto is_few = [](const std::string& declared, const std::string& statement) {
        return assigned_of(declared, statement) != "u";
    };
    EXPECT_TRUE(is_few("axis k = 256; float u[k];", "u[k = at] += w;"));
    EXPECT_FALSE(is_few("axis k = 257; float u[k];", "u[k = at] += w;"));
    EXPECT_TRUE(is_few("axis k = 16; axis l = 16; float u[k, l];", "u[k = at, l = at/16] += w;"));
    EXPECT_FALSE(is_few("axis k = 16; axis l = 17; float u[k, l];", "u[k = at, l = at/16] += w;"));
    EXPECT_TRUE(is_few("axis k = 128; double u[k];", "u[k = at] += w;"));
    EXPECT_FALSE(is_few("axis k = 129; double u[k];", "u[k = at] += w;"));
    EXPECT_FALSE(is_few("float u[k];", "u[k = at] += w;")) << "a caller says how many they are";
    EXPECT_FALSE(is_few("param int n = 4; axis k = n; float u[k];", "u[k = at] += w;"));
    EXPECT_TRUE(is_few("axis k = 256; axis d = 16; float u[k, d];", "u[k = at] += w;"));
    EXPECT_FALSE(is_few("axis k = 256; axis d = 17; float u[k, d];", "u[k = at] += w;"));
    EXPECT_FALSE(is_few("axis k = 16; float u[k, d];", "u[k = at] += w;"));
    EXPECT_FALSE(is_few("axis k = 16; complex u[k];", "u[k = at] += w;"));
    EXPECT_FALSE(is_few("axis k = 16; int u[k];", "u[k = at] += 1;")) << "integers are the same in any order";
    EXPECT_FALSE(is_few("axis k = 16; float u[k];", "u[k = at] = w;"));
    EXPECT_FALSE(is_few("axis k = 16; float u[k];", "require(distinct(at)); u[k = at] += w;"));
}

TEST(ListPieces, ComponentsOfShortVectorsHaveSumsOfTheirOwn) {
    EXPECT_EQ(assigned_of("axis k = 8; axis d = 2; float u[k, d];", "u[k = at] += w*(d + 1);"),
              "u_pieces[k,i_pieces] u_pieces_2[k,i_pieces] u_parts u_sums u");
    EXPECT_EQ(assigned_of("axis k = 8; axis d = 5; float u[k, d];", "u[k = at] += w*(d + 1);"),
              "u_pieces[k,d,i_pieces] u_parts u_sums u");
    EXPECT_EQ(
        assigned_of("axis k = 8; axis d = 2; float u[k, d], v[d, i] boundary mirror;", "v = w; u[k = at] += v[1, 0];"),
        "v u_pieces[k,d,i_pieces] u_parts u_sums u")
        << "neighbours along d";
    EXPECT_EQ(assigned_of("axis k = 8; float u[k, y];", "u[k = at, y = 3] += w;"),
              "u_pieces[k,i_pieces] u_parts u_sums u");
}

}  // namespace
}  // namespace kasc
