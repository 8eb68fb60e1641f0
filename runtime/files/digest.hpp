#pragma once
// A fingerprint of data, against damage and mix-ups, not against intent: XXH64 (Yann Collet), as its specification
// defines it, with seed 0.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace kasc::runtime {

class Digest {
public:
    void add(std::span<const std::byte> bytes);
    void add(const void* bytes, std::size_t count) { add({static_cast<const std::byte*>(bytes), count}); }
    [[nodiscard]] std::uint64_t value() const;
    /// 16 hexadecimal digits.
    [[nodiscard]] std::string text() const;

private:
    void stripe(const std::byte* bytes);

    std::array<std::uint64_t, 4> lanes_{0x60EA27EEADC0B5D6U, 0xC2B2AE3D27D4EB4FU, 0, 0x61C8864E7A143579U};
    std::array<std::byte, 32> rest_{};
    std::uint64_t total_ = 0;
};

[[nodiscard]] std::string digest_text(const void* bytes, std::size_t count);

}  // namespace kasc::runtime
