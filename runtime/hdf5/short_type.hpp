#pragma once
// Reals of 16 bits in HDF5 files: half as h5py writes numpy.float16, bfloat16 as the same with another exponent.

#include <hdf5.h>

#include "runtime/interface.hpp"

namespace kasc::runtime {

/// Requires: is_short(type). It lives as long as the process. From the first call on HDF5 converts other reals to these
/// types and back as emitted code does, rounding once, to nearest.
[[nodiscard]] hid_t short_type(WordType type);

}  // namespace kasc::runtime
