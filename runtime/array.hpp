#pragma once
// Arrays as they stand in HDF5 files and in host memory: float32, the last dimension contiguous.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/interface.hpp"

namespace kasc::runtime {

/// Bytes of a word as it lies in memory and in files.
[[nodiscard]] constexpr std::uint64_t word_bytes(WordType type) {
    switch (type) {
        case WordType::float32:
            return 4;
    }
    return 0;
}

using Shape = std::vector<std::uint64_t>;  ///< HDF5 order: the last dimension is contiguous

struct ArrayView {
    std::string name;
    Shape shape;
    std::span<const float> values;
};

/// Product of the dimensions, 1 for a scalar; none where the bytes of so many float32 do not fit 63 bits.
[[nodiscard]] std::optional<std::uint64_t> cell_count(const Shape& shape);

/// Streams: (N, element shape…), a scalar's (N). Fields: the axes reversed. `extents` as kasc_entry_call has them.
[[nodiscard]] Shape expected_shape(const ProgramInterface& program, const ArrayInterface& array,
                                   const std::vector<long long>& extents);

/// "(4, 8, 16)", "()" for a scalar, "(7,)" for one dimension, as NumPy writes them.
[[nodiscard]] std::string to_text(const Shape& shape);
/// The declaration: "T[x,y,z]" of a field, "T" of a scalar field or a stream.
[[nodiscard]] std::string declared_text(const ProgramInterface& program, const ArrayInterface& array);
/// "512 B", "1.5 GiB".
[[nodiscard]] std::string bytes_text(std::uint64_t bytes);

/// Index of a cell in each dimension: offset 5 in (2, 4) is (1, 1).
[[nodiscard]] Shape cell_position(const Shape& shape, std::uint64_t offset);

/// Memory of the machine; what is larger is refused before it is allocated.
[[nodiscard]] std::uint64_t physical_memory_bytes();

/// What of it is free, or can be freed, now; where the system does not say, all of it.
[[nodiscard]] std::uint64_t available_memory_bytes();
/// "500M", "2G", "1.5T", "4096": bytes in powers of 1024, with or without "B" or "iB". None: it is no such text.
[[nodiscard]] std::optional<std::uint64_t> read_bytes(const std::string& text);

}  // namespace kasc::runtime
