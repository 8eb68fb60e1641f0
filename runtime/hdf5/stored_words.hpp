#pragma once
// Large datasets of the machine's own types, read past the HDF5 library: it says where in the file their words lie, and
// threads read, unpack and examine them.

#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/finite.hpp"
#include "runtime/hdf5/handle.hpp"
#include "runtime/hdf5/read_datasets.hpp"

namespace kasc::runtime {

/// A chunk, or all that is wanted of a dataset that lies in one piece.
struct StoredPiece {
    std::uint64_t place = 0, bytes = 0;  ///< in the file
    Shape first;                         ///< its first word in the dataset
};

struct StoredWords {
    int descriptor = -1;  ///< of the file, HDF5's own
    std::size_t word_bytes = 0;
    /// What a piece holds when it is unpacked, as words in each dimension; at the dataset's edges some of it is beyond.
    Shape piece_shape;
    bool deflated = false, shuffled = false;  ///< first shuffled, then deflated
    std::vector<StoredPiece> pieces;          ///< they cover what is wanted, each word once
};

/// To be called in a child process: HDF5 is asked. None where the dataset is small, of another type than the part, is
/// stored in another way, where one word of its cells is wanted, or where what HDF5 says does not fit together or
/// leaves the file: then HDF5 has to read it, and to judge. Requires: `part` is of the dataset's shape.
[[nodiscard]] std::optional<StoredWords> find_stored_words(hid_t file, const Hdf5Handle& dataset, hid_t memory_type,
                                                           const DatasetPart& part);

/// By all cores, without HDF5. None where a piece cannot be read or unpacks to something else.
[[nodiscard]] std::optional<NotFiniteCount> read_stored_words(const StoredWords& stored, const DatasetPart& part,
                                                              void* values);

}  // namespace kasc::runtime
