#pragma once
// How a file stood when it was first looked at, so that what is read of it later is of the same file: HDF5 gives zeros
// for what a file that was cut short has lost.

#include <sys/stat.h>

#include <cstdint>

namespace kasc::runtime {

struct FileStamp {
    std::uint64_t bytes = 0;
    std::int64_t modified_ns = 0;  ///< since 1970; 0: it may be written to in the meantime, but not cut

    /// Is a file of this stamp by now another?
    [[nodiscard]] bool differs(const FileStamp& now) const {
        return now.bytes < bytes || (modified_ns != 0 && (now.bytes != bytes || now.modified_ns != modified_ns));
    }
};

[[nodiscard]] inline FileStamp stamp_of(const struct stat& info) {
    return {static_cast<std::uint64_t>(info.st_size),
            std::int64_t{info.st_mtim.tv_sec} * 1'000'000'000 + info.st_mtim.tv_nsec};
}

}  // namespace kasc::runtime
