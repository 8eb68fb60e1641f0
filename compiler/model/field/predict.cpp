// A field kernel from its loads, evaluations and stores. Each value that it reads is read once, over the axes that the
// value has. On top of that:
//
//   lacking   blocks along an axis that a value lacks read its words again, from L2, and where more lies between two
//             uses than that holds, from memory; what multiprocessors hold themselves is none of that.
//   halo      a block of 32×8 cells that reads one cell around them takes 34×10 from L2: factor 1.33. From device
//             memory the neighbours' cells come again only where L2 no longer holds what lies between two uses: the
//             blocks in flight along the first axes, a layer of blocks along the last.
//   L1        one pass a load of a warp; a group of cells shares the loads of its row, rows of a thread share theirs; a
//             column keeps what it read along its axis in registers and loads one plane a step. Tiles in shared memory
//             are filled once and pass the same port.
//
// 2D 5-point stencil, grid 256×1: loads 5 a cell through L1, 8 bytes a cell from memory, registers 20 + 3.

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "model/constants.hpp"
#include "model/field/additions.hpp"
#include "model/field/code_count.hpp"
#include "model/field/facts.hpp"
#include "model/field/lacked_axes.hpp"
#include "model/field/last_block.hpp"
#include "model/field/least_demand.hpp"
#include "model/field/loads.hpp"
#include "model/field/paths.hpp"
#include "model/field/prologue.hpp"
#include "model/field/walk_costs.hpp"
#include "model/field/warp.hpp"
#include "model/field/words_of_cells.hpp"
#include "model/parts.hpp"
#include "schedule/field/walk/walk.hpp"

namespace kasc {
namespace model {

namespace {

class FieldDemand {
public:
    FieldDemand(const FieldFacts& facts, const FieldSchedule& schedule, const Device& device,
                std::map<ThreadKey, ThreadCounts>& threads, Code& code, StatementCosts& costs)
        : facts_(facts),
          code_(code),
          of_statements_(costs),
          schedule_(schedule),
          choice_(schedule.choice),
          device_(device),
          extents_(facts.extents),
          walk_(walk_of(schedule)),
          costs_(walk_costs(schedule.choice)),
          block_(walk_.cells(schedule)),
          tile_(block_.along.begin(), block_.along.end()),
          column_(schedule.kept<ColumnParts>()),
          warp_(schedule.kept<WarpParts>()),
          staged_(schedule.kept<StagedParts>()),
          visited_(schedule.choice.walk == Walk::grid ? facts.visited : 1),
          cells_(facts.cells * visited_) {
        if (warp_ != nullptr)
            for (const ReadValue& read : facts.reads) warps_.push_back(warp_traffic(*warp_, read.value));
        const bool queue = costs_.loops && choice_.neighbours != Neighbours::cache;
        const auto [at, added] = threads.try_emplace({schedule.paths.cells.get(), choice_.vector, choice_.walk, queue});
        if (added) at->second = count_thread(schedule, facts);
        thread_ = &at->second;
        loads_ = &thread_->loads;
        if (!costs_.core) paths_ = path_shares(schedule, extents_);
    }

