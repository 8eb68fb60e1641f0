#pragma once
// What was built once, kept for the next call that builds the same.
//
// A folder of the user's, a file an entry, named by its key. An entry appears whole, by a rename, so any number of
// processes may read and write at a time; two that build the same write the same. What is read is trusted only where
// the folder and the file belong to the user, nobody else may write them, none of both is a link, and the entry's
// digest is right: the bytes that were checked are the bytes that the caller gets. All else is as if there were no
// entry. The time of a file's last change is when the entry was last used; the least recently used go where the bound
// is exceeded.

#include <cstdint>
#include <ctime>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "foundation/outcome.hpp"
#include "runtime/building/cache_entry.hpp"

namespace kasc::runtime {

struct CacheEntry {
    EntryHead head;
    std::uint64_t bytes = 0;  ///< of the file
    std::time_t used = 0;     ///< last
};

class BuildCache {
public:
    /// Keeps nothing, finds nothing.
    BuildCache() = default;
    /// The folder is made where missing. None: K0806, a warning.
    [[nodiscard]] static Outcome<BuildCache> open(const std::filesystem::path& folder, std::uint64_t most_bytes);

    /// False: nothing is found in it, nothing kept.
    [[nodiscard]] bool usable() const { return most_bytes_ > 0; }
    [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
    [[nodiscard]] std::uint64_t most_bytes() const { return most_bytes_; }

    [[nodiscard]] std::optional<Artefact> find(const BuildKey& key) const;
    /// In place of a former entry of the key. What cannot be kept is none the worse: a disk that is full or read-only.
    void keep(const BuildKey& key, const Artefact& artefact) const;

    /// The last used first.
    [[nodiscard]] std::vector<CacheEntry> entries() const;
    /// The least recently used go until the others take so many bytes at most; returns how many went.
    std::size_t shrink(std::uint64_t most_bytes) const;

private:
    BuildCache(std::filesystem::path folder, std::uint64_t most_bytes)
        : folder_(std::move(folder)), most_bytes_(most_bytes) {}

    std::filesystem::path folder_;
    std::uint64_t most_bytes_ = 0;  ///< of all entries together; 0: there is no cache
};

}  // namespace kasc::runtime
