#pragma once
// A program's inputs from an HDF5 file: datasets of the root group with the inputs' names, of any integer or
// floating-point type, converted to float32. The file is only ever touched by child processes (see child.hpp), so any
// bytes end in arrays or in a diagnostic; a small file within 5 s.

#include <map>
#include <string>

#include "runtime/bind_extents.hpp"
#include "runtime/read_datasets.hpp"

namespace kasc::runtime {

struct Inputs {
    BoundExtents extents;  ///< axes that no input has and nothing sets are left open
    LoadedArrays data;     ///< arrays in the order of the program's inputs
};

/// A program without inputs opens no file. Diagnostics K0701 to K0713.
[[nodiscard]] Outcome<Inputs> open_inputs(const std::string& path, const ProgramInterface& program,
                                          const std::map<std::string, long long>& explicit_extents);

}  // namespace kasc::runtime
