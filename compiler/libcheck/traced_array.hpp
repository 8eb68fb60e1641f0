#pragma once
// An array that a part of an implementation works on, and what the thread that runs has touched of it.

#include <cstdint>
#include <vector>

#include "libcheck/traced_unit.hpp"

namespace kasc::libcheck {

using Words = std::vector<float>;

/// A word that no code has written: a NaN with a payload that no computation makes.
[[nodiscard]] float unwritten_word();
[[nodiscard]] bool same_bits(float a, float b);

class TracedArray {
public:
    /// Filled with unwritten words.
    explicit TracedArray(std::size_t words);
    explicit TracedArray(Words values);

    [[nodiscard]] const Words& values() const { return values_; }
    [[nodiscard]] Words& values() { return values_; }
    [[nodiscard]] TracedArrayView view() { return {values_.data(), static_cast<long long>(values_.size()), this}; }

    /// Before a thread runs.
    void forget();
    /// Words that the thread touched, each once, in the order in which it did.
    [[nodiscard]] const std::vector<std::int64_t>& touched() const { return touched_; }
    [[nodiscard]] bool reads(std::int64_t word) const { return has(word, read_bit); }
    [[nodiscard]] bool writes(std::int64_t word) const { return has(word, written_bit); }
    /// Before it wrote the word.
    [[nodiscard]] bool reads_first(std::int64_t word) const { return has(word, read_first_bit); }
    /// Words beyond the array, the first few.
    struct Beyond {
        std::int64_t word;
        bool writes;
    };
    [[nodiscard]] const std::vector<Beyond>& beyond() const { return beyond_; }

    static void touch(void* array, long long word, int writes);

private:
    static constexpr std::uint8_t read_bit = 1, written_bit = 2, read_first_bit = 4;

    [[nodiscard]] bool has(std::int64_t word, std::uint8_t bit) const;
    void note(std::int64_t word, bool writes);

    Words values_;
    std::vector<std::uint8_t> how_;  ///< by word
    std::vector<std::int64_t> touched_;
    std::vector<Beyond> beyond_;
};

}  // namespace kasc::libcheck
