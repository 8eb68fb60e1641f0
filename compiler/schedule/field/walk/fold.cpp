// A block folds the cells of some results: so many lanes a result, which a tree joins. A thread joins its own first.
#include "schedule/field/walk/fold.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <set>
#include <string>
#include <utility>

#include "frontend/reduction.hpp"
#include "schedule/field/walk/walk.hpp"

namespace kasc {

namespace {

using namespace block;

/// Bytes of an accumulator (frontend/reduction.hpp says in what cells are folded): of the widest.
constexpr int accumulator_bytes = 8;
/// As many as a thread has loads under way: with 2048 threads on a multiprocessor 32 kB of floats, twice what an H100
/// needs to reach its rate of reading.
constexpr int lanes_of_thread = 4;
/// Words of which a thread has few bytes under way where it takes them one by one.
constexpr int most_bytes_of_small_words = 2;
/// Words of a cell of which four cells' are read before any is folded: 48 registers.
constexpr std::size_t most_loads_first = 12;
/// Words of a cell of which eight cells' are read together: 24 registers, of 64 that four blocks have.
constexpr std::size_t most_loads_of_eight = 3;
/// Parts of a thread that are read together where parts are joined, by few blocks; and the words of several folds, of
/// two registers each, with what folds them half of what a thread may have.
constexpr int most_cells_ahead = 32;
constexpr std::size_t most_words_ahead = 48;
/// Results that lie side by side and are read together: floats of a sector of 32 bytes.
constexpr int least_results = 8;
/// What more threads with a result have to bring: rows of fewer results are read a sector at a time (of 1000 results,
/// 32 at a time 112 us, eight at a time, which leave no thread without one, 134; H200).
constexpr double least_gain = 1.1;
/// Results whose parts few blocks join, so that it counts what each has under way.
constexpr int results_of_few_blocks = 64;
/// Operations of a cell, of which four are computed together. Eigenvalues of a symmetric matrix have 93 and would take
/// 204 registers in place of 80.
constexpr int most_operations_together = 48;

/// Those that stand at each cell along the folded axes: words of others are read once.
std::size_t values_read_cell_by_cell(const FieldWork& work, const Fold& fold) {
    std::set<ValueId> values;
    for (const FieldCall& call : work.plan.calls)
        for (const FieldRead& read : call.reads)
            for (const FieldIndex& index : read.indices)
                if (const auto* moving = std::get_if<Moving>(&index);
                    !read.producer && moving != nullptr &&
                    std::find(fold.axes.begin(), fold.axes.end(), work.plan.axes[moving->axis]) != fold.axes.end())
                    values.insert(read.value);
    return values.size();
}

/// Lanes of a thread that are beside each other pass through shared memory to threads that have every 256th, as where
/// cells come one by one: all else is alike.
void add_groups(BlockProgram& made, Step& folded, std::vector<Step>& steps, std::size_t folds, const FoldThreads& of) {
    const int words = of.lanes_each * of.threads;
    Step taken{StepKind::move, "lanes of groups", "the lanes of groups", "taken"};
    for (std::size_t k = 0; k < folds; ++k) {
        const std::size_t region = made.regions.size();
        made.regions.push_back(
            {"groups", Residence::shared, words, 1, accumulator_bytes,
             fmt::format("what each of {} lanes has folded, of groups of {}", words, of.lanes_each)});
        const auto touch = [&](bool writes, int apart, int from) {
            AddressSet set;
            for (int j = 0; j < of.lanes_each; ++j) set.offsets.push_back(j * apart);
            for (int t = 0; t < of.threads; ++t) set.start.push_back(t * from);
            return Touch{region, 0, writes, std::make_shared<const AddressSet>(std::move(set))};
        };
        folded.touches.push_back(touch(true, 1, of.lanes_each));
        taken.touches.push_back(touch(false, of.threads, 1));
    }
    steps.push_back(std::move(taken));
}

/// Each thread has a word of each fold; in each step of the tree the lower half of them reads the upper half's. Where
/// the last steps are exchanges of registers, every thread takes its own words to them; where all are, nothing is
/// shared.
BlockProgram folding(const Fold& fold, std::size_t folds, const FieldChoice& choice) {
    const auto [lanes_each, beside, lanes, results, parts] = threads_of(fold, choice);
    const int all_threads = lanes * results * parts;
    const bool lanes_first = !fold.side_by_side;
    const bool shared = !joins_in_warps(fold, choice, lanes / 2), in_warps = joins_in_warps(fold, choice, 1);
    BlockProgram made;
    for (std::size_t k = 0; k < folds && shared; ++k)
        made.regions.push_back({"lanes", Residence::shared, all_threads, 1, accumulator_bytes,
                                "what each of " + std::to_string(fold.lanes) + " lanes has folded" +
                                    (lanes_each > 1 ? ", " + std::to_string(lanes_each) + " joined" : "")});
    for (std::size_t k = 0; k < folds && in_warps; ++k)
        made.regions.push_back({"joined", Residence::registers, 2, 1, accumulator_bytes});
    /// Adds the words that threads touch, for each fold alike.
    const auto words = [&](std::vector<Touch>& touches, std::vector<int> offsets, int some, bool writes) {
        if (!shared) return;
        AddressSet set;
        set.offsets = std::move(offsets);
        for (int t = 0; t < all_threads; ++t)
            if ((lanes_first ? t % lanes : t / results % lanes) < some) set.start.push_back(t);
        const std::vector<int> threads = set.start;
        const auto all = std::make_shared<const AddressSet>(std::move(set));
        for (std::size_t k = 0; k < folds; ++k) touches.push_back({k, 0, writes, all, threads});
    };
    const auto add = [&](StepKind kind, const char* label, const char* made_text, std::vector<Touch> touches) {
        made.steps.push_back({kind, label, std::string("the ") + label, made_text, std::move(touches)});
    };
    std::vector<Touch> folded;
    if (!beside) words(folded, {0}, lanes, true);
    add(StepKind::fold, "fold", "folded", std::move(folded));
    if (beside) {
        std::vector<Step> taken;
        add_groups(made, made.steps.back(), taken, folds, threads_of(fold, choice));
        words(taken.front().touches, {0}, lanes, true);
        made.steps.push_back(std::move(taken.front()));
    }
    for (int half = lanes / 2; half > 0 && !joins_in_warps(fold, choice, half); half /= 2) {
        const int theirs = half * (lanes_first ? 1 : results);
        std::vector<Touch> joined;
        words(joined, {0, theirs}, half, false);
        words(joined, {0}, half, true);
        add(StepKind::exchange, "join", "joined", std::move(joined));
    }
    std::vector<Touch> last;
    words(last, {0}, in_warps ? lanes : 1, false);
    if (in_warps) add(StepKind::exchange, "join", "joined", std::exchange(last, {}));
    add(StepKind::store, "store", "", std::move(last));
    return made;
}

/// The touches of all threads, each from its own start on.
Touch touch_of_all(std::size_t region, bool writes, int step, int count, const std::function<int(int)>& start) {
    AddressSet set;
    for (int k = 0; k < count; ++k) set.offsets.push_back(k * step);
    for (int t = 0; t < fold_threads; ++t) set.start.push_back(start(t));
    return {region, 0, writes, std::make_shared<const AddressSet>(std::move(set))};
}

/// Rows are complete in their warp's registers; each fold of columns has a region for those that are joined at a time.
BlockProgram folding_both_ways(const std::vector<const FieldCall*>& folds) {
    BlockProgram made;
    std::size_t rows = 0, columns = 0;
    for (const FieldCall* call : folds) {
        if (!call->statement->fold->side_by_side) {
            ++rows;
            continue;
        }
        ++columns;
        made.regions.push_back({"lanes", Residence::shared, tile_warps * columns_at_a_time, 1, accumulator_bytes,
                                "what each of 8 warps has folded of 256 columns"});
    }
    for (std::size_t k = 0; k < columns; ++k)
        made.regions.push_back({"columns", Residence::registers, columns_of_thread, 1, accumulator_bytes});
    for (std::size_t k = 0; k < rows; ++k)
        made.regions.push_back({"joined", Residence::registers, 2, 1, accumulator_bytes});
    const auto add = [&](StepKind kind, const char* label, const char* made_text, std::vector<Touch> touches = {}) {
        made.steps.push_back({kind, label, std::string("the ") + label, made_text, std::move(touches)});
    };
    add(StepKind::loop_begin, "rows", "");
    made.steps.back().iterations = tile_rows / tile_warps;
    add(StepKind::fold, "fold", "folded");
    add(StepKind::exchange, "join of rows", "joined");
    add(StepKind::store, "store", "");
    add(StepKind::loop_end, "", "");
    for (int from = 0; from < tile_columns; from += columns_at_a_time) {
        std::vector<Touch> left, joined;
        for (std::size_t k = 0; k < columns; ++k) {
            left.push_back(touch_of_all(k, true, warp_threads, columns_at_a_time / warp_threads,
                                        [](int t) { return t / warp_threads * columns_at_a_time + t % warp_threads; }));
            joined.push_back(touch_of_all(k, false, columns_at_a_time, tile_warps, [](int t) { return t; }));
        }
        add(StepKind::move, "columns of a warp", "left", std::move(left));
        add(StepKind::exchange, "join of columns", "joined", std::move(joined));
    }
    return made;
}

/// Why rows and columns are not folded in one tile; empty: they are.
std::string tile_fault(const FieldChoice& choice, const FieldWork& work) {
    if (choice.walk == Walk::row) return "a CPU folds rows and columns one after the other";
    if (work.edges) return "cells at the edge have a path of their own: a tile's rows are read without a look at it";
    if (cells_ahead(work) == 1) return "a tile's cells are computed 16 at a time, these take too many registers";
    return {};
}

/// Why cells are not folded in groups; empty: they may be.
std::string groups_fault(const Fold& fold, const FieldWork& work) {
    const auto& axes = work.plan.axes;
    if (folds_both_ways(work.plan) || !std::equal(fold.axes.begin(), fold.axes.end(), axes.begin()))
        return "groups of cells that are folded lie along the first axis";
    if (reads_neighbours(work) || work.narrowest <= most_bytes_of_small_words) return {};
    return "no cell that is folded reads neighbours, or words of few bits: its number says where it lies";
}

class FoldWalk : public FieldWalk {
public:
    std::string numbers_fault(const FieldChoice&, std::size_t) const override { return {}; }
    std::string fault(const FieldChoice& choice, const FieldWork& work, const FusionFaults&) const override {
        const Fold& fold = *fold_of(work);
        if (folds_both_ways(work.plan)) {
            if (std::string fault = tile_fault(choice, work); !fault.empty()) return fault;
        }
        FieldChoice block = choice;
        block.launch = KernelLaunch::own;
        const std::vector<FieldChoice> cells = choices_of_fold(fold, false);
        if (block == choices_of_fold(fold, true).front() || std::find(cells.begin(), cells.end(), block) != cells.end())
            return "";
        if (block != groups_of_fold(fold))
            return "what folds its cells has one block: lanes in the order of the language";
        return groups_fault(fold, work);
    }
    int threads(const FieldChoice& choice) const override { return choice.walk == Walk::row ? 1 : fold_threads; }
    block::BlockProgram block(const FieldSchedule& schedule, const Program&, const Graph&) const override {
        const std::vector<const FieldCall*> folds = folds_of(schedule.plan());
        if (folds_both_ways(schedule.plan())) return with_barriers(folding_both_ways(folds));
        return with_barriers(folding(*fold_of(*schedule.work), folds.size(), schedule.choice));
    }
};

}  // namespace

FoldThreads threads_of(const Fold& fold, const FieldChoice& choice) {
    const int lanes_each = fold.lanes > warp_threads ? lanes_of_thread : 1, threads = fold.lanes / lanes_each;
    if (choice.walk == Walk::row) return {1, false, fold.lanes, fold_threads / threads};
    if (!fold.side_by_side) return {lanes_each, choice.vector > 1, threads, fold_threads / threads};
    const int of_lanes = std::min(choice.threads_y, fold.lanes);
    return {fold.lanes / of_lanes, false, of_lanes, choice.threads_x, choice.threads_y / of_lanes};
}

std::optional<AxisId> axis_of_results(const FieldPlan& plan, const Fold& fold) {
    const auto found = std::find_if(plan.axes.begin(), plan.axes.end(), [&](AxisId axis) {
        return axis != fold.parts && std::find(fold.axes.begin(), fold.axes.end(), axis) == fold.axes.end();
    });
    return found == plan.axes.end() ? std::nullopt : std::optional(*found);
}

double share_with_results(const FoldThreads& threads, long long results) {
    const long long groups = (results + threads.results - 1) / threads.results;
    return static_cast<double>(results) / static_cast<double>(groups * threads.results);
}

bool may_pay(const Fold& fold, const FieldChoice& choice, long long results) {
    if (!fold.parts) return results <= results_of_few_blocks;
    if (choice.threads_x < std::min<long long>(results, least_results)) return false;
    FieldChoice wider = choice;
    wider.threads_x *= 2;
    return share_with_results(threads_of(fold, choice), results) >
           least_gain * share_with_results(threads_of(fold, wider), results);
}

int cells_ahead(const FieldWork& work) {
    int operations = 0;
    for (const FieldCall& call : work.plan.calls) operations += operation_count(*call.statement->value);
    return operations <= most_operations_together ? lanes_of_thread : 1;
}

bool reads_cells_first(const Fold& fold, const FieldChoice& choice, const FieldWork& work) {
    if (!fold.side_by_side || work.edges || cells_ahead(work) == 1 || work.loads.size() > most_loads_first)
        return false;
    return !fold.parts || (threads_of(fold, choice).parts > 1 && values_read_cell_by_cell(work, fold) > 1);
}

int cells_of_group(const Fold& fold, const FieldChoice& choice, const FieldWork& work) {
    const int ahead = cells_ahead(work), lanes = threads_of(fold, choice).lanes_each;
    if (lanes > 1 || ahead == 1) return std::max(ahead, lanes);
    return reads_cells_first(fold, choice, work) && work.loads.size() <= most_loads_of_eight ? 2 * ahead : ahead;
}

int groups_ahead(const Fold& fold, const FieldChoice& choice, const FieldWork& work) {
    const bool joins = fold.side_by_side && !fold.parts && fold.lanes > warp_threads;
    if (!joins || work.edges || cells_ahead(work) != lanes_of_thread) return 1;
    const int together =
        std::bit_floor(static_cast<unsigned>(most_words_ahead / std::max<std::size_t>(1, work.loads.size())));
    return std::max(1, std::min(most_cells_ahead, together) / cells_of_group(fold, choice, work));
}

std::vector<FieldChoice> choices_of_fold(const Fold& fold, bool cpu) {
    FieldChoice choice;
    choice.walk = cpu ? Walk::row : Walk::grid;
    const int threads = fold.lanes / (fold.lanes > warp_threads ? lanes_of_thread : 1),
              results = fold_threads / threads;
    choice.threads_x = fold.side_by_side ? results : threads;
    choice.threads_y = fold.side_by_side ? threads : results;
    std::vector<FieldChoice> all{choice};
    if (cpu || !fold.side_by_side || fold.pieces) return all;
    while (choice.threads_x > 1 && (fold.parts || choice.threads_y < fold.lanes)) {
        choice.threads_x /= 2, choice.threads_y *= 2;
        all.push_back(choice);
    }
    return all;
}

std::optional<FieldChoice> groups_of_fold(const Fold& fold) {
    FieldChoice choice = choices_of_fold(fold, false).front();
    if (fold.lanes != lanes_of_thread * fold_threads || fold.side_by_side || !fold.parts) return std::nullopt;
    choice.vector = lanes_of_thread;
    return choice;
}

bool joins_in_warps(const Fold& fold, const FieldChoice& choice, int half) {
    return choice.walk != Walk::row && !fold.side_by_side && half < warp_threads;
}

const FieldWalk& fold_walk() {
    static const FoldWalk walk;
    return walk;
}

}  // namespace kasc
