#pragma once
// What a measured time belongs to: change one member, and the time says nothing any more.

#include <string>

#include "driver/compilation.hpp"

namespace kasc::tune {

struct TuningKey {
    std::string program;     ///< hash of the checked program's text: neither file name nor layout count
    std::string library;     ///< hash of the types and functions that the program uses
    std::string sizes;       ///< "n=2097152", "x=256,y=256"
    std::string parameters;  ///< "dt=0.1,steps=100"; empty: there are none, or one has no value
    std::string target;      ///< cuda, cpu
    std::string device;      ///< as the driver names it
    std::string model;       ///< the device file that plans were made for, by its name
    std::string driver;
    std::string compiler;
    std::string kasc;  ///< its version
    bool operator==(const TuningKey&) const = default;
};

/// The program without its name. Requires: `program` has no settings applied, which would change parameters' values.
[[nodiscard]] std::string canonical_text(const Program& program, const Library& library);
/// All that the library says of the functions that the program calls, in the order of their names.
[[nodiscard]] std::string used_library_text(const Program& program, const Library& library);
/// The same of all functions.
[[nodiscard]] std::string whole_library_text(const Library& library);
[[nodiscard]] std::string sizes_text(const Program& program, const Problem& problem);
[[nodiscard]] std::string parameters_text(const Program& program, const std::vector<double>& values);

/// Distance of two sizes: the sum over the extents of |log2 of their ratio|; infinite where the extents are other ones.
[[nodiscard]] double size_distance(const std::string& a, const std::string& b);

}  // namespace kasc::tune
