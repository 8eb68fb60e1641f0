#pragma once
// Zeroed memory of this process that is taken as it is touched: of an array that others work on as well there are
// addresses for all, and pages for what lies here.

#include <cstddef>
#include <cstdint>
#include <optional>

namespace kasc::runtime {

class ReservedMemory {
public:
    /// None where the system has no room for so much.
    [[nodiscard]] static std::optional<ReservedMemory> reserve(std::uint64_t bytes);
    ReservedMemory(ReservedMemory&& other) noexcept;
    ReservedMemory& operator=(ReservedMemory&&) = delete;
    ~ReservedMemory();

    /// On a page.
    [[nodiscard]] std::byte* data() const { return data_; }
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

private:
    ReservedMemory(std::byte* data, std::uint64_t bytes) : data_(data), bytes_(bytes) {}
    std::byte* data_;
    std::uint64_t bytes_;
};

}  // namespace kasc::runtime
