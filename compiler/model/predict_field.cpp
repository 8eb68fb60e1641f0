// A field kernel from its loads, evaluations and stores. Each value that it reads is read once, over the axes that the
// value has; a value lacking an axis (broadcast) is small. On top of that:
//
//   halo      a block of 32×8 cells that reads one cell around them takes 34×10 from L2: factor 1.33. From device
//             memory the neighbours' cells come again only where L2 no longer holds what lies between two uses: the
//             blocks in flight along the first axes, a layer of blocks along the last.
//   L1        one pass a load of a warp; a group of cells shares the loads of its row, rows of a thread share theirs; a
//             column keeps what it read along its axis in registers and loads one plane a step. Tiles in shared memory
//             are filled once and pass the same port.
//
// 2D 5-point stencil, grid 256×1: loads 5 a cell through L1, 8 bytes a cell from memory, registers 20 + 3.

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "model/constants.hpp"
#include "model/instruction_count.hpp"
#include "model/parts.hpp"
#include "model/reads_made.hpp"
#include "schedule/calls_functions.hpp"

namespace kasc::model {

namespace {

struct ReadValue {
    std::set<std::vector<int>> offsets;
    std::vector<int> low, high;  // by axis of the kernel
};

class FieldDemand {
public:
    FieldDemand(const FieldSchedule& schedule, const Program& program, const Graph& graph, const Device& device,
                const Problem& problem)
        : schedule_(schedule), choice_(schedule.choice), program_(program), graph_(graph), device_(device) {
        for (AxisId axis : schedule.axes) {
            extents_.push_back(static_cast<double>(extent_of(problem, axis)));
            tile_.push_back(1);
        }
        for (std::size_t k = 0; k < tile_.size(); ++k) tile_[k] = choice_.tile(k);
        if (!tile_.empty() && choice_.walk == Walk::column) tile_.back() = choice_.chunk;
        for (const ValueAt& load : schedule.loads) {
            ReadValue& r = reads_.try_emplace(load.value, ReadValue{{}, load.offset, load.offset}).first->second;
            r.offsets.insert(load.offset);
            for (std::size_t k = 0; k < load.offset.size(); ++k) {
                r.low[k] = std::min(r.low[k], load.offset[k]);
                r.high[k] = std::max(r.high[k], load.offset[k]);
            }
        }
        for (double e : extents_) cells_ *= e;
        find_made();
    }

    Demand run() {
        const bool shared = choice_.neighbours == Neighbours::shared;
        const double planes = choice_.walk == Walk::column ? choice_.chunk : 1;
        demand_.threads = choice_.walk == Walk::row ? 1 : choice_.threads_x * choice_.threads_y * choice_.threads_z;
        demand_.shared_bytes_per_block = schedule_.shared_bytes;
        count_blocks();
        if (shared) demand_.barriers = static_cast<int>(planes);
        count_registers();
        count_reads();
        count_stores();
        count_halos();
        count_work();
        demand_.read_share = demand_.global_bytes > 0 ? read_bytes_ / demand_.global_bytes : 1;
        demand_.access_efficiency = choice_.vector == 4                          ? 1
                                    : choice_.vector == 2 || all_cells_complex() ? pair_access_efficiency
                                                                                 : author_access_efficiency;
        if (extents_.size() > 1) demand_.access_efficiency *= busy_threads();
        const double arrays = static_cast<double>(reads_.size() + schedule_.stores.size());
        if (choice_.walk == Walk::column)
            demand_.access_efficiency /= 1 + walking_loss_an_array * std::max(0.0, arrays - walking_arrays_free);
        else
            demand_.access_efficiency /= 1 + rows_loss_a_doubling * std::log2(choice_.rows);
        if (choice_.borders == Borders::uniform && !schedule_.edges) demand_.access_efficiency /= 1 + uniform_loss;
        // A thread's own cells are new to the device; what else it reads, other threads read too.
        double a_cell = 0;
        for (const auto& [value, read] : reads_)
            a_cell += static_cast<double>(cell_bytes(field_shape(program_, graph_.values[value].variable).type));
        const double a_thread = a_cell * choice_.vector * choice_.rows * choice_.unroll;
        const double under_way = loads_under_way * (shared ? under_way_between_barriers : 1);
        demand_.in_flight_bytes = under_way * a_thread * demand_.threads;
        // Filling the queues, or a tile, is one wait more than the planes.
        const double waits = planes / choice_.unroll + (planes > 1 || shared ? 1 : 0);
        demand_.block_latency_ns = device_.memory_latency_ns * waits + device_.barrier_ns * demand_.barriers;
        return demand_;
    }

private:
    /// Values of which more than a few cells are read. Marks are read whole: the few bytes of each row that are used
    /// cost as much as the row, 42 to 53 us for 134 MB of them.
    void find_made() {
        for (const Evaluation& e : schedule_.evaluations) {
            const Node& node = graph_.nodes[e.call];
            const auto& update = std::get<FieldUpdate>(node.what);
            const std::vector<bool> made = reads_made(program_, update.statement);
            for (std::size_t k = 0; k < made.size(); ++k) {
                if (made[k]) made_.insert(node.reads[k]);
            }
            if (update.former) made_.insert(*update.former);
            if (update.statement.precision == Precision::dual) in_double_.insert(node.reads.begin(), node.reads.end());
        }
    }
    [[nodiscard]] double read_bytes_of(ValueId value) const { return made_.contains(value) ? bytes_of(value) : 0; }

