#include "schedule/field/walk/walk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "schedule/field/walk/pieces.hpp"

namespace kasc {

namespace {

constexpr int most_unrolled = 8;  // beyond, registers are spilled for any stencil with a source

}  // namespace

const FieldWalk& walk_of(const FieldWork& work, Walk walk) {
    if (fold_of(work) != nullptr) return fold_walk();
    if (adds_in_pieces(work.plan)) return pieces_walk();
    switch (walk) {
        case Walk::grid:
            return grid_walk();
        case Walk::flat:
            return flat_walk();
        case Walk::column:
            return column_walk();
        case Walk::warp:
            return warp_walk();
        case Walk::row:
            return row_walk();
        case Walk::stored:
            return stored_walk();
        case Walk::product:
        case Walk::fft:
        case Walk::scan:
        case Walk::line:
            return line_walk();
        case Walk::pipeline:
            return pipeline_walk();
        case Walk::loop:
            return loop_walk();
        case Walk::histogram:
            return histogram_walk();
        case Walk::staged:
            return staged_walk();
    }
    return grid_walk();
}

const FieldWalk& walk_of(const FieldSchedule& schedule) { return walk_of(*schedule.work, schedule.choice.walk); }

double BlockCells::blocks(const std::vector<double>& extents) const {
    double all = 1, through = 1;  // those along the first axis, which count through others
    for (std::size_t k = 0; k < along.size(); ++k) {
        through *= extents[k];
        if (k + 1 >= counted) all *= std::ceil(std::exchange(through, 1.0) / along[k < counted ? 0 : k]);
    }
    return all;
}

std::string FieldWalk::fault(const FieldChoice&, const FieldWork&, const FusionFaults&) const { return {}; }
int FieldWalk::threads(const FieldChoice& choice) const {
    return choice.threads_x * choice.threads_y * choice.threads_z;
}
int FieldWalk::most_shared_bytes() const { return 48 * 1024; }
bool FieldWalk::groups(const FieldChoice& choice) const { return choice.vector > 1; }
bool FieldWalk::has_row_path() const { return false; }
WalkParts FieldWalk::parts(const FieldSchedule&, const Program&, const Graph&) const { return {}; }
FieldChoice FieldWalk::decisive(const FieldChoice& choice) const {
    FieldChoice made = choice;
    made.chunk = 1;
    return made;
}

BlockCells FieldWalk::cells(const FieldSchedule& schedule) const {
    BlockCells cells;
    for (std::size_t k = 0; k < schedule.axes().size(); ++k) cells.along.push_back(schedule.choice.tile(k));
    cells.tiled = std::min<std::size_t>(schedule.axes().size(), 3);
    return cells;
}

block::BlockProgram FieldWalk::block(const FieldSchedule&, const Program&, const Graph&) const {
    return {{}, {cells_step()}};
}

std::string no_loop_fault(const FieldChoice& choice) {
    return choice.chunk != 1 || choice.unroll != 1 ? "only a column or a warp walks along an axis" : "";
}

std::string unroll_fault(const FieldChoice& choice) {
    const bool may = choice.unroll >= 1 && choice.unroll <= most_unrolled;
    return may ? std::string() : fmt::format("a loop is unrolled 1 to {} times", most_unrolled);
}

}  // namespace kasc
