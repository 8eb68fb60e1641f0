#pragma once
// A field as a picture: of two axes the field itself, of three a plane or three. The first axis runs to the right, the
// second downwards (as depth does), from cell 0 in the top left corner.

#include <string>
#include <vector>

#include "foundation/outcome.hpp"
#include "runtime/array.hpp"
#include "runtime/pictures/colour_scale.hpp"
#include "runtime/pictures/cut_slice.hpp"

namespace kasc::runtime {

struct FieldStyle {
    ColourWish colours{};
    std::string unit{};    ///< of the values
    bool stretch = false;  ///< the axes are no two lengths: either fills the picture
    std::string moment{};  ///< what the title says behind the name: "t = 12 µs"
};

/// K0730: not two or three axes, or sides that no picture has.
[[nodiscard]] Diagnostics check_drawable(const ArrayView& array, std::size_t axes);

/// A drawing before it is drawn: what stands where.
struct FieldFigure {
    struct Panel {
        Slice slice;
        std::string title;  ///< where it was cut; empty: it stands alone
        Frame frame;
        Side across, down;
        /// Where the other planes cut it, as shares of its sides; empty: there are none.
        std::vector<Point> crossing;
    };
    int width = 0, height = 0;
    std::string title;
    std::vector<Panel> panels;
    ColourScale scale;
    Frame bar;
    Side values;
    bool any_finite = false;
};
/// Lays out one slice, or three as three_planes() cuts them: the first at the top left, the second, which has the same
/// first axis, below it, the third, turned so that it has the same second axis, at its right.
[[nodiscard]] FieldFigure lay_out(const std::vector<Slice>& slices, const FieldStyle& style);
/// With a colour bar and labels; cells that are not finite are grey.
void draw(Page& page, const FieldFigure& figure);

/// `axes` in the program's order, one a dimension. K0730, K0731; K0720, K0721: cannot be written. Requires: cuts within
/// the field, one of a field of two axes.
[[nodiscard]] Diagnostics write_field(const std::string& path, const ArrayView& array,
                                      const std::vector<PictureAxis>& axes, const Cuts& cuts = {Cut{}},
                                      const FieldStyle& style = {});

}  // namespace kasc::runtime
