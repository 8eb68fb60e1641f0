#pragma once
// What a function of the library takes of cells, and what is said where it is given others.

#include <string>
#include <vector>

#include "foundation/diagnostic.hpp"
#include "frontend/cell_shape.hpp"
#include "library/library.hpp"

namespace kasc::frontend {

/// "vdot3(vector3, vector3) -> scalar".
[[nodiscard]] std::string signature(const Library& library, const Function& function);

/// The type takes cells of equal extents whose words have the same names: a Voigt vector is no symmetric matrix.
[[nodiscard]] bool takes(const StreamType& type, const CellShape& given);

/// K0256 at the argument of this number, with the function that was meant among those of these names.
[[nodiscard]] Diagnostic wrong_argument(const Library& library, const Function& function, std::size_t argument,
                                        const CellShape& given, const std::vector<std::string>& names);

/// Named as the library names functions: by the extents behind (det22, det33), a leading s where a number is the factor
/// (smmul33, mmul33), a leading v where a vector is folded (vmean3, mean). Empty: none of the names.
[[nodiscard]] std::string meant_function(const std::string& name, const CellShape& taken, const CellShape& given,
                                         const std::vector<std::string>& names);

/// Functions that the library would call so for cells of some extents: det22 and detsym33 of "det", vdot3 of "dot".
[[nodiscard]] std::vector<std::string> functions_of_stem(const std::string& stem,
                                                         const std::vector<std::string>& names);

}  // namespace kasc::frontend
