#pragma once
// Arrays into an HDF5 file: float32 datasets of the root group. Same arrays and attributes: the same bytes.

#include <string>
#include <vector>

#include "foundation/outcome.hpp"
#include "runtime/array.hpp"
#include "runtime/hdf5/array_file.hpp"

namespace kasc::runtime {

/// The file appears whole or not at all. Requires: values.size() is the product of the shape. K0720, K0721.
[[nodiscard]] Diagnostics write_hdf5(const std::string& path, const std::vector<ArrayView>& arrays,
                                     const Attributes& attributes);

}  // namespace kasc::runtime
