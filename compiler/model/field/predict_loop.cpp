// A thread goes through the iterations of a loop at its cell. What it carries is in registers; an iteration reads its
// own words of fields that stand at positions, and stores what it assigns there. Iterations follow each other: what one
// hands to the next it has computed by then, so that a thread takes at least as long as that chain; words that do not
// depend on it are asked for some iterations ahead.
//
//   s[z = k] = s[z = k - 1] + a[z = k]       8 bytes an iteration and thread, a chain of one addition
//
// With tiles the words of the next chunk are under way while the iterations of this one find theirs in shared memory: a
// chunk takes the longer of both, and then stores.

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "frontend/expression_parts.hpp"
#include "frontend/same_expression.hpp"
#include "model/constants.hpp"
#include "model/field/instruction_count.hpp"
#include "model/field/library_calls.hpp"
#include "model/field/words_read.hpp"
#include "model/parts.hpp"
#include "schedule/field/calls_functions.hpp"
#include "schedule/tile_words.hpp"

namespace kasc::model {

namespace {

/// Instructions of an iteration: its number, a test, and for each field that is touched an address.
constexpr double loop_instructions = 4, address_instructions = 3;
/// From an operation to one that needs its result, cycles (Hopper: 4 of float, more of functions, which have more
/// instructions).
constexpr double cycles_of_chain = 4;
/// The share of memory's latency that an iteration waits for words that it asks for as it needs them, and for words
/// that an earlier one has left there. Prefix sums of 8192 columns, four iterations at a time: 129 ns an iteration
/// (H100).
constexpr double waits_for_words = 0.8, waits_for_former = 0.7;
/// Loss of memory's rate with each doubling of the iterations at a time beyond four: a thread asks for as many planes
/// at once. Tridiagonal systems along z, 512³: 0.87 ms with four, 1.03 with sixteen.
constexpr double planes_loss_a_doubling = 0.09;
/// The share of L1 that lines stay in.
constexpr double l1_share_of_lines = 0.7;
constexpr double registers_of_iteration = 2;
/// Instructions a clock of a CPU's core, where no two cells are computed together.
constexpr double instructions_a_clock = 2;
/// Instructions of a word of a tile that is fetched or stored: place in the line, its iteration and cell, tests,
/// address, access, and those of the tile; cycles that a thread takes for it where nothing else runs; registers for
/// those behind each other.
constexpr double instructions_of_copy = 8, cycles_of_pass = 12;
constexpr int registers_of_copies = 60;
/// Shares of memory's rate where an iteration's words of a block are a row of 64 bytes, or of 128. Prefix sums of 8192
/// columns: 255 us with 16 cells, 205 with 32; tridiagonal systems along y, 512³: 424 with 32, 414 with 64 (H100).
constexpr double rate_of_half_line = 0.8, rate_of_line = 0.97;
/// Cycles: until a word of shared memory is there; what a barrier takes; of an operation in tiles, whose results go
/// back there. Tridiagonal systems along x, 512³, in chunks of 256: 110 ns an iteration of 18 instructions (H100).
constexpr double cycles_of_shared = 30, cycles_of_barrier = 40, cycles_of_chain_in_tiles = 8;
constexpr double not_bound_bytes = 1e9;

}  // namespace

/// What a loop takes, counted once for all choices with tiles, or without.
class LoopDemand {
public:
    LoopDemand(const LoopWork& work, bool tiled, const Program& program, const Device& device, const Problem& problem)
        : work_(work),
          tiled_(tiled),
          program_(program),
          calls_(program, *work_.loop.body),
          device_(device),
          problem_(problem),
          iterations_(estimated_iterations(work_.loop.from, work_.loop.to, problem)) {
        for (const AxisId axis : work_.axes()) extents_.push_back(static_cast<double>(extent_of(problem, axis)));
        for (const double extent : extents_) cells_ *= extent;
        for (std::size_t k = work_.begin; k < work_.end; ++k) {
            const FieldCall& call = work_.call(k);
            note_line(call.value, call.target);
            for (const FieldRead& read : call.reads) note_line(read.value, read.indices);
        }
        count_all();
    }