    Demand run() {
        const bool shared = choice_.neighbours == Neighbours::shared || staged_ != nullptr;
        const double planes = costs_.loops ? choice_.chunk : 1;
        demand_.threads = walk_.threads(choice_);
        demand_.shared_bytes_per_block = shared_bytes(*schedule_.block);
        demand_.blocks = std::max(1.0, block_.blocks(extents_) * visited_);
        demand_.barriers = barriers_met(*schedule_.block);
        count_registers();
        count_reads();
        count_stores();
        count_halos();
        count_work();
        if (!costs_.core) add_additions(demand_, facts_, schedule_);
        if (!costs_.core && block_.counted == 0) demand_.extra_bytes += torn_bytes(facts_, tile_, choice_.rows);
        if (!costs_.core) {
            const Crossed crossed = crossed_by_blocks(facts_, tile_, costs_.loops);
            demand_.extra_bytes += crossed.bytes, demand_.crossed_lines += crossed.lines;
            const StridedPasses strided = strided_passes(facts_, staged_);
            demand_.l2_bytes += strided.l2_bytes, demand_.crossed_lines += strided.lines;
        }
        const double beside = bytes_beside(facts_, costs_.core ? cpu_line_bytes : l2_sector_bytes);
        demand_.extra_bytes += beside;
        const double scattered = costs_.core ? 0 : beside;
        demand_.read_share = demand_.global_bytes > 0 ? read_bytes_ / demand_.global_bytes : 1;
        demand_.access_efficiency = access_efficiency(facts_, *schedule_.work, choice_);
        demand_.access_efficiency /= 1 + split_warps_loss * paths_.late;
        if (scattered > 0)
            demand_.access_efficiency *=
                1 - (1 - scattered_efficiency) * scattered / (scattered + demand_.global_bytes);
        if (choice_.borders == Borders::uniform && !schedule_.work->edges)
            demand_.access_efficiency /= 1 + uniform_loss;
        // A thread's own cells are new to the device; what else it reads, other threads read too.
        const double sectors = demand_.global_bytes == 0 ? 1 : 1 + scattered / demand_.global_bytes;
        const double a_thread = facts_.a_cell * sectors * choice_.vector * choice_.rows * choice_.unroll;
        const double under_way = loads_under_way * (shared ? under_way_between_barriers : 1);
        demand_.in_flight_bytes = under_way * a_thread * demand_.threads * busy_threads();
        // Filling the queues, or a tile, is one wait more than the planes.
        const double waits = planes / choice_.unroll + (planes > 1 || shared ? 1 : 0);
        const double edge_waits = (1 + edge_wait * (cells_in_turn(schedule_) - 1)) * planes;
        const double of_blocks = waits * (1 - paths_.waits + paths_.late) + edge_waits * paths_.waits;
        demand_.block_latency_ns = device_.memory_latency_ns * of_blocks + device_.barrier_ns * demand_.barriers;
        double loads = 0;
        for (const double each : *loads_) loads += each;
        demand_.block_latency_ns += waits_for_loads(facts_, loads) * planes;
        demand_.block_latency_ns += waits_for_slow_paths() * planes;
        demand_.block_latency_ns += additions_wait_ns(schedule_) + waits_for_edge();
        return demand_;
    }

private:
    /// Cells of a block with their halo against its own, along axes [first, last): a star has no corners.
    [[nodiscard]] double halo(const ReadValue& read, std::size_t first, std::size_t last) const {
        double box = 1, arms = 1;
        for (std::size_t k = first; k < last; ++k) {
            const double arm = (read.high[k] - read.low[k]) / tile_[k];
            box *= 1 + arm;
            arms += arm;
        }
        return read.star ? arms : box;
    }

    /// The part of the threads that have cells: rows end within a block.
    [[nodiscard]] double busy_threads() const {
        if (block_.counted > 0 || costs_.core || extents_.size() < 2) return 1;
        return extents_[0] / (std::ceil(extents_[0] / tile_[0]) * tile_[0]);
    }

    /// Threads for a group of cells in a warp's walk: those at a warp's ends, and beyond the grid, load and exchange
    /// too.
    [[nodiscard]] double threads_a_group() const {
        if (warp_ == nullptr) return 1;
        return std::ceil(extents_[0] / tile_[0]) * choice_.threads_x * choice_.vector / extents_[0];
    }
    /// What a warp moves of a row against its cells: it loads those of its neighbours too, and begins anywhere.
    [[nodiscard]] double sectors(int cells, double cell_bytes) const {
        if (warp_ == nullptr) return 1;
        return sector_bytes(cells * cell_bytes, choice_.vector * cell_bytes) / (warp_->piece.cells * cell_bytes);
    }

    void count_reads() {
        for (const ReadValue& read : facts_.reads) {
            read_bytes_ += read.bytes;
            const double again = 1 + (halo(read, 0, tile_.size()) - 1) * (1 - halo_found_in_l1);
            const bool exchanges = warp_ != nullptr && read.low[0] != read.high[0];
            const int cells = exchanges ? warp_threads * choice_.vector : own_cells();
            demand_.l2_bytes += read.bytes * again * sectors(cells, read.cell);
        }
        if (!costs_.core) {
            const ReadAgain again = read_along_lacked(facts_, tile_, [&](double between) { return missed(between); });
            demand_.l2_bytes += again.l2_bytes, demand_.extra_bytes += again.missed_bytes;
        }
        demand_.global_bytes += read_bytes_;
    }

