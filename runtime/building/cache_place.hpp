#pragma once
// Where the user keeps what was built.

#include "runtime/building/cache.hpp"

namespace kasc::runtime {

/// Where the user's cache is, and how large it may become: $KASC_CACHE, else $XDG_CACHE_HOME/kasc, else ~/.cache/kasc;
/// $KASC_CACHE_SIZE, else 1 GiB.
struct CachePlace {
    std::filesystem::path folder;  ///< empty: there is none
    bool named = false;            ///< by $KASC_CACHE
    std::uint64_t most_bytes = std::uint64_t{1} << 30;
};
/// K0806 where $KASC_CACHE_SIZE is no size.
[[nodiscard]] Outcome<CachePlace> cache_place();

/// The cache that cache_place() names. A place that cannot be made is told of (K0806, a warning) where the user named
/// it, and passed over where not; one that cannot be trusted is told of always. In both cases the cache is unusable.
[[nodiscard]] Outcome<BuildCache> users_cache();

}  // namespace kasc::runtime
