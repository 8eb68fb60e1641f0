// What is asked of a kernel's work by several stages.
#include <algorithm>

#include "schedule/field/work.hpp"

namespace kasc {

int access_cells(const FieldWork& work) { return work.widest > 0 && work.widest <= 2 ? 8 : 4; }

std::vector<const FieldCall*> folds_of(const FieldPlan& plan) {
    std::vector<const FieldCall*> folds;
    for (const FieldCall& call : plan.calls)
        if (call.statement->fold) folds.push_back(&call);
    return folds;
}

const Fold* fold_of(const FieldWork& work) {
    const auto& calls = work.plan.calls;
    const auto folds = std::find_if(calls.begin(), calls.end(), [](const FieldCall& c) { return c.statement->fold; });
    return folds == calls.end() ? nullptr : &*folds->statement->fold;
}

bool folds_both_ways(const FieldPlan& plan) { return plan.parts.size() > 1; }

}  // namespace kasc
