#pragma once
// --picture OUTPUT=FILE.png: a result as a picture.

#include <string>

#include "command/run/bound.hpp"
#include "foundation/outcome.hpp"
#include "runtime/runs/outputs.hpp"

namespace kasc::command {

/// K0904: it names no output, or no file. Asked before a run, which may be long; nothing for no wish.
[[nodiscard]] Diagnostics check_picture(const std::string& wish, const runtime::ProgramInterface& face);
/// The file of a wish; empty for none.
[[nodiscard]] std::string picture_file(const std::string& wish);
/// Its place among the outputs. Requires: a good wish.
[[nodiscard]] std::size_t drawn_output(const std::string& wish, const runtime::ProgramInterface& face);
/// K0731: the file's ending is no picture's.
[[nodiscard]] Diagnostics check_picture_file(const std::string& wish);
/// A field of three axes by three planes through its value farthest from zero; of a series the step that has it.
/// `written`: the file of the outputs, of which several processes have rows each; empty: they lie in memory here.
[[nodiscard]] Diagnostics draw_picture(const std::string& wish, const RunBinding& bound,
                                       const runtime::Outputs& outputs, const std::string& written);

}  // namespace kasc::command
