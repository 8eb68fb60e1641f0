#pragma once
// A file that appears whole or not at all: written under a temporary name in the same folder, then renamed. Where the
// name is a link, the file that it leads to is replaced and the link stays.

#include <string>

#include "foundation/outcome.hpp"
#include "runtime/files/descriptor.hpp"

namespace kasc::runtime {

/// Can `path` become a file? K0720 names the folder and the reason. Leaves nothing behind.
/// An existing file may be replaced; a folder, a device or a pipe may not.
[[nodiscard]] Diagnostics check_writable(const std::string& path);

/// A text as a file. K0720, K0721.
[[nodiscard]] Diagnostics replace_file(const std::string& path, const std::string& text);

class ReplacementFile {
public:
    /// Makes the temporary file, empty. K0720.
    [[nodiscard]] static Outcome<ReplacementFile> create(const std::string& path);
    /// The temporary file is lasting_path(), there already or not, and stays when nothing is committed: a run that is
    /// stopped goes on with it. K0720, K0726.
    [[nodiscard]] static Outcome<ReplacementFile> create_lasting(const std::string& path);
    /// <path>.part, beside the file that a link leads to.
    [[nodiscard]] static std::string lasting_path(const std::string& path);
    /// The file itself, there already or not: nothing is made, and what is there stays whatever comes. K0720, K0726.
    [[nodiscard]] static Outcome<ReplacementFile> in_place(const std::string& path);
    ReplacementFile(ReplacementFile&& other) noexcept;
    ReplacementFile& operator=(ReplacementFile&&) = delete;
    ~ReplacementFile();  ///< removes what was not committed

    [[nodiscard]] const std::string& temporary_path() const { return temporary_; }
    /// The file was not there before.
    [[nodiscard]] bool is_new() const { return new_; }
    /// A lasting file that is new goes like any other up to here, and stays from here on.
    void begin() { stays_ = stays_ || lasting_; }
    /// What was said of the temporary file, said of the file.
    [[nodiscard]] Diagnostics named(Diagnostics said) const;
    /// To disk and into place. K0721.
    [[nodiscard]] Diagnostics commit();
    /// The same, and from then on it is a file in place, still held. `former`: the file in place so far. K0726 where
    /// another came in between.
    [[nodiscard]] Diagnostics commit_in_place(const ReplacementFile& former);
    /// Removes the temporary file, one that would stay as well.
    void discard();

private:
    ReplacementFile(std::string path, std::string target, std::string temporary, Descriptor held)
        : path_(std::move(path)),
          target_(std::move(target)),
          temporary_(std::move(temporary)),
          held_(std::move(held)) {}
    [[nodiscard]] Diagnostics to_disk() const;
    std::string path_;    // as asked for
    std::string target_;  // links followed
    std::string temporary_;
    Descriptor held_;  // with a lock, which tells others that a process lives by this file
    bool lasting_ = false, new_ = true;
    bool stays_ = false;  // when this object goes
};

}  // namespace kasc::runtime
