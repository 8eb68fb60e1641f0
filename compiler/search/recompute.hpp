#pragma once
// What near reads inside sets of calls cost, of one graph: its statements are looked at once for all sets.

#include <boost/container/small_vector.hpp>
#include <utility>
#include <vector>

#include "foundation/verdict.hpp"
#include "graph/graph.hpp"

namespace kasc {

class Recomputation {
public:
    /// Cells by axis, in the order of axes; axes at offset 0 are left out.
    using Offsets = boost::container::small_vector<std::pair<AxisId, int>, 3>;

    Recomputation(const Program& program, const Graph& graph);

    /// `calls` in ascending order, every pair may stand together.
    [[nodiscard]] Verdict bounded(const std::vector<NodeId>& calls) const;

private:
    struct Read {
        NodeId producer;
        bool near = false;
        Offsets by;
    };
    struct Call {
        bool is_transform = false, is_update = false;
        int operations = 1;
        std::vector<Read> reads;  ///< of what calls make
    };
    std::vector<Call> calls_;  ///< by node
};

}  // namespace kasc
