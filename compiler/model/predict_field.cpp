// A field kernel from its loads, evaluations and stores. Each value that it reads is read once, over the axes that the
// value has; a value lacking an axis (broadcast) is small. On top of that:
//
//   halo      a block of 32×8 cells that reads one cell around them takes 34×10 from L2: factor 1.33. From device
//             memory the neighbours' cells come again only where L2 does not hold the planes between two uses, or where
//             blocks that walk along an axis drift apart.
//   L1        one pass a load of a warp; a group of four cells shares the loads of its row; a column keeps what it
//             read along its axis in registers and loads one plane a step.
//
// 2D 5-point stencil, grid 256×1: loads 5 a cell through L1, 8 bytes a cell from memory, registers 20 + 5.

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "model/constants.hpp"
#include "model/parts.hpp"

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
            const bool known = axis.index < problem.extents.size();
            extents_.push_back(static_cast<double>(known ? std::max(1LL, problem.extents[axis.index]) : 1));
            tile_.push_back(1);
        }
        if (!tile_.empty()) tile_[0] = choice_.threads_x * choice_.vector;
        if (tile_.size() > 1) tile_[1] = choice_.threads_y;
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
    }

    Demand run() {
        demand_.threads = choice_.walk == Walk::row ? 1 : choice_.threads_x * choice_.threads_y;
        for (std::size_t k = 0; k < tile_.size(); ++k) demand_.blocks *= std::ceil(extents_[k] / tile_[k]);
        count_reads();
        count_stores();
        count_work();
        count_registers();
        demand_.read_share = demand_.global_bytes > 0 ? read_bytes_ / demand_.global_bytes : 1;
        demand_.access_efficiency = choice_.vector > 1 ? 1 : author_access_efficiency;
        // A thread's own cells are new to the device; what else it reads, other threads read too.
        const double a_cell = static_cast<double>(reads_.size()) * 4;
        demand_.in_flight_bytes = loads_under_way * a_cell * choice_.vector * demand_.threads;
        const double planes = choice_.walk == Walk::column ? choice_.chunk : 1;
        demand_.block_latency_ns = device_.memory_latency_ns * planes;
        return demand_;
    }

private:
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

    void count_reads() {
        double planes_held = 0;
        const std::size_t n = tile_.size();
        for (const auto& [value, read] : reads_) {
            const double plane = n == 0 ? 4 : bytes_of(value) / extents_[n - 1];
            planes_held += plane * (n == 0 ? 1 : read.high[n - 1] - read.low[n - 1] + 1);
        }
        const bool held = planes_held <= l2_share_for_reuse * static_cast<double>(device_.l2_bytes);
        for (const auto& [value, read] : reads_) {
            const double bytes = bytes_of(value);
            read_bytes_ += bytes;
            demand_.l2_bytes += bytes * halo(read, 0, n);
            const std::size_t in_plane = n == 0 ? 0 : n - 1;
            double again = held && choice_.walk != Walk::column ? 1 : halo(read, in_plane, n);
            if (choice_.walk == Walk::column) again *= 1 + walking_halo_missed * (halo(read, 0, in_plane) - 1);
            if (choice_.walk != Walk::row) demand_.extra_bytes += bytes * (again - 1);
        }
        if (choice_.walk == Walk::row) count_rows_again(held);
        demand_.global_bytes += read_bytes_;
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
                bytes_of(value) * (held ? around : around + streamed(read));
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

    /// Loads a cell through L1, in words.
    [[nodiscard]] double words_loaded() const {
        double words = 0;
        for (const auto& [value, read] : reads_) {
            std::set<std::vector<int>>
                rows;  // loads that differ in what is neither shared by a group nor kept in a queue
            for (std::vector<int> offset : read.offsets) {
                if (choice_.walk == Walk::column && !offset.empty()) offset.back() = 0;
                if (choice_.vector > 1 && !offset.empty()) offset[0] = (offset[0] > 0) - (offset[0] < 0);
                rows.insert(std::move(offset));
            }
            words += static_cast<double>(rows.size());
        }
        return words;
    }

    void count_work() {
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
        }
        const double words = words_loaded() + static_cast<double>(schedule_.stores.size());
        const double overhead = choice_.walk == Walk::column ? column_overhead_instructions
                                : choice_.walk == Walk::grid ? grid_overhead_instructions
                                                             : 0;
        demand_.shared_lines = cells_ * words / line_words;
        demand_.instructions = demand_.flops + cells_ * (words + overhead) / choice_.vector;
    }

    void count_registers() {
        std::size_t held = 0;
        for (const auto& [value, read] : reads_) {
            const std::size_t n = tile_.size();
            std::set<std::vector<int>> queues;
            for (std::vector<int> offset : read.offsets) {
                if (choice_.walk == Walk::column && n > 0) offset.back() = 0;
                queues.insert(std::move(offset));
            }
            const int queue = choice_.walk == Walk::column && n > 0 ? read.high[n - 1] - read.low[n - 1] : 0;
            held += queues.size() + static_cast<std::size_t>(queue);
        }
        held = (held + schedule_.stores.size()) * static_cast<std::size_t>(choice_.vector);
        // Evaluations at other cells keep their results until they are used: a quarter of them live at a time.
        held += schedule_.evaluations.size() / 4 * static_cast<std::size_t>(choice_.vector);
        demand_.registers = base_registers + static_cast<int>(std::min<std::size_t>(held, 4096));
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
