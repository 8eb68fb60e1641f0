// Example: out/g.h5 is written as out/.g.h5.Xa81kq and renamed. A symbolic link is followed first, so that the file it
// points at is replaced and the link stays.

#include "runtime/replacement_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

namespace kasc::runtime {

namespace {

namespace fs = std::filesystem;

Diagnostic cannot_write(const char* code, const std::string& path, const std::string& why) {
    Diagnostic d;
    d.code = code;
    d.message = fmt::format("cannot write '{}': {}", path, why);
    if (!path.empty()) d.span = {make_source(path), 0, 0};
    return d;
}

/// The mode that open(2) would give a new file; mkstemp gives 0600.
mode_t new_file_mode() {
    const mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

std::string folder_of(const std::string& path) {
    const std::string folder = fs::path(path).parent_path().string();
    return folder.empty() ? "." : folder;
}

std::string followed(const std::string& path) {
    std::error_code error;
    const fs::path real = fs::canonical(path, error);
    return error ? path : real.string();
}

/// Why the path can be no file of ours.
Diagnostics refused(const std::string& path) {
    const auto cannot = [&](const char* why) { return Diagnostics{cannot_write("K0720", path, why)}; };
    if (path.empty()) return cannot("the name is empty");
    if (path.find('\0') != std::string::npos) return cannot("the name holds a zero byte");
    struct stat info {};
    if (stat(path.c_str(), &info) == 0) {
        if (S_ISDIR(info.st_mode)) return cannot("it is a folder");
        if (!S_ISREG(info.st_mode)) return cannot("it is no regular file");
    }
    if (fs::path(followed(path)).filename().empty()) return cannot("it names a folder");
    return {};
}

/// errno says why no file can be made beside the target.
Diagnostic no_file(const std::string& path, const std::string& target) {
    const std::string why = std::strerror(errno);
    Diagnostic d =
        cannot_write("K0720", path, fmt::format("no file can be made in folder '{}': {}", folder_of(path), why));
    if (!fs::exists(folder_of(target))) d.help = fmt::format("make it first: mkdir -p '{}'", folder_of(path));
    return d;
}

}  // namespace

Outcome<ReplacementFile> ReplacementFile::create(const std::string& path) {
    if (Diagnostics bad = refused(path); !bad.empty()) return failure<ReplacementFile>(std::move(bad));
    const std::string target = followed(path);
    std::string temporary = fmt::format("{}/.{}.XXXXXX", folder_of(target), fs::path(target).filename().string());
    const int descriptor = mkstemp(temporary.data());
    if (descriptor < 0) return failure<ReplacementFile>(no_file(path, target));
    fchmod(descriptor, new_file_mode());
    close(descriptor);
    return success(ReplacementFile(path, target, temporary, false));
}

Outcome<ReplacementFile> ReplacementFile::create_lasting(const std::string& path) {
    return open_lasting(path, lasting_path(path));
}

std::string ReplacementFile::lasting_path(const std::string& path) { return followed(path) + ".part"; }

Outcome<ReplacementFile> ReplacementFile::in_place(const std::string& path) {
    return open_lasting(path, followed(path));
}

Outcome<ReplacementFile> ReplacementFile::open_lasting(const std::string& path, const std::string& temporary) {
    if (Diagnostics bad = refused(path); !bad.empty()) return failure<ReplacementFile>(std::move(bad));
    const std::string target = followed(path);
    const int descriptor = open(temporary.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (descriptor < 0) return failure<ReplacementFile>(no_file(path, target));
    close(descriptor);
    return success(ReplacementFile(path, target, temporary, true));
}

ReplacementFile::ReplacementFile(ReplacementFile&& other) noexcept
    : path_(std::move(other.path_)),
      target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})),
      lasting_(other.lasting_) {}

ReplacementFile::~ReplacementFile() {
    if (!temporary_.empty() && !lasting_) unlink(temporary_.c_str());
}

void ReplacementFile::discard() {
    unlink(temporary_.c_str());
    temporary_.clear();
}

Diagnostics ReplacementFile::named(Diagnostics said) const {
    for (Diagnostic& d : said) {
        const std::size_t at = d.message.find(temporary_);
        if (at != std::string::npos) d.message.replace(at, temporary_.size(), path_);
    }
    return said;
}

Diagnostics ReplacementFile::commit() {
    const int descriptor = open(temporary_.c_str(), O_RDWR | O_CLOEXEC);
    const bool stored = descriptor >= 0 && fsync(descriptor) == 0;
    const int fault = errno;
    if (descriptor >= 0) close(descriptor);
    if (!stored) return {cannot_write("K0721", target_, std::strerror(fault))};
    if (rename(temporary_.c_str(), target_.c_str()) != 0) return {cannot_write("K0721", target_, std::strerror(errno))};
    temporary_.clear();
    // The new name outlasts a power failure only once the folder is on disk; where that cannot be asked for, it is
    // late.
    const int folder = open(folder_of(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0) {
        fsync(folder);
        close(folder);
    }
    return {};
}

Diagnostics check_writable(const std::string& path) { return ReplacementFile::create(path).diagnostics; }

}  // namespace kasc::runtime