    /// Requires: the schedule is of the same work, with tiles or without.
    [[nodiscard]] Demand of(const LoopSchedule& schedule) const {
        const FieldChoice& choice = schedule.choice;
        Demand demand = demand_;
        demand.threads = schedule.threads();
        demand.blocks = std::ceil(cells_ / choice.threads_x);
        demand.instructions += cells_ * iterations_ * loop_instructions / choice.unroll;
        const double ahead = asks_ahead_ ? choice.unroll : 1;
        demand.registers =
            std::min(most_registers,
                     base_registers + static_cast<int>(registers_ + registers_of_iteration * read_words_ * ahead));
        // Iterations beside each other share the sectors of a line.
        if (scattered_ == 0)
            demand.access_efficiency /= 1 + planes_loss_a_doubling * std::max(0.0, std::log2(choice.unroll / 4.0));
        if (scattered_ > 0) demand.access_efficiency *= 1 - scattered_ * (1 - scattered_efficiency);
        const double clock = device_.clock_ghz;
        double of_iteration = std::max(chain_ * cycles_of_chain, issued_) / clock +
                              former_ * waits_for_former * device_.memory_latency_ns;
        if (read_words_ > 0) of_iteration += waits_for_words * device_.memory_latency_ns / ahead;
        demand.block_latency_ns = device_.memory_latency_ns + iterations_ * of_iteration;
        if (tiled_) add_tiles(schedule, demand);
        // A core goes through one line after the other, an iteration at a time.
        if (device_.kind == DeviceKind::cpu)
            demand.core_clocks =
                std::max(cells_ * iterations_ * chain_ * cycles_of_chain, demand.instructions / instructions_a_clock);
        return demand;
    }

private:
    const LoopWork& work_;
    const bool tiled_;
    const Program& program_;
    LibraryCalls calls_;
    const Device& device_;
    const Problem& problem_;
    const double iterations_;
    std::vector<double> extents_;  ///< by axis of the kernel
    double cells_ = 1, read_ = 0, stored_ = 0, again_ = 0;
    double read_words_ = 0;                 ///< of an iteration and thread, from memory
    double chain_ = 0;                      ///< instructions of an iteration that follow each other
    double issued_ = 0;                     ///< all of them: a warp issues one a clock
    std::vector<const FieldRead*> reads_;   ///< of memory, each once
    std::map<ValueId, double> made_after_;  ///< so many of them, words of the iteration
    int former_ = 0;                        ///< reads of what an earlier iteration has left in memory
    double registers_ = 0, scattered_ = 0;
    bool asks_ahead_ = true;
    /// Fields of which threads beside each other touch lines of their own, each with the numbers at which its first
    /// axis stands: what an iteration touches of them lies in one line.
    std::map<VariableId, std::set<double>> lines_;
    Demand demand_;  ///< as far as all choices have the same

    void count_all() {
        for (const HandedWord& word : work_.words) {
            const double bytes = cells_ * bytes_of(word.leaving);
            if (word.initial && !word.made) read_ += bytes;
            if (std::binary_search(work_.fusion.outputs.begin(), work_.fusion.outputs.end(), word.result))
                stored_ += bytes;
        }
        for (std::size_t k = 0; k < work_.statements.size(); ++k)
            if (work_.is_beside(k))
                count_beside(k);
            else
                count(k);
        registers_ = most_words_alive();
        demand_.global_bytes = read_ + stored_;
        demand_.extra_bytes = again_;
        demand_.read_share = demand_.global_bytes > 0 ? read_ / demand_.global_bytes : 1;
        demand_.access_efficiency = author_access_efficiency;
        demand_.in_flight_bytes = not_bound_bytes;  // by the chain of each thread
        asks_ahead_ = asks_ahead();
    }

    [[nodiscard]] double bytes_of(ValueId value) const { return bytes_of_cell(value, program_, *work_.loop.body); }

