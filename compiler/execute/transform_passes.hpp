#pragma once
// Transforms that processes share, pass by pass (ranks/passes.hpp). Internal to this folder.

#include <string>
#include <vector>

#include "execute/numbers.hpp"
#include "execute/touches.hpp"
#include "plan/host_plan.hpp"
#include "ranks/passes.hpp"
#include "runtime/devices/compute_device.hpp"

namespace kasc::execute {

/// With these extents. Requires: the statement orders no list.
[[nodiscard]] ranks::TransformAxes axes_of(const TransformStatement& statement, const Program& program,
                                           const Numbers& numbers);
/// "U = fft(u)".
[[nodiscard]] std::string text_of(const TransformStatement& statement, const Program& program);

struct SharedPass {
    std::string along;                            ///< name of the axis
    std::vector<runtime::TransformPart> of_rank;  ///< lines that each rank computes, perhaps none
    std::vector<ranks::Part> parts;               ///< what they touch, of those that have any
};
/// In the order in which they are computed.
[[nodiscard]] std::vector<SharedPass> shared_passes(const TransformStatement& statement, const Program& program,
                                                    const Numbers& numbers, const SlotBytes& from, const SlotBytes& to,
                                                    int ranks);

}  // namespace kasc::execute
