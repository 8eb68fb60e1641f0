// An axis is cut into tiles, of which those that touch the rim take the edge's path. Who tests decides what a tile is:
//
//   borders cell      a warp: 32 cells along the first axis, 128 with vectors of four; a row, or the rows of its
//                     threads; a plane. Cells beyond the grid are not visited.
//   borders uniform   a block, which has to lie in the interior whole: where rows are 240 cells, no block of 256 does,
//                     and of two blocks of 128 one.
//
// 316 cells along the first axis, two layers at each end, one cell a thread: of 10 warps of a row two go through both
// paths. Blocks of 64 that test for their threads: of 5 two take the edge's path, the last one since it ends beyond.
#include "model/field/paths.hpp"

#include <algorithm>
#include <cmath>

#include "model/constants.hpp"
#include "patterns/pattern.hpp"

namespace kasc::model {

namespace {

struct Rim {
    double low = 0, high = 0;  ///< cells at either end of an axis that take the edge's path
};

class WarpPaths {
public:
    WarpPaths(const FieldSchedule& schedule, const std::vector<double>& extents)
        : work_(*schedule.work), choice_(schedule.choice), extents_(extents) {}

    PathShares run() const {
        const bool walks = choice_.walk == Walk::column || choice_.walk == Walk::warp;
        const bool uniform = choice_.borders == Borders::uniform && work_.edges;
        double warps = 1, others = 1, blocks = 1;
        double first = 1;  // along the first axis
        for (std::size_t k = 0; k < extents_.size(); ++k) {
            const bool walked = walks && k == (choice_.walk == Walk::warp ? 1 : extents_.size() - 1);
            const double block = walked ? 1 : choice_.tile(k);
            const double inside_block = uniform && !walked ? whole(k, block) : visited(k, block);
            const double inside = uniform && !walked ? inside_block : visited(k, walked ? 1 : warp_tile(k));
            warps *= inside;
            blocks *= walked ? 1 : inside_block;
            (k == 0 ? first : others) *= inside;
        }
        if (choice_.borders == Borders::mapped) return {0, 1, 1, 0};
        PathShares shares;
        shares.edge = 1 - warps;
        const double both = uniform ? 0 : (1 - first) * others;
        shares.cells = warps + both;
        shares.waits = 1 - blocks;
        shares.late = both > 0 ? std::min(shares.waits, both) : 0;
        return shares;
    }

private:
    const FieldWork& work_;
    const FieldChoice& choice_;
    const std::vector<double>& extents_;

    [[nodiscard]] Rim rim(std::size_t axis) const {
        if (!work_.edges || (axis == 0 && row_ends(work_, choice_) != RowEnds::edge_path)) return {};
        return {static_cast<double>(work_.interior_low[axis]), static_cast<double>(work_.interior_high[axis])};
    }
    /// Cells of a warp along an axis.
    [[nodiscard]] double warp_tile(std::size_t axis) const {
        if (choice_.walk == Walk::flat) return axis == 0 ? warp_threads : 1;
        const int beside = std::min(choice_.threads_x, warp_threads);
        if (axis == 0) return beside * choice_.vector;
        if (axis == 1) return std::min(choice_.threads_y, warp_threads / beside) * choice_.rows;
        return 1;
    }
    /// The part of an axis in tiles that lie in the interior whole.
    [[nodiscard]] double whole(std::size_t axis, double tile) const {
        const auto [low, high] = rim(axis);
        const double tiles = std::floor((extents_[axis] - high) / tile) - std::ceil(low / tile);
        return std::clamp(tiles * tile / extents_[axis], 0.0, 1.0);
    }
    /// The part of an axis in tiles none of whose cells, as far as the grid goes, lies in the rim.
    [[nodiscard]] double visited(std::size_t axis, double tile) const {
        const auto [low, high] = rim(axis);
        if (axis == 0 && choice_.walk == Walk::flat)  // its warps begin anywhere in a row
            return 1 - std::min(1.0, low + high > 0 ? (tile - 1 + low + high) / extents_[axis] : 0.0);
        const double all = std::ceil(extents_[axis] / tile);
        // Rows of a thread that pass the end of the grid are computed one by one.
        const bool ends = high > 0 || (axis == 1 && choice_.rows > 1);
        const double last = ends ? all - std::floor((extents_[axis] - high) / tile) : 0;
        return std::clamp((all - std::ceil(low / tile) - last) / all, 0.0, 1.0);
    }
};

}  // namespace

int cells_in_turn(const FieldSchedule& schedule) {
    const FieldChoice& choice = schedule.choice;
    return schedule.paths.rim ? choice.rows : choice.vector * choice.rows;
}

double edge_evaluations_ns(const FieldSchedule& schedule) {
    const FieldWork& work = *schedule.work;
    const std::size_t mapped = work.edge->computed.size(), own = work.evaluations.size();
    if (!work.edges || mapped <= own) return 0;
    return edge_evaluation_ns * static_cast<double>(mapped - own) * cells_in_turn(schedule);
}

PathShares path_shares(const FieldSchedule& schedule, const std::vector<double>& extents) {
    return WarpPaths(schedule, extents).run();
}

}  // namespace kasc::model