    /// Cells that a warp has of its own along the first axis.
    [[nodiscard]] int own_cells() const { return warp_ != nullptr ? warp_->piece.cells : 0; }

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
        if (costs_.core) return count_rows_again(shared_cache_holds(last));
        const double of_grid = demand_.global_bytes / demand_.blocks;
        const double in_flight =
            std::min(demand_.blocks, static_cast<double>(resident_blocks(demand_, device_)) * device_.multiprocessors);
        const double between_tiles = in_flight * of_grid;
        // A layer of blocks along the last axis, with the planes that its own halo reaches.
        double layer = 0;
        for (const ReadValue& read : facts_.reads)
            layer += read.bytes / extents_[last] * (tile_[last] + read.high[last] - read.low[last]);
        layer += (demand_.global_bytes - read_bytes_) / extents_[last] * tile_[last];
        for (const ReadValue& read : facts_.reads) {
            const double beside = halo(read, 0, last) - 1;
            const double along = halo(read, last, last + 1) - 1;
            demand_.extra_bytes +=
                read.bytes * (beside * missed(between_tiles) + along * missed(std::max(layer, between_tiles)));
        }
    }

    /// All planes that a row's neighbours lie in.
    [[nodiscard]] bool shared_cache_holds(std::size_t last) const {
        double planes = 0;
        for (const ReadValue& read : facts_.reads)
            planes += read.bytes / extents_[last] * (read.high[last] - read.low[last] + 1);
        return planes <= l2_share_for_reuse * static_cast<double>(device_.l2_bytes);
    }

    /// A core takes the planes of a tile one after the other (lower/walk/row.cpp). Where they stay in its own
    /// cache, only the rows around the tile come again; else each plane and row once a cell that reads it, from the
    /// cache that the cores share where that holds whole planes.
    void count_rows_again(bool shared_holds) {
        if (tile_.size() < 2) return;
        const bool planes = tile_.size() > 2;
        const std::size_t stream = planes ? 2 : 1;
        const auto streamed = [&](const ReadValue& read) { return read.high[stream] - read.low[stream]; };
        const auto beside = [&](const ReadValue& read) { return planes ? read.high[1] - read.low[1] : 0; };
        double tiles = 0;
        for (const ReadValue& read : facts_.reads) {
            // Whole pieces: how long rows will be is not known when a program is compiled.
            if (streamed(read) > 0)
                tiles += 4.0 * choice_.threads_x * (choice_.threads_y + beside(read)) * (streamed(read) + 1);
        }
        const bool held = tiles <= l2_share_for_reuse * static_cast<double>(device_.core_cache_bytes);
        for (const ReadValue& read : facts_.reads) {
            if (streamed(read) == 0) continue;
            const double around = static_cast<double>(beside(read)) / choice_.threads_y;
            (held || !shared_holds ? demand_.extra_bytes : demand_.from_l2_bytes) +=
                read.bytes * (held ? around : around + streamed(read));
        }
    }

    void count_stores() {
        for (const FieldFacts::Stored& store : facts_.stores) {
            demand_.global_bytes += store.bytes;
            demand_.l2_bytes += store.bytes * sectors(own_cells(), 4 * store.words);
        }
    }

    /// Accesses, counted each by itself, and what they take of L1 or shared memory, in words of 4 bytes.
    struct Passed {
        double accesses = 0, words = 0;
        void add(double cells, double words_a_cell) { accesses += cells, words += cells * words_a_cell; }
    };
    /// A double takes two words; a byte one, a group of four bytes the same.
    [[nodiscard]] double words_of(double words) const { return std::max(words, 1.0 / choice_.vector); }

    /// For each cell.
    [[nodiscard]] Passed moved() const {
        Passed all;
        for (std::size_t k = 0; k < facts_.reads.size(); ++k) {
            const ReadValue& read = facts_.reads[k];
            const double words = read.same_along_first ? 1.0 / choice_.vector : words_of(read.words);
            const double planes = costs_.loops && read.same_along_last ? choice_.chunk : 1;
            all.add((*loads_)[k] / (choice_.rows * planes), words);
            if (warp_ == nullptr) continue;
            all.add(threads_a_group() * warps_[k].loads, words);
            // A shuffle moves a word of each thread, a vector's one by one.
            all.add(threads_a_group() * warps_[k].exchanged * std::ceil(facts_.reads[k].words), 1.0 / choice_.vector);
        }
        for (const FieldFacts::Stored& store : facts_.stores) all.add(1, words_of(store.words));
        all.add(thread_->of_all_cells / choice_.rows, 1.0 / choice_.vector);
        return all;
    }
    /// Accesses and words that fill the tiles, for each cell.
    [[nodiscard]] Passed filled() const {
        Passed all;
        const double planes = column_ != nullptr ? choice_.chunk : 1;
        for (const SharedTile& tile : schedule_.tiles) {
            const auto read = std::find_if(facts_.reads.begin(), facts_.reads.end(),
                                           [&](const ReadValue& r) { return r.value == tile.value; });
            all.add(tile.words * planes * demand_.blocks / std::max(1.0, cells_), words_of(read->words));
        }
        return all;
    }

