// The largest flow, by shortest ways (Dinic, Soviet Math. Dokl. 11, 1970): what the source still reaches at its end
// lies on its side of a least cut. Amounts below a threshold are not pushed, so that rounding cannot make it go on.

#include "select/minimum_cut.hpp"

#include <algorithm>
#include <limits>

namespace kasc {

std::size_t CutNetwork::add_edge(std::size_t from, std::size_t to, double capacity) {
    added_.push_back({static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to), capacity});
    return added_.size() - 1;
}

/// The edges of a vertex beside each other, each with its reverse, those added last first.
void CutNetwork::lay_out() {
    first_.assign(vertices_ + 1, 0);
    for (const Added& edge : added_) {
        ++first_[edge.from + 1];
        ++first_[edge.to + 1];
    }
    for (std::size_t v = 0; v < vertices_; ++v) first_[v + 1] += first_[v];
    edges_.resize(2 * added_.size());
    capacities_.assign(2 * added_.size(), 0);
    at_.assign(first_.begin() + 1, first_.end());
    for (Added& edge : added_) {
        const std::uint32_t there = --at_[edge.from], back = --at_[edge.to];
        edges_[there] = {edge.to, back};
        edges_[back] = {edge.from, there};
        edge.place = there;
        capacities_[there] = edge.capacity;
    }
}

bool CutNetwork::find_levels() {
    level_.assign(vertices_, -1);
    level_[0] = 0;
    queue_.assign(1, 0);
    for (std::size_t k = 0; k < queue_.size(); ++k) {
        const std::uint32_t v = queue_[k], first = first_[v], end = first_[v + 1];
        for (std::uint32_t e = first; e < end; ++e) {
            const std::uint32_t to = edges_[e].to;
            if (left_[e] <= negligible_ || level_[to] >= 0) continue;
            level_[to] = level_[v] + 1;
            if (to == 1) {  // what lies as far or farther is on no shortest way
                visits_ += e - first + 1;
                return true;
            }
            queue_.push_back(to);
        }
        visits_ += end - first;
    }
    return false;
}

double CutNetwork::push(std::uint32_t vertex, double most) {
    if (vertex == 1) return most;
    double pushed = 0;
    const std::uint32_t first = at_[vertex], end = first_[vertex + 1];
    const int next = level_[vertex] + 1;
    std::uint32_t e = first;
    for (; e < end; ++e) {
        if (left_[e] <= negligible_) continue;
        const Edge edge = edges_[e];
        if (level_[edge.to] != next) continue;
        const double through = push(edge.to, std::min(most - pushed, left_[e]));
        left_[e] -= through;
        left_[edge.reverse] += through;
        pushed += through;
        if (most - pushed <= negligible_) break;
    }
    visits_ += e - first + (e < end ? 1 : 0);
    at_[vertex] = e;
    return pushed;
}

const std::vector<bool>& CutNetwork::source_side(double negligible) {
    negligible_ = negligible;
    if (edges_.size() != 2 * added_.size()) lay_out();
    left_ = capacities_;
    visits_ += edges_.size();
    while (find_levels()) {
        at_.assign(first_.begin(), first_.end() - 1);
        push(0, std::numeric_limits<double>::infinity());
    }
    side_.assign(vertices_, false);
    for (const std::uint32_t v : queue_) side_[v] = true;
    return side_;
}

}  // namespace kasc