    /// Words of the iterations behind each other in the code are asked for together, unless a quotient or a root has a
    /// branch between them. Forward elimination of 4096 tridiagonal systems along y, sixteen iterations at a time: 420
    /// ns an iteration (H200).
    [[nodiscard]] bool asks_ahead() const {
        for (std::size_t k = work_.begin; k < work_.end; ++k)
            if (has_slow_path(*work_.call(k).statement->value)) return false;
        return true;
    }
    [[nodiscard]] VariableId variable(ValueId value) const { return work_.loop.body->values[value].variable; }
    void note_line(ValueId value, const std::vector<FieldIndex>& indices) {
        if (indices.empty() || !scatters(indices) || is_table(value, indices)) return;
        std::set<double>& numbers = lines_[variable(value)];
        const auto* at = std::get_if<Absolute>(&indices.front());
        const auto* number = at != nullptr ? std::get_if<Literal>(&at->position->node) : nullptr;
        if (number != nullptr) numbers.insert(number->value);
    }
    /// Cells look words up in it, and L1 holds all of it.
    [[nodiscard]] bool is_table(ValueId value, const std::vector<FieldIndex>& indices) const {
        return is_computed(indices) && device_.kind == DeviceKind::gpu &&
               all_bytes(value) <= l1_share_of_lines * static_cast<double>(device_.shared_bytes_per_multiprocessor);
    }
    /// Words that cells look up in a field: a word a cell and iteration, of one that L2 holds each once at most.
    [[nodiscard]] double looked_up(ValueId value) const {
        const double all = all_bytes(value) / bytes_of(value);
        const bool stays = all_bytes(value) <= static_cast<double>(device_.l2_bytes);
        return stays ? std::min(all, iterations_ * cells_) : iterations_ * std::min(all, cells_);
    }
    [[nodiscard]] double all_bytes(ValueId value) const {
        double bytes = bytes_of(value);
        for (const AxisId axis : field_shape(program_, variable(value)).axes)
            bytes *= static_cast<double>(extent_of(problem_, axis));
        return bytes;
    }
    /// Threads beside each other that read one word: the field lacks the first axis of the kernel. A kernel of numbers
    /// has one thread.
    [[nodiscard]] double sharing(const std::vector<FieldIndex>& indices) const {
        if (extents_.empty()) return 1;
        return moves_along(indices, 0) ? 1 : std::min<double>(warp_threads, extents_.front());
    }
    /// Where cells beside each other lie in lines of their own, the part of the lines that does not stay in L1 until
    /// the next iteration. `sharing`: cells of a line.
    [[nodiscard]] double lost_lines(double sharing) const {
        const double threads =
            std::min<double>(device_.max_threads_per_multiprocessor, std::ceil(cells_ / device_.multiprocessors));
        const std::size_t fields = std::min(work_.statements.size() + 1, lines_.size());
        const double lines = threads / sharing * line_words * 4 * static_cast<double>(fields);
        const double held = l1_share_of_lines * static_cast<double>(device_.shared_bytes_per_multiprocessor);
        return std::clamp(lines / held - 1, 0.0, 1.0);
    }
    /// How much more than its words a field moves.
    [[nodiscard]] double sectors_of(ValueId value, const std::vector<FieldIndex>& indices) {
        if (!scatters(indices) || device_.kind == DeviceKind::cpu) return 1;
        if (words_between(value, indices) > 0) return 1;
        const double lost = lost_lines(sharing(indices));
        const double words = std::max<double>(1, static_cast<double>(lines_.at(variable(value)).size()));
        const double sectors = std::max(1.0, l2_sector_bytes / (words * bytes_of(value)));
        if (sectors > 1) scattered_ = std::max(scattered_, lost);
        return 1 + lost * (sectors - 1);
    }
    /// Where cells beside each other lie beside each other, and the loop touches all words of each, how many these are;
    /// else 0.
    [[nodiscard]] double words_between(ValueId value, const std::vector<FieldIndex>& indices) const {
        const auto numbers = lines_.find(variable(value));
        if (numbers == lines_.end() || indices.size() < 2) return 0;
        const auto* along = std::get_if<Moving>(&indices[1]);
        const auto words = extent_of(problem_, field_shape(program_, variable(value)).axes.front());
        const bool all = static_cast<long long>(numbers->second.size()) == words;
        return all && along != nullptr && along->axis == 0 ? static_cast<double>(words) : 0;
    }
    void pass(ValueId value, const std::vector<FieldIndex>& indices) {
        double cells_of_line = scatters(indices) ? sharing(indices) : warp_threads;
        if (const double words = words_between(value, indices); words > 0)
            cells_of_line = std::max(cells_of_line, line_words * 4 / (words * bytes_of(value)));
        demand_.shared_lines += cells_ * iterations_ / cells_of_line;
    }

