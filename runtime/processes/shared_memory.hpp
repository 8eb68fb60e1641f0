#pragma once
// Zeroed memory that a forked child writes and its parent reads. It is taken as it is touched.

#include <cstddef>
#include <cstdint>
#include <optional>

namespace kasc::runtime {

/// The least multiple of a page's bytes that holds `bytes`.
[[nodiscard]] constexpr std::uint64_t to_page(std::uint64_t bytes) {
    constexpr std::uint64_t page_bytes = 4096;
    return (bytes + page_bytes - 1) / page_bytes * page_bytes;
}

class SharedMemory {
public:
    /// None where the system refuses so much.
    [[nodiscard]] static std::optional<SharedMemory> allocate(std::uint64_t bytes);
    SharedMemory(SharedMemory&& other) noexcept;
    SharedMemory& operator=(SharedMemory&&) = delete;
    ~SharedMemory();

    [[nodiscard]] std::byte* data() const { return data_; }

private:
    SharedMemory(std::byte* data, std::size_t bytes) : data_(data), bytes_(bytes) {}
    std::byte* data_;
    std::size_t bytes_;
};

}  // namespace kasc::runtime
