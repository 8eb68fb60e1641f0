#pragma once
// A file of arrays whose datasets are compressed. Chunks have no size before their data are there, so such a file is
// written once, from beginning to end, when all of its data are known.

#include <functional>
#include <string>

#include "runtime/hdf5/array_layout.hpp"

namespace kasc::runtime {

/// Puts a run of bytes of an array of the layout where it is told to; false: they cannot be had.
using ArrayBytes = std::function<bool(std::size_t array, std::uint64_t offset, void* to, std::uint64_t bytes)>;

/// What lay_out() makes of the layout, with the arrays' bytes in it; its datasets are shuffled and deflated at `level`,
/// 1 to 9, but for small ones, which the index of their chunks would make larger. Same data, same HDF5 and zlib: same
/// bytes. K0721.
[[nodiscard]] Diagnostics write_packed(const std::string& path, const FileLayout& layout, int level,
                                       const ArrayBytes& bytes);

/// The chunks of a dataset: as much of it as lies together and is no more than a mebibyte, the chunk cache that HDF5
/// gives a reader (H5Pset_cache, 1.8 to 1.14); whole rows, planes, … where they fit.
[[nodiscard]] Shape chunk_of(const Shape& shape, std::size_t word_bytes);

/// Whether this HDF5 was built with zlib.
[[nodiscard]] bool can_pack();

}  // namespace kasc::runtime
