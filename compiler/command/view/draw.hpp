#pragma once
// The picture of a dataset.

#include "command/view/dataset.hpp"
#include "command/view/grid.hpp"
#include "runtime/pictures/field_picture.hpp"

namespace kasc::command {

/// The axis along which a field of three is cut where the options ask for one plane; none: it has no axis of that name.
[[nodiscard]] std::optional<std::size_t> cut_axis(const std::vector<std::string>& axes, const std::string& wanted);
/// How the values of a field are drawn, by the options and what file and dataset say.
[[nodiscard]] runtime::FieldStyle field_style(const Dataset& dataset, const ViewOptions& options, const ViewGrid& grid);
/// The planes of a field of three axes. Requires: a place within it.
[[nodiscard]] runtime::Cuts planes_of(const runtime::ArrayView& array, const Place& place);

/// `array`: of reals. Diagnostics of its picture.
[[nodiscard]] Diagnostics draw_dataset(const Dataset& dataset, const runtime::ArrayView& array,
                                       const ViewOptions& options, const ViewGrid& grid);

}  // namespace kasc::command
