#pragma once
// Complex numbers in HDF5 files, as h5py writes them: a compound of the reals "r" and "i".

#include <hdf5.h>

namespace kasc::runtime {

/// The complex type of two reals of this type; it lives as long as the process.
[[nodiscard]] hid_t complex_type(hid_t real);
/// A compound of two numbers named so.
[[nodiscard]] bool is_complex_type(hid_t type);

}  // namespace kasc::runtime
