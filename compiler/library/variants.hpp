#pragma once
// One definition for many shapes: a file with a block `variants` stands for a text a row of it.

#include <vector>

#include "library/faults.hpp"
#include "library/wanted.hpp"

namespace kasc::library {

/// The texts that a file stands for: itself, or one for every row of its table. A row's text has the file's name and
/// lines; places in it lead back to the file. Rows that nobody wants are left out.
struct Variants {
    std::vector<SourceRef> texts;
    Diagnostics diagnostics;  ///< K0322 and those of the block itself; then there are no texts
};

[[nodiscard]] Variants variants_of(const SourceRef& source, const Wanted& wanted);

}  // namespace kasc::library
