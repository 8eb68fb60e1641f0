#include "schedule/field/chain.hpp"

namespace kasc {

Chain extend(Chain chain, BoundaryKind kind, int step, bool joins_values) {
    if (step == 0) return chain;
    if (kind == BoundaryKind::none) kind = BoundaryKind::keep;
    if (!chain.empty() && chain.back().kind == kind) {
        MappedStep& last = chain.back();
        const bool joins = kind == BoundaryKind::periodic || (joins_values && kind == BoundaryKind::value) ||
                           (kind == BoundaryKind::keep && (last.step > 0) == (step > 0));
        if (joins) {
            last.step += step;
            if (last.step == 0) chain.pop_back();
            return chain;
        }
    }
    chain.push_back({kind, step});
    return chain;
}

}  // namespace kasc
