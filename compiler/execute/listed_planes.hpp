#pragma once
// Which planes of arrays the blocks of launches touch where lists of the input say it: T[x = px, y = py, z = pz] += …
// with the input's pz. Rank 0 looks into the lists once, before the run, and tells the others. Internal to this folder.

#include <map>
#include <utility>
#include <vector>

#include "execute/numbers.hpp"
#include "execute/rank_order.hpp"
#include "plan/host_plan.hpp"
#include "ranks/listed_shares.hpp"

namespace kasc::execute {

/// Arrays that a kernel with a span touches where inputs say that no statement assigns: who knows these knows the
/// planes.
[[nodiscard]] std::vector<const kernel::ListedArray*> followed_lists(const Program& program,
                                                                     const kernel::Kernel& kernel);

class ListedPlanes {
public:
    /// Looks at the lists of all kernels that follow them, but for those that are longer than any that is worth looking
    /// through, or are no arrays of the host.
    ListedPlanes(const Program& program, const HostPlan& plan, const Numbers& numbers,
                 const runtime::EntryArguments& arguments, RankOrder& order);

    using ByBlock = std::vector<ranks::PlanesOfBlock>;  ///< along the span's dimension
    /// Null: they are not known.
    [[nodiscard]] const ByBlock* of(const kernel::Kernel& kernel, ValueId value) const;

private:
    std::map<std::pair<const kernel::Kernel*, ValueId>, ByBlock> known_;
};

}  // namespace kasc::execute
