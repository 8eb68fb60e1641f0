// The exponent's bits are all set: 7f800000 and above. Sixty-four words at a time are compared without a branch, and
// looked at one by one only where one of them is the first that is not finite.

#include "runtime/finite.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <vector>

#include "foundation/parallel.hpp"

namespace kasc::runtime {

namespace {

/// Words of a thread's turn: some 50 µs of work.
constexpr std::uint64_t words_a_piece = std::uint64_t{1} << 18U;

template <class Bits, Bits exponent>
NotFiniteCount count_reals(const void* reals, std::uint64_t size) {
    constexpr std::size_t lanes = 64;  // known to the compiler: then it computes on whole vectors
    const auto* bytes = static_cast<const std::byte*>(reals);
    NotFiniteCount found;
    const auto add = [&](std::uint64_t from, const Bits* bits, std::size_t count, std::uint64_t bad) {
        if (bad == 0) return;
        if (found.count == 0) {
            const auto* first = std::find_if(bits, bits + count, [](Bits b) { return (b & exponent) == exponent; });
            found.first = from + static_cast<std::uint64_t>(first - bits);
        }
        found.count += bad;
    };
    std::array<Bits, lanes> bits;
    std::uint64_t i = 0;
    for (; i + lanes <= size; i += lanes) {
        std::memcpy(bits.data(), bytes + i * sizeof(Bits), sizeof bits);
        Bits bad = 0;
        for (std::size_t lane = 0; lane < lanes; ++lane)
            bad = static_cast<Bits>(bad + ((bits[lane] & exponent) == exponent ? 1 : 0));
        add(i, bits.data(), lanes, bad);
    }
    const auto rest = static_cast<std::size_t>(size - i);
    std::memcpy(bits.data(), bytes + i * sizeof(Bits), rest * sizeof(Bits));
    std::uint64_t bad = 0;
    for (std::size_t lane = 0; lane < rest; ++lane) bad += (bits[lane] & exponent) == exponent ? 1 : 0;
    add(i, bits.data(), rest, bad);
    return found;
}

}  // namespace

void NotFiniteCount::add(const NotFiniteCount& other) {
    if (other.count == 0) return;
    first = count == 0 ? other.first : std::min(first, other.first);
    count += other.count;
}

NotFiniteCount count_not_finite(WordType type, const void* words, std::uint64_t size, std::uint64_t from) {
    if (is_integer(type) || size == 0) return {};
    const std::uint64_t reals = parts_of_cell(type);
    NotFiniteCount found = type == CellType::float16    ? count_reals<std::uint16_t, 0x7c00U>(words, size)
                           : type == CellType::bfloat16 ? count_reals<std::uint16_t, 0x7f80U>(words, size)
                           : is_dual(type) ? count_reals<std::uint64_t, 0x7ff0000000000000U>(words, size * reals)
                                           : count_reals<std::uint32_t, 0x7f800000U>(words, size * reals);
    found.first += from * reals;
    return found;
}

NotFiniteCount count_all_not_finite(WordType type, const void* words, std::uint64_t size) {
    std::vector<NotFiniteCount> found((size + words_a_piece - 1) / words_a_piece);
    parallel_for(found.size(), [&](std::size_t i) {
        const std::uint64_t from = i * words_a_piece;
        found[i] = count_not_finite(type, static_cast<const std::byte*>(words) + from * cell_bytes(type),
                                    std::min(words_a_piece, size - from), from);
    });
    NotFiniteCount all;
    for (const NotFiniteCount& piece : found) all.add(piece);
    return all;
}

}  // namespace kasc::runtime
