#pragma once
// What an HDF5 file says of itself: attributes of its root group that are texts or numbers.

#include <map>
#include <string>
#include <vector>

#include "foundation/outcome.hpp"

namespace kasc::runtime {

/// Reads the attributes of these names that the file has, of numbers their digits, up to 255 bytes of each. K0701 to
/// K0703.
[[nodiscard]] Outcome<std::map<std::string, std::string>> read_attributes(const std::string& path,
                                                                          const std::vector<std::string>& names);

}  // namespace kasc::runtime
