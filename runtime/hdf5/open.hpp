#pragma once
// Opening what a stranger wrote: read-only, and never beyond the file itself. A link or a storage that leads into
// another file could make kasc read (or wait for) anything on the machine.

#include <string>

#include "runtime/hdf5/handle.hpp"

namespace kasc::runtime {

[[nodiscard]] Hdf5Handle open_file(const std::string& path);
[[nodiscard]] Hdf5Handle open_dataset(hid_t file, const std::string& name);
/// An access list for which following a link into another file fails.
[[nodiscard]] Hdf5Handle refuse_external_links();
/// The data lie in other files: external storage or a virtual dataset.
[[nodiscard]] bool stored_elsewhere(const Hdf5Handle& dataset);

}  // namespace kasc::runtime
