#pragma once
// An attribute that is a text, or a number.

#include <cstddef>
#include <optional>
#include <string>

#include "runtime/hdf5/handle.hpp"

namespace kasc::runtime {

inline constexpr std::size_t longest_text_attribute = 255;  // bytes; of longer ones the first

/// To be called in a child process. The text has a fixed length, or any length as h5py writes it; a number gives its
/// digits. None: there is no such attribute.
[[nodiscard]] std::optional<std::string> read_text_attribute(hid_t object, const std::string& name);

}  // namespace kasc::runtime
