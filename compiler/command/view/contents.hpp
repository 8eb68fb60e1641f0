#pragma once
// What a dataset of a file is, as far as a picture of it goes.

#include <optional>
#include <string>
#include <vector>

#include "command/options.hpp"
#include "runtime/hdf5/survey.hpp"
#include "runtime/pictures/frame.hpp"

namespace kasc::command {

enum class Showing {
    number,   ///< one cell
    slice,    ///< a field of two axes, or planes of one of three; also a table of many series
    traces,   ///< some series over the same axis
    nothing,  ///< no numbers, none at all, or of too many axes
};

struct Shown {
    Showing as = Showing::nothing;
    bool obvious = false;           ///< drawn where no dataset is named
    bool planes = false;            ///< a field of three axes, by three planes
    bool series = false;            ///< of sensors, or one: the first axis, if there are two, numbers them
    runtime::Shape shape;           ///< without the axes of one cell that a picture leaves out; HDF5's order
    std::vector<std::string> axes;  ///< of that shape, as a program writes them: the contiguous one first
};

/// Pressure or velocity over time, at sensors or of sources, by k-Wave's names.
[[nodiscard]] bool is_time_series(const std::string& name);

/// `as`: what the user wants, "" for what suits it: a field of two axes is a slice, of three it is planes, but a slice
/// where the last counts steps; a series is traces, of more than eight sensors a picture of sensors and time.
[[nodiscard]] Shown how_to_show(const std::string& name, const runtime::DatasetFacts& facts, const std::string& as);

/// The names of the axes that have several cells, the contiguous one first, as the file says them; none: it does not,
/// or of another number.
[[nodiscard]] std::vector<std::string> told_axes(const runtime::DatasetFacts& facts);
/// The names that these axes have in a field of that shape: x, y, z, t.
[[nodiscard]] std::vector<std::string> several_axes(const runtime::Shape& whole);

/// "256 x 128", "a number", "text".
[[nodiscard]] std::string contents_text(const runtime::DatasetFacts& facts);

}  // namespace kasc::command
