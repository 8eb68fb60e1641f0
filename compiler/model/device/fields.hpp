#pragma once
// The keys of a device file, each with the member that it sets and the values that it may have.

#include <string>
#include <variant>
#include <vector>

#include "model/device/device.hpp"

namespace kasc {

/// `version` of the device format that this compiler reads.
constexpr int device_format_version = 1;

/// The kind of device that must have the field.
enum class NeededBy { none, gpu, both };

struct DeviceField {
    const char* key;
    std::variant<int Device::*, long Device::*, double Device::*> member;  ///< integers must be written as integers
    double least, most;
    NeededBy needed_by;
};

[[nodiscard]] const std::vector<DeviceField>& device_fields();

}  // namespace kasc
