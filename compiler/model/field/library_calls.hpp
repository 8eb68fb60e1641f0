#pragma once
// What functions of the library compute in a kernel: one call makes all words of its result.

#include <set>
#include <string>
#include <vector>

#include "graph/graph.hpp"

namespace kasc::model {

class LibraryCalls {
public:
    /// The references must outlive it.
    LibraryCalls(const Program& program, const Graph& graph) : program_(program), graph_(graph) {}

    /// Operations of a field update at this offset from the cell that a call before it has done, or one of its own.
    [[nodiscard]] int done_before(NodeId update, const std::vector<int>& offset);

private:
    const Program& program_;
    const Graph& graph_;
    std::set<std::string> done_;
};

/// Words of the arguments and the result of a call in it, at most.
[[nodiscard]] double called_words(const Expression& expression, const Program& program);

/// Operations that kernels with other words of the same results need not do again for these, at most.
[[nodiscard]] double sharable_operations(const Expression& expression, const Program& program);

}  // namespace kasc::model
