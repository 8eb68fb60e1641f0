#pragma once
// What ranks of one memory have copies of: bytes of others' parts that they read again and again, which are slow to
// read from there. Copies are pages of each rank's own in place of the owner's; which of their bytes are as the owner's
// are is kept in a book.
//
//   T of 8 pages over 2 ranks, 1 near     rank 0: pages 0 … 3, copy of 4; rank 1: pages 4 … 7, copy of 3
//   rank 1 stores its cells               nothing of the copy of page 4 is as it is there
//   rank 0 reads T, 1 MB behind the cut   1 MB of page 4 is copied, then read in the copy

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include <boost/icl/interval_set.hpp>

#include "foundation/byte_range.hpp"

namespace kasc::ranks {

/// How far from its own part of an array a rank reads it.
struct Nearby {
    std::uint64_t bytes = 0;
    bool around = false;  ///< beyond the array's ends it goes on at the other one
};

/// By rank the pages near its part that are others', ascending and apart. `ends`: as cut_pages() gives them.
[[nodiscard]] std::vector<std::vector<ByteRange>> pages_near(const std::vector<std::uint64_t>& ends,
                                                             const Nearby& nearby, std::uint64_t page);

class Copies {
public:
    /// What of these bytes in a rank's copy is not as the owner has it. It is so from now on.
    [[nodiscard]] std::vector<ByteRange> bring(int rank, const void* array, const ByteRange& bytes);
    /// The owner has others there now.
    void store(const void* array, const ByteRange& bytes);

private:
    using Bytes = boost::icl::interval_set<std::uint64_t>;
    std::map<const void*, std::map<int, Bytes>> same_;  ///< by array and rank
};

}  // namespace kasc::ranks
