// A kernel of running sums: each cell is read once and stored once. A block goes through its lines turn by turn, each
// of which waits for memory and for some sums that follow each other; where lines are few, these chains bind, else
// bytes.

#include <algorithm>
#include <cmath>

#include "frontend/expression_parts.hpp"
#include "model/constants.hpp"
#include "model/field/instruction_count.hpp"
#include "model/field/words_read.hpp"
#include "model/parts.hpp"

namespace kasc::model {

namespace {

/// Instructions of a word that goes through the tile: its place there and in memory, and what threads wait for each
/// other. Rows of 64 and of 500 cells, whether they are there or a turn is longer: 1.8 ps each with 256 threads a row,
/// 4.2 to 5.6 with 16, 3.5 to 5.1 with one (H100).
constexpr double tile_instructions = 52, tile_instructions_of_few = 150;
/// Instructions of a cell in registers: its place in memory, a test.
constexpr double column_instructions = 10;
/// Instructions of a cell: words to doubles, two additions and one to what is before, back.
constexpr double sum_instructions = 7;
/// From an addition of doubles to the next, and what a barrier takes, cycles.
constexpr double cycles_of_sum = 8, cycles_of_meeting = 40;
/// Registers beside those of cells: addresses, sums of each size.
constexpr int own_registers = 44;
/// The share of memory's rate where a block's lines beside each other have so many bytes in a row of them: columns
/// 8192² with 256 threads each, 1, 2 and 4 of them a block, 0.10, 0.17 and 0.55 of what 16 threads of 32 lines take; 16
/// threads of 16 lines 0.89.
double rate_of_rows(double bytes) {
    struct Rate {
        double bytes, rate;
    };
    for (const Rate& r : {Rate{4, 0.1}, {8, 0.17}, {16, 0.55}, {32, 0.75}, {64, 0.9}})
        if (bytes <= r.bytes) return r.rate;
    return 1;
}

class ScanDemand {
public:
    ScanDemand(const ScanSchedule& schedule, const Program& program, const Graph& graph, const Device& device,
               const Problem& problem)
        : schedule_(schedule),
          work_(*schedule.work),
          program_(program),
          graph_(graph),
          device_(device),
          problem_(problem) {}

    Demand run() {
        const FieldPlan& plan = work_.cells.plan();
        double of_line = 1, lines = 1;
        std::vector<AxisId> axes;
        for (std::size_t k = 0; k < plan.axes.size(); ++k) {
            if (plan.is_of_parts(k)) continue;
            axes.push_back(plan.axes[k]);
            (k == work_.along ? of_line : lines) *= static_cast<double>(extent_of(problem_, plan.axes[k]));
        }
        const double cells = of_line * lines, pieces = std::ceil(of_line / running_piece);
        const double turns = work_.of_piece() ? static_cast<double>(running_piece) / schedule_.step_cells()
                                              : std::ceil(of_line / schedule_.step_cells());
        Demand demand;
        demand.threads = schedule_.threads();
        demand.blocks = std::ceil(lines / schedule_.lines()) * (work_.of_piece() ? pieces : 1);
        demand.shared_bytes_per_block = block::shared_bytes(*schedule_.block);
        demand.barriers = static_cast<int>(std::min(turns, 1e6)) * block::barriers_met(*schedule_.block);

        const FieldCall& call = work_.call();
        std::optional<ValueId> carries;
        if (const auto operand = work_.running().carries; operand && work_.part == ScanWork::Part::cells)
            carries = call.reads[*operand].value;
        double read = 0, of_cell = 0;
        for (const ValueId value : schedule_.fusion().inputs) {
            const double bytes = bytes_of_cell(value, program_, graph_);
            read += bytes * (value == carries
                                 ? lines * pieces
                                 : words_read(value, schedule_.fusion().calls, axes, program_, graph_, problem_));
            if (value != carries) of_cell += bytes;
        }
        const double results = work_.is_running() ? cells : lines * pieces;
        double stored = 0;
        for (const ValueId value : schedule_.fusion().outputs)
            stored += bytes_of_cell(value, program_, graph_) * (value == call.value ? results : cells);
        demand.global_bytes = read + stored;
        demand.read_share = demand.global_bytes > 0 ? read / demand.global_bytes : 1;
        demand.access_efficiency = author_access_efficiency;
        const bool tile = work_.lies_along;
        const double word = scanned_bytes(work_, program_);
        if (!tile) demand.access_efficiency *= rate_of_rows(schedule_.lines() * word);
        demand.in_flight_bytes = static_cast<double>(schedule_.step_cells()) * schedule_.lines() * of_cell;

        // Whole turns are gone through, whatever of them there is.
        const double computed = turns * schedule_.step_cells() * demand.blocks * static_cast<double>(schedule_.lines());
        const bool whole_pieces = schedule_.step_cells() == running_piece;
        const double of_row = whole_pieces ? tile_instructions : tile_instructions_of_few;
        double of_cells = 0, operations = 3;
        const auto add = [&](const FieldCall& c) {
            of_cells += instruction_count(*c.statement);
            operations += operation_count(*c.statement->value);
        };
        add(call);
        if (work_.points)
            for (const FieldCall& point : work_.points->plan().calls) add(point);
        demand.instructions = computed * (of_cells + (tile ? of_row : column_instructions) + sum_instructions);
        demand.flops = cells * operations;
        demand.shared_lines =
            computed * (tile ? work_.is_running() ? 6 : 3 : 1) / warp_threads + computed * of_cell / (line_words * 4);
        demand.registers =
            std::min(most_registers, own_registers + (tile ? 0 : running_base * scanned_bytes(work_, program_) / 4));
        const int levels = schedule_.joined_levels();
        const double sums = running_base * (2.0 + levels);
        demand.block_latency_ns =
            device_.memory_latency_ns +
            turns * (device_.memory_latency_ns +
                     (sums * cycles_of_sum + block::barriers_met(*schedule_.block) * cycles_of_meeting) /
                         device_.clock_ghz);
        return demand;
    }

private:
    const ScanSchedule& schedule_;
    const ScanWork& work_;
    const Program& program_;
    const Graph& graph_;
    const Device& device_;
    const Problem& problem_;
};

}  // namespace

Prediction predict_scan(const ScanSchedule& schedule, const Program& program, const Graph& graph, const Device& device,
                        const Problem& problem) {
    return predict(ScanDemand(schedule, program, graph, device, problem).run(), device);
}

}  // namespace kasc::model
