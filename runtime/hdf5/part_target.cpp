// Words 2 to 6 of cells of three words are z0 x1 y1 z1 x2: x gets its cells 1 and 2, y its cell 1, z its cells 0 and 1.

#include "runtime/hdf5/part_target.hpp"

#include <cstring>

#include "runtime/hdf5/cell_words.hpp"

namespace kasc::runtime {

PartTarget::PartTarget(const DatasetPart& part, void* values)
    : type_(part.type),
      word_bytes_(runtime::word_bytes(part.type)),
      arrays_(part.arrays()),
      stride_(part.array_stride()),
      values_(static_cast<std::byte*>(values)) {}

NotFiniteCount PartTarget::put(const std::byte* words, std::uint64_t first, std::uint64_t count) const {
    if (!is_one_array()) return spread(words, first, count);
    std::memcpy(at(first), words, count * word_bytes_);
    return count_not_finite(type_, at(first), count, first);
}

NotFiniteCount PartTarget::spread(const std::byte* words, std::uint64_t first, std::uint64_t count) const {
    const std::uint64_t reals = parts_of_cell(type_);
    NotFiniteCount all;
    for (std::uint64_t word = 0; word < arrays_; ++word) {
        // The first cell whose word is among them, and the first one from the end on.
        const std::uint64_t from = (first + arrays_ - 1 - word) / arrays_,
                            to = (first + count + arrays_ - 1 - word) / arrays_;
        if (from == to) continue;
        std::byte* const cells = values_ + word * stride_ + from * word_bytes_;
        copy_words(word_bytes_, words + (from * arrays_ + word - first) * word_bytes_, arrays_, cells, 1, to - from);
        NotFiniteCount found = count_not_finite(type_, cells, to - from, from);
        found.first = (found.first / reals * arrays_ + word) * reals + found.first % reals;
        all.add(found);
    }
    return all;
}

}  // namespace kasc::runtime
