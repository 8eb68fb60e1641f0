#include "driver/explorer/program_lines.hpp"

#include <algorithm>

namespace kasc::explorer {

std::vector<std::vector<ProgramPiece>> program_lines(const std::string& text,
                                                     const std::vector<ViewedStatement>& statements) {
    // Statements come before those that they hold, which paint over them.
    std::vector<std::optional<std::size_t>> owner(text.size());
    for (std::size_t s = 0; s < statements.size(); ++s) {
        const std::size_t end = std::min(statements[s].end, text.size());
        for (std::size_t at = statements[s].begin; at < end; ++at) owner[at] = s;
    }
    std::vector<std::vector<ProgramPiece>> lines(1);
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == '\n') {
            lines.emplace_back();
            continue;
        }
        if (text[at] == '\r') continue;
        auto& line = lines.back();
        if (line.empty() || line.back().statement != owner[at]) line.push_back({"", owner[at]});
        line.back().text.push_back(text[at]);
    }
    if (lines.back().empty()) lines.pop_back();
    return lines;
}

}  // namespace kasc::explorer
