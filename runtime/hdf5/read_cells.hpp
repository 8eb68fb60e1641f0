#pragma once
// Datasets, or boxes of them, read and converted by HDF5; the words of cells go to an array each.

#include <optional>

#include "runtime/hdf5/handle.hpp"
#include "runtime/hdf5/part_target.hpp"

namespace kasc::runtime {

/// The words of the dataset's box that begins `from` there, as they come. False: HDF5 refused.
[[nodiscard]] bool read_box(const Hdf5Handle& dataset, const Shape& from, const Shape& box, hid_t memory_type,
                            hid_t transfer, void* values);

/// A part whose words go to several arrays, by way of a buffer of about a mebibyte or of a chunk: each chunk is
/// unpacked once. What is not finite among them; none: HDF5 refused.
[[nodiscard]] std::optional<NotFiniteCount> read_cells(const Hdf5Handle& dataset, const DatasetPart& part,
                                                       hid_t memory_type, hid_t transfer, const PartTarget& target);

}  // namespace kasc::runtime
