#pragma once
// What a child process does to read a dataset, and what its parent says of it.

#include <array>
#include <cstdint>
#include <string>

#include "foundation/outcome.hpp"
#include "runtime/hdf5/handle.hpp"
#include "runtime/hdf5/read_datasets.hpp"
#include "runtime/processes/child.hpp"

namespace kasc::runtime {

/// In shared memory: the child fills it.
struct ReadReport {
    enum class State : std::uint8_t { unread, damaged, packed, reshaped, rewritten, good };
    State state = State::unread;
    std::array<char, 32> filter{};  ///< packed: by what this machine's HDF5 has not
    std::uint64_t not_finite = 0;
    std::uint64_t first_not_finite = 0;
    std::uint64_t beyond_float32 = 0;  ///< finite in the file, infinite as float32; counted in not_finite too
    std::uint64_t no_integers = 0;     ///< not in the range of the wanted integers, or no whole numbers
    std::uint64_t first_no_integer = 0;
    double first_no_integer_is = 0;  ///< to a double's precision
};

/// In a child: the part's values as words of its type, array by array with its stride. `stamp`: of the file when it
/// was surveyed. Requires: HDF5 is silenced, the values' place is large enough.
void read_part(hid_t file, const FileStamp& stamp, const DatasetPart& part, void* values, ReadReport& report);

/// For reading so much of a file.
[[nodiscard]] ChildLimits reading_limits(std::uint64_t file_bytes, std::uint64_t unpacked_bytes);

/// Warnings of a part that was read; an error where it was not. `end`: of a child that has ended.
[[nodiscard]] Diagnostics findings(const std::string& path, const DatasetPart& part, const ReadReport& report,
                                   std::optional<ChildEnd> end);

}  // namespace kasc::runtime
