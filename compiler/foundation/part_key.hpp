#pragma once
// Words by which the parts of an expression are told apart in a table.

#include <boost/container/small_vector.hpp>
#include <boost/container_hash/hash.hpp>
#include <cstddef>
#include <cstdint>

namespace kasc {

/// What a part is, and by which numbers its own parts are known.
using PartKey = boost::container::small_vector<std::uint64_t, 8>;
struct PartKeyHash {
    std::size_t operator()(const PartKey& key) const { return boost::hash_range(key.begin(), key.end()); }
};

}  // namespace kasc
