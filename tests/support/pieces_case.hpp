#pragma once
// A field program whose sums of reals for few cells are in pieces.

#include "rewrite/list_pieces.hpp"
#include "support/field_case.hpp"

namespace kasc::test {

inline FieldCase in_pieces(FieldCase c) {
    c.program = list_pieces(c.program).program;
    Outcome<Graph> built = build_graph(c.program);
    if (!built) throw std::runtime_error(render_text(built.diagnostics));
    c.graph = *built;
    return c;
}

}  // namespace kasc::test
