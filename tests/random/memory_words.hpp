#pragma once
// Words as they lie in memory, and as cells of doubles that kernels are interpreted with.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "kernel/kernel.hpp"
#include "support/field_kernel.hpp"

namespace kasc::random {

using test::Cells;

using Bytes = std::vector<std::byte>;

template <class Word>
void read_words(const std::byte* from, Cells& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
        Word word;
        std::memcpy(&word, from + i * sizeof(Word), sizeof(Word));
        cells[i] = static_cast<double>(word);
    }
}
template <class Word>
void write_words(std::byte* to, const Cells& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
        Word word = static_cast<Word>(0.0);
        // As Scalar::word: the largest integer is rounded up as a double.
        if constexpr (std::is_same_v<Word, std::int64_t>) {
            word = cells[i] < 0x1p63 ? static_cast<Word>(cells[i]) : std::numeric_limits<Word>::max();
        } else {
            word = static_cast<Word>(cells[i]);
        }
        std::memcpy(to + i * sizeof(Word), &word, sizeof(Word));
    }
}
/// Calls use<Word>() with what a word of memory is.
template <class Use>
void with_word(kernel::Type type, const Use& use) {
    switch (type) {
        case kernel::Type::f32:
            return use(float{});
        case kernel::Type::f64:
            return use(double{});
        case kernel::Type::i32:
            return use(std::int32_t{});
        case kernel::Type::i64:
            return use(std::int64_t{});
        case kernel::Type::f16:
            return use(kasc_half{});
        case kernel::Type::bf16:
            return use(kasc_bfloat16{});
        default:
            return use(std::uint8_t{});
    }
}

}  // namespace kasc::random
