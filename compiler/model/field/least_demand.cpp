// Each number is one that the schedule's own is not below, or not above where more of it is faster:
//
//   loads of a thread    rows beside each other along the other axes once, with the groups of cells on either side;
//   what
//                        a column has in its queue is loaded as one plane
//   registers            what these loads, stores and results at other cells take, so that no more blocks are resident
//   computing            each call once a cell, and once more for each other row of cells at which it is wanted
//   latency              waits of each plane for memory, for loads behind slow paths and for these paths
//
//   r = exp(-1/T)*a; a = a + r + a[x - 1] + a[x + 1], four cells a thread: loads T, a and the groups on both sides, 4;
//   registers 20 + 4 (0.35 · 4 + 1) = 29
//
// A warp's pieces of rows are known when its rows are: they are no longer than all of its cells, and what it loads is
// not counted. Where it has few blocks, how many stand beside each other hangs on that, and nothing is said.

#include "model/field/least_demand.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "model/constants.hpp"
#include "model/field/walk_costs.hpp"

namespace kasc::model {

double access_efficiency(const FieldFacts& facts, const FieldWork& work, const FieldChoice& choice) {
    const WalkCosts costs = walk_costs(choice);
    const int access = choice.vector * (work.widest == 0 ? 4 : std::min(4, work.widest));
    double efficiency = access >= 16                             ? 1
                        : access == 8 || facts.all_cells_complex ? pair_access_efficiency
                                                                 : author_access_efficiency;
    if (!costs.core && choice.vector * work.widest > 16) efficiency *= wide_access_efficiency;
    const double arrays = static_cast<double>(facts.reads.size() + facts.stores.size());
    if (costs.loops)
        efficiency /= 1 + walking_loss_an_array * std::max(0.0, arrays - walking_arrays_free);
    else
        efficiency /= 1 + rows_loss_a_doubling * std::log2(choice.rows);
    return efficiency;
}

namespace {

class ThreadCount {
public:
    ThreadCount(const FieldFacts& facts, const CellProgram& cell, const FieldChoice& choice)
        : facts_(facts), cell_(cell), choice_(choice), loops_(walk_costs(choice).loops) {}

    LeastThread run() {
        if (choice_.walk != Walk::warp) count_loads();
        count_computed();
        return made_;
    }

private:
    const FieldFacts& facts_;
    const CellProgram& cell_;
    const FieldChoice& choice_;
    const bool loops_;
    LeastThread made_;

    [[nodiscard]] bool is_one_cell() const { return choice_.vector * choice_.rows == 1; }
    /// Where else along the other axes than the first, and than the last that a column walks.
    [[nodiscard]] std::vector<int> row_of(const std::vector<int>& offset) const {
        std::vector<int> row(offset.begin() + (offset.empty() ? 0 : 1), offset.end());
        if (loops_ && !row.empty()) row.back() = 0;
        return row;
    }
    /// Groups of cells from the thread's own.
    [[nodiscard]] int group_of(int step) const {
        return step < 0 ? -((choice_.vector - 1 - step) / choice_.vector)
                        : (step + choice_.vector - 1) / choice_.vector;
    }

    void count_loads() {
        std::map<ValueId, std::set<std::pair<std::vector<int>, int>>> places;
        for (const CellValue& value : cell_.values) {
            if (value.read == nullptr) continue;
            const std::vector<int> offset = sums(cell_.at(value));
            // Threads that compute one cell and are done keep nothing for others.
            if (is_one_cell() && !loops_)
                places[value.value].emplace(offset, 0);
            else
                places[value.value].emplace(row_of(offset), offset.empty() ? 0 : group_of(offset.front()));
        }
        for (const ReadValue& read : facts_.reads) {
            const auto count = static_cast<double>(places[read.value].size());
            made_.loads += count;
            made_.loaded_registers += read.registers * count;
            made_.words += std::max(read.words, 1.0 / choice_.vector) * count;
        }
    }

    /// Threads of several cells compute once what several of them need.
    void count_computed() {
        std::vector<std::set<std::vector<int>>> rows(facts_.of_call.size());
        for (const std::uint32_t k : cell_.computed) {
            std::vector<int> row = row_of(sums(cell_.at(cell_.values[k])));
            if (choice_.rows > 1 && !row.empty()) row.front() = 0;
            rows[cell_.values[k].call].insert(std::move(row));
        }
        for (std::size_t k = 0; k < rows.size(); ++k) {
            if (facts_.evaluations[k] == 0 || rows[k].empty()) continue;
            made_.computing += facts_.of_call[k] / facts_.evaluations[k] * static_cast<double>(rows[k].size());
            made_.slow_ns += facts_.slow_ns[k];
        }
        if (is_one_cell()) made_.computing = facts_.computing;
    }
};

class LeastDemand {
public:
    LeastDemand(const FieldFacts& facts, const FieldWork& work, const LeastThread& thread, double bytes_beside,
                const FieldChoice& choice, const Device& device)
        : facts_(facts),
          work_(work),
          thread_(thread),
          bytes_beside_(bytes_beside),
          choice_(choice),
          device_(device),
          costs_(walk_costs(choice)),
          visited_(choice.walk == Walk::grid ? facts.visited : 1),
          cells_(facts.cells * visited_) {}