    /// For each cell: numbers of 16 bits become floats on the way into registers, and floats them on the way back.
    [[nodiscard]] double converted() const {
        double words = 0;
        for (std::size_t k = 0; k < facts_.reads.size(); ++k)
            if (facts_.reads[k].cell == 2) words += (*loads_)[k] / choice_.rows;
        for (const FieldFacts::Stored& store : facts_.stores)
            if (store.words == 0.5) words += 1;
        return words;
    }

    void count_work() {
        const bool at_once = !costs_.core && facts_.calls_double_functions && choice_.vector > 1;
        const double computing = computing_of_threads() * (at_once ? functions_of_groups : 1) + cells_ * converted();
        demand_.flops = facts_.flops;
        const Passed own = moved(), tiles = filled();
        const double overhead = threads_a_group() * costs_.instructions;
        const StagedCost staged = staged_ != nullptr ? staged_cost(*staged_, *schedule_.block) : StagedCost{};
        const double issued =
            own.accesses + overhead / choice_.rows + tiles.accesses * fill_instructions + staged.instructions;
        demand_.instructions = paths_.cells * (computing + cells_ * issued / choice_.vector);
        demand_.shared_lines = cells_ * (own.words + 2 * (tiles.words + staged.words)) / line_words;
        if (costs_.core) return;
        count_code(own.accesses + overhead / choice_.rows);
        demand_.instructions += paths_.edge * (facts_.computing + cells_ * mapped_instructions());
    }
    /// What a cell of the edge takes beside what it computes.
    [[nodiscard]] double mapped_instructions() const {
        const auto stores = static_cast<double>(facts_.stores.size());
        const double accesses = static_cast<double>(schedule_.work->loads.size()) + stores;
        if (!schedule_.paths.rim)
            return edge_overhead_instructions + accesses + neighbours() * edge_access_instructions;
        const std::vector<CellValue>& values = schedule_.paths.rim->values;
        const auto rows = static_cast<double>(
            std::count_if(values.begin(), values.end(), [](const CellValue& v) { return v.read != nullptr; }));
        return (edge_overhead_instructions + stores + rows * edge_access_instructions) / choice_.vector;
    }
    [[nodiscard]] double computing_of_threads() const {
        return choice_.vector * choice_.rows == 1 || costs_.core ? facts_.computing : thread_->computing;
    }
    /// What a thread waits in a plane.
    [[nodiscard]] double waits_for_slow_paths() const { return costs_.core ? 0 : thread_->slow_ns; }
    /// Counts the code of the path that nearly all warps take, with one iteration of each loop. `beside`: instructions
    /// of a group of cells beside what they compute.
    void count_code(double beside) {
        const auto held = static_cast<double>(device_.instruction_cache_bytes);
        const auto bytes = [&](double a_cell) {
            return instruction_bytes * choice_.unroll * choice_.rows * (choice_.vector * a_cell + beside);
        };
        if (held == 0 || bytes(facts_.code_at_most) <= held) return;
        if (!code_) code_ = code_count(*schedule_.work, of_statements_);
        if (const double counted = bytes(*code_); counted > held) demand_.code_bytes = counted;
    }

    /// Words of a cell that are read beside it.
    [[nodiscard]] double neighbours() const {
        return static_cast<double>(schedule_.work->loads.size()) - static_cast<double>(facts_.reads.size());
    }

    /// Where all blocks run at once, the launch ends with those at the edge.
    [[nodiscard]] double waits_for_edge() const {
        const double at_once = resident_blocks(demand_, device_) * static_cast<double>(device_.multiprocessors);
        return costs_.core || demand_.blocks > at_once ? 0 : edge_evaluations_ns(schedule_);
    }

