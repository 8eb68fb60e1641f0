#pragma once
// The steps of space and time that k-Wave's files state, and the units of k-Wave's quantities.

#include <optional>
#include <string>

#include "foundation/outcome.hpp"
#include "runtime/pictures/frame.hpp"

namespace kasc::command {

struct ViewGrid {
    std::optional<double> dt, dx, dy, dz;
    bool of_kwave = false;  ///< the file is k-Wave's: its names have k-Wave's units

    /// An axis with its step, where the file states it.
    [[nodiscard]] runtime::PictureAxis axis(const std::string& name) const;
    /// The unit of a dataset's values; "" where it is not known.
    [[nodiscard]] std::string unit(const std::string& dataset) const;
};

/// From the datasets dt, dx, dy, dz of a file. K0701 to K0703.
[[nodiscard]] Outcome<ViewGrid> read_grid(const std::string& path);

}  // namespace kasc::command
