#pragma once
// The steps of space and time that files state, and the units of k-Wave's quantities.

#include <map>
#include <string>
#include <vector>

#include "command/view/texts.hpp"
#include "foundation/outcome.hpp"
#include "runtime/pictures/frame.hpp"

namespace kasc::command {

struct ViewGrid {
    std::map<std::string, runtime::PictureAxis> axes;  ///< those whose step is known
    bool of_kwave = false;                             ///< the file is k-Wave's: its names have k-Wave's units

    /// An axis with its step, where that is known.
    [[nodiscard]] runtime::PictureAxis axis(const std::string& name) const;
    /// The unit of a dataset's values; "" where it is not known.
    [[nodiscard]] std::string unit(const std::string& dataset) const;
};

/// From the datasets dt, dx, dy, dz of a file, as k-Wave's are, or its attributes of these names or spacing_t,
/// spacing_x, …, which kasc run writes: seconds and metres. `spacings` go before them. K0701 to K0703.
[[nodiscard]] Outcome<ViewGrid> read_grid(const std::string& path, const std::vector<AxisSpacing>& spacings);

}  // namespace kasc::command
