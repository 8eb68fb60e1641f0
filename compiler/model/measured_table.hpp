#pragma once
// What was measured of a library's functions on a device (kasc bench): times of loading, computing and saving, for
// every implementation and block size, with growing amounts of shared memory that the block holds beside its own, as
// fused calls would.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "foundation/outcome.hpp"

namespace kasc {

struct MeasuredEntry {
    std::string implementation;                       ///< "mmul33_1"
    int elements = 0;                                 ///< of the stream, a block
    int extra_shared_bytes = 0;                       ///< a block, beyond the tiles of the call itself
    double load_ns = 0, compute_ns = 0, save_ns = 0;  ///< an element, with the whole device at work
    int registers = 0;                                ///< a thread of the computing kernel; 0 on a CPU
    double occupancy = 1;  ///< of the computing kernel: resident threads / most resident threads
};

struct MeasuredTable {
    std::string kasc, device, driver, compiler, date, library;  ///< library: hash of all its functions
    long long size = 0;                                         ///< elements of the streams that were measured
    std::vector<MeasuredEntry> entries;                         ///< by implementation, elements, extra bytes

    /// None where the implementation was not measured with this block. Between two amounts of extra shared memory
    /// linear; beyond the measured ones the nearest. Registers are those of the amount below.
    [[nodiscard]] std::optional<MeasuredEntry> find(const std::string& implementation, int elements,
                                                    int extra_shared_bytes) const;
};

constexpr int table_format_version = 1;

/// As JSON, entries in their order.
[[nodiscard]] std::string print(const MeasuredTable& table);
/// K0510 no such file, K0511 no table, K0512 unknown key, K0513 key missing, K0514 value of another type or out of
/// range, K0515 unknown version, K0516 a key or an entry twice.
[[nodiscard]] Outcome<MeasuredTable> read_table(const std::filesystem::path& path);
[[nodiscard]] Outcome<MeasuredTable> read_table_source(const SourceRef& source);

}  // namespace kasc
