#pragma once

#include <filesystem>

namespace kasc {

/// The folder with elementlib, devices and support: $KASC_DATA, else share/kasc beside the folder that holds this code
/// (so that an installation can be moved as a whole), else the source tree that it was built from.
[[nodiscard]] std::filesystem::path find_data_folder();

}  // namespace kasc
