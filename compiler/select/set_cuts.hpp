#pragma once
// Finds the set of calls that is worth most beyond a multiple of its time, whatever else must hold of a kernel: a
// minimum cut.

#include <vector>

#include "model/least_time.hpp"
#include "search/connections.hpp"
#include "search/units.hpp"
#include "select/minimum_cut.hpp"

namespace kasc {

class SetCuts {
public:
    /// `readers`: by value; `handed_on`: values that are written whoever reads them. The references must outlive it.
    SetCuts(const Graph& graph, const LeastTimes& least, const Units& units, const std::vector<NodeSet>& readers,
            const std::vector<bool>& handed_on);

    [[nodiscard]] std::size_t visits() const { return network_.visits(); }

    /// The set with the largest worth - times · (memory, arithmetic and own times by `line`), among all that hold `in`
    /// and of the rest calls of `open` alone.
    [[nodiscard]] NodeSet best(const NodeSet& in, const NodeSet& open, const std::vector<double>& worth,
                               const LeastLine& line, double times);

private:
    struct Paid {
        std::size_t edge;
        double ns;
    };
    /// What a call takes whatever is read of others' results.
    struct OwnTime {
        double arithmetic_ns = 0, own_ns = 0;
        std::vector<double> writes_ns;  ///< of values that are handed on
    };
    const LeastTimes& least_;
    const std::vector<bool>& handed_on_;
    const std::size_t calls_;
    std::vector<std::size_t> vertices_;  ///< by call; calls of a unit have one
    std::vector<OwnTime> own_;           ///< by call
    CutNetwork network_;
    std::vector<std::size_t> gains_, losses_;  ///< by call: edges from the source and to the sink
    std::vector<Paid> touched_;

    void add_reads(const Graph& graph, std::size_t& vertices);
    void add_writes(const Graph& graph, const std::vector<NodeSet>& readers, std::size_t& vertices);
};

}  // namespace kasc
