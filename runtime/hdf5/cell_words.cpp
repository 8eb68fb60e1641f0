#include "runtime/hdf5/cell_words.hpp"

#include <cstring>

namespace kasc::runtime {

namespace {

template <std::size_t size>
void copy_words_of(const std::byte* from, std::uint64_t from_step, std::byte* to, std::uint64_t to_step,
                   std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) std::memcpy(to + i * to_step * size, from + i * from_step * size, size);
}

}  // namespace

void copy_words(std::size_t word_bytes, const std::byte* from, std::uint64_t from_step, std::byte* to,
                std::uint64_t to_step, std::uint64_t count) {
    switch (word_bytes) {
        case 1:
            return copy_words_of<1>(from, from_step, to, to_step, count);
        case 8:
            return copy_words_of<8>(from, from_step, to, to_step, count);
        case 16:
            return copy_words_of<16>(from, from_step, to, to_step, count);
        default:
            return copy_words_of<4>(from, from_step, to, to_step, count);
    }
}

}  // namespace kasc::runtime
