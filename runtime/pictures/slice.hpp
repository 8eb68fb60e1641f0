#pragma once
// A field as a picture: of two axes the field itself, of three a slice. The first axis runs to the right, the second
// downwards (as depth does), from cell 0 in the top left corner.

#include <optional>
#include <string>
#include <vector>

#include "foundation/outcome.hpp"
#include "runtime/array.hpp"
#include "runtime/pictures/colour_map.hpp"
#include "runtime/pictures/cut_slice.hpp"

namespace kasc::runtime {

struct SliceStyle {
    std::optional<ColourMap> colours{};   ///< none: balance for values of both signs, else heat
    std::optional<double> low{}, high{};  ///< none: of the values; of balance as far from zero on either side
    std::string unit{};                   ///< of the values
    bool stretch = false;                 ///< the axes are no two lengths: either fills the picture
};

/// `axes` in the program's order, one a dimension. With a colour bar and labels; cells that are not finite are grey.
/// K0730: not two or three axes; K0720, K0721: cannot be written. Requires: a cut within the field.
[[nodiscard]] Diagnostics write_slice_png(const std::string& path, const ArrayView& array,
                                          const std::vector<PictureAxis>& axes, const Cut& cut = {},
                                          const SliceStyle& style = {});

}  // namespace kasc::runtime
