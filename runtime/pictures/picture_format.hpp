#pragma once
// What kind of file a picture becomes: its name's ending says it.

#include <optional>
#include <string>

#include "foundation/outcome.hpp"

namespace kasc::runtime {

enum class PictureFormat {
    png,  ///< pixels
    svg,  ///< for pages of the web, and to edit
    pdf,  ///< for papers
};

/// The format of the path's ending: ".png", ".svg", ".pdf", in capitals too; none: another ending.
[[nodiscard]] std::optional<PictureFormat> picture_format(const std::string& path);
/// K0731: no such ending.
[[nodiscard]] Diagnostics check_picture_format(const std::string& path);

/// "png" of "a/b.PNG"; empty where there is none.
[[nodiscard]] std::string ending_of(const std::string& path);

}  // namespace kasc::runtime