    Demand run() {
        Demand demand;
        demand.blocks = blocks() * visited_;
        if (demand.blocks == 0) return {};
        demand.threads = choice_.threads_x * choice_.threads_y * choice_.threads_z;
        double read_bytes = 0;
        for (const ReadValue& read : facts_.reads) read_bytes += read.bytes;
        demand.global_bytes = read_bytes;
        for (const FieldFacts::Stored& store : facts_.stores) demand.global_bytes += store.bytes;
        demand.read_share = demand.global_bytes > 0 ? read_bytes / demand.global_bytes : 1;
        demand.access_efficiency = access_efficiency(facts_, work_, choice_);
        demand.registers = registers();
        demand.extra_bytes = 2 * 4 * std::max(0, demand.registers - most_registers) * cells_ / choice_.vector;
        demand.extra_bytes += bytes_beside_;
        // At most.
        const double sectors = demand.global_bytes > 0 ? 1 + bytes_beside_ / demand.global_bytes : 1;
        demand.in_flight_bytes =
            loads_under_way * facts_.a_cell * sectors * choice_.vector * choice_.rows * choice_.unroll * demand.threads;
        count_work(demand);
        const double planes = costs_.loops ? choice_.chunk : 1;
        demand.block_latency_ns =
            device_.memory_latency_ns * planes / choice_.unroll +
            planes * (waits_for_loads(facts_, thread_.loads) + thread_.slow_ns * choice_.vector * choice_.rows);
        return demand;
    }

private:
    const FieldFacts& facts_;
    const FieldWork& work_;
    const LeastThread& thread_;
    const double bytes_beside_;
    const FieldChoice& choice_;
    const Device& device_;
    const WalkCosts costs_;
    const double visited_, cells_;

    /// 0: not known.
    [[nodiscard]] double blocks() const {
        const std::vector<double>& extents = facts_.extents;
        double blocks = 1;
        std::size_t first = 0;
        if (choice_.walk == Walk::flat && extents.size() > 1)
            blocks = std::ceil(extents[0] * extents[1] / choice_.tile(0)), first = 2;
        for (std::size_t k = first; k < extents.size(); ++k) {
            if (choice_.walk == Walk::flat) {
                blocks *= extents[k];
                continue;
            }
            const bool walked = costs_.loops && k == (choice_.walk == Walk::warp ? 1 : extents.size() - 1);
            blocks *= std::ceil(extents[k] / (walked ? choice_.chunk : choice_.tile(k)));
        }
        if (choice_.walk != Walk::warp) return blocks;
        // With more of them the last round is no larger a part, and no more are resident.
        const double rounds = std::floor(blocks / device_.multiprocessors);
        return rounds < device_.max_blocks_per_multiprocessor ? 0 : rounds * device_.multiprocessors;
    }

    [[nodiscard]] int registers() const {
        double held =
            (facts_.divides_doubles ? loads_live_in_calls : loads_live) * choice_.unroll * thread_.loaded_registers;
        double widest = 1;
        for (const FieldFacts::Stored& store : facts_.stores) {
            widest = std::max(widest, store.registers);
            held += store.registers;
        }
        const std::size_t live = work_.evaluations.size() / 4;
        held = choice_.vector * (held + widest * static_cast<double>(live));
        return base_registers + static_cast<int>(std::min(held + costs_.registers, 4096.0));
    }

    void count_work(Demand& demand) const {
        double accesses = thread_.loads / choice_.rows, words = thread_.words / choice_.rows;
        for (const FieldFacts::Stored& store : facts_.stores) {
            accesses += 1;
            words += std::max(store.words, 1.0 / choice_.vector);
        }
        const double issued = accesses + std::min(grid_overhead_instructions, costs_.instructions) / choice_.rows;
        demand.instructions = thread_.computing + cells_ * issued / choice_.vector;
        demand.shared_lines = cells_ * words / line_words;
    }
};

}  // namespace

LeastDemands::LeastDemands(const FieldFacts& facts, const FieldWork& work, const CellProgram* cell,
                           const Device& device)
    : facts_(facts), work_(work), cell_(cell), device_(device), bytes_beside_(bytes_beside(facts, l2_sector_bytes)) {}

Demand LeastDemands::of(const FieldChoice& choice) {
    const Key key{choice.vector, choice.rows > 1, choice.walk};
    const auto [at, added] = threads_.try_emplace(key);
    if (added && cell_ != nullptr) at->second = ThreadCount(facts_, *cell_, choice).run();
    return LeastDemand(facts_, work_, at->second, bytes_beside_, choice, device_).run();
}

}  // namespace kasc::model
