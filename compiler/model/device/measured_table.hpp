#pragma once
// What was measured of a library's functions on a device (kasc bench): times of loading, computing and saving, for
// every implementation and block size, with growing amounts of shared memory that the block holds beside its own, as
// fused calls would.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "foundation/outcome.hpp"
#include "library/library.hpp"

namespace kasc {

struct MeasuredTimes {
    int extra_shared_bytes = 0;                       ///< a block, beyond the tiles of the call itself
    double load_ns = 0, compute_ns = 0, save_ns = 0;  ///< an element, with the whole device at work
    int registers = 0;                                ///< a thread of the computing kernel; 0 on a CPU
    double occupancy = 1;  ///< of the computing kernel: resident threads / most resident threads
};

struct MeasuredEntry {
    std::string implementation;        ///< "mmul33_1"
    std::string code;                  ///< hash of all that the library says of it
    int elements = 0;                  ///< of the stream, a block
    std::vector<MeasuredTimes> times;  ///< by extra shared bytes, at least one
};

struct MeasuredTable {
    std::string kasc, device, driver, compiler, date, library;  ///< library: hash of all its functions
    long long size = 0;                                         ///< elements of the streams that were measured
    std::vector<MeasuredEntry> entries;                         ///< by implementation, elements

    /// None where the implementation was not measured with this block. Between two amounts of extra shared memory
    /// linear; beyond the measured ones the nearest. Registers are those of the amount below.
    [[nodiscard]] std::optional<MeasuredTimes> find(const std::string& implementation, int elements,
                                                    int extra_shared_bytes) const;
};

/// The entries that measured what this library has: a function that changed, or that another folder's replaces, is not
/// in it.
[[nodiscard]] MeasuredTable entries_of(const MeasuredTable& table, const Library& library);

constexpr int table_format_version = 1;

/// As JSON, entries in their order.
[[nodiscard]] std::string print(const MeasuredTable& table);
/// K0510 no such file, K0511 no table, K0512 unknown key, K0513 key missing, K0514 value of another type or out of
/// range, K0515 unknown version, K0516 a key or an entry twice.
[[nodiscard]] Outcome<MeasuredTable> read_table(const std::filesystem::path& path);
[[nodiscard]] Outcome<MeasuredTable> read_table_source(const SourceRef& source);

/// Where the table of a device is: measured/NAME.json beside its device file NAME.json. Empty where there is none.
[[nodiscard]] std::filesystem::path measured_table_path(const std::string& device_name_or_path,
                                                        const std::filesystem::path& device_folder);

}  // namespace kasc
