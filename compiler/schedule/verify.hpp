#pragma once
// Proof that a stream schedule has no race, by code that shares nothing with the elision of barriers: every pair of
// accesses to the same shared word by different threads without a barrier between them is two reads, in any round and
// from one round to the next; every word read was written; no region is used outside its place.

#include <string>
#include <vector>

#include "schedule/schedule.hpp"

namespace kasc {

/// Empty: proved. Else what is wrong, one line each, capped at 10.
[[nodiscard]] std::vector<std::string> verify(const StreamSchedule& schedule);

}  // namespace kasc
