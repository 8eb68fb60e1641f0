#pragma once
// --picture OUTPUT=FILE.png: a result as a picture.

#include <string>

#include "foundation/outcome.hpp"
#include "runtime/runs/outputs.hpp"

namespace kasc::command {

/// K0904: it names no output, or no file. Asked before a run, which may be long; nothing for no wish.
[[nodiscard]] Diagnostics check_picture(const std::string& wish, const runtime::ProgramInterface& face);
/// The file of a wish; empty for none.
[[nodiscard]] std::string picture_file(const std::string& wish);
/// Its place among the outputs. Requires: a good wish.
[[nodiscard]] std::size_t drawn_output(const std::string& wish, const runtime::ProgramInterface& face);
[[nodiscard]] Diagnostics draw_picture(const std::string& wish, const runtime::ProgramInterface& face,
                                       const runtime::Outputs& outputs);

}  // namespace kasc::command
