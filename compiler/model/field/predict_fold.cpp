// A kernel that folds its cells reads them once, at the rate of memory, and stores a word a part and result, and what
// other calls compute at its cells. Its blocks are alive together: the loads that they have under way decide, as
// everywhere; the tree over lanes ends each block. Parts are ranges of cells as they lie in memory, and blocks stand
// equally far in theirs: neighbours' cells are read by other blocks at the same time, and come from L2.

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "frontend/reduction.hpp"
#include "model/constants.hpp"
#include "model/field/facts.hpp"
#include "model/field/instruction_count.hpp"
#include "model/field/last_block.hpp"
#include "model/field/library_calls.hpp"
#include "model/field/prologue.hpp"
#include "model/field/words_read.hpp"
#include "model/parts.hpp"
#include "schedule/field/walk/fold.hpp"

namespace kasc::model {

namespace {

/// Instructions of a cell: its number, the loop of which four are unrolled, a conversion and a sum of doubles, which
/// issue at half the rate.
constexpr double fold_instructions = 8;
/// In a tile all 16 cells of a row are unrolled: a conversion and a sum of doubles, and what joins rows.
constexpr double tile_fold_instructions = 5;
/// Instructions of each folded axis beyond the first, where coordinates are carried along: sum, comparison, choice.
constexpr double carry_instructions = 4;
/// Instructions of each folded axis, and of the test, where cells are looked at before they are read.
constexpr double look_instructions = 8;

/// Registers of a word that a cell computes which takes long.
constexpr double registers_a_word = 4;

/// What cells take that read neighbours and come one by one, of the rate of others: on an H100 (2026-11-28) 1.4 times
/// as long for 13 points of 512^3 with the sum of their squares, 1.55 times for a residual of 13 words a cell. And
/// where what a cell had is overwritten: a wave in two dimensions with its maximum 1.65 ms, in groups .48.
constexpr double cells_one_by_one = 1.45, cells_in_place = 2.3;
/// The same where rows come from L2.
constexpr double rows_one_by_one = 1.3;
/// By the bound that is set on blocks whose threads fold groups of cells (lower/field/lower).
constexpr int most_registers_of_groups = 80;

class FoldDemand {
public:
    FoldDemand(const FieldSchedule& schedule, const Program& program, const Graph& graph, const Device& device,
               const Problem& problem)
        : schedule_(schedule),
          program_(program),
          graph_(graph),
          device_(device),
          problem_(problem),
          folds_(folds_of(schedule.plan()).size()),
          ahead_(cells_ahead(*schedule.work)),
          fold_(*fold_of(*schedule.work)) {}

    Demand run() {
        for (std::size_t k = 0; k < schedule_.axes().size(); ++k)
            if (!schedule_.plan().is_of_parts(k)) cells_ *= extent(schedule_.axes()[k]);
        tile_ = folds_both_ways(schedule_.plan());
        tile_ ? count_tiles() : count_blocks();
        count_bytes();
        const bool row = schedule_.choice.walk == Walk::row;
        demand_.threads = row ? 1 : fold_threads;
        // Each fold has its lanes' accumulators of 8 bytes; what the cell's other calls hold is added.
        const int lanes = row ? 1 : threads_of(fold_, schedule_.choice).lanes_each;
        const int held =
            tile_ ? tile_registers() : 2 * lanes * static_cast<int>(folds_) + static_cast<int>(words_held_);
        demand_.registers = base_registers + 10 + held;
        if (groups()) demand_.registers = std::min(demand_.registers, most_registers_of_groups);
        demand_.shared_bytes_per_block = shared_bytes(*schedule_.block);
        demand_.access_efficiency = author_access_efficiency;
        if (!row && !tile_ && !groups() && reads_neighbours(*schedule_.work)) {
            demand_.access_efficiency /= cells_one_by_one;
            demand_.l2_bytes *= rows_one_by_one;
            if (overwrites()) demand_.access_efficiency /= cells_in_place;
        }
        count_computing(row);
        demand_.in_flight_bytes =
            busy_ * loads_under_way * (tile_ ? columns_of_thread : cells_together(row)) * cell_bytes_ * demand_.threads;
        demand_.barriers = barriers_met(*schedule_.block);
        demand_.block_latency_ns = 2 * device_.memory_latency_ns + demand_.barriers * device_.barrier_ns;
        if (!row && !tile_ && ahead_ == 1) demand_.block_latency_ns += cells_of_thread() * chain_of_cell_ns();
        return demand_;
    }

private:
    /// Cells of a thread whose loads are under way together.
    [[nodiscard]] double cells_together(bool row) const {
        const FieldWork& work = *schedule_.work;
        const int group = row ? static_cast<int>(ahead_) : cells_of_group(fold_, schedule_.choice, work);
        return ahead_ == 1 ? 1 : 1.0 * group * groups_ahead(fold_, schedule_.choice, work);
    }
    [[nodiscard]] double cells_of_thread() const { return cells_ / (demand_.blocks * demand_.threads * busy_); }
    /// What a thread waits in a cell that takes long to compute: no load of the next one is under way meanwhile.
    [[nodiscard]] double chain_of_cell_ns() const {
        StatementCosts costs;
        const FieldFacts facts = field_facts(schedule_, program_, graph_, problem_, costs);
        double chain = waits_for_loads(facts, static_cast<double>(schedule_.work->loads.size()));
        for (std::size_t k = 0; k < facts.slow_ns.size(); ++k) chain += facts.evaluations[k] * facts.slow_ns[k];
        return chain;
    }