    /// Each tile: fetched by all threads, read or made by those of its lines, stored by all.
    void add_tiles(const LoopSchedule& schedule, Demand& demand) const {
        const FieldChoice& choice = schedule.choice;
        demand.shared_bytes_per_block = block::shared_bytes(*schedule.block);
        double loaded = 0, copies = 0, read = 0;
        bool waits = false;  // for words that come through registers
        for (const LoopTile& tile : work_.tiles) {
            waits = waits || (tile.loaded && is_widened(type_of_tile(tile, work_, program_)));
            loaded += tile.loaded ? 1 : 0;
            copies += (tile.loaded ? 1 : 0) + (tile.stored ? 1 : 0);
            read += bytes_of(tile.value) * (tile.loaded ? 1 : 0);
        }
        // Warps of which some threads alone have cells.
        demand.instructions *= std::max(1.0, static_cast<double>(warp_threads) / choice.threads_x);
        const bool rows =
            std::any_of(work_.tiles.begin(), work_.tiles.end(), [](const LoopTile& t) { return !t.lines; });
        if (rows && choice.threads_x <= line_words)
            demand.access_efficiency *= choice.threads_x < line_words ? rate_of_half_line : rate_of_line;
        const double words = cells_ * iterations_ * copies;
        demand.instructions += words * instructions_of_copy;
        demand.shared_lines += 3 * words / warp_threads;
        const double chunks = std::ceil((iterations_ + schedule.early()) / choice.chunk);
        const double of_tile = static_cast<double>(choice.threads_x) * choice.chunk;
        demand.in_flight_bytes = read > 0 ? of_tile * read : not_bound_bytes;
        const double clock = device_.clock_ghz;
        const int barriers = block::barriers_met(*schedule.block);
        demand.barriers = static_cast<int>(chunks) * barriers;
        const double passes = of_tile / schedule.threads() * copies;
        const double computing =
            choice.chunk * (chain_ * cycles_of_chain_in_tiles + cycles_of_shared / choice.unroll) / clock;
        const double latency = loaded > 0 ? device_.memory_latency_ns : 0;
        const double of_chunk = (waits ? computing + latency : std::max(computing, latency)) +
                                (passes * cycles_of_pass + barriers * cycles_of_barrier) / clock;
        demand.block_latency_ns = device_.memory_latency_ns + chunks * of_chunk;
        demand.registers = std::max(demand.registers, base_registers + registers_of_copies);
    }
    [[nodiscard]] const LoopTile* tile_of(ValueId value, const std::vector<FieldIndex>& indices) const {
        return tiled_ ? work_.tile_of(value, indices, program_) : nullptr;
    }

    void count(std::size_t k) {
        const FieldCall& call = work_.call(k);
        const Expression& value = *call.statement->value;
        const double before = calls_.done_before(call.node, {});
        const double computed = instruction_count(*call.statement) - before;
        double accesses = 0, ready = 0;
        for (const FieldRead& read : call.reads) {
            const WalkedField* walked = work_.walked_of(read.value);
            if (const auto made = made_after_.find(read.value); made != made_after_.end())
                ready = std::max(ready, made->second);
            if (walked == nullptr && work_.is_in_register(read.value)) continue;
            if (walked != nullptr && word_of(work_, k, read, program_) != WordOf::memory) continue;
            if (!is_first(read)) continue;
            const double bytes = bytes_of(read.value);
            const bool moves = moves_with_iterations(read.indices);
            const bool looks_up = is_computed(read.indices);
            const double words =
                looks_up ? looked_up(read.value) : (moves ? iterations_ : 1) * words_touched(read.indices, extents_);
            read_ += words * bytes;
            if (tile_of(read.value, read.indices) != nullptr) continue;
            // Cells beside each other mostly look at places beside each other.
            if (!is_table(read.value, read.indices))
                again_ += looks_up ? 0 : words * bytes * (sectors_of(read.value, read.indices) - 1);
            if (!moves) continue;
            ++accesses;
            ++read_words_;
            pass(read.value, read.indices);
            if (walked != nullptr) ++former_;
        }
        if (work_.walked_of(call.value) != nullptr) {
            const double bytes = bytes_of(call.value);
            stored_ += iterations_ * cells_ * bytes;
            const LoopTile* tile = tile_of(call.value, call.target);
            if (tile == nullptr || !tile->stored) {
                again_ += iterations_ * cells_ * bytes * (sectors_of(call.value, call.target) - 1);
                ++accesses;
                pass(call.value, call.target);
            }
        }
        const double all = computed + accesses * (1 + address_instructions);
        made_after_[call.value] = ready + computed;
        chain_ = std::max(chain_, ready + computed);
        issued_ += all;
        demand_.instructions += cells_ * iterations_ * all;
        demand_.flops += cells_ * iterations_ * (operation_count(value) - before);
    }

