#include "runtime/building/trusted_files.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <unistd.h>

#include <cerrno>

namespace kasc::runtime {

namespace {

/// What the system says of the file that this code was loaded from: a library, which the loader names, or the command
/// itself, which it does not: by the name that it was called by another file may be found. None: it does not tell.
std::optional<struct stat> own_file() {
    Dl_info info{};
    link_map* map = nullptr;
    struct stat file {};
    const bool library = dladdr1(reinterpret_cast<const void*>(&distrust), &info, reinterpret_cast<void**>(&map),
                                 RTLD_DL_LINKMAP) != 0 &&
                         map != nullptr && map->l_name != nullptr && *map->l_name != '\0';
    return stat(library ? map->l_name : "/proc/self/exe", &file) == 0 ? std::optional(file) : std::nullopt;
}

std::string distrust_installed(const struct stat& info) {
    const auto own = own_file();
    const bool owner = info.st_uid == 0 || info.st_uid == geteuid() || (own && info.st_uid == own->st_uid);
    if (!owner) return "belongs to another user";
    // With a umask of 002 all that is installed can be written by the user's own group: who may write kasc itself has
    // nothing to gain here.
    const bool same_group = own && own->st_gid == info.st_gid && (own->st_mode & S_IWGRP) != 0;
    if ((info.st_mode & S_IWOTH) != 0 || ((info.st_mode & S_IWGRP) != 0 && !same_group))
        return "can be written by others";
    return "";
}

}  // namespace

std::string distrust(const struct stat& info, Trust trust) {
    if (trust == Trust::installer) return distrust_installed(info);
    if (info.st_uid != geteuid()) return "belongs to another user";
    if ((info.st_mode & (S_IWGRP | S_IWOTH)) != 0) return "can be written by others";
    return "";
}

Descriptor open_folder(const std::filesystem::path& folder) {
    return Descriptor(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

Descriptor open_trusted_folder(const std::filesystem::path& folder, Trust trust) {
    Descriptor descriptor = open_folder(folder);
    struct stat info {};
    if (!descriptor || fstat(descriptor.get(), &info) != 0 || !distrust(info, trust).empty()) return Descriptor(-1);
    return descriptor;
}

Descriptor open_trusted_file(const Descriptor& folder, const std::string& name, Trust trust, struct stat& info) {
    // Not waiting: what lies there may be a pipe.
    Descriptor file(openat(folder.get(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    if (!file || fstat(file.get(), &info) != 0 || !S_ISREG(info.st_mode) || !distrust(info, trust).empty())
        return Descriptor(-1);
    return file;
}

std::optional<std::string> read_bytes_of(const Descriptor& file, std::uint64_t bytes) {
    std::string text(bytes, '\0');
    std::size_t done = 0;
    while (done < text.size()) {
        const ssize_t count = read(file.get(), text.data() + done, text.size() - done);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return std::nullopt;
        done += static_cast<std::size_t>(count);
    }
    return text;
}

}  // namespace kasc::runtime
