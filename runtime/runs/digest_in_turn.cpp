// Rank 0 hands what it has to rank 1, and so on; the last one's is sent to rank 0, which tells all.
#include "runtime/runs/digest_in_turn.hpp"

#include <type_traits>

namespace kasc::runtime {

Digest digest_in_turn(Communicator* processes, const std::function<void(Digest&)>& add) {
    static_assert(std::is_trivially_copyable_v<Digest>, "it is sent as it lies in memory");
    Digest digest;
    const auto pass = [&](int other, bool sends) {
        processes->exchange({{other, sends, reinterpret_cast<std::byte*>(&digest), sizeof(digest)}});
    };
    const int rank = processes == nullptr ? 0 : processes->rank(),
              last = processes == nullptr ? 0 : processes->ranks() - 1;
    if (rank > 0) pass(rank - 1, false);
    add(digest);
    if (last == 0) return digest;
    if (rank < last) pass(rank + 1, true);
    if (rank == last) pass(0, true);
    if (rank == 0) pass(last, false);
    processes->broadcast(&digest, sizeof(digest));
    return digest;
}

}  // namespace kasc::runtime
