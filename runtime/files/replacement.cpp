// Example: out/g.h5 is written as out/.kasc.node7.Xa81kq and renamed. A symbolic link is followed first, so that the
// file it points at is replaced and the link stays.

#include "runtime/files/replacement.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

#include "runtime/files/output_place.hpp"
#include "runtime/files/unfinished.hpp"

namespace kasc::runtime {

namespace {

namespace fs = std::filesystem;

/// The file that the path leads to; K0720 says why it can be none of ours.
Outcome<std::string> target_of(const std::string& path) {
    const auto cannot = [&](const char* why) { return failure<std::string>(cannot_write("K0720", path, why)); };
    if (path.empty()) return cannot("the name is empty");
    if (path.find('\0') != std::string::npos) return cannot("the name holds a zero byte");
    auto target = follow_links(path);
    if (!target) return target;
    struct stat info {};
    if (stat(target->c_str(), &info) == 0) {
        if (S_ISDIR(info.st_mode)) return cannot("it is a folder");
        if (!S_ISREG(info.st_mode)) return cannot("it is no regular file");
    }
    if (fs::path(*target).filename().empty()) return cannot("it names a folder");
    return target;
}

/// errno says why no file can be made beside the target.
Diagnostic no_file(const std::string& path, const std::string& target) {
    const std::string why = std::strerror(errno);
    Diagnostic d =
        cannot_write("K0720", path, fmt::format("no file can be made in folder '{}': {}", folder_of(path), why));
    if (!fs::exists(folder_of(target))) d.help = fmt::format("make it first: mkdir -p '{}'", folder_of(path));
    return d;
}

Diagnostic taken(const std::string& path, const std::string& held) {
    Diagnostic d = cannot_write("K0726", path, fmt::format("another run goes on writing '{}'", held));
    d.help = "wait for it, end it, or give another name";
    return d;
}

/// The file is the user's own, and has no other name.
bool is_own(const Descriptor& file) {
    struct stat info {};
    return fstat(file.get(), &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == geteuid() && info.st_nlink == 1;
}

}  // namespace

Outcome<ReplacementFile> ReplacementFile::create(const std::string& path) {
    auto target = target_of(path);
    if (!target) return failure<ReplacementFile>(std::move(target.diagnostics));
    Unfinished made = make_unfinished_file(folder_of(*target));
    if (!made.open) return failure<ReplacementFile>(no_file(path, *target));
    fchmod(made.open.get(), usual_mode(0666));
    return success(ReplacementFile(path, *target, std::move(made.path), std::move(made.open)));
}

Outcome<ReplacementFile> ReplacementFile::create_lasting(const std::string& path) {
    auto target = target_of(path);
    if (!target) return failure<ReplacementFile>(std::move(target.diagnostics));
    const std::string temporary = *target + ".part";
    for (int tries = 0; tries < 16; ++tries) {  // each is lost to a run that ends at that very moment
        constexpr int how = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
        Descriptor file(open(temporary.c_str(), how | O_CREAT | O_EXCL, 0666));
        const bool made = static_cast<bool>(file);
        if (!made && errno != EEXIST) return failure<ReplacementFile>(no_file(path, *target));
        if (!made) file = Descriptor(open(temporary.c_str(), how));
        if (!file && errno == ENOENT) continue;
        if (!file || !is_own(file))
            return failure<ReplacementFile>(
                cannot_write("K0720", path, fmt::format("'{}' is not a file of yours alone", temporary)));
        const Hold held = hold(file, temporary);
        if (held == Hold::taken) return failure<ReplacementFile>(taken(path, temporary));
        if (held == Hold::moved_on) continue;
        ReplacementFile replacement(path, *target, temporary, std::move(file));
        replacement.lasting_ = true;
        replacement.new_ = made;
        replacement.stays_ = !made;
        return success(std::move(replacement));
    }
    return failure<ReplacementFile>(taken(path, temporary));
}

std::string ReplacementFile::lasting_path(const std::string& path) {
    const auto target = follow_links(path);
    return (target ? *target : path) + ".part";
}

Outcome<ReplacementFile> ReplacementFile::in_place(const std::string& path) {
    auto target = target_of(path);
    if (!target) return failure<ReplacementFile>(std::move(target.diagnostics));
    // One that cannot be opened for writing cannot be gone on with, but replaced.
    Descriptor file(open(target->c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    const bool there = file || errno != ENOENT;
    if (file && hold(file, *target) == Hold::taken) return failure<ReplacementFile>(taken(path, *target));
    ReplacementFile replacement(path, *target, *target, std::move(file));
    replacement.stays_ = true;
    replacement.new_ = !there;
    return success(std::move(replacement));
}

ReplacementFile::ReplacementFile(ReplacementFile&& other) noexcept
    : path_(std::move(other.path_)),
      target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})),
      held_(std::move(other.held_)),
      lasting_(other.lasting_),
      new_(other.new_),
      stays_(other.stays_) {}

ReplacementFile::~ReplacementFile() {
    if (!temporary_.empty() && !stays_) unlink(temporary_.c_str());
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

Diagnostics ReplacementFile::to_disk() const {
    if (fsync(held_.get()) == 0) return {};
    return {cannot_write("K0721", target_, std::strerror(errno))};
}

namespace {

/// The new name outlasts a power failure only once the folder is on disk; where that cannot be asked for, it is late.
void folder_to_disk(const std::string& path) {
    const Descriptor folder(open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (folder) fsync(folder.get());
}

}  // namespace

Diagnostics ReplacementFile::commit() {
    if (Diagnostics bad = to_disk(); !bad.empty()) return bad;
    if (rename(temporary_.c_str(), target_.c_str()) != 0) return {cannot_write("K0721", target_, std::strerror(errno))};
    temporary_.clear();
    folder_to_disk(target_);
    return {};
}

Diagnostics ReplacementFile::commit_in_place(const ReplacementFile& former) {
    if (Diagnostics bad = to_disk(); !bad.empty()) return bad;
    const int fault = former.is_new()                                    ? rename_to_nothing(temporary_, target_)
                      : rename(temporary_.c_str(), target_.c_str()) == 0 ? 0
                                                                         : errno;
    if (fault == EEXIST) return {taken(path_, target_)};
    if (fault != 0) return {cannot_write("K0721", target_, std::strerror(fault))};
    temporary_ = target_;
    stays_ = true;
    folder_to_disk(target_);
    return {};
}

Diagnostics check_writable(const std::string& path) { return ReplacementFile::create(path).diagnostics; }

Diagnostics replace_file(const std::string& path, const std::string& text) {
    Outcome<ReplacementFile> file = ReplacementFile::create(path);
    if (!file) return file.diagnostics;
    const Descriptor written(open(file->temporary_path().c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW));
    const int fault = written ? write_all(written.get(), text) : errno;
    if (fault != 0) return {cannot_write("K0721", path, std::strerror(fault))};
    return file.value->commit();
}

}  // namespace kasc::runtime
