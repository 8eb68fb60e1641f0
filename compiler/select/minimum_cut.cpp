// The largest flow, by shortest ways (Dinic, Soviet Math. Dokl. 11, 1970): what the source still reaches at its end
// lies on its side of a least cut. Amounts below a threshold are not pushed, so that rounding cannot make it go on.

#include "select/minimum_cut.hpp"

#include <algorithm>
#include <limits>

namespace kasc {

std::size_t CutNetwork::add_edge(std::size_t from, std::size_t to, double capacity) {
    const auto place = static_cast<std::uint32_t>(edges_.size());
    edges_.push_back({static_cast<std::uint32_t>(to), first_[from], capacity, 0});
    first_[from] = place;
    edges_.push_back({static_cast<std::uint32_t>(from), first_[to], 0, 0});
    first_[to] = place + 1;
    return place / 2;
}

bool CutNetwork::find_levels() {
    level_.assign(first_.size(), -1);
    level_[0] = 0;
    queue_.assign(1, 0);
    for (std::size_t k = 0; k < queue_.size(); ++k) {
        const std::uint32_t v = queue_[k];
        for (std::uint32_t e = first_[v]; e != none; e = edges_[e].next) {
            ++visits_;
            if (edges_[e].left <= negligible_ || level_[edges_[e].to] >= 0) continue;
            level_[edges_[e].to] = level_[v] + 1;
            if (edges_[e].to == 1) return true;  // what lies as far or farther is on no shortest way
            queue_.push_back(edges_[e].to);
        }
    }
    return false;
}

double CutNetwork::push(std::uint32_t vertex, double most) {
    if (vertex == 1) return most;
    double pushed = 0;
    for (std::uint32_t& e = at_[vertex]; e != none; e = edges_[e].next) {
        Edge& edge = edges_[e];
        ++visits_;
        if (edge.left <= negligible_ || level_[edge.to] != level_[vertex] + 1) continue;
        const double through = push(edge.to, std::min(most - pushed, edge.left));
        edge.left -= through;
        edges_[e ^ 1U].left += through;
        pushed += through;
        if (most - pushed <= negligible_) return pushed;
    }
    return pushed;
}

const std::vector<bool>& CutNetwork::source_side(double negligible) {
    negligible_ = negligible;
    for (Edge& edge : edges_) edge.left = edge.capacity;
    visits_ += edges_.size();
    while (find_levels()) {
        at_ = first_;
        push(0, std::numeric_limits<double>::infinity());
    }
    side_.assign(first_.size(), false);
    for (const std::uint32_t v : queue_) side_[v] = true;
    return side_;
}

}  // namespace kasc
