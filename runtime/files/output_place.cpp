// Example: out.h5 -> runs/a.h5, which is not there yet: followed to runs/a.h5; it is the same place as ./runs/a.h5.

#include "runtime/files/output_place.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <optional>

namespace kasc::runtime {

namespace {

namespace fs = std::filesystem;

constexpr int most_links = 40;  // the kernel's own bound

/// What is there, made by another than the user and than the folder's owner where everybody may make files.
bool planted(const struct stat& there, const std::string& path) {
    struct stat folder {};
    if (stat(folder_of(path).c_str(), &folder) != 0) return false;
    const bool open_to_all = (folder.st_mode & S_ISVTX) != 0 && (folder.st_mode & S_IWOTH) != 0;
    return open_to_all && there.st_uid != geteuid() && there.st_uid != folder.st_uid;
}

/// Its folder without links, and its name; none where there is no such folder.
std::optional<fs::path> whole_name(const std::string& path) {
    const auto followed = follow_links(path);
    std::error_code error;
    const fs::path all = fs::absolute(followed ? *followed : path, error);
    if (error) return std::nullopt;
    const fs::path folder = fs::weakly_canonical(all.parent_path(), error);
    return error ? std::nullopt : std::optional(folder / all.filename());
}

}  // namespace

std::string folder_of(const std::string& path) {
    const std::string folder = fs::path(path).parent_path().string();
    return folder.empty() ? "." : folder;
}

Outcome<std::string> follow_links(const std::string& path) {
    std::string at = path;
    for (int links = 0; links <= most_links; ++links) {
        struct stat there {};
        if (lstat(at.c_str(), &there) != 0) return success(std::move(at));
        if (planted(there, at))
            return failure<std::string>(
                cannot_write("K0720", path,
                             at == path ? "another user made it, in a folder in which all may"
                                        : fmt::format("it leads to '{}', which another user made", at)));
        if (!S_ISLNK(there.st_mode)) return success(std::move(at));
        std::error_code error;
        const fs::path next = fs::read_symlink(at, error);
        if (error) return failure<std::string>(cannot_write("K0720", path, error.message()));
        at = (fs::path(at).parent_path() / next).string();
    }
    return failure<std::string>(cannot_write("K0720", path, "its links go round in circles"));
}

bool same_place(const std::string& a, const std::string& b) {
    struct stat first {
    }, second{};
    if (stat(a.c_str(), &first) == 0 && stat(b.c_str(), &second) == 0)
        return first.st_dev == second.st_dev && first.st_ino == second.st_ino;
    const auto one = whole_name(a);
    return one && one == whole_name(b);
}

mode_t usual_mode(mode_t all) {
    const mode_t mask = umask(0);
    umask(mask);
    return all & ~mask;
}

int rename_to_nothing(const std::string& from, const std::string& to) {
    if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return 0;
    if (errno != EINVAL && errno != ENOSYS) return errno;
    // A file system that cannot promise it: what is there is seen, what comes in between is not.
    struct stat there {};
    if (lstat(to.c_str(), &there) == 0) return EEXIST;
    return rename(from.c_str(), to.c_str()) == 0 ? 0 : errno;
}

int write_all(int file, std::string_view text) {
    while (!text.empty()) {
        const ssize_t stored = write(file, text.data(), text.size());
        if (stored < 0 && errno == EINTR) continue;
        if (stored <= 0) return stored < 0 ? errno : ENOSPC;
        text.remove_prefix(static_cast<std::size_t>(stored));
    }
    return 0;
}

Diagnostic cannot_write(const char* code, const std::string& path, const std::string& why) {
    Diagnostic d;
    d.code = code;
    d.message = fmt::format("cannot write '{}': {}", path, why);
    if (!path.empty()) d.span = {make_source(path), 0, 0};
    return d;
}

}  // namespace kasc::runtime
