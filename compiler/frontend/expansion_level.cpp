#include "frontend/expansion_level.hpp"

#include <fmt/format.h>

#include "frontend/parse.hpp"

namespace kasc::frontend {

ExpressionChecker::Level::Level(ExpressionChecker& checker, const Span& span) : checker_(checker) {
    ++checker_.depth_;
    ++checker_.nodes_;
    ++checker_.checking_.nodes;
    if (checker_.exhausted_) return;
    std::string what;
    if (checker_.depth_ > program_limits.tree_depth) {
        what = fmt::format("deeper than {} operations", program_limits.tree_depth);
    } else if (checker_.nodes_ > most_nodes_of_statement) {
        what = fmt::format("larger than {} operations", most_nodes_of_statement);
    } else if (checker_.checking_.nodes > most_nodes_of_program) {
        what = fmt::format("beyond the {} operations that a program may have", most_nodes_of_program);
    } else {
        return;
    }
    checker_.exhausted_ = true;
    // Where cells were taken apart, functions were expanded before: what stands here may be the library's text.
    const bool expanded = !checker_.frame_ && checker_.checking_.statement.source;
    checker_
        .error("K0231", fmt::format("with its functions expanded, the expression is {}", what),
               expanded ? checker_.checking_.statement : span)
        .help = "assign a part of it to a field first";
}

}  // namespace kasc::frontend
