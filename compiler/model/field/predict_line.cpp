// A kernel whose blocks have whole lines reads and stores each cell's word once, as far as memory sees: later passes
// find the lines that its blocks have in hand in L1, where those of a multiprocessor fit, or in L2, where all of them
// do. What does not fit there is read from memory again. Passes follow each other: each waits for its first words, and
// barriers hold the warps of a line together.

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "frontend/reduction.hpp"
#include "model/constants.hpp"
#include "model/field/instruction_count.hpp"
#include "model/field/library_calls.hpp"
#include "model/field/words_read.hpp"
#include "model/parts.hpp"
#include "schedule/field/walk/fold.hpp"

namespace kasc::model {

namespace {

// Constants: some 120 kernels of softmax and layer norm, lines of 3 to 65536 cells, on an H100, 2026-11-24.

/// Instructions of a cell that is read in turn: its number and that of its word, the loop of which eight are unrolled.
constexpr double in_turn_instructions = 4;
/// Instructions of a cell where some may not count: the test, a choice of each value that is folded or stored.
constexpr double cut_instructions = 4;
/// Instructions of a cell that is not there: its load is left out.
constexpr double missing_instructions = 2;
/// Instructions of a fold: a conversion and a sum of doubles, which issue at half the rate.
constexpr double line_fold_instructions = 4;
/// The same across lines: two accesses of shared memory besides, in which a warp's doubles pass two lines each.
constexpr double across_instructions = 6, across_lines = 4;
/// Instructions of a thread and fold: an exchange between two threads and what joins them, a lane of the thread, parts
/// that pass through shared memory, and what begins and ends it.
constexpr double exchange_instructions = 6, lane_instructions = 1.5, parts_instructions = 60, pass_instructions = 12;
/// Instructions of a thread for each lane of its column that it takes from shared memory, and joins.
constexpr double column_word_instructions = 5;
/// What a round of eight cells takes of a thread that has a column alone: a share of memory's latency, since loads of
/// the next round begin before it ends, and clocks an instruction. On an H100 (2026-11-28) 32768 columns of 4096 cells
/// are summed in 512 rounds of .38 us, a softmax goes through them in 1536 rounds of .77 us.
constexpr double latency_of_round = 0.45, clocks_of_round = 4.0;
/// Threads of a multiprocessor that go through columns in turn: ptxas gives them some 32 registers. So many columns are
/// in hand at once, of which L2 keeps a smaller share than of rows, as their words come from all over memory.
constexpr int threads_in_turn = 2048;
constexpr double l2_share_for_columns = 0.2;
/// Measured on an H100 (2026-11-28): of 1048576 columns of 300 cells, 16 a block 510 us, 32 a block 421; of 200000 of
/// 1000 cells, in teams 397 and 432, in turn 334.
constexpr double efficiency_of_half_lines = 0.9, efficiency_of_cut_parts = 0.8;
/// The share of what a multiprocessor has besides shared memory that keeps lines for the next pass; the share of L2,
/// through which results stream, that does: lines of 16384 cells, 17 MB in hand, are read once, 34 MB about twice.
constexpr double l1_share_for_lines = 0.7, l2_share_for_lines = 0.4;
/// The share of what several lines of an access take: as much as was seen.
constexpr double lines_overlap = 0.7;
/// The share of memory's latency that a pass adds to a block's chain where it has its cells in registers, and where it
/// reads them.
constexpr double latency_of_pass_held = 0.3, latency_of_pass_in_turn = 0.9, latency_of_pass_alone = 0.1;
/// What a turn beyond the first costs of the rate, and how much of what idle teams would read is lost: two matrices
/// times a vector in eight turns 1.15 times as long as in one, lines of 5000 cells by eight teams 1.3 times.
constexpr double turn_loss = 0.022, idle_in_turn = 0.5;
/// A count of registers is of what a thread takes at most: what it wants beyond so many times what it has is spilled,
/// written once and read once, through L2. Of 64 sums a cell, 1200 wanted, ptxas 13.0 spills 15 kB of a thread (cosine
/// transforms of blocks of 8 × 8).
constexpr double most_wanted_of_lines = 1.5, spilled_accesses_of_lines = 2;
/// Against the rate of a copy, with 16 loads of a thread under way.
constexpr double line_access_efficiency = 0.985;

class LineDemand {
public:
    LineDemand(const LineSchedule& schedule, const Program& program, const Graph& graph, const Device& device,
               const Problem& problem)
        : schedule_(schedule),
          work_(*schedule.work),
          program_(program),
          graph_(graph),
          device_(device),
          problem_(problem),
          again_(read_again(*schedule.work)) {}

