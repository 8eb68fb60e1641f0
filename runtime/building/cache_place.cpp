#include "runtime/building/cache_place.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "runtime/array.hpp"

namespace kasc::runtime {

namespace {

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

Diagnostic no_size(const std::string& text) {
    Diagnostic d;
    d.severity = Severity::warning;
    d.code = "K0806";
    d.message = fmt::format("$KASC_CACHE_SIZE is no size: '{}'; nothing is kept of what is built", text);
    d.help = "a size as 500M or 2G, or 0 for no cache";
    return d;
}

}  // namespace

Outcome<CachePlace> cache_place() {
    CachePlace place;
    place.folder = variable("KASC_CACHE");
    place.named = !place.folder.empty();
    if (!place.named) {
        const std::filesystem::path base = variable("XDG_CACHE_HOME"), home = variable("HOME");
        // A relative one has no meaning, says its specification.
        if (base.is_absolute()) {
            place.folder = base / "kasc";
        } else if (home.is_absolute()) {
            place.folder = home / ".cache" / "kasc";
        }
    }
    const std::string size = variable("KASC_CACHE_SIZE");
    if (size.empty()) return success(place);
    const auto bytes = size == "0" ? std::optional<std::uint64_t>(0) : read_bytes(size);
    if (!bytes) return failure<CachePlace>(no_size(size));
    place.most_bytes = *bytes;
    return success(place);
}

Outcome<BuildCache> users_cache() {
    const auto place = cache_place();
    if (!place) return success(BuildCache{}, place.diagnostics);
    if (place->folder.empty() || place->most_bytes == 0) return success(BuildCache{});
    std::error_code error;
    auto cache = BuildCache::open(place->folder, place->most_bytes);
    if (cache) return cache;
    const bool there = std::filesystem::exists(place->folder, error);
    return success(BuildCache{}, there || place->named ? cache.diagnostics : Diagnostics{});
}

}  // namespace kasc::runtime
