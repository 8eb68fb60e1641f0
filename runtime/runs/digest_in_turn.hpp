#pragma once
// The digest of an array that several processes have rows of: the same as of one that has all of it.

#include <functional>

#include "runtime/files/digest.hpp"
#include "runtime/processes/communicator.hpp"

namespace kasc::runtime {

/// By all processes: each adds its bytes of the array, rank 0 the first of them, and all have the digest of the whole.
/// `processes` null: this one alone.
[[nodiscard]] Digest digest_in_turn(Communicator* processes, const std::function<void(Digest&)>& add);

}  // namespace kasc::runtime