    Demand run() {
        demand_.threads = schedule_.threads();
        for (const AxisId axis : work_.kept) lines_ *= extent(axis);
        demand_.blocks = blocks();
        cells_ = lines_ * length_;
        demand_.shared_bytes_per_block = shared_bytes(*schedule_.block);
        demand_.rounds = turns();
        demand_.barriers = barriers_met(*schedule_.block, static_cast<int>(demand_.rounds));
        for (const LinePass& pass : work_.passes) count(pass);
        count_bytes();
        demand_.registers = registers_of(schedule_);
        demand_.access_efficiency = line_access_efficiency * efficiency_of_turns();
        // Lines that warps have by themselves, and are folded across, wait for no barrier.
        const bool alone = work_.across && schedule_.teams() == 1;
        const double latency_of_pass = alone                     ? latency_of_pass_alone
                                       : schedule_.holds_cells() ? latency_of_pass_held
                                                                 : latency_of_pass_in_turn;
        double turn_ns = device_.memory_latency_ns;
        const bool rounds = work_.columns && !schedule_.holds_cells();
        for (std::size_t k = 0; k < work_.passes.size(); ++k)
            turn_ns += rounds ? std::ceil(length_ / column_lanes) * round_ns(instructions_of_cell_.at(k))
                              : device_.memory_latency_ns * latency_of_pass;
        demand_.block_latency_ns = turn_ns + demand_.barriers / demand_.rounds * device_.barrier_ns;
        if (alone) demand_.parts = schedule_.threads() / warp_threads;
        count_again();
        if (beside_bytes_ > 0) demand_.l2_bytes = std::max(demand_.l2_bytes, demand_.global_bytes) + beside_bytes_;
        count_spilled();
        return demand_;
    }

private:
    const LineSchedule& schedule_;
    const LineWork& work_;
    const Program& program_;
    const Graph& graph_;
    const Device& device_;
    const Problem& problem_;
    const std::vector<ValueId> again_;  ///< inputs that several passes read
    std::set<ValueId> loaded_;          ///< that threads hold by now
    Demand demand_;
    std::vector<double> instructions_of_cell_;  ///< by pass
    double lines_ = 1, cells_ = 1;
    const double length_ = static_cast<double>(cells_of_line(work_, problem_));
    double first_bytes_ = 0;   ///< of a cell, that the first pass reads
    double again_bytes_ = 0;   ///< of all cells, that later passes read
    double line_bytes_ = 0;    ///< of a line, that several passes read
    double beside_bytes_ = 0;  ///< of neighbours, that caches hand out once more

    /// Words of an input that some calls read.
    struct Known {
        std::vector<NodeId> readers;
        double words = 0;
        int passes = 0;
    };

    [[nodiscard]] double extent(AxisId axis) const { return static_cast<double>(extent_of(problem_, axis)); }
    [[nodiscard]] std::vector<AxisId> cell_axes() const {
        std::vector<AxisId> axes = work_.kept;
        const std::vector<AxisId> line = work_.line_axes();
        axes.insert(axes.begin(), line.begin(), line.end());
        return axes;
    }

