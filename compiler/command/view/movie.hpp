#pragma once
// --movie FILE.mp4: a dataset, step by step of its slowest axis.

#include "command/view/dataset.hpp"
#include "command/view/grid.hpp"
#include "runtime/hdf5/file_stamp.hpp"

namespace kasc::command {

/// What the frames show.
struct Frames {
    std::uint64_t count = 0;
    runtime::Shape shape;           ///< of a frame, without axes of one cell
    std::vector<std::string> axes;  ///< of a frame, the contiguous one first
    std::string steps;              ///< the axis that the frames follow
};
[[nodiscard]] Frames frames_of(const Dataset& dataset);

/// Before anything is read. K0730: it has no steps of fields of two or three axes; K0731, K0732.
[[nodiscard]] Diagnostics check_movie(const Dataset& dataset, const ViewOptions& options);
/// One range of colours, and one place of planes, over all frames. Progress on standard error; Ctrl-C ends it. What the
/// file and ffmpeg say; K0814: it was stopped.
[[nodiscard]] Diagnostics make_movie(const Dataset& dataset, const runtime::FileStamp& stamp,
                                     const ViewOptions& options, const ViewGrid& grid);

}  // namespace kasc::command
