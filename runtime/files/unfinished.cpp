// Example: /tmp/.kasc.node7.Xa81kq is made and locked. Before that, /tmp/.kasc.node7.p0RtQ2 is found; its lock can be
// had: it is removed. /tmp/.kasc.node7.d72mLo is locked, /tmp/.kasc.node7.9sTTbc is another user's: both stay.
//
// Folders are locked by flock(2). Files are locked by open file description (fcntl): HDF5 readers ask for flock's lock,
// and may look into a file that a run goes on writing.

#include "runtime/files/unfinished.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "runtime/files/folder_listing.hpp"

namespace kasc::runtime {

namespace {

constexpr std::size_t random_letters = 6;  // mkstemp's and mkdtemp's
constexpr int open_folder = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
constexpr int most_tries = 16;  // each is lost only to a process that clears up at that very moment

enum class Lock { ours, anothers, none };

Lock lock(const Descriptor& open, const struct stat& info) {
    int result = 0;
    if (S_ISDIR(info.st_mode)) {
        result = flock(open.get(), LOCK_EX | LOCK_NB);
    } else {
        struct flock whole {};
        whole.l_type = F_WRLCK;
        result = fcntl(open.get(), F_OFD_SETLK, &whole);
    }
    if (result == 0) return Lock::ours;
    return errno == EWOULDBLOCK || errno == EAGAIN || errno == EACCES ? Lock::anothers : Lock::none;
}

bool same_inode(const struct stat& a, const struct stat& b) { return a.st_dev == b.st_dev && a.st_ino == b.st_ino; }

/// A file to lock, or a folder; neither a link nor anything that would keep the call waiting.
Descriptor open_left(int folder, const char* name, struct stat& info) {
    if (fstatat(folder, name, &info, AT_SYMLINK_NOFOLLOW) != 0 || info.st_uid != geteuid()) return {};
    if (!S_ISDIR(info.st_mode) && !S_ISREG(info.st_mode)) return {};
    const int how = S_ISDIR(info.st_mode) ? open_folder : O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
    Descriptor left(openat(folder, name, how));
    struct stat opened {};
    return left && fstat(left.get(), &opened) == 0 && same_inode(info, opened) ? std::move(left) : Descriptor{};
}

void clear_left_behind(const std::filesystem::path& parent) {
    const std::string prefix = unfinished_prefix();
    FolderListing listing(Descriptor(open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)));
    while (const char* name = listing.next()) {
        if (std::strncmp(name, prefix.c_str(), prefix.size()) != 0 ||
            std::strlen(name) != prefix.size() + random_letters)
            continue;
        struct stat info {};
        const Descriptor left = open_left(listing.folder(), name, info);
        if (!left || lock(left, info) != Lock::ours) continue;
        if (S_ISDIR(info.st_mode)) remove_contents(left);
        unlinkat(listing.folder(), name, S_ISDIR(info.st_mode) ? AT_REMOVEDIR : 0);
    }
}

template <class Make>
Unfinished make_unfinished(const std::filesystem::path& parent, Make make) {
    clear_left_behind(parent);
    for (int k = 0; k < most_tries; ++k) {
        std::string path = (parent / (unfinished_prefix() + std::string(random_letters, 'X'))).string();
        Descriptor made = make(path);
        if (!made && errno != ENOENT) return {};
        if (made && hold(made, path) == Hold::held) return {std::move(path), std::move(made)};
    }
    return {};
}

}  // namespace

Hold hold(const Descriptor& open, const std::string& path) {
    struct stat info {
    }, named{};
    if (fstat(open.get(), &info) != 0 || lock(open, info) == Lock::anothers) return Hold::taken;
    return lstat(path.c_str(), &named) == 0 && same_inode(info, named) ? Hold::held : Hold::moved_on;
}

std::string unfinished_prefix() {
    std::array<char, 65> machine{};
    if (gethostname(machine.data(), machine.size() - 1) != 0) machine[0] = '\0';
    std::string name(machine.data());
    std::replace_if(
        name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '-');
    return ".kasc." + name + ".";
}

Unfinished make_unfinished_file(const std::filesystem::path& parent) {
    return make_unfinished(parent, [](std::string& path) { return Descriptor(mkostemp(path.data(), O_CLOEXEC)); });
}

Unfinished make_unfinished_folder(const std::filesystem::path& parent) {
    return make_unfinished(parent, [](std::string& path) {
        return Descriptor(mkdtemp(path.data()) == nullptr ? -1 : open(path.c_str(), open_folder));
    });
}

void remove_contents(const Descriptor& folder) {
    // A descriptor of its own: a listing moves the place up to which its descriptor has read.
    FolderListing listing(Descriptor(openat(folder.get(), ".", open_folder)));
    while (const char* name = listing.next()) {
        if (unlinkat(listing.folder(), name, 0) == 0) continue;
        const Descriptor below(openat(listing.folder(), name, open_folder));
        if (!below) continue;
        remove_contents(below);
        unlinkat(listing.folder(), name, AT_REMOVEDIR);
    }
}

}  // namespace kasc::runtime