    /// Once for a cell, before the iterations or behind them.
    void count_beside(std::size_t k) {
        const FieldCall& call = work_.call(k);
        const Expression& value = *call.statement->value;
        double accesses = 0;
        for (const FieldRead& read : call.reads) {
            if (work_.walked_of(read.value) == nullptr && work_.is_in_register(read.value)) continue;
            if (!is_first(read)) continue;
            ++accesses;
            // Cells beside each other share what they read of neighbours.
            const auto same = [&](const FieldRead* other) { return other->value == read.value; };
            if (std::count_if(reads_.begin(), reads_.end(), same) > 1) continue;
            read_ += words_touched(read.indices, extents_) * bytes_of(read.value);
        }
        if (work_.stores_beside(k)) {
            stored_ += cells_ * bytes_of(call.value);
            ++accesses;
        }
        const double computed = instruction_count(*call.statement);
        demand_.instructions += cells_ * (computed + accesses * (1 + address_instructions));
        demand_.flops += cells_ * operation_count(value);
    }

    /// An iteration has no word of the read yet.
    [[nodiscard]] bool is_first(const FieldRead& read) {
        const auto same = [](const FieldIndex& a, const FieldIndex& b) {
            const auto *one = std::get_if<Moving>(&a), *other = std::get_if<Moving>(&b);
            if (one != nullptr && other != nullptr) return one->axis == other->axis && one->step == other->step;
            const auto *here = std::get_if<Absolute>(&a), *there = std::get_if<Absolute>(&b);
            return here != nullptr && there != nullptr && same_expression(here->position, there->position);
        };
        const bool known = std::any_of(reads_.begin(), reads_.end(), [&](const FieldRead* other) {
            return other->value == read.value &&
                   std::equal(read.indices.begin(), read.indices.end(), other->indices.begin(), same);
        });
        if (!known) reads_.push_back(&read);
        return !known;
    }

    /// Words that a thread has at once: from where they are made, or the iteration begins, to where they are last read,
    /// and to its end those that it hands on. What other fields have at the cell stays from iteration to iteration.
    [[nodiscard]] double most_words_alive() const {
        std::map<ValueId, std::size_t> made, last;
        std::set<ValueId> staying;
        for (std::size_t k = 0; k < work_.statements.size(); ++k) {
            for (const FieldRead& read : work_.call(k).reads) {
                if (work_.walked_of(read.value) != nullptr) continue;
                if (work_.is_in_register(read.value)) {
                    last[read.value] = k;
                } else if (!work_.is_beside(k) && !moves_with_iterations(read.indices)) {
                    staying.insert(read.value);
                }
            }
            made[work_.call(k).value] = k;
        }
        for (const HandedWord& word : work_.words) {
            if (word.entering) made[*word.entering] = work_.begin;
            last[word.leaving] = work_.end;
            if (word.left) made[*word.left] = work_.end;
        }
        // What an iteration reads the next reads again.
        for (auto& [value, end] : last)
            if (made.contains(value) && made[value] < work_.begin && end >= work_.begin && end < work_.end)
                end = work_.end;
        double most = 0;
        for (std::size_t k = 0; k < work_.statements.size(); ++k) {
            double alive = 0;
            for (const auto& [value, end] : last) {
                const auto from = made.find(value);
                if (from != made.end() && from->second <= k && k <= end) alive += registers_of(value);
            }
            most = std::max(most, alive);
        }
        for (const ValueId value : staying) most += registers_of(value);
        return most;
    }
    [[nodiscard]] double registers_of(ValueId value) const { return std::max(1.0, bytes_of(value) / 4); }

    /// A position that stays is a word of a cell.
    [[nodiscard]] bool moves_with_iterations(const std::vector<FieldIndex>& indices) const {
        return std::any_of(indices.begin(), indices.end(), [&](const FieldIndex& index) {
            return std::holds_alternative<Computed>(index) || work_.goes_on(index);
        });
    }
};

}  // namespace kasc::model

namespace kasc {

/// Each is counted for the first schedule that asks for it.
struct LoopPredictor::Shared {
    std::optional<model::LoopDemand> tiled, untiled;
};

LoopPredictor::LoopPredictor(const LoopWork& work, const Program& program, const Device& device, const Problem& problem)
    : work_(work), program_(program), device_(device), problem_(problem), shared_(std::make_unique<Shared>()) {}
LoopPredictor::~LoopPredictor() = default;

Prediction LoopPredictor::of(const LoopSchedule& schedule) {
    if (work_.of_lines()) return model::predict_line_loop(schedule, program_, device_, problem_);
    std::optional<model::LoopDemand>& demand = schedule.tiled() ? shared_->tiled : shared_->untiled;
    if (!demand) demand.emplace(work_, schedule.tiled(), program_, device_, problem_);
    return model::predict(demand->of(schedule), device_);
}

}  // namespace kasc