    [[nodiscard]] double lines_across() const {
        double lines = 1;
        for (const AxisId axis : work_.across->axes) lines *= extent(axis);
        return lines;
    }
    [[nodiscard]] double blocks() const {
        if (!work_.across) return std::ceil(lines_ / schedule_.lines());
        const double lines = lines_across();
        return std::ceil(lines / (column_part_cells * schedule_.parts_across())) * lines_ / lines;
    }
    /// How often a block takes lines anew.
    [[nodiscard]] double turns() const {
        if (!work_.across) return 1;
        return std::ceil(std::min<double>(lines_across(), column_part_cells) / schedule_.lines_of_part());
    }

    /// The efficiency of teams that take parts in turn: between two parts they exchange lanes, and some wait in the
    /// last turn.
    [[nodiscard]] double efficiency_of_turns() const {
        if (work_.columns) return efficiency_of_columns();
        if (schedule_.holds_cells()) return 1;
        const double parts = std::ceil(length_ / work_.part_cells()), turns = std::ceil(parts / schedule_.teams());
        const double busy = parts / (turns * schedule_.teams());
        return (1 - idle_in_turn * (1 - busy)) / (1 + turn_loss * (turns - 1));
    }

    /// What a thread that has a column alone takes for eight of its cells, which it reads together.
    [[nodiscard]] double round_ns(double instructions) const {
        return latency_of_round * device_.memory_latency_ns +
               clocks_of_round * column_lanes * instructions / device_.clock_ghz;
    }

    /// Columns beside each other, of which a warp reads less than a line of L2 at a time; teams that wait for the one
    /// whose part is cut.
    [[nodiscard]] double efficiency_of_columns() const {
        const double narrow = schedule_.lines() < warp_threads ? efficiency_of_half_lines : 1;
        const bool cut = schedule_.teams() > 1 && cells_of_line(work_, problem_) % work_.part_cells() != 0;
        return narrow * (cut ? efficiency_of_cut_parts : 1);
    }

    /// How the threads of a line come to its cells.
    struct Cells {
        double computed = 0;  ///< whole groups of those that count
        double cut = 0;       ///< of them, in parts of which some do not
        double missing = 0;   ///< that threads could hold
    };
    [[nodiscard]] Cells cells_taken() const {
        const double n = length_;
        const double lanes = schedule_.lanes();
        if (!schedule_.holds_cells()) return {std::ceil(n / (8 * lanes)) * 8 * lanes, 0, 0};
        const int held = schedule_.choice.chunk, of_cut = cells_of_cut_group(schedule_);
        const double part = held * lanes, whole = std::floor(n / part) * part;
        const double group = of_cut * lanes, rest = std::ceil((n - whole) / group) * group;
        const double cut = whole + rest > n ? group : 0;
        return {whole + rest, cut, (std::ceil(n / part) * part - whole) - rest};
    }

