#pragma once
// A kernel of one block runs where the kernel before it ends: its last block to finish goes on with it. Internal to
// this folder.
//
//   launch k0 (u → parts)                 launch k0 (u → parts, s, a)
//   launch k1 (parts → s)                   its last block goes on with k1, and with k2
//   launch k2 (s → a)

#include <set>

#include "plan/layout.hpp"

namespace kasc::laying_out {

/// Whether the launch that was placed last may go on with this kernel, whose results have no arrays yet.
[[nodiscard]] Verdict may_go_on(const Layout& layout, const Level& level, const FieldSchedule& completed);
/// Arrays that the launch touches. What its last block stores lies in none of them: other names of the kernel stand for
/// them, of which the compiler is told that they are others'.
[[nodiscard]] std::set<SlotId> touched_by(const Layout& layout, const LaunchStep& launch);
/// Lowers the kernel of the launch that was placed last anew: with this one, which would be launched as `launch`.
/// Requires: may_go_on; what it stores lies in no array that the kernel touches.
void go_on(Layout& layout, Level& level, const FieldSchedule& completed, const std::map<ValueId, ValueId>& overwritten,
           const LaunchStep& launch);

}  // namespace kasc::laying_out
