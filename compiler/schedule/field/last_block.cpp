// The count is the first thread's, which has stored the block's parts: what it stored before stands there for whoever
// sees the count. So the block waits once, for the word that says whether it is the last:
//
//   region  last   1 word, shared     step 0  count     the first thread: last
//                                          1  go on     all threads read last          barrier before
#include "schedule/field/last_block.hpp"

#include <algorithm>

#include "frontend/reduction.hpp"
#include "graph/field_target.hpp"
#include "schedule/field/walk/fold.hpp"
#include "schedule/field/walk/walk.hpp"

namespace kasc {

namespace {

/// A block has whole lanes of one result.
bool folds_all(const FieldWork& work, const Fold& fold) {
    return fold.lanes == whole_lanes && !fold.chained && !fold.pieces &&
           work.plan.axes.size() == fold.axes.size() + (fold.parts ? 1 : 0);
}

}  // namespace

std::string last_block_fault(const FieldWork& work) {
    if (!work.prologue.empty()) return "a kernel of many blocks is run by all of them";
    const Fold* fold = fold_of(work);
    if (fold == nullptr) return work.plan.axes.empty() ? "" : "a kernel of many blocks is run by all of them";
    return !fold->parts && folds_all(work, *fold) ? "" : "one block does not have all that it folds";
}

std::string going_on_fault(const FieldSchedule& schedule) {
    const Fold* fold = fold_of(*schedule.work);
    if (fold == nullptr || folds_both_ways(schedule.plan()) || !folds_all(*schedule.work, *fold))
        return "it folds no sum over everything";
    return schedule.choice.walk == Walk::row ? "a CPU's blocks are of one thread" : "";
}

const block::BlockProgram& counting_block() {
    using namespace block;
    static const BlockProgram made = [] {
        const auto touch = [](bool writes, int threads) {
            AddressSet words;
            words.offsets = {0};
            words.start.assign(static_cast<std::size_t>(threads), 0);
            return Touch{0, 0, writes, std::make_shared<const AddressSet>(std::move(words))};
        };
        BlockProgram program;
        program.regions.push_back({"last", Residence::shared, 1, 1, 4, "whether all other blocks have finished"});
        program.steps.push_back({StepKind::exchange, "count", "the count", "counted", {touch(true, 1)}});
        program.steps.push_back({StepKind::compute, "go on", "the last block", "", {touch(false, fold_threads)}});
        return with_barriers(std::move(program));
    }();
    return made;
}

}  // namespace kasc
