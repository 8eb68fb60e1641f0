#pragma once
// Minimum cuts of one network whose capacities change from cut to cut.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace kasc {

class CutNetwork {
public:
    /// Vertex 0 is the source, 1 the sink.
    explicit CutNetwork(std::size_t vertices) : vertices_(vertices) {}

    /// An edge that is cut at this capacity; its number. Requires: nothing was cut yet.
    std::size_t add_edge(std::size_t from, std::size_t to, double capacity = 0);
    /// Edges that all cuts so far went over, at a time each that is the same in all.
    [[nodiscard]] std::size_t visits() const { return visits_; }
    void set_capacity(std::size_t edge, double capacity) {
        (edges_.empty() ? added_[edge].capacity : capacities_[added_[edge].place]) = capacity;
    }

    /// By vertex, whether it lies on the source's side of the least cut; of several, that with the fewest vertices
    /// there. Capacities below `negligible` in sum may be cut too much.
    [[nodiscard]] const std::vector<bool>& source_side(double negligible);

private:
    /// As it was added.
    struct Added {
        std::uint32_t from = 0, to = 0;
        double capacity = 0;      ///< until edges lie beside each other
        std::uint32_t place = 0;  ///< among `edges_`
    };
    /// An edge of a vertex; a vertex' edges lie beside each other.
    struct Edge {
        std::uint32_t to = 0, reverse = 0;
    };

    void lay_out();
    [[nodiscard]] bool find_levels();
    double push(std::uint32_t vertex, double most);

    std::size_t vertices_;
    std::vector<Added> added_;
    std::vector<Edge> edges_;
    std::vector<double> capacities_, left_;  ///< by edge: none of those back; what a flow leaves of it
    std::vector<std::uint32_t> first_;       ///< by vertex, and one more: among `edges_`
    std::vector<std::uint32_t> at_, queue_;
    std::vector<int> level_;
    std::vector<bool> side_;
    double negligible_ = 0;
    std::size_t visits_ = 0;
};

}  // namespace kasc
