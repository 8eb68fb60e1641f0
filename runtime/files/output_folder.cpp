// Example: out/ is not there: .kasc.node7.Xa81kq is filled beside it and renamed to out. It is there: out/.kasc.node7.…
// is filled, then each file is renamed over its predecessor. The manifest goes first, with the digests of the old and
// the new files, so that a call that is killed in between leaves nothing that the next takes for another's.

#include "runtime/files/output_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "runtime/files/folder_listing.hpp"
#include "runtime/files/folder_manifest.hpp"
#include "runtime/files/output_place.hpp"
#include "runtime/files/temporary_folder.hpp"
#include "runtime/files/unfinished.hpp"

namespace kasc::runtime {

namespace {

namespace fs = std::filesystem;

constexpr int open_one = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
constexpr std::size_t most_named = 5;

std::string why(int fault) { return std::strerror(fault); }

/// The folder that `name` lies in: below `folder` ("1" of "1/a.cu"), made if missing, or itself.
Descriptor folder_for(int folder, const std::string& name) {
    const std::string below = fs::path(name).parent_path().string();
    if (!below.empty()) mkdirat(folder, below.c_str(), 0777);
    return Descriptor(openat(folder, below.empty() ? "." : below.c_str(), open_one));
}

std::string last_of(const std::string& name) { return fs::path(name).filename().string(); }

/// A new file; 0 or errno.
int make_file(int folder, const TextFile& file) {
    const Descriptor place = folder_for(folder, file.name);
    if (!place) return errno;
    const Descriptor made(
        openat(place.get(), last_of(file.name).c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
    return made ? write_all(made.get(), file.text) : errno;
}

/// From one folder over what is in the other; 0 or errno.
int move_file(int from, int to, const std::string& name) {
    const Descriptor source = folder_for(from, name), target = folder_for(to, name);
    if (!source || !target) return errno;
    const std::string last = last_of(name);
    return renameat(source.get(), last.c_str(), target.get(), last.c_str()) == 0 ? 0 : errno;
}

class FolderWriter {
public:
    FolderWriter(const fs::path& asked, const std::vector<TextFile>& files, Foreign foreign)
        : asked_(asked.string()), files_(files), foreign_(foreign) {}

    Diagnostics run() {
        if (Diagnostics bad = find_target(); !bad.empty()) return bad;
        // O_NOFOLLOW: a link that came in between is none that was judged.
        const Descriptor there(open(target_.c_str(), open_one));
        if (there) return replace_in(there.get());
        if (errno == ENOENT) return appear();
        return {errno == ENOTDIR ? unwritable("it is no folder") : unwritable(why(errno))};
    }

private:
    std::string asked_;
    const std::vector<TextFile>& files_;
    Foreign foreign_;
    std::string target_;  ///< links followed; its parent is there
    FolderManifest manifest_;

    [[nodiscard]] Diagnostic unwritable(const std::string& reason) const {
        Diagnostic d = cannot_write("K0720", asked_, reason);
        d.help = "choose another folder";
        return d;
    }

    Diagnostics find_target() {
        std::error_code error;
        fs::path whole = fs::absolute(asked_, error);
        if (!whole.has_filename()) whole = whole.parent_path();  // out/
        auto followed = follow_links(whole.string());
        if (!followed) return followed.diagnostics;
        const fs::path target = *followed;
        if (fs::is_directory(target, error)) {
            target_ = fs::canonical(target, error).string();
            return error ? Diagnostics{unwritable(error.message())} : Diagnostics{};
        }
        const fs::path last = target.filename();
        if (last.empty() || last == "." || last == "..") return {unwritable("it names no folder")};
        error.clear();
        fs::create_directories(target.parent_path(), error);
        if (error) return {unwritable(error.message())};
        target_ = target.string();
        return {};
    }

    /// All files with the manifest, in a new folder.
    Diagnostics fill(const TemporaryFolder& fresh, const std::string& manifest) {
        for (const TextFile& file : files_) {
            if (const int fault = make_file(fresh.descriptor(), file); fault != 0) return {unwritable(why(fault))};
        }
        const int fault = make_file(fresh.descriptor(), {manifest_name, manifest});
        return fault == 0 ? Diagnostics{} : Diagnostics{unwritable(why(fault))};
    }

    Diagnostics appear() {
        auto fresh = TemporaryFolder::create_in(fs::path(target_).parent_path());
        if (!fresh) return {unwritable(why(errno))};
        for (const TextFile& file : files_) manifest_.set(file.name, file.text);
        if (Diagnostics bad = fill(*fresh, manifest_.text()); !bad.empty()) return bad;
        const int fault = fresh->become(target_);
        if (fault == EEXIST) return {unwritable("somebody has made it in this moment")};
        return fault == 0 ? Diagnostics{} : Diagnostics{unwritable(why(fault))};
    }

    Diagnostics replace_in(int folder) {
        manifest_ = FolderManifest::read(folder);
        if (Diagnostics bad = judge(folder); !bad.empty()) return bad;
        auto fresh = TemporaryFolder::create_in(target_);
        if (!fresh) return {unwritable(why(errno))};
        for (const TextFile& file : files_) manifest_.add(file.name, file.text);
        if (Diagnostics bad = fill(*fresh, manifest_.text()); !bad.empty()) return bad;
        int fault = move_file(fresh->descriptor(), folder, manifest_name);
        for (const TextFile& file : files_) {
            if (fault == 0) fault = move_file(fresh->descriptor(), folder, file.name);
            manifest_.set(file.name, file.text);
        }
        if (fault == 0) fault = make_file(fresh->descriptor(), {manifest_name, manifest_.text()});
        if (fault == 0) fault = move_file(fresh->descriptor(), folder, manifest_name);
        return fault == 0 ? Diagnostics{} : Diagnostics{unwritable(why(fault))};
    }

    /// Is anything there that would be lost?
    [[nodiscard]] Diagnostics judge(int folder) const {
        if (foreign_ == Foreign::replace) return {};
        if (!manifest_.there()) {
            const std::vector<std::string> others = entries(folder);
            return others.empty() ? Diagnostics{} : Diagnostics{foreign("has files that kasc did not write", others)};
        }
        std::vector<std::string> changed;
        for (const TextFile& file : files_) {
            struct stat info {};
            if (fstatat(folder, file.name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) continue;
            const auto text = read_text(folder, file.name);
            if (!text || !manifest_.has(file.name, *text)) changed.push_back(file.name);
        }
        if (changed.empty()) return {};
        return {foreign("has files that were changed since kasc wrote them, or that it did not write", changed)};
    }
    [[nodiscard]] Diagnostic foreign(const char* what, const std::vector<std::string>& names) const {
        Diagnostic d;
        d.code = "K0725";
        std::string listed;
        for (std::size_t i = 0; i < std::min(names.size(), most_named); ++i)
            listed += fmt::format("{}'{}'", i == 0 ? "" : ", ", names[i]);
        d.message =
            fmt::format("the folder '{}' {}: {}{}", asked_, what, listed, names.size() > most_named ? ", …" : "");
        d.span = {make_source(asked_), 0, 0};
        d.help = "choose another folder";
        d.flag_helps = {{{"--force"}, "{} replaces files of the names that it writes"}};
        return d;
    }
    /// The names in the folder but those of what is not finished; sorted.
    [[nodiscard]] static std::vector<std::string> entries(int folder) {
        std::vector<std::string> names;
        FolderListing listing(Descriptor(openat(folder, ".", open_one)));
        while (const char* name = listing.next()) {
            if (!std::string(name).starts_with(unfinished_prefix())) names.emplace_back(name);
        }
        std::sort(names.begin(), names.end());
        return names;
    }
};

}  // namespace

Diagnostics write_folder(const fs::path& folder, const std::vector<TextFile>& files, Foreign foreign) {
    return FolderWriter(folder, files, foreign).run();
}

}  // namespace kasc::runtime