    void count(const LinePass& pass) {
        const FieldWork& work = *pass.cells.work;
        const auto across = static_cast<double>(folded_across(work_, pass).size());
        const double folds = static_cast<double>(folds_of(work.plan).size()) - across;
        double loads = 0;
        for (const ValueAt& load : work.loads) {
            const bool held =
                schedule_.holds_cells() && std::find(again_.begin(), again_.end(), load.value) != again_.end();
            loads += held && !loaded_.insert(load.value).second ? 0 : 1;
        }
        loaded_.insert(work.fusion.outputs.begin(), work.fusion.outputs.end());
        const double accesses = loads + static_cast<double>(work.stores.size());
        double a_cell = line_fold_instructions * folds + across_instructions * across + accesses +
                        neighbours(work) * edge_access_instructions;
        LibraryCalls calls(program_, graph_);
        for (const Evaluation& e : work.evaluations) {
            const FieldStatement& statement = field_update(graph_, e.call).statement;
            const Expression& value = *statement.value;
            const double before = calls.done_before(e.call, e.offset);
            a_cell += instruction_count(statement) - before;
            demand_.flops += cells_ * (operation_count(value) - before);
        }
        instructions_of_cell_.push_back(a_cell);
        if (!schedule_.holds_cells()) a_cell += in_turn_instructions;
        const Cells cells = cells_taken();
        demand_.instructions +=
            lines_ * (cells.computed * a_cell + cells.cut * cut_instructions + cells.missing * missing_instructions);
        const double parts = std::ceil(length_ / work_.part_cells());
        const double of_thread = folds * instructions_of_fold() + pass_instructions;
        demand_.instructions += lines_ * parts * schedule_.lanes() * of_thread;
        demand_.shared_lines += cells_ * (accesses * lines_of_access() + across_lines * across) / warp_threads;
    }
    /// Words beside a cell, each at coordinates that boundaries map. Memory has them once for all cells, caches each
    /// time.
    double neighbours(const FieldWork& work) {
        std::set<ValueId> seen;
        double beside = 0;
        for (const ValueAt& load : work.loads) {
            beside += load.at_cell() ? 0 : 1;
            if (!seen.insert(load.value).second) beside_bytes_ += cells_ * bytes_of_cell(load.value, program_, graph_);
        }
        return beside;
    }
    /// What a thread has to do behind the cells of a part.
    [[nodiscard]] double instructions_of_fold() const {
        const double own = lane_instructions * work_.part_lanes() / schedule_.lanes();
        if (!work_.columns)
            return exchange_instructions * std::log2(schedule_.lanes()) + own +
                   (schedule_.teams() > 1 ? parts_instructions : 0);
        const double words = schedule_.lanes() > 1 ? schedule_.lanes() * schedule_.teams() : 0;
        return own + column_word_instructions * words + (schedule_.holds_cells() ? 0 : parts_instructions);
    }
    /// Lines of L1 that a warp's access passes: several teams stand in several lines of cells.
    [[nodiscard]] double lines_of_access() const {
        constexpr double bytes_of_line = 4.0 * line_words;
        if (work_.columns) {
            const double beside = std::min<double>(schedule_.lines(), extent(work_.kept.front()));
            return std::max(1.0, warp_threads / beside);
        }
        const double teams = static_cast<double>(warp_threads) / schedule_.lanes();
        const double packed = teams * length_ * 4 / bytes_of_line;
        return std::max(1.0, lines_overlap * std::min(teams, packed));
    }

    /// Each word of an input once, though several passes read it; each result.
    void count_bytes() {
        std::map<ValueId, Known> known;
        double read = 0;
        for (const LinePass& pass : work_.passes) {
            std::set<ValueId> values;
            for (const ValueAt& load : pass.cells.work->loads) values.insert(load.value);
            for (const ValueId value : values) {
                const bool is_stored =
                    std::binary_search(work_.fusion.outputs.begin(), work_.fusion.outputs.end(), value);
                if (is_stored && std::find(again_.begin(), again_.end(), value) != again_.end()) {
                    again_bytes_ += cells_ * bytes_of_cell(value, program_, graph_);
                    line_bytes_ += cells_ * bytes_of_cell(value, program_, graph_) / lines_;
                }
                if (!std::binary_search(work_.fusion.inputs.begin(), work_.fusion.inputs.end(), value)) continue;
                const std::vector<NodeId>& calls = pass.cells.fusion().calls;
                const auto words_of = [&](const std::vector<NodeId>& of) { return words_of_cells(value, of); };
                Known& own = known[value];
                own.readers.insert(own.readers.end(), calls.begin(), calls.end());
                const double more = words_of(own.readers) - own.words;
                const double bytes = bytes_of_cell(value, program_, graph_), again = bytes * (words_of(calls) - more);
                own.words += more;
                read += bytes * more;
                again_bytes_ += again;
                if (++own.passes == 2) line_bytes_ += again / lines_;
                if (&pass == &work_.passes.front()) first_bytes_ += bytes_of_cell(value, program_, graph_);
            }
        }
        for (const LinePass& pass : work_.passes)
            if (pass.words) read += words_bytes(*pass.words, known);
        double stored = 0;
        for (const ValueId value : work_.fusion.outputs) {
            double words = 1;
            for (const AxisId axis : field_shape(program_, graph_.values[value].variable).axes) words *= extent(axis);
            stored += bytes_of_cell(value, program_, graph_) * words;
        }
        demand_.global_bytes = read + stored;
        demand_.read_share = demand_.global_bytes > 0 ? read / demand_.global_bytes : 1;
        const bool holds = schedule_.holds_cells();
        const int together = holds ? schedule_.choice.chunk : cells_of_group(schedule_, work_.passes.front());
        // Threads beyond the line's end have none.
        const double cells = std::min<double>(length_, 1.0 * together * schedule_.lanes() * schedule_.teams());
        demand_.in_flight_bytes = loads_under_way * first_bytes_ * cells * schedule_.lines();
    }

