// A kernel that transforms lines moves what its transforms begin and end with, and what is computed there: bytes, most
// of all. Its threads wait at barriers together, so that loads of one block are under way while others compute.

#include <algorithm>
#include <array>
#include <cmath>

#include "model/constants.hpp"
#include "model/field/facts.hpp"
#include "model/field/instruction_count.hpp"
#include "model/field/words_read.hpp"
#include "model/parts.hpp"
#include "schedule/fft/schedule.hpp"

namespace kasc::model {

namespace {

/// Instructions of a number and doubling of a butterfly: three multiply-adds for each part of a pair, two pairs of a
/// number.
constexpr double butterfly_instructions = 3;
/// Instructions of a word that goes to shared memory or from it, and of one in memory: the access, its address.
constexpr double shared_instructions = 1.5, memory_instructions = 3;
/// Instructions of a thread and stage: its place, its turn.
constexpr double stage_instructions = 60;

/// Where threads would take so many times the registers that they are given, words go to memory and back: lines of 512
/// there and back, a factor between, 32 at a time with sixteen numbers a thread (H100).
constexpr double most_wanted = 1.5, spilling_efficiency = 0.78;
/// Lines of 512 beside each other, of the copy rate (H100): there and back with a factor 0.85, three of these one after
/// the other 0.71; there and back twice 0.78; back 0.97, twice 0.79.
constexpr double begun_again_efficiency = 0.8, back_twice_efficiency = 0.92;
/// Blocks load and store in two rushes, and are at different ones of them: one block of 1024 threads a multiprocessor,
/// which transforms lines of 512 there and back, has 0.85 of the copy rate (H100).
constexpr double rate_of_a_rush = 4;
/// The share of the time that a word takes from memory, where it was asked for ahead.
constexpr double waits_for_l2 = 0.4;
/// Clocks of a warp by itself from one instruction to the next, of which several do not wait for each other.
constexpr double clocks_of_a_warp = 0.7;

class FftDemand {
public:
    FftDemand(const FftSchedule& schedule, const Program& program, const Graph& graph, const Device& device,
              const Problem& problem)
        : schedule_(schedule),
          work_(*schedule.work),
          program_(program),
          graph_(graph),
          device_(device),
          problem_(problem) {}

    Demand run() {
        const int lines = schedule_.lines() * work_.together();
        for (std::size_t k = 0; k < work_.others.size(); ++k)
            demand_.blocks *= k == 0 ? std::ceil(extent(work_.others[k]) / lines) : extent(work_.others[k]);
        demand_.threads = schedule_.threads();
        demand_.own_rate = rate_of_a_rush;
        demand_.registers = registers_of(schedule_);
        demand_.shared_bytes_per_block = block::shared_bytes(*schedule_.block);
        count_bytes();
        count_computing();
        demand_.barriers = block::barriers_met(*schedule_.block);
        demand_.block_latency_ns = (1 + loading_) * device_.memory_latency_ns + demand_.barriers * device_.barrier_ns +
                                   of_thread_ * clocks_of_a_warp / device_.clock_ghz;
        return demand_;
    }

private:
    const FftSchedule& schedule_;
    const FftWork& work_;
    const Program& program_;
    const Graph& graph_;
    const Device& device_;
    const Problem& problem_;
    Demand demand_;
    double loading_ = 0;    ///< steps that wait for memory
    double of_thread_ = 0;  ///< instructions

    [[nodiscard]] double extent(AxisId axis) const { return static_cast<double>(extent_of(problem_, axis)); }
    [[nodiscard]] double bytes_of(ValueId value) const {
        const FieldShape& shape = field_shape(program_, graph_.values[value].variable);
        auto bytes = static_cast<double>(cell_bytes(shape.type));
        for (const AxisId axis : shape.axes) bytes *= extent(axis);
        return bytes;
    }

    /// What transforms begin with is read whole, of what cells read the parts at their positions.
    [[nodiscard]] double bytes_read(ValueId value) const {
        std::vector<NodeId> calls;
        for (const NodeId call : schedule_.fusion().calls) {
            if (!std::holds_alternative<Transform>(graph_.nodes[call].what))
                calls.push_back(call);
            else if (graph_.nodes[call].reads.front() == value)
                return bytes_of(value);
        }
        std::vector<AxisId> axes = work_.lines.axes;
        if (work_.lines.half) axes.push_back(*work_.lines.half);
        return words_read(value, calls, axes, program_, graph_, problem_) * bytes_of_cell(value, program_, graph_);
    }

    void count_bytes() {
        double read = 0, stored = 0;
        for (const ValueId value : schedule_.fusion().inputs) read += bytes_read(value);
        for (const ValueId value : schedule_.fusion().outputs) stored += bytes_of(value);
        demand_.global_bytes = read + stored;
        demand_.read_share = demand_.global_bytes > 0 ? read / demand_.global_bytes : 1;
        demand_.access_efficiency = access_efficiency();
        for (const FftStep& step : work_.steps)
            if (const auto* cells = std::get_if<FftCells>(&step)) count_bytes_beside(cells->cells);
        demand_.in_flight_bytes = (work_.is_dual() ? 16.0 : 8.0) * schedule_.factors().cells * schedule_.lines();
    }

