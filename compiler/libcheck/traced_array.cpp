#include "libcheck/traced_array.hpp"

#include <algorithm>
#include <bit>

namespace kasc::libcheck {

namespace {

constexpr std::size_t most_beyond = 8;  // kept; more would not be shown

}  // namespace

float unwritten_word() { return std::bit_cast<float>(std::uint32_t{0x7FC0BEEF}); }

bool same_bits(float a, float b) { return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b); }

TracedArray::TracedArray(std::size_t words) : TracedArray(Words(words, unwritten_word())) {}

TracedArray::TracedArray(Words values) : values_(std::move(values)), how_(values_.size(), 0) {}

void TracedArray::forget() {
    for (const std::int64_t word : touched_) how_[static_cast<std::size_t>(word)] = 0;
    touched_.clear();
    beyond_.clear();
}

bool TracedArray::has(std::int64_t word, std::uint8_t bit) const {
    return (how_.at(static_cast<std::size_t>(word)) & bit) != 0;
}

void TracedArray::touch(void* array, long long word, int writes) {
    static_cast<TracedArray*>(array)->note(word, writes != 0);
}

void TracedArray::note(std::int64_t word, bool writes) {
    if (word < 0 || word >= static_cast<std::int64_t>(values_.size())) {
        const bool known = std::any_of(beyond_.begin(), beyond_.end(),
                                       [&](const Beyond& b) { return b.word == word && b.writes == writes; });
        if (!known && beyond_.size() < most_beyond) beyond_.push_back({word, writes});
        return;
    }
    std::uint8_t& how = how_[static_cast<std::size_t>(word)];
    if (how == 0) touched_.push_back(word);
    if (writes) {
        how |= written_bit;
    } else {
        how |= (how & written_bit) != 0 ? read_bit : static_cast<std::uint8_t>(read_bit | read_first_bit);
    }
}

}  // namespace kasc::libcheck
