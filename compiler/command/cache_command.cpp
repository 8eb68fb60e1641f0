// kasc cache: what is kept of what was built, and how to be rid of it.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "command/exit.hpp"
#include "command/options.hpp"
#include "command/streams.hpp"
#include "runtime/array.hpp"
#include "runtime/building/cache_place.hpp"

namespace kasc::command {

namespace {

struct Listing {
    std::vector<runtime::CacheEntry> entries;
    std::size_t removed = 0;

    [[nodiscard]] std::uint64_t bytes() const {
        std::uint64_t sum = 0;
        for (const runtime::CacheEntry& entry : entries) sum += entry.bytes;
        return sum;
    }
};

std::string title_of(const runtime::CacheEntry& entry) { return entry.head.title.empty() ? "?" : entry.head.title; }

std::string listing_text(const runtime::CachePlace& place, const Listing& listing) {
    std::string out;
    if (listing.removed > 0) out = fmt::format("{} removed\n", listing.removed);
    out += fmt::format("{}: {} built, {} of at most {}\n", place.folder.string(), listing.entries.size(),
                       runtime::bytes_text(listing.bytes()), runtime::bytes_text(place.most_bytes));
    std::size_t width = std::string_view("program").size();
    for (const runtime::CacheEntry& entry : listing.entries) width = std::max(width, title_of(entry).size());
    if (!listing.entries.empty())
        out += fmt::format("{:{}}  {:8}  {:>10}  {}\n", "program", width, "target", "size", "last used");
    for (const runtime::CacheEntry& entry : listing.entries)
        out += fmt::format("{:{}}  {:8}  {:>10}  {:%Y-%m-%d %H:%M}\n", title_of(entry), width, entry.head.target,
                           runtime::bytes_text(entry.bytes), fmt::localtime(entry.used));
    return out;
}

std::string listing_json(const runtime::CachePlace& place, const Listing& listing) {
    nlohmann::ordered_json out;
    out["folder"] = place.folder.string();
    out["bytes"] = listing.bytes();
    out["most_bytes"] = place.most_bytes;
    out["removed"] = listing.removed;
    out["built"] = nlohmann::ordered_json::array();
    for (const runtime::CacheEntry& entry : listing.entries)
        out["built"].push_back({{"program", entry.head.title},
                                {"target", entry.head.target},
                                {"bytes", entry.bytes},
                                {"last_used", fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(entry.used))},
                                {"key", entry.head.key}});
    return out.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace

int cache_command(const CacheOptions& options) {
    const auto place = runtime::cache_place();
    if (!place) return report(place.diagnostics, options.diagnostics);
    if (place->folder.empty()) {
        tell("there is no cache: neither $KASC_CACHE nor $HOME names a folder\n");
        return good;
    }
    Listing listing;
    std::error_code error;
    Diagnostics said;
    // One that is not there yet is not made for being looked at.
    if (std::filesystem::exists(std::filesystem::symlink_status(place->folder, error))) {
        const auto cache = runtime::BuildCache::open(place->folder, place->most_bytes);
        said = cache.diagnostics;
        if (cache) {
            const auto size = options.clear ? 0 : runtime::read_bytes(options.size).value_or(0);
            if (options.clear || !options.size.empty()) listing.removed = cache->shrink(size);
            listing.entries = cache->entries();
        }
    }
    tell(options.format == "json" ? listing_json(*place, listing) : listing_text(*place, listing));
    return report(said, options.diagnostics);
}

}  // namespace kasc::command
