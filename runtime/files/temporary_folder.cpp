#include "runtime/files/temporary_folder.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "runtime/files/output_place.hpp"
#include "runtime/files/unfinished.hpp"

namespace kasc::runtime {

namespace {

Diagnostic no_temporary_folder(const std::string& base, const char* variable) {
    Diagnostic d;
    d.code = "K0724";
    d.message = fmt::format("no temporary folder can be made in '{}': {}", base, std::strerror(errno));
    d.help = fmt::format("set {} to a folder that can be written", variable == nullptr ? "TMPDIR" : variable);
    return d;
}

}  // namespace

std::optional<TemporaryFolder> TemporaryFolder::create_in(const std::filesystem::path& parent) {
    Unfinished made = make_unfinished_folder(parent);
    if (!made.open) return std::nullopt;
    return TemporaryFolder(std::move(made.path), std::move(made.open));
}

Outcome<TemporaryFolder> TemporaryFolder::create() {
    std::string base = "/tmp";
    const char* named_by = nullptr;
    for (const char* variable : {"TMPDIR", "TMP", "TEMP", "TEMPDIR"}) {
        const char* value = std::getenv(variable);
        if (named_by != nullptr || value == nullptr || *value == '\0') continue;
        base = value;
        named_by = variable;
    }
    std::error_code error;
    const std::filesystem::path whole = std::filesystem::absolute(base, error);
    auto folder = create_in(error ? std::filesystem::path(base) : whole);
    if (!folder) return failure<TemporaryFolder>(no_temporary_folder(base, named_by));
    return success(*std::move(folder));
}

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept
    : path_(std::move(other.path_)), folder_(std::move(other.folder_)) {
    other.path_.clear();
}

TemporaryFolder::~TemporaryFolder() {
    if (path_.empty()) return;
    remove_contents(folder_);
    rmdir(path_.c_str());
}

int TemporaryFolder::become(const std::filesystem::path& target) {
    struct stat info {};
    fstat(folder_.get(), &info);
    // A folder below one with the set-group-ID bit has it as well, and keeps it.
    if (fchmod(folder_.get(), usual_mode(0777) | (info.st_mode & S_ISGID)) != 0) return errno;
    const int fault = rename_to_nothing(path_.string(), target.string());
    if (fault == 0) path_.clear();
    return fault;
}

}  // namespace kasc::runtime
