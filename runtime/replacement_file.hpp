#pragma once
// A file that appears whole or not at all: written under a temporary name in the same folder, then renamed.

#include <string>

#include "foundation/outcome.hpp"

namespace kasc::runtime {

/// Can `path` become a file? K0720 names the folder and the reason. Leaves nothing behind.
/// An existing file may be replaced; a folder, a device or a pipe may not.
[[nodiscard]] Diagnostics check_writable(const std::string& path);

class ReplacementFile {
public:
    /// Makes the temporary file, empty. K0720.
    [[nodiscard]] static Outcome<ReplacementFile> create(const std::string& path);
    /// The temporary file is lasting_path(), there already or not, and stays when nothing is committed: a run that is
    /// stopped goes on with it. K0720.
    [[nodiscard]] static Outcome<ReplacementFile> create_lasting(const std::string& path);
    /// <path>.part, beside the file that a link leads to.
    [[nodiscard]] static std::string lasting_path(const std::string& path);
    /// The file itself, there already or not, which stays whatever comes. K0720.
    [[nodiscard]] static Outcome<ReplacementFile> in_place(const std::string& path);
    ReplacementFile(ReplacementFile&& other) noexcept;
    ReplacementFile& operator=(ReplacementFile&&) = delete;
    ~ReplacementFile();  ///< removes what was not committed

    [[nodiscard]] const std::string& temporary_path() const { return temporary_; }
    /// What was said of the temporary file, said of the file.
    [[nodiscard]] Diagnostics named(Diagnostics said) const;
    /// To disk and into place. K0721.
    [[nodiscard]] Diagnostics commit();
    /// Removes the temporary file, one that would stay as well.
    void discard();

private:
    [[nodiscard]] static Outcome<ReplacementFile> open_lasting(const std::string& path, const std::string& temporary);
    ReplacementFile(std::string path, std::string target, std::string temporary, bool lasting)
        : path_(std::move(path)), target_(std::move(target)), temporary_(std::move(temporary)), lasting_(lasting) {}
    std::string path_;    // as asked for
    std::string target_;  // links followed
    std::string temporary_;
    bool lasting_;
};

}  // namespace kasc::runtime
