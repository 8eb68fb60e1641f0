#pragma once
// Why each fold of a plan stands where it does.

#include <string>
#include <vector>

#include "driver/report_parts.hpp"

namespace kasc {

struct FoldPlace {
    std::string fold;    ///< "pq = sum(p*q)"
    std::string kernel;  ///< that folds; of a join that several blocks make, that of these
    std::string reason;
};
/// Folds of all graphs of the first plan, in the order of their kernels. `names`: kernel_names.
[[nodiscard]] std::vector<FoldPlace> fold_places(const Compilation& compilation, const PlannedGraph& planned,
                                                 const std::map<const Candidate*, std::string>& names);

}  // namespace kasc
