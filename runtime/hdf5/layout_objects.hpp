#pragma once
// The objects of HDF5 that a file of arrays is made of. Time stamps are off and the format's version is pinned, so that
// the bytes depend on the data alone. Words are stored as the machine holds them.

#include <string>

#include "runtime/hdf5/array_layout.hpp"
#include "runtime/hdf5/handle.hpp"

namespace kasc::runtime {

/// The format of HDF5 1.8 (2008): every reader in use knows it.
[[nodiscard]] Hdf5Handle layout_access();
[[nodiscard]] Hdf5Handle create_layout_file(const std::string& path);

/// The type in the file of a word, or of the numbers that a constant holds.
[[nodiscard]] hid_t stored_type(WordType type);
[[nodiscard]] hid_t stored_type(const ConstantSpec& constant);

/// How the words of a dataset lie in the file; not yet of any dataset.
[[nodiscard]] Hdf5Handle dataset_creation();
/// With the groups of its name: of "a/b/c" a and a/b, where they are not there yet.
[[nodiscard]] Hdf5Handle create_dataset(hid_t file, const std::string& name, const Shape& shape, hid_t type,
                                        const Hdf5Handle& creation);

/// False, of these and all that follow: HDF5 refused.
[[nodiscard]] bool write_attributes(hid_t object, const Attributes& attributes);
/// Replaces the text of an attribute that is there by one of the same size.
[[nodiscard]] bool amend_attribute(hid_t object, const std::string& name, const std::string& text);
[[nodiscard]] bool write_values(const Hdf5Handle& dataset, const ConstantSpec& constant);

}  // namespace kasc::runtime
