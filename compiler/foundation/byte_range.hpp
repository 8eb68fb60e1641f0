#pragma once
#include <cstdint>

namespace kasc {

/// What GPUs make physical memory of, in bytes: of every one so far (cuMemGetAllocationGranularity).
inline constexpr std::uint64_t gpu_page_bytes = std::uint64_t{2} << 20U;

/// Bytes [low, high) of an array.
struct ByteRange {
    std::uint64_t low = 0, high = 0;
    friend bool operator==(const ByteRange&, const ByteRange&) = default;
};

}  // namespace kasc
