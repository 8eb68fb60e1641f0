// Sugiyama, Tagawa and Toda's method (IEEE Trans. SMC 11(2), 1981): layers by longest paths, edges over several layers
// cut by bends, which take places like nodes, the order within each layer by the mean place of neighbours, layer by
// layer down and up. Then each layer is placed as near to the mean of its neighbours as its order allows:
//
//   a   b         layer 0
//   | \ |
//   |   c         layer 1, beside the bend of a → d
//   | /
//   d             layer 2

#include "driver/explorer/graph_layout.hpp"

#include <algorithm>

namespace kasc::explorer {

namespace {

constexpr int sweeps = 8;           // after these the order of a hundred nodes stays as it is
constexpr double bend_width = 0.2;  // room for an edge beside others

using Places = std::vector<std::size_t>;

class Layout {
public:
    Layout(std::size_t nodes, const std::vector<std::pair<std::size_t, std::size_t>>& edges)
        : nodes_(nodes), edges_(edges), layer_(nodes, 0), above_(nodes), below_(nodes) {}

    LaidOut run() {
        find_layers();
        cut_edges();
        order();
        place();
        return result();
    }

private:
    std::size_t nodes_;
    const std::vector<std::pair<std::size_t, std::size_t>>& edges_;
    std::vector<int> layer_;             // of nodes, then of bends
    std::vector<Places> above_, below_;  // neighbours in the layers beside, of nodes and bends
    std::vector<Places> bends_;          // by edge
    std::vector<Places> rows_;           // by layer
    std::vector<double> x_;

    void find_layers() {
        // Edges lead to larger numbers: in the order of their sources each source's layer is settled.
        auto sorted = edges_;
        std::sort(sorted.begin(), sorted.end());
        for (const auto& [from, to] : sorted) layer_[to] = std::max(layer_[to], layer_[from] + 1);
        // What nothing leads to stands right before what it is for.
        std::vector<int> first(nodes_, -1);
        std::vector<bool> led_to(nodes_, false);
        for (const auto& [from, to] : edges_) {
            first[from] = first[from] < 0 ? layer_[to] : std::min(first[from], layer_[to]);
            led_to[to] = true;
        }
        for (std::size_t n = 0; n < nodes_; ++n)
            if (!led_to[n] && first[n] > 0) layer_[n] = first[n] - 1;
    }

    void link(std::size_t upper, std::size_t lower) {
        below_[upper].push_back(lower);
        above_[lower].push_back(upper);
    }
    void cut_edges() {
        for (const auto& [from, to] : edges_) {
            Places& bends = bends_.emplace_back();
            std::size_t last = from;
            for (int layer = layer_[from] + 1; layer < layer_[to]; ++layer) {
                bends.push_back(layer_.size());
                layer_.push_back(layer);
                above_.emplace_back();
                below_.emplace_back();
                link(last, bends.back());
                last = bends.back();
            }
            link(last, to);
        }
        const int most = layer_.empty() ? -1 : *std::max_element(layer_.begin(), layer_.end());
        rows_.resize(static_cast<std::size_t>(most + 1));
        for (std::size_t n = 0; n < layer_.size(); ++n) rows_[static_cast<std::size_t>(layer_[n])].push_back(n);
    }

    [[nodiscard]] double mean(const Places& neighbours, double otherwise) const {
        if (neighbours.empty()) return otherwise;
        double sum = 0;
        for (const std::size_t n : neighbours) sum += x_[n];
        return sum / static_cast<double>(neighbours.size());
    }
    void number(const Places& row) {
        for (std::size_t k = 0; k < row.size(); ++k) x_[row[k]] = static_cast<double>(k);
    }
    void sort_row(Places& row, const std::vector<Places>& neighbours) {
        std::vector<std::pair<double, std::size_t>> keys;
        for (const std::size_t n : row) keys.emplace_back(mean(neighbours[n], x_[n]), n);
        std::stable_sort(keys.begin(), keys.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        for (std::size_t k = 0; k < row.size(); ++k) row[k] = keys[k].second;
        number(row);
    }
    void order() {
        x_.resize(layer_.size());
        for (const Places& row : rows_) number(row);
        for (int sweep = 0; sweep < sweeps; ++sweep) {
            for (std::size_t r = 1; r < rows_.size(); ++r) sort_row(rows_[r], above_);
            for (std::size_t r = rows_.size(); r-- > 0;) sort_row(rows_[r], below_);
        }
    }

    [[nodiscard]] double width_of(std::size_t n) const { return n < nodes_ ? 1 : bend_width; }

    /// The places nearest to the wishes, in their order, with room for each: neighbours that would come too near to
    /// each other are one block, at the mean of its wishes. `offsets`: from the first, where all stand close together.
    static std::vector<double> spaced(const std::vector<double>& wishes, const std::vector<double>& offsets) {
        struct Block {
            double sum = 0;
            std::size_t size = 0;
            [[nodiscard]] double at() const { return sum / static_cast<double>(size); }
        };
        std::vector<Block> blocks;
        for (std::size_t k = 0; k < wishes.size(); ++k) {
            blocks.push_back({wishes[k] - offsets[k], 1});
            while (blocks.size() > 1 && blocks.back().at() < blocks[blocks.size() - 2].at()) {
                const Block last = blocks.back();
                blocks.pop_back();
                blocks.back().sum += last.sum;
                blocks.back().size += last.size;
            }
        }
        std::vector<double> places;
        for (const Block& block : blocks)
            for (std::size_t k = 0; k < block.size; ++k) places.push_back(block.at() + offsets[places.size()]);
        return places;
    }
    void place_row(const Places& row, const std::vector<Places>& neighbours) {
        std::vector<double> wishes, offsets;
        for (std::size_t k = 0; k < row.size(); ++k) {
            wishes.push_back(mean(neighbours[row[k]], x_[row[k]]));
            offsets.push_back(k == 0 ? 0 : offsets.back() + (width_of(row[k - 1]) + width_of(row[k])) / 2);
        }
        const std::vector<double> places = spaced(wishes, offsets);
        for (std::size_t k = 0; k < row.size(); ++k) x_[row[k]] = places[k];
    }
    void place() {
        for (int sweep = 0; sweep < sweeps; ++sweep) {
            for (std::size_t r = 1; r < rows_.size(); ++r) place_row(rows_[r], above_);
            for (std::size_t r = rows_.size(); r-- > 0;) place_row(rows_[r], below_);
        }
    }

    LaidOut result() const {
        LaidOut out;
        out.layers = static_cast<int>(rows_.size());
        if (x_.empty()) return out;
        double left = x_[0], right = x_[0];
        for (std::size_t n = 0; n < x_.size(); ++n) {
            left = std::min(left, x_[n] - width_of(n) / 2);
            right = std::max(right, x_[n] + width_of(n) / 2);
        }
        out.width = right - left;
        const auto point = [&](std::size_t n) { return LaidOut::Point{x_[n] - 0.5 - left, layer_[n]}; };
        for (std::size_t n = 0; n < nodes_; ++n) out.nodes.push_back(point(n));
        for (const Places& bends : bends_) {
            auto& points = out.bends.emplace_back();
            for (const std::size_t bend : bends) points.push_back(point(bend));
        }
        return out;
    }
};

}  // namespace

LaidOut lay_out(std::size_t nodes, const std::vector<std::pair<std::size_t, std::size_t>>& edges) {
    return Layout(nodes, edges).run();
}

}  // namespace kasc::explorer
