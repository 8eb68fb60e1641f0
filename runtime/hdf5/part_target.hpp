#pragma once
// Where the words of a part of a dataset go in memory: to one array as they come, or, where the last dimensions number
// the words of a cell, to an array a word (cell_words.hpp).

#include <cstddef>
#include <cstdint>

#include "runtime/finite.hpp"
#include "runtime/hdf5/read_datasets.hpp"

namespace kasc::runtime {

class PartTarget {
public:
    /// `values`: room for all of the part's arrays, with its stride.
    PartTarget(const DatasetPart& part, void* values);

    /// The words lie in memory as they come: they may be put there by whoever reads them.
    [[nodiscard]] bool is_one_array() const { return arrays_ == 1; }
    /// Requires: one array. The place of a word of the part.
    [[nodiscard]] std::byte* at(std::uint64_t word) const { return values_ + word * word_bytes_; }
    /// Puts `count` words where they belong, the first of them number `first` of the part. What is not finite among
    /// them, by its number in the part.
    [[nodiscard]] NotFiniteCount put(const std::byte* words, std::uint64_t first, std::uint64_t count) const;

private:
    [[nodiscard]] NotFiniteCount spread(const std::byte* words, std::uint64_t first, std::uint64_t count) const;

    WordType type_;
    std::size_t word_bytes_;
    std::uint64_t arrays_, stride_;
    std::byte* values_;
};

}  // namespace kasc::runtime
