#pragma once

#include <filesystem>
#include <stdexcept>

#include "model/device/device.hpp"

namespace kasc::random {

/// What the model's counts are made for; they are of the schedule, not of the device.
inline const Device& predicted_device() {
    static const Device device = [] {
        auto read = read_device("h100", std::filesystem::path(KASC_SOURCE_DIR) / "devices");
        if (!read) throw std::logic_error(render_text(read.diagnostics));
        return std::move(*read.value);
    }();
    return device;
}

}  // namespace kasc::random
