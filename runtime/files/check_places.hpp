#pragma once
// The files of a call, before any of them is written: can they be made, and is none of them another.

#include <string>
#include <vector>

#include "foundation/outcome.hpp"

namespace kasc::runtime {

/// There or not yet.
struct CallFile {
    std::string path;  ///< empty: none
    std::string what;  ///< it is: "the input file"
};

/// Files are compared as same_place() does. K0720: one of `written` cannot be made, or is another of them or one of
/// `others`, which the call reads or makes otherwise.
[[nodiscard]] Diagnostics check_places(const std::vector<CallFile>& written, const std::vector<CallFile>& others);

}  // namespace kasc::runtime
