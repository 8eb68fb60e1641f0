#include "runtime/files/digest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace kasc::runtime {

namespace {

constexpr std::uint64_t p1 = 0x9E3779B185EBCA87U, p2 = 0xC2B2AE3D27D4EB4FU, p3 = 0x165667B19E3779F9U,
                        p4 = 0x85EBCA77C2B2AE63U, p5 = 0x27D4EB2F165667C5U;

std::uint64_t load64(const std::byte* from) {
    std::uint64_t word = 0;
    std::memcpy(&word, from, sizeof word);
    return word;
}

std::uint64_t mixed(std::uint64_t lane, std::uint64_t input) { return std::rotl(lane + input * p2, 31) * p1; }

}  // namespace

void Digest::stripe(const std::byte* bytes) {
    for (std::size_t i = 0; i < 4; ++i) lanes_[i] = mixed(lanes_[i], load64(bytes + 8 * i));
}

void Digest::add(std::span<const std::byte> bytes) {
    const std::size_t held = total_ % 32;
    total_ += bytes.size();
    if (held + bytes.size() < 32) {
        std::copy(bytes.begin(), bytes.end(), rest_.begin() + static_cast<std::ptrdiff_t>(held));
        return;
    }
    if (held > 0) {
        const std::size_t filling = 32 - held;
        std::copy_n(bytes.begin(), filling, rest_.begin() + static_cast<std::ptrdiff_t>(held));
        stripe(rest_.data());
        bytes = bytes.subspan(filling);
    }
    for (; bytes.size() >= 32; bytes = bytes.subspan(32)) stripe(bytes.data());
    std::copy(bytes.begin(), bytes.end(), rest_.begin());
}

std::uint64_t Digest::value() const {
    std::uint64_t hash = p5;
    if (total_ >= 32) {
        hash = std::rotl(lanes_[0], 1) + std::rotl(lanes_[1], 7) + std::rotl(lanes_[2], 12) + std::rotl(lanes_[3], 18);
        for (const std::uint64_t lane : lanes_) hash = (hash ^ mixed(0, lane)) * p1 + p4;
    }
    hash += total_;
    const std::byte* at = rest_.data();
    std::size_t left = total_ % 32;
    for (; left >= 8; at += 8, left -= 8) hash = std::rotl(hash ^ mixed(0, load64(at)), 27) * p1 + p4;
    if (left >= 4) {
        std::uint32_t word = 0;
        std::memcpy(&word, at, sizeof word);
        hash = std::rotl(hash ^ (word * p1), 23) * p2 + p3;
        at += 4, left -= 4;
    }
    for (; left > 0; ++at, --left) hash = std::rotl(hash ^ (std::to_integer<std::uint64_t>(*at) * p5), 11) * p1;
    hash = (hash ^ (hash >> 33U)) * p2;
    hash = (hash ^ (hash >> 29U)) * p3;
    return hash ^ (hash >> 32U);
}

std::string Digest::text() const { return fmt::format("{:016x}", value()); }

std::string digest_text(const void* bytes, std::size_t count) {
    Digest digest;
    digest.add(bytes, count);
    return digest.text();
}

}  // namespace kasc::runtime
