#pragma once
// Parts of the pass that joins the cells of a line and the faces between them (staggered_axes.hpp).

#include <functional>
#include <set>
#include <vector>

#include "frontend/checking.hpp"
#include "frontend/program.hpp"

namespace kasc::frontend {

/// The cells of a line, and the faces between them.
struct LineAxes {
    AxisId cells, faces;
    [[nodiscard]] bool has(AxisId axis) const { return axis == cells || axis == faces; }
    [[nodiscard]] AxisId other(AxisId axis) const { return axis == cells ? faces : cells; }
};

/// Every statement of the list but loops, at any depth, made anew.
[[nodiscard]] std::vector<Statement> with_each(const std::vector<Statement>& statements,
                                               const std::function<Statement(const Statement&)>& made);
/// The axes, of these two, that the statement runs along.
[[nodiscard]] std::set<AxisId> axes_run_along(const Program& program, const FieldStatement& statement,
                                              const LineAxes& line);

/// As many faces as cells: what lies along the faces lies along the cells.
[[nodiscard]] Program with_one_axis(Program program, const LineAxes& line);
/// A face more than cells: fields of the cells have one cell more in memory, which nothing sees.
[[nodiscard]] Program with_longer_axis(Program program, const LineAxes& line, Checking& checking);

}  // namespace kasc::frontend
