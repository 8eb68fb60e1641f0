#pragma once
// A field as a picture: of two axes the field itself, of three the slice across the last axis that holds the largest
// value. The first axis runs to the right, the second downwards (as depth does), from cell 0 in the top left corner.

#include <string>
#include <vector>

#include "foundation/outcome.hpp"
#include "runtime/array.hpp"

namespace kasc::runtime {

/// `axes` in the program's order, one a dimension. With a colour bar and labels; cells that are not finite are grey.
/// K0730: not two or three axes; K0720, K0721: cannot be written.
[[nodiscard]] Diagnostics write_slice_png(const std::string& path, const ArrayView& array,
                                          const std::vector<std::string>& axes);

}  // namespace kasc::runtime