    [[nodiscard]] double bytes_of(ValueId value, const std::vector<AxisId>& without = {}) const {
        const FieldShape& field = field_shape(program_, graph_.values[value].variable);
        const std::vector<AxisId>& axes = field.axes;
        double bytes = static_cast<double>(cell_bytes(field.type));
        for (std::size_t k = 0; k < schedule_.axes.size(); ++k) {
            const AxisId axis = schedule_.axes[k];
            const bool has = std::find(axes.begin(), axes.end(), axis) != axes.end();
            if (has && std::find(without.begin(), without.end(), axis) == without.end()) bytes *= extents_[k];
        }
        return bytes;
    }

    /// Cells of a block with their halo against its own, along axes [first, last): a star has no corners.
    [[nodiscard]] double halo(const ReadValue& read, std::size_t first, std::size_t last) const {
        const bool star = std::all_of(read.offsets.begin(), read.offsets.end(), [](const std::vector<int>& offset) {
            return std::count(offset.begin(), offset.end(), 0) + 1 >= static_cast<std::ptrdiff_t>(offset.size());
        });
        double box = 1, arms = 1;
        for (std::size_t k = first; k < last; ++k) {
            const double arm = (read.high[k] - read.low[k]) / tile_[k];
            box *= 1 + arm;
            arms += arm;
        }
        return star ? arms : box;
    }

    void count_blocks() {
        if (choice_.walk == Walk::flat) {
            demand_.blocks = std::ceil(extents_[0] * extents_[1] / tile_[0]) * cells_ / (extents_[0] * extents_[1]);
            return;
        }
        for (std::size_t k = 0; k < tile_.size(); ++k) demand_.blocks *= std::ceil(extents_[k] / tile_[k]);
    }

    /// The part of the threads that have cells: rows end within a block.
    [[nodiscard]] double busy_threads() const {
        if (choice_.walk == Walk::flat || choice_.walk == Walk::row || tile_.empty()) return 1;
        return extents_[0] / (std::ceil(extents_[0] / tile_[0]) * tile_[0]);
    }

    void count_reads() {
        for (const auto& [value, read] : reads_) {
            const double bytes = read_bytes_of(value);
            read_bytes_ += bytes;
            demand_.l2_bytes += bytes * (1 + (halo(read, 0, tile_.size()) - 1) * (1 - halo_found_in_l1));
        }
        demand_.global_bytes += read_bytes_;
    }

