// A block folds the cells of some results: so many lanes a result, which a tree joins.
#include "schedule/field/walk/fold.hpp"

#include <string>

#include "frontend/reduction.hpp"
#include "schedule/field/walk/walk.hpp"

namespace kasc {

namespace {

using namespace block;

/// Of an accumulator (frontend/reduction.hpp says in what cells are folded): the widest.
constexpr int accumulator_bytes = 8;

/// Each lane has a word; in each step of the tree the lower half of them reads the upper half's. Where the last steps
/// are exchanges of registers, every thread takes its own word to them; where all are, nothing is shared.
BlockProgram folding(const Fold& fold, const FieldChoice& choice) {
    const int results = fold_threads / fold.lanes;
    const bool lanes_first = fold.lanes != column_lanes;
    const bool shared = !joins_in_warps(fold, choice, fold.lanes / 2), in_warps = joins_in_warps(fold, choice, 1);
    BlockProgram made;
    if (shared)
        made.regions.push_back({"lanes", Residence::shared, fold_threads, 1, accumulator_bytes,
                                "what each of " + std::to_string(fold.lanes) + " lanes has folded"});
    if (in_warps) made.regions.push_back({"joined", Residence::registers, 2, 1, accumulator_bytes});
    const auto words = [&](std::vector<int> offsets, int lanes, bool writes) {
        AddressSet set;
        set.offsets = std::move(offsets);
        for (int t = 0; t < fold_threads; ++t)
            if ((lanes_first ? t % fold.lanes : t / results) < lanes) set.start.push_back(t);
        std::vector<int> threads = set.start;
        return Touch{0, 0, writes, std::make_shared<const AddressSet>(std::move(set)), std::move(threads)};
    };
    const auto add = [&](StepKind kind, const char* label, const char* made_text, std::vector<Touch> touches) {
        made.steps.push_back(
            {kind, label, std::string("the ") + label, made_text, shared ? std::move(touches) : std::vector<Touch>{}});
    };
    add(StepKind::fold, "fold", "folded", {words({0}, fold.lanes, true)});
    for (int half = fold.lanes / 2; half > 0 && !joins_in_warps(fold, choice, half); half /= 2) {
        const int theirs = half * (lanes_first ? 1 : results);
        add(StepKind::exchange, "join", "joined", {words({0, theirs}, half, false), words({0}, half, true)});
    }
    if (in_warps) add(StepKind::exchange, "join", "joined", {words({0}, fold.lanes, false)});
    add(StepKind::store, "store", "", in_warps ? std::vector<Touch>{} : std::vector{words({0}, 1, false)});
    return made;
}

class FoldWalk : public FieldWalk {
public:
    std::string numbers_fault(const FieldChoice&, std::size_t) const override { return {}; }
    std::string fault(const FieldChoice& choice, const FieldWork& work, const FusionFaults&) const override {
        const Fold& fold = *fold_of(work);
        return choice == choice_of_fold(fold, false) || choice == choice_of_fold(fold, true)
                   ? ""
                   : "what folds its cells has one block: 256 lanes in the order of the language";
    }
    int threads(const FieldChoice& choice) const override { return choice.walk == Walk::row ? 1 : fold_threads; }
    block::BlockProgram block(const FieldSchedule& schedule, const Program&, const Graph&) const override {
        return with_barriers(folding(*fold_of(*schedule.work), schedule.choice));
    }
};

}  // namespace

FieldChoice choice_of_fold(const Fold& fold, bool cpu) {
    const int results = fold_threads / fold.lanes;
    const bool columns = fold.lanes == column_lanes;
    FieldChoice choice;
    choice.walk = cpu ? Walk::row : Walk::grid;
    choice.threads_x = columns ? results : fold.lanes;
    choice.threads_y = columns ? fold.lanes : results;
    return choice;
}

bool joins_in_warps(const Fold& fold, const FieldChoice& choice, int half) {
    return choice.walk != Walk::row && fold.lanes != column_lanes && half < warp_threads;
}

const FieldWalk& fold_walk() {
    static const FoldWalk walk;
    return walk;
}

}  // namespace kasc
