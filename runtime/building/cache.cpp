// Example: key 3f…, at ~/.cache/kasc/3f….built. keep() writes .new-<random>, then renames it; find() opens, checks who
// owns it and may write it, reads, compares digests, and sets its time to now.

#include "runtime/building/cache.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <random>
#include <string_view>
#include <system_error>
#include <utility>

#include "runtime/building/trusted_files.hpp"
#include "runtime/files/descriptor.hpp"

namespace kasc::runtime {

namespace {

constexpr std::string_view suffix = entry_suffix, unfinished = ".new-";
constexpr std::time_t abandoned_seconds = 3600;  // no artefact takes so long to write

Diagnostic unusable(const std::filesystem::path& folder, const std::string& why) {
    Diagnostic d;
    d.severity = Severity::warning;
    d.code = "K0806";
    d.message = fmt::format("nothing is kept of what is built: the cache '{}' {}", folder.string(), why);
    d.help = "name a folder of your own in $KASC_CACHE, or set KASC_CACHE_SIZE=0";
    return d;
}

/// The user's own folder; anything else is none, now as when the cache was opened.
Descriptor open_trusted(const std::filesystem::path& folder) { return open_trusted_folder(folder, Trust::user); }

bool write_file(const Descriptor& file, std::string_view text) {
    while (!text.empty()) {
        const ssize_t count = write(file.get(), text.data(), text.size());
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        text.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
}

bool is_entry_name(std::string_view name) {
    return name.size() == 64 + suffix.size() && name.ends_with(suffix) &&
           name.substr(0, 64).find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

struct Kept {
    std::string name;
    std::uint64_t bytes;
    timespec used;
};

/// Files that are entries by their names, the last used first; files that a process left half written go.
std::vector<Kept> kept_files(const Descriptor& folder) {
    std::vector<Kept> files;
    const std::unique_ptr<DIR, int (*)(DIR*)> stream(fdopendir(openat(folder.get(), ".", O_RDONLY | O_CLOEXEC)),
                                                     closedir);
    if (!stream) return files;
    while (const dirent* item = readdir(stream.get())) {
        const std::string name = item->d_name;
        struct stat info {};
        const bool entry = is_entry_name(name);
        if (!entry && !name.starts_with(unfinished)) continue;
        if (fstatat(folder.get(), name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) continue;
        if (entry) files.push_back({name, static_cast<std::uint64_t>(info.st_size), info.st_mtim});
        if (!entry && info.st_mtim.tv_sec < std::time(nullptr) - abandoned_seconds)
            unlinkat(folder.get(), name.c_str(), 0);
    }
    std::sort(files.begin(), files.end(), [](const Kept& a, const Kept& b) {
        return std::tie(b.used.tv_sec, b.used.tv_nsec, b.name) < std::tie(a.used.tv_sec, a.used.tv_nsec, a.name);
    });
    return files;
}

std::size_t shrink_folder(const Descriptor& folder, std::uint64_t most_bytes) {
    std::uint64_t bytes = 0;
    std::size_t gone = 0;
    for (const Kept& file : kept_files(folder)) {
        bytes += file.bytes;
        if (bytes > most_bytes && unlinkat(folder.get(), file.name.c_str(), 0) == 0) ++gone;
    }
    return gone;
}

}  // namespace

Outcome<BuildCache> BuildCache::open(const std::filesystem::path& folder, std::uint64_t most_bytes) {
    std::error_code error;
    const std::filesystem::path place = std::filesystem::absolute(folder, error).lexically_normal();
    const std::filesystem::path clean = place.has_filename() ? place : place.parent_path();
    std::filesystem::create_directories(clean.parent_path(), error);
    if (mkdir(clean.c_str(), S_IRWXU) != 0 && errno != EEXIST)
        return failure<BuildCache>(unusable(folder, "cannot be made: " + std::generic_category().message(errno)));
    struct stat info {};
    if (lstat(clean.c_str(), &info) == 0 && S_ISLNK(info.st_mode))
        return failure<BuildCache>(unusable(folder, "is a link"));
    const Descriptor descriptor = open_folder(clean);
    if (!descriptor || fstat(descriptor.get(), &info) != 0)
        return failure<BuildCache>(unusable(folder, "cannot be opened: " + std::generic_category().message(errno)));
    if (const std::string why = distrust(info, Trust::user); !why.empty())
        return failure<BuildCache>(unusable(folder, why));
    return success(BuildCache(clean, most_bytes));
}

std::optional<Artefact> BuildCache::find(const BuildKey& key) const {
    if (!usable()) return std::nullopt;
    const Descriptor folder = open_trusted(folder_);
    if (!folder) return std::nullopt;
    const std::string digest = key.digest();
    struct stat info {};
    const Descriptor file = open_trusted_file(folder, entry_name(digest), Trust::user, info);
    const auto bytes = static_cast<std::uint64_t>(info.st_size);
    if (!file || bytes > most_bytes_) return std::nullopt;
    auto text = read_bytes_of(file, bytes);
    if (!text) return std::nullopt;
    auto artefact = unpack_entry(std::move(*text), digest);
    if (artefact) futimens(file.get(), nullptr);  // of a folder that is read-only, the times stay
    return artefact;
}

void BuildCache::keep(const BuildKey& key, const Artefact& artefact) const {
    if (!usable()) return;
    const std::string text = pack_entry(key, artefact);
    const Descriptor folder = open_trusted(folder_);
    if (!folder || text.size() > most_bytes_) return;
    std::random_device random;
    const std::string fresh = fmt::format("{}{:08x}{:08x}", unfinished, random(), random());
    const Descriptor file(
        openat(folder.get(), fresh.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR));
    if (!file) return;
    if (!write_file(file, text) ||
        renameat(folder.get(), fresh.c_str(), folder.get(), entry_name(key.digest()).c_str()) != 0) {
        unlinkat(folder.get(), fresh.c_str(), 0);
        return;
    }
    shrink_folder(folder, most_bytes_);
}

std::vector<CacheEntry> BuildCache::entries() const {
    const Descriptor folder = open_trusted(folder_);
    std::vector<CacheEntry> all;
    if (!folder) return all;
    for (const Kept& file : kept_files(folder)) {
        CacheEntry entry{{}, file.bytes, file.used.tv_sec};
        struct stat info {};
        const Descriptor opened = open_trusted_file(folder, file.name, Trust::user, info);
        if (opened) {
            const auto first = read_bytes_of(
                opened, std::min<std::uint64_t>(static_cast<std::uint64_t>(info.st_size), most_head_bytes));
            if (first) entry.head = head_of_entry(*first).value_or(EntryHead{});
        }
        all.push_back(std::move(entry));
    }
    return all;
}

std::size_t BuildCache::shrink(std::uint64_t most_bytes) const {
    const Descriptor folder = open_trusted(folder_);
    return folder ? shrink_folder(folder, most_bytes) : 0;
}

}  // namespace kasc::runtime
