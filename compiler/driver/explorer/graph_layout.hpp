#pragma once
// Where the nodes of an acyclic graph are drawn: in layers, sources first, edges from layer to layer.

#include <cstddef>
#include <utility>
#include <vector>

namespace kasc::explorer {

struct LaidOut {
    struct Point {
        double x = 0;  ///< of the left end of a node that stands there, in widths of one; of a layer's at least 1 apart
        int layer = 0;
    };
    std::vector<Point> nodes;
    std::vector<std::vector<Point>> bends;  ///< by edge: where it passes through the layers between its ends
    double width = 1;
    int layers = 0;
};

/// Every edge leads from a smaller number to a larger one. The same for the same graph.
[[nodiscard]] LaidOut lay_out(std::size_t nodes, const std::vector<std::pair<std::size_t, std::size_t>>& edges);

}  // namespace kasc::explorer
