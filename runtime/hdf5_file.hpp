#pragma once
// Arrays into an HDF5 file: float32 datasets of the root group. Same arrays and attributes: the same bytes.

#include <string>
#include <utility>
#include <vector>

#include "foundation/outcome.hpp"
#include "runtime/array.hpp"

namespace kasc::runtime {

using Attributes = std::vector<std::pair<std::string, std::string>>;  ///< of the file: name, text

/// The file appears whole or not at all. Requires: values.size() is the product of the shape. K0720, K0721.
[[nodiscard]] Diagnostics write_hdf5(const std::string& path, const std::vector<ArrayView>& arrays,
                                     const Attributes& attributes);

}  // namespace kasc::runtime