    /// What of a halo L2 does not hold any more when so many bytes were touched since its last use.
    [[nodiscard]] double missed(double between) const {
        const double doublings =
            std::log2(std::max(1.0, between / static_cast<double>(std::max(1L, device_.l2_bytes))));
        return std::min(1.0, halo_missed_a_doubling * doublings);
    }

    /// Halos that come from device memory again.
    void count_halos() {
        if (tile_.empty()) return;
        const std::size_t last = tile_.size() - 1;
        if (choice_.walk == Walk::row) return count_rows_again(shared_cache_holds(last));
        const double of_grid = demand_.global_bytes / demand_.blocks;
        const double in_flight =
            std::min(demand_.blocks, static_cast<double>(resident_blocks(demand_, device_)) * device_.multiprocessors);
        const double between_tiles = in_flight * of_grid;
        // A layer of blocks along the last axis, with the planes that its own halo reaches.
        double layer = 0;
        for (const auto& [value, read] : reads_)
            layer += read_bytes_of(value) / extents_[last] * (tile_[last] + read.high[last] - read.low[last]);
        layer += (demand_.global_bytes - read_bytes_) / extents_[last] * tile_[last];
        for (const auto& [value, read] : reads_) {
            const double beside = halo(read, 0, last) - 1;
            const double along = halo(read, last, last + 1) - 1;
            demand_.extra_bytes += read_bytes_of(value) *
                                   (beside * missed(between_tiles) + along * missed(std::max(layer, between_tiles)));
        }
    }

    /// All planes that a row's neighbours lie in.
    [[nodiscard]] bool shared_cache_holds(std::size_t last) const {
        double planes = 0;
        for (const auto& [value, read] : reads_)
            planes += read_bytes_of(value) / extents_[last] * (read.high[last] - read.low[last] + 1);
        return planes <= l2_share_for_reuse * static_cast<double>(device_.l2_bytes);
    }

    /// A core takes the planes of a tile one after the other (kernel/field_walk_row.cpp). Where they stay in its own
    /// cache, only the rows around the tile come again; else each plane and row once a cell that reads it, from the
    /// cache that the cores share where that holds whole planes.
    void count_rows_again(bool shared_holds) {
        if (tile_.size() < 2) return;
        const bool planes = tile_.size() > 2;
        const std::size_t stream = planes ? 2 : 1;
        const auto streamed = [&](const ReadValue& read) { return read.high[stream] - read.low[stream]; };
        const auto beside = [&](const ReadValue& read) { return planes ? read.high[1] - read.low[1] : 0; };
        double tiles = 0;
        for (const auto& [value, read] : reads_) {
            // Whole pieces: how long rows will be is not known when a program is compiled.
            if (streamed(read) > 0)
                tiles += 4.0 * choice_.threads_x * (choice_.threads_y + beside(read)) * (streamed(read) + 1);
        }
        const bool held = tiles <= l2_share_for_reuse * static_cast<double>(device_.core_cache_bytes);
        for (const auto& [value, read] : reads_) {
            if (streamed(read) == 0) continue;
            const double around = static_cast<double>(beside(read)) / choice_.threads_y;
            (held || !shared_holds ? demand_.extra_bytes : demand_.from_l2_bytes) +=
                read_bytes_of(value) * (held ? around : around + streamed(read));
        }
    }

    void count_stores() {
        for (const FieldStore& store : schedule_.stores) {
            std::vector<AxisId> fixed;
            for (const auto& [axis, position] : store.fixed) fixed.push_back(axis);
            const double bytes = bytes_of(store.value, fixed);
            demand_.global_bytes += bytes;
            demand_.l2_bytes += bytes;
            for (AxisId axis : fixed) stored_at_[store.call].insert(axis);
        }
    }

