#pragma once
// A folder of this process alone: its name cannot be foreseen, nobody else may enter it, and it is gone with its
// object, or, where the process was killed, with the next that the same user makes in the same place.

#include <filesystem>
#include <optional>

#include "foundation/outcome.hpp"
#include "runtime/files/descriptor.hpp"

namespace kasc::runtime {

class TemporaryFolder {
public:
    /// Below the system's folder for temporary files, $TMPDIR or /tmp. K0724: that cannot be used.
    [[nodiscard]] static Outcome<TemporaryFolder> create();
    /// In a folder; none, and errno, where that refuses it.
    [[nodiscard]] static std::optional<TemporaryFolder> create_in(const std::filesystem::path& parent);
    TemporaryFolder(TemporaryFolder&& other) noexcept;
    TemporaryFolder& operator=(TemporaryFolder&&) = delete;
    ~TemporaryFolder();

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }  ///< absolute
    [[nodiscard]] int descriptor() const { return folder_.get(); }
    /// The folder becomes one of the user's at `target`, where nothing may be: with the usual mode, and to stay. 0 or
    /// errno.
    [[nodiscard]] int become(const std::filesystem::path& target);

private:
    TemporaryFolder(std::filesystem::path path, Descriptor folder)
        : path_(std::move(path)), folder_(std::move(folder)) {}
    std::filesystem::path path_;  // empty: it is no more
    Descriptor folder_;
};

}  // namespace kasc::runtime
