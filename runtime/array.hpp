#pragma once
// Arrays as they stand in HDF5 files and in host memory: the last dimension contiguous.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/interface.hpp"

namespace kasc::runtime {

/// Bytes of a word as it lies in memory and in files.
[[nodiscard]] constexpr std::uint64_t word_bytes(WordType type) { return cell_bytes(type); }

/// A run of words of one type, somebody else's.
class Words {
public:
    Words() = default;
    Words(std::span<const float> values) : data_(values.data()), size_(values.size()) {}
    Words(const std::vector<float>& values) : Words(std::span<const float>(values)) {}
    Words(WordType type, const void* data, std::size_t size) : type_(type), data_(data), size_(size) {}

    [[nodiscard]] WordType type() const { return type_; }
    [[nodiscard]] const void* data() const { return data_; }
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] std::size_t size_bytes() const { return size_ * word_bytes(type_); }
    [[nodiscard]] bool empty() const { return size_ == 0; }
    /// Exact for every type.
    [[nodiscard]] double operator[](std::size_t i) const { return cell_value(type_, data_, i); }
    [[nodiscard]] Words subspan(std::size_t first, std::size_t count) const {
        return {type_, static_cast<const std::byte*>(data_) + first * word_bytes(type_), count};
    }
    /// Requires: float32.
    [[nodiscard]] std::span<const float> floats() const { return {static_cast<const float*>(data_), size_}; }

private:
    WordType type_ = WordType::float32;
    const void* data_ = nullptr;
    std::size_t size_ = 0;
};

using Shape = std::vector<std::uint64_t>;  ///< HDF5 order: the last dimension is contiguous

struct ArrayView {
    std::string name;
    Shape shape;
    Words values;
};

/// Product of the dimensions, 1 for a scalar; none where the bytes of so many words do not fit 63 bits.
[[nodiscard]] std::optional<std::uint64_t> cell_count(const Shape& shape);

/// Streams: (N, element shape…), a scalar's (N). Fields: the axes reversed, in files with the cell's shape behind them.
/// `extents` as kasc_entry_call has them.
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