    /// Loads of a thread and plane that differ in what is neither shared by a group nor kept in a queue.
    [[nodiscard]] std::size_t loads_of(const ReadValue& read) const {
        const bool queue = choice_.walk == Walk::column && choice_.neighbours != Neighbours::cache;
        std::set<std::vector<int>> loads;
        for (int row = 0; row < choice_.rows; ++row) {
            for (std::vector<int> offset : read.offsets) {
                if (offset.size() > 1) offset[1] += row;
                if (queue && offset.size() > 1 && stands_in_column(offset)) offset.back() = 0;
                if (choice_.vector > 1 && !offset.empty()) offset[0] = (offset[0] > 0) - (offset[0] < 0);
                loads.insert(std::move(offset));
            }
        }
        return loads.size();
    }
    [[nodiscard]] bool stands_in_column(const std::vector<int>& offset) const {
        return std::all_of(offset.begin(), offset.end() - 1,
                           [&](const int& o) { return o == 0 || (&o == &offset[1] && o > 0 && o < choice_.rows); });
    }

    /// Accesses, counted each by itself, and what they take of L1 or shared memory, in words of 4 bytes.
    struct Passed {
        double accesses = 0, words = 0;
        void add(double cells, double words_a_cell) { accesses += cells, words += cells * words_a_cell; }
    };
    /// A double takes two words; a byte one, a group of four bytes the same.
    [[nodiscard]] double words_of(ValueId value) const {
        const CellType type = field_shape(program_, graph_.values[value].variable).type;
        return std::max(static_cast<double>(cell_bytes(type)) / 4, 1.0 / choice_.vector);
    }

    /// For each cell.
    [[nodiscard]] Passed moved() const {
        Passed all;
        for (const auto& [value, read] : reads_)
            all.add(static_cast<double>(loads_of(read)) / choice_.rows, words_of(value));
        for (const FieldStore& store : schedule_.stores) all.add(1, words_of(store.value));
        return all;
    }
    /// Of the tiles, for each cell.
    [[nodiscard]] Passed filled() const {
        Passed all;
        const double planes = choice_.walk == Walk::column ? choice_.chunk : 1;
        for (const SharedTile& tile : schedule_.tiles)
            all.add(tile.words * planes * demand_.blocks / std::max(1.0, cells_), words_of(tile.value));
        return all;
    }

    void count_work() {
        double computing = 0;
        for (const Evaluation& e : schedule_.evaluations) {
            const auto& update = std::get<FieldUpdate>(graph_.nodes[e.call].what);
            double cells = cells_;
            for (std::size_t k = 0; k < schedule_.axes.size(); ++k) {
                if (const auto at = stored_at_.find(e.call);
                    at != stored_at_.end() && at->second.contains(schedule_.axes[k])) {
                    cells /= extents_[k];
                }
            }
            demand_.flops += cells * operation_count(*update.statement.value);
            computing += cells * instruction_count(*update.statement.value);
        }
        const Passed own = moved(), tiles = filled();
        const double overhead = choice_.walk == Walk::column ? column_overhead_instructions
                                : choice_.walk == Walk::grid ? grid_overhead_instructions
                                : choice_.walk == Walk::flat ? grid_overhead_instructions + division_instructions
                                                             : 0;
        demand_.shared_lines = cells_ * (own.words + 2 * tiles.words) / line_words;
        const double issued = own.accesses + overhead / choice_.rows + tiles.accesses * fill_instructions;
        demand_.instructions = computing + cells_ * issued / choice_.vector;
        if (choice_.walk != Walk::row)
            demand_.instructions += row_ends() * (computing + cells_ * (own.accesses + overhead));
    }

    /// The share of the cells that wait for the edge path at the ends of a row: those of the warps, or with uniform
    /// borders the blocks, that hold an end. Their warps go through both paths, one cell a thread at a time.
    [[nodiscard]] double row_ends() const {
        if (!schedule_.edges || extents_.empty() || (schedule_.rim_in_groups && choice_.vector > 1)) return 0;
        const int ends = (schedule_.interior_low[0] > 0 ? 1 : 0) + (schedule_.interior_high[0] > 0 ? 1 : 0);
        const double threads =
            choice_.borders == Borders::uniform ? choice_.threads_x : std::min(choice_.threads_x, warp_threads);
        return std::min(1.0, ends * threads * choice_.vector / extents_[0]);
    }

