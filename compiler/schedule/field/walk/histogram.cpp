// A block sets copies of the cells to zero, adds its entries to them, and what they are then to memory:
//
//   region  count_copies  4096 words, shared
//   step 0  compute  words are set to zero, all by all threads
//        1  compute  groups of entries, each adds to some word            barrier before
//        2  store    sums of copies that are not zero are added           barrier before
//
// Word c * copies + k is cell c of copy k, so that threads of a warp, which have copies of their own where there are
// 32, never meet in a bank of shared memory, whatever the entries are. Blocks of 256 threads have room for 32 copies of
// 128 cells, or for 4096 cells.
#include "schedule/field/walk/histogram.hpp"

#include "graph/field_target.hpp"
#include "patterns/pattern.hpp"
#include "schedule/field/walk/walk.hpp"

namespace kasc {

namespace {

/// Words of 4 bytes. Blocks of 1024 threads have 64 KB, which devices of compute capability 7 and later give a block;
/// two of them are less than a multiprocessor has.
constexpr int words_of_thread = 16;

class Histogram : public FieldWalk {
public:
    std::string numbers_fault(const FieldChoice& c, std::size_t axes) const override {
        if (axes == 0) return "there are no entries to go through";
        if (c.threads_x % warp_threads != 0 || c.threads_y != 1 || c.threads_z != 1)
            return "entries are added by one row of whole warps";
        if (c.rows != 1) return "entries are counted through, not row by row";
        if (c.neighbours != Neighbours::registers) return "a block that adds has no tile of neighbours";
        if (c.borders != Borders::cell) return "threads that count through entries test for themselves";
        return unroll_fault(c);
    }
    std::string fault(const FieldChoice& choice, const FieldWork&, const FusionFaults& faults) const override {
        return choice.vector > 1 && faults.copies.empty() ? faults.copies_of_groups : faults.copies;
    }
    int most_shared_bytes() const override { return words_of_thread * 4 * 1024; }
    FieldChoice decisive(const FieldChoice& choice) const override {
        FieldChoice made;
        made.walk = choice.walk, made.threads_x = choice.threads_x;
        return made;
    }
    BlockCells cells(const FieldSchedule& schedule) const override {
        const FieldChoice& choice = schedule.choice;
        BlockCells cells{std::vector<int>(schedule.axes().size(), 1), schedule.axes().size(), 0};
        cells.along.front() = choice.threads_x * choice.vector * choice.chunk;
        return cells;
    }
    block::BlockProgram block(const FieldSchedule& schedule, const Program& program,
                              const Graph& graph) const override {
        using namespace block;
        BlockProgram made;
        Step zero{StepKind::compute, "zero", "who sets words to zero", "set to zero"};
        Step add{StepKind::compute, "add", "each entry", "added to"}, store{StepKind::store, "store", "the store"};
        const std::vector<const FieldCall*> additions = additions_of(schedule.plan());
        for (const FieldCall* call : additions) {
            const Variable& variable = program.variables[graph.values[call->value].variable];
            const auto bytes = static_cast<int>(cell_bytes(std::get<FieldShape>(variable.shape).type));
            const int words = histogram_words(schedule.choice, additions.size(), bytes);
            const auto all = [&](bool writes) { return Touch{made.regions.size(), 0, writes, {}, {}, words}; };
            zero.touches.push_back(all(true)), add.touches.push_back(all(true)), store.touches.push_back(all(false));
            made.regions.push_back(
                {variable.name + "_copies", Residence::shared, words, 1, bytes, "cells of " + variable.name});
        }
        made.steps = {std::move(zero), std::move(add), std::move(store)};
        return with_barriers(std::move(made));
    }
};

}  // namespace

std::vector<const FieldCall*> additions_of(const FieldPlan& plan) {
    std::vector<const FieldCall*> additions;
    for (const FieldCall& call : plan.calls)
        if (call.statement->adding && call.statement->adding->part == Adding::Part::entries) additions.push_back(&call);
    return additions;
}

std::vector<std::size_t> copied_axes(const FieldCall& addition) {
    std::vector<std::size_t> axes;
    for (std::size_t k = 0; k < addition.target.size(); ++k)
        if (!std::holds_alternative<Absolute>(addition.target[k])) axes.push_back(k);
    return axes;
}

int histogram_words(const FieldChoice& choice, std::size_t additions, int word_bytes) {
    return choice.threads_x * words_of_thread * 4 / word_bytes / static_cast<int>(additions);
}

int histogram_copies(int words, std::int64_t cells) {
    int copies = most_histogram_copies;
    while (copies > 0 && cells * copies > words) copies /= 2;
    return copies;
}

const FieldWalk& histogram_walk() {
    static const Histogram walk;
    return walk;
}

}  // namespace kasc