    void count_computing(bool row) {
        const double carries = fold_.axes.size() > 1 ? carry_instructions * static_cast<double>(fold_.axes.size()) : 0;
        double a_cell = (tile_ ? tile_fold_instructions : fold_instructions) * static_cast<double>(folds_) +
                        (row || tile_ ? 0 : carries);
        if (schedule_.work->edges && !row) a_cell += look_instructions * static_cast<double>(fold_.axes.size());
        // A group comes to its place, and looks at it, once.
        const double cells_at_once = groups() ? schedule_.choice.vector : 1;
        a_cell -= (1 - 1 / cells_at_once) * (a_cell - fold_instructions * static_cast<double>(folds_));
        LibraryCalls calls(program_, graph_);
        for (const Evaluation& e : schedule_.work->evaluations) {
            const FieldStatement& statement = field_update(graph_, e.call).statement;
            const Expression& value = *statement.value;
            const double before = calls.done_before(e.call, e.offset);
            a_cell += instruction_count(statement) - before;
            demand_.flops += cells_ * (operation_count(value) - before);
        }
        demand_.flops += cells_ * static_cast<double>(folds_);
        // Loads beside the cell, and stores: those that are folded were counted with it.
        const auto stores = static_cast<double>(schedule_.work->stores.size());
        const double accesses = groups() ? accesses_of_group() + stores - static_cast<double>(folds_)
                                         : static_cast<double>(schedule_.work->loads.size()) + stores;
        a_cell +=
            groups() ? accesses / cells_at_once : std::max(0.0, accesses - static_cast<double>(folds_ + values_read_));
        demand_.shared_lines = row ? 0 : cells_ / busy_ * accesses / warp_threads;
        demand_.instructions = cells_ / busy_ * a_cell;
    }

    const FieldSchedule& schedule_;
    const Program& program_;
    const Graph& graph_;
    const Device& device_;
    const Problem& problem_;
    std::size_t folds_;  ///< calls that fold
    double ahead_;       ///< cells of a thread whose loads are under way
    const Fold& fold_;
    double cells_ = 1, cell_bytes_ = 0, words_held_ = 0, again_bytes_ = 0;
    std::size_t values_read_ = 0;
    bool tile_ = false;  ///< rows and columns are folded
    double busy_ = 1;    ///< share of the threads that have a result
    Demand demand_;

    [[nodiscard]] bool groups() const { return schedule_.choice.vector > 1; }
    /// A field is stored where its former value is read: no load of another cell may pass that store.
    [[nodiscard]] bool overwrites() const {
        const FieldWork& work = *schedule_.work;
        return std::any_of(work.stores.begin(), work.stores.end(), [&](const FieldStore& store) {
            return std::any_of(work.loads.begin(), work.loads.end(), [&](const ValueAt& load) {
                return graph_.values[load.value].variable == graph_.values[store.value].variable && load.at_cell();
            });
        });
    }
    /// Loads of a group: each row that its cells read, and what they read beside it at either side.
    [[nodiscard]] double accesses_of_group() const {
        std::map<std::pair<ValueId, std::vector<int>>, std::pair<bool, bool>> rows;
        for (const ValueAt& load : schedule_.work->loads) {
            std::vector<int> row = load.offset;
            const int beside = row.empty() ? 0 : std::exchange(row.front(), 0);
            auto& [low, high] = rows[{load.value, std::move(row)}];
            low = low || beside < 0, high = high || beside > 0;
        }
        double accesses = 0;
        for (const auto& [row, sides] : rows) accesses += 1 + sides.first + sides.second;
        return accesses;
    }

    [[nodiscard]] double extent(AxisId axis) const { return static_cast<double>(extent_of(problem_, axis)); }

    void count_blocks() {
        const FoldThreads threads = threads_of(fold_, schedule_.choice);
        const auto results = axis_of_results(schedule_.plan(), fold_);
        for (const AxisId axis : schedule_.axes()) {
            if (std::find(fold_.axes.begin(), fold_.axes.end(), axis) != fold_.axes.end()) continue;
            const int together = axis == results ? threads.results : axis == fold_.parts ? threads.parts : 1;
            demand_.blocks *= std::ceil(extent(axis) / together);
        }
        if (schedule_.choice.walk != Walk::row)
            busy_ = share_with_results(threads, results ? extent_of(problem_, *results) : 1);
    }