    /// Of what is stored: their reals may be read beside them.
    [[nodiscard]] bool all_cells_complex() const {
        return std::all_of(schedule_.stores.begin(), schedule_.stores.end(), [&](const FieldStore& store) {
            return is_complex(field_shape(program_, graph_.values[store.value].variable).type);
        });
    }

    /// A register has 32 bits; bytes are held one a register.
    [[nodiscard]] double registers_of(ValueId value) const {
        const CellType type = field_shape(program_, graph_.values[value].variable).type;
        return std::max(1.0, static_cast<double>(cell_bytes(type)) / 4);
    }

    /// exp, pow and their like in double: a call holds a dozen words of its own beside what the thread holds.
    [[nodiscard]] bool calls_double_functions() const {
        return std::any_of(schedule_.evaluations.begin(), schedule_.evaluations.end(), [&](const Evaluation& e) {
            const FieldStatement& statement = std::get<FieldUpdate>(graph_.nodes[e.call].what).statement;
            return statement.precision == Precision::dual && calls_functions(*statement.value);
        });
    }
    /// Registers of a cell's own words: read at the cell itself, and stored.
    [[nodiscard]] double own_words() const {
        double words = 0;
        for (const auto& [value, read] : reads_) {
            const bool own = std::any_of(read.offsets.begin(), read.offsets.end(), [](const std::vector<int>& offset) {
                return std::all_of(offset.begin(), offset.end(), [](int o) { return o == 0; });
            });
            if (own) words += registers_of(value);
        }
        for (const FieldStore& store : schedule_.stores) words += registers_of(store.value);
        return words * choice_.rows;
    }

    void count_registers() {
        const bool queues = choice_.walk == Walk::column && choice_.neighbours != Neighbours::cache;
        double queued = 0, loaded = 0;
        for (const auto& [value, read] : reads_) {
            const double each = std::max(registers_of(value), in_double_.contains(value) ? converted_registers : 1.0);
            loaded += each * static_cast<double>(loads_of(read));
            if (queues) queued += each * choice_.rows * (read.high.back() - read.low.back());
        }
        double held = queued + loads_live * choice_.unroll * loaded;
        double widest = 1;  // what is computed has the precision of what it is stored as
        for (const FieldStore& store : schedule_.stores) {
            widest = std::max(widest, registers_of(store.value));
            held += registers_of(store.value);
        }
        // Evaluations at other cells keep their results until they are used: a quarter of them live at a time.
        held += widest * static_cast<double>(schedule_.evaluations.size() / 4);
        held *= choice_.vector;
        if (choice_.walk == Walk::column)
            held += column_registers;
        else if (choice_.rows > 1)
            held += rows_registers;
        if (calls_double_functions()) held = std::max(held, choice_.vector * own_words() + double_function_registers);
        demand_.registers = base_registers + static_cast<int>(std::min(held, 4096.0));
        const double spilled = std::max(0, demand_.registers - most_registers);
        demand_.extra_bytes += 2 * 4 * spilled * cells_ / choice_.vector;
    }

    const FieldSchedule& schedule_;
    const FieldChoice& choice_;
    const Program& program_;
    const Graph& graph_;
    const Device& device_;
    std::vector<double> extents_, tile_;
    std::map<ValueId, ReadValue> reads_;
    std::set<ValueId> made_, in_double_;
    std::map<NodeId, std::set<AxisId>> stored_at_;
    double cells_ = 1, read_bytes_ = 0;
    Demand demand_;
};

}  // namespace

Prediction predict_field(const FieldSchedule& schedule, const Program& program, const Graph& graph,
                         const Device& device, const Problem& problem) {
    return predict(FieldDemand(schedule, program, graph, device, problem).run(), device);
}

}  // namespace kasc::model