    /// Words at positions that lie apart, or across the lines.
    void count_bytes_beside(const FieldSchedule& cells) {
        StatementCosts costs;
        const FieldFacts facts = field_facts(cells, program_, graph_, problem_, costs);
        std::vector<double> tile(facts.extents.size(), 1);
        for (std::size_t k = 0; k < tile.size(); ++k) {
            const AxisId axis = cells.axes()[k];
            if (axis == work_.lines.along || axis == work_.lines.half)
                tile[k] = facts.extents[k];
            else if (axis == work_.others.front())
                tile[k] = schedule_.lines();
        }
        const Crossed crossed = crossed_by_blocks(facts, tile, false);
        demand_.extra_bytes += bytes_beside(facts, l2_sector_bytes) + crossed.bytes;
        demand_.crossed_lines += crossed.lines;
    }

    [[nodiscard]] double access_efficiency() const {
        const bool wide = schedule_.numbers_held() > 8;  // few threads, whose loads wait for each other
        const bool spills = wide && registers_wanted(schedule_) > most_wanted * registers_of(schedule_);
        const double held = spills ? spilling_efficiency : 1;
        if (work_.along_rows()) return held * (wide ? fft_wide_rows_efficiency : fft_rows_efficiency);
        return held * beside_efficiency() * chain_efficiency() * filled();
    }
    /// Lines beside each other: sectors of 32 bytes are read whole, and pages of memory change with each number where
    /// these are far apart.
    [[nodiscard]] double beside_efficiency() const {
        const double number_bytes = work_.is_dual() ? 16 : 8;
        double apart = number_bytes;
        for (const AxisId axis : work_.lines.axes) {
            if (axis == work_.lines.along) break;
            apart *= extent(axis);
        }
        const auto& of_lines = apart >= fft_far_bytes ? fft_far_efficiency : fft_near_efficiency;
        const double beside = schedule_.lines() * number_bytes;
        return of_lines.at(beside >= 128 ? 0 : beside >= 64 ? 1 : 2);
    }
    /// Few blocks have a multiprocessor's registers: where one begins again, or goes back twice, less is under way.
    [[nodiscard]] double chain_efficiency() const {
        std::array<int, 2> passes{};
        for (const FftStep& step : work_.steps)
            if (const auto* pass = std::get_if<FftPass>(&step)) ++passes[pass->turned > 0];
        const double begun = passes[0] > 1 ? begun_again_efficiency : 1;
        return begun * (passes[1] > passes[0] ? back_twice_efficiency : 1);
    }
    /// The last block of a row may have fewer lines, and takes as long.
    [[nodiscard]] double filled() const {
        if (work_.others.empty()) return 1;
        const double cells = extent(work_.others.front()), lines = schedule_.lines() * work_.together();
        return cells / (std::ceil(cells / lines) * lines);
    }

    void count_computing() {
        const LineFactors& f = schedule_.factors();
        double numbers = 0;  // of a stage
        for (int stage = 0; stage < f.stages(); ++stage)
            numbers += f.radices[static_cast<std::size_t>(stage)] * f.butterflies(stage) / double(f.stages());
        const double pairs = work_.together();
        for (const FftStep& step : work_.steps) {
            if (const auto* pass = std::get_if<FftPass>(&step)) {
                loading_ += pass->loads ? 1 : 0;
                const double exchanged =
                    2.0 * (f.stages() - 1) * numbers + (pairs > 1 && !pass->backward ? 2 * numbers : 0);
                of_thread_ += numbers * std::log2(f.cells) * butterfly_instructions * (work_.is_dual() ? 2 : 1) +
                              exchanged * shared_instructions + f.stages() * stage_instructions;
                of_thread_ += numbers * pairs * memory_instructions * ((pass->loads ? 1 : 0) + (pass->stores ? 1 : 0));
                demand_.shared_lines +=
                    demand_.blocks * schedule_.threads() * exchanged * (work_.is_dual() ? 16 : 8) / 128;
                demand_.flops += 5.0 * f.cells * std::log2(f.cells) * demand_.blocks * schedule_.lines();
                continue;
            }
            const auto& [cells, of_spectrum, turned] = std::get<FftCells>(step);
            const bool ahead = turned > 0 && schedule_.prefetches();
            loading_ += cells.work->loads.empty() ? 0 : ahead ? waits_for_l2 : 1;
            double of_number = 4;
            for (const NodeId call : cells.fusion().calls) {
                const FieldStatement& s = field_update(graph_, call).statement;
                of_number += instruction_count(s);
            }
            of_number +=
                memory_instructions * static_cast<double>(cells.work->loads.size() + cells.work->stores.size());
            of_thread_ += schedule_.numbers_at(turned) * pairs * of_number;
        }
        demand_.instructions = demand_.blocks * schedule_.threads() * of_thread_;
    }
};

}  // namespace

Prediction predict_fft(const FftSchedule& schedule, const Program& program, const Graph& graph, const Device& device,
                       const Problem& problem) {
    return predict(FftDemand(schedule, program, graph, device, problem).run(), device);
}

}  // namespace kasc::model