    void count_tiles() {
        std::set<AxisId> folded;
        for (const FieldCall* call : folds_of(schedule_.plan()))
            folded.insert(call->statement->fold->axes.begin(), call->statement->fold->axes.end());
        for (const AxisId axis : schedule_.axes())
            if (!folded.contains(axis)) demand_.blocks *= extent(axis);
    }
    /// Registers of a tile: an accumulator for each column, four for rows, and a word of each field that has a column;
    /// one of others.
    [[nodiscard]] int tile_registers() const {
        int registers = 0;
        for (const FieldCall* call : folds_of(schedule_.plan()))
            registers += 2 * (call->statement->fold->side_by_side ? columns_of_thread : row_lanes / warp_threads + 2);
        for (const ValueAt& load : schedule_.work->loads) {
            const auto& axes = field_shape(program_, graph_.values[load.value].variable).axes;
            const bool by_column = std::find(axes.begin(), axes.end(), tile_axis()) != axes.end();
            registers += by_column ? columns_of_thread : 1;
        }
        return registers;
    }
    /// Along which rows are folded.
    [[nodiscard]] AxisId tile_axis() const {
        for (const FieldCall* call : folds_of(schedule_.plan()))
            if (!call->statement->fold->side_by_side) return call->statement->fold->axes.front();
        return fold_.axes.front();
    }

    [[nodiscard]] double words_stored(ValueId value) const {
        double words = 1;
        for (const AxisId axis : field_shape(program_, graph_.values[value].variable).axes) {
            const bool walked =
                std::find(schedule_.axes().begin(), schedule_.axes().end(), axis) != schedule_.axes().end();
            if (walked) words *= extent(axis);
        }
        return words;
    }

    /// Counts the rows that pass L2: each row of values that are read in several; cells along a row are in L1. Where
    /// cells come in groups, so are rows beside each other, as far as they are of one part.
    void count_rows_read() {
        std::map<ValueId, std::set<std::vector<int>>> rows;
        for (const ValueAt& load : schedule_.work->loads) {
            std::vector<int> row = load.offset;
            if (!fold_.axes.empty()) row.at(first_cell_axis()) = 0;
            rows[load.value].insert(std::move(row));
        }
        for (const auto& [value, all] : rows) {
            double passes = -1;
            for (const std::vector<int>& row : all) passes += share_from_l2(row);
            again_bytes_ += cells_ * bytes_of_cell(value, program_, graph_) * std::max(0.0, passes);
        }
    }
    /// The share of a row, so many rows and planes from the cells.
    [[nodiscard]] double share_from_l2(const std::vector<int>& row) const {
        constexpr std::size_t second = 1;
        const bool beside = groups() && row.size() > second && row[second] != 0 &&
                            std::all_of(row.begin() + second + 1, row.end(), [](int o) { return o == 0; });
        if (!beside) return 1;
        const double of_part = cells_ / extent(*fold_.parts);
        return std::min(1.0, std::abs(row[second]) * extent(schedule_.axes().front()) / of_part);
    }
    /// The kernel's axis along which cells lie side by side.
    [[nodiscard]] std::size_t first_cell_axis() const {
        const auto& axes = schedule_.axes();
        return static_cast<std::size_t>(std::find(axes.begin(), axes.end(), fold_.axes.front()) - axes.begin());
    }

    void count_bytes() {
        std::set<ValueId> read;
        for (const ValueAt& load : schedule_.work->loads) read.insert(load.value);
        double read_bytes = 0;
        std::vector<AxisId> cells = schedule_.axes();
        for (const std::size_t part : schedule_.plan().parts) std::erase(cells, schedule_.axes()[part]);
        for (const ValueId value : read) {
            read_bytes += bytes_of_cell(value, program_, graph_) *
                          words_read(value, schedule_.fusion().calls, cells, program_, graph_, problem_);
            cell_bytes_ += bytes_of_cell(value, program_, graph_);
        }
        values_read_ = read.size();
        for (const FieldStore& store : schedule_.work->stores)
            if (!field_shape(program_, graph_.values[store.value].variable).axes.empty()) words_held_ += 1;
        // Words of all cells that are read together are held; for those of two fields the first fold's registers are
        // enough.
        words_held_ -= static_cast<double>(folds_);
        if (ahead_ == 1) words_held_ *= registers_a_word;
        double loaded = -2;
        for (const ValueAt& load : schedule_.work->loads)
            loaded += std::max(1.0, bytes_of_cell(load.value, program_, graph_) / 4);
        words_held_ += ahead_ * loaded;
        words_held_ = std::max(0.0, words_held_);
        count_rows_read();
        demand_.global_bytes = read_bytes;
        for (const FieldStore& store : schedule_.work->stores)
            demand_.global_bytes += bytes_of_cell(store.value, program_, graph_) * words_stored(store.value);
        demand_.l2_bytes = demand_.global_bytes + again_bytes_;
        demand_.read_share = demand_.global_bytes > 0 ? read_bytes / demand_.global_bytes : 1;
    }
};

}  // namespace

Prediction predict_fold(const FieldSchedule& schedule, const Program& program, const Graph& graph, const Device& device,
                        const Problem& problem) {
    Demand demand = FoldDemand(schedule, program, graph, device, problem).run();
    add_prologue(demand, prologue_work(*schedule.work, program, graph, problem), schedule, device);
    return run_as_chosen(predict(demand, device), schedule, device, problem);
}

}  // namespace kasc::model