    [[nodiscard]] double words_of_cells(ValueId value, const std::vector<NodeId>& calls) const {
        return words_read(value, calls, cell_axes(), program_, graph_, problem_);
    }
    /// What words of lines are made of beside other words; what cells and other words read as well is known.
    [[nodiscard]] double words_bytes(const FieldSchedule& words, std::map<ValueId, Known>& known) const {
        const std::vector<NodeId>& calls = words.fusion().calls;
        std::set<ValueId> values;
        for (const ValueAt& load : words.work->loads) {
            if (std::binary_search(work_.fusion.inputs.begin(), work_.fusion.inputs.end(), load.value))
                values.insert(load.value);
        }
        double bytes = 0;
        for (const ValueId value : values) {
            Known& own = known[value];
            own.readers.insert(own.readers.end(), calls.begin(), calls.end());
            const double together = words_of_cells(value, own.readers);
            const double alone = words_read(value, calls, work_.kept, program_, graph_, problem_);
            bytes += bytes_of_cell(value, program_, graph_) * std::min(alone, together - own.words);
            own.words = together;
        }
        return bytes;
    }

    void count_again() {
        if (schedule_.holds_cells()) return;
        const double fits = work_.columns ? threads_in_turn / schedule_.threads() : resident_blocks(demand_, device_);
        const double resident = std::min<double>(fits, std::ceil(demand_.blocks / device_.multiprocessors));
        const double in_hand = resident * schedule_.lines() * line_bytes_;
        const double l1 =
            l1_share_for_lines * (device_.shared_bytes_per_multiprocessor - resident * demand_.shared_bytes_per_block);
        const double share = work_.columns ? l2_share_for_columns : l2_share_for_lines;
        const double l2 = share * static_cast<double>(device_.l2_bytes);
        demand_.l2_bytes = demand_.global_bytes;
        if (in_hand <= l1) return;
        demand_.l2_bytes += again_bytes_;
        const double all = std::min(in_hand * device_.multiprocessors, lines_ * line_bytes_);
        if (all > l2) demand_.extra_bytes += again_bytes_ * (1 - l2 / all);
    }

    void count_spilled() {
        const double wanted = registers_wanted(schedule_) - most_wanted_of_lines * demand_.registers;
        const double words = std::max(0.0, wanted) * demand_.threads * demand_.blocks;
        demand_.instructions += spilled_accesses_of_lines * words;
        demand_.l2_bytes += spilled_accesses_of_lines * 4 * words;
    }
};

}  // namespace

long long cells_of_line(const LineWork& work, const Problem& problem) {
    long long cells = 1;
    for (const AxisId axis : work.line_axes()) cells *= extent_of(problem, axis);
    return cells;
}

Prediction predict_lines(const LineSchedule& schedule, const Program& program, const Graph& graph, const Device& device,
                         const Problem& problem) {
    // Lines that its threads cannot hold have another kernel.
    if (const auto most = schedule.most_cells(); most && cells_of_line(*schedule.work, problem) > *most)
        return predict_lines(*for_longer_lines(schedule, program, graph), program, graph, device, problem);
    return predict(LineDemand(schedule, program, graph, device, problem).run(), device);
}

}  // namespace kasc::model