    void count_registers() {
        double queued = 0, loaded = 0;
        for (std::size_t k = 0; k < facts_.reads.size(); ++k) {
            const ReadValue& read = facts_.reads[k];
            const double each = read.registers;
            loaded += each * (*loads_)[k];
            if (column_ != nullptr) {
                for (const ColumnQueue& queue : column_->queues)
                    if (queue.read->value == read.value) queued += each * (queue.high - queue.low);
            }
            if (warp_ == nullptr) continue;
            loaded += each * warps_[k].loads;
            queued += each * (warps_[k].rows + warps_[k].beside / choice_.vector);
        }
        double held = queued + (facts_.divides_doubles ? loads_live_in_calls : loads_live) * choice_.unroll * loaded;
        double widest = 1;  // what is computed has the precision of what it is stored as
        for (const FieldFacts::Stored& store : facts_.stores) {
            widest = std::max(widest, store.registers);
            held += store.registers;
        }
        // Evaluations at other cells keep their results until they are used: a quarter of them live at a time.
        const std::size_t live = schedule_.work->evaluations.size() / 4;
        held += widest * static_cast<double>(live);
        held *= choice_.vector;
        // Calls of all lanes begin when their arguments are there: msolve66 in groups of four has 255 registers
        // (sm_90).
        if (choice_.vector > 1) held = std::max(held, choice_.vector * facts_.called_words);
        held = std::max(held, held_by_all_results(facts_, *thread_, choice_.vector * choice_.rows));
        held += costs_.registers;
        if (facts_.calls_double_functions)
            held = std::max(held, choice_.vector * facts_.own_words * choice_.rows + double_function_registers);
        demand_.registers = base_registers + static_cast<int>(std::min(held, 4096.0));
        const double spilled = std::max(0, demand_.registers - most_registers);
        demand_.extra_bytes += 2 * 4 * spilled * cells_ / choice_.vector;
    }

    const FieldFacts& facts_;
    Code& code_;
    StatementCosts& of_statements_;
    const FieldSchedule& schedule_;
    const FieldChoice& choice_;
    const Device& device_;
    const std::vector<double>& extents_;
    const FieldWalk& walk_;
    WalkCosts costs_;
    BlockCells block_;
    std::vector<double> tile_;  ///< cells of a block, by axis
    const ColumnParts* column_ = nullptr;
    const WarpParts* warp_ = nullptr;
    const StagedParts* staged_ = nullptr;
    const ThreadCounts* thread_ = nullptr;
    const Loads* loads_ = nullptr;
    std::vector<WarpTraffic> warps_{};  ///< by read value, of rows that a warp holds: beside loads_
    double visited_ = 1, cells_ = 1, read_bytes_ = 0;
    PathShares paths_;
    Demand demand_;
};

}  // namespace
}  // namespace model

struct FieldPredictor::Shared {
    Shared(const FieldSchedule& schedule, const Program& program, const Graph& graph, const Device& device,
           const Problem& problem, model::StatementCosts& statement_costs)
        : work(schedule.work),
          cell(schedule.paths.cell),
          costs(statement_costs),
          facts(model::field_facts(schedule, program, graph, problem, statement_costs)),
          prologue(model::prologue_work(*work, program, graph, problem)),
          of_problem(problem),
          least(facts, *work, cell.get(), device) {}

    std::shared_ptr<const FieldWork> work;
    std::shared_ptr<const CellProgram> cell;  ///< null where the schedule has no choice
    model::StatementCosts& costs;
    model::FieldFacts facts;
    model::PrologueWork prologue;
    const Problem& of_problem;
    model::LeastDemands least;
    std::map<model::ThreadKey, model::ThreadCounts> threads;
    model::Code code;
};

FieldPredictor::FieldPredictor(const FieldSchedule& schedule, const Program& program, const Graph& graph,
                               const Device& device, const Problem& problem, model::StatementCosts& costs)
    : device_(device), shared_(std::make_unique<Shared>(schedule, program, graph, device, problem, costs)) {}
FieldPredictor::~FieldPredictor() = default;

double FieldPredictor::at_least(const FieldChoice& choice) const {
    if (device_.kind == DeviceKind::cpu) return 0;
    constexpr double rounding = 1e-9;  // of sums in another order
    return model::predict(shared_->least.of(choice), device_).time_ns * (1 - rounding);
}

Prediction FieldPredictor::of(const FieldSchedule& schedule) {
    model::Demand demand =
        model::FieldDemand(shared_->facts, schedule, device_, shared_->threads, shared_->code, shared_->costs).run();
    model::add_prologue(demand, shared_->prologue, schedule, device_);
    return model::run_as_chosen(model::predict(demand, device_), schedule, device_, shared_->of_problem);
}

namespace model {

Prediction predict_field(const FieldSchedule& schedule, const Program& program, const Graph& graph,
                         const Device& device, const Problem& problem) {
    StatementCosts costs;
    return FieldPredictor(schedule, program, graph, device, problem, costs).of(schedule);
}

}  // namespace model
}  // namespace kasc
