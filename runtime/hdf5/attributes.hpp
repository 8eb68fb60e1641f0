#pragma once
// What an HDF5 file says of itself: attributes of its root group that are texts.

#include <map>
#include <string>
#include <vector>

#include "foundation/outcome.hpp"

namespace kasc::runtime {

/// The texts of those names that the file has, up to 255 bytes of each. K0701 to K0703.
[[nodiscard]] Outcome<std::map<std::string, std::string>> read_attributes(const std::string& path,
                                                                          const std::vector<std::string>& names);

}  // namespace kasc::runtime
