#pragma once
#include <cstdint>

namespace kasc {

/// Bytes [low, high) of an array.
struct ByteRange {
    std::uint64_t low = 0, high = 0;
    friend bool operator==(const ByteRange&, const ByteRange&) = default;
};

}  // namespace kasc
