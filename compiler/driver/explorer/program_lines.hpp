#pragma once
// The program's text in lines, cut where statements begin and end.

#include <optional>
#include <string>
#include <vector>

#include "driver/explorer/plan_view.hpp"

namespace kasc::explorer {

struct ProgramPiece {
    std::string text;
    std::optional<std::size_t> statement{};  ///< the innermost that the piece belongs to
};

/// Line by line, without ends of lines.
[[nodiscard]] std::vector<std::vector<ProgramPiece>> program_lines(const std::string& text,
                                                                   const std::vector<ViewedStatement>& statements);

}  // namespace kasc::explorer
