#include <fmt/format.h>

#include "frontend/foreign_parts.hpp"
#include "frontend/foreign_types.hpp"

// Brackets as C, NumPy and MATLAB have them: T[:, 0], T[1:-1], T[x][y], float q[10].

namespace kasc::frontend {

namespace {

/// The innermost bracket of the statement that holds what was found, a '[' or a '('; their number: there is none.
std::size_t open_bracket(const SyntaxFault& fault) {
    std::size_t depth = 0;
    for (std::size_t i = fault.at; i-- > fault.statement;) {
        const std::string_view text = word_at(fault.tokens, i);
        if (text == "]" || text == ")") ++depth;
        if ((text == "[" || text == "(") && depth-- == 0) return i;
    }
    return fault.tokens.size();
}

/// The field whose bracket it is; T: nobody's.
std::string_view owner_of(const SyntaxFault& fault, std::size_t open) {
    const std::string_view field = open > 0 ? word_at(fault.tokens, open - 1) : std::string_view();
    return is_word(field) ? field : "T";
}

bool has_colon(const SyntaxFault& fault, TokenRange part) {
    for (std::size_t i = part.begin; i < part.end; ++i)
        if (word_at(fault.tokens, i) == ":") return true;
    return false;
}

/// T[:, 0] is T[y = 0] of a field over x and y.
std::string position_here(const SyntaxFault& fault, const std::string& field, const std::vector<TokenRange>& parts,
                          const std::vector<std::string>& axes) {
    std::string positions;
    for (std::size_t k = 0; k < parts.size(); ++k) {
        if (word_at(fault.tokens, parts[k].begin) == ":" && parts[k].end == parts[k].begin + 1) continue;
        const std::string place = written(fault.tokens, parts[k]);
        if (place.empty() || has_colon(fault, parts[k]) || place.find('=') != std::string::npos) return {};
        const std::string from_end =
            place.starts_with('-') ? fmt::format("extent({}) - {}", axes[k], place.substr(1)) : place;
        positions += fmt::format("{}{} = {}", positions.empty() ? "" : ", ", axes[k], from_end);
    }
    return positions.empty() ? fmt::format("write '{}'", field)
                             : fmt::format("write '{}[{}]': axes that are not named stay", field, positions);
}

std::string slice_here(const SyntaxFault& fault, std::size_t open) {
    const std::string name(owner_of(fault, open));
    const std::vector<TokenRange> parts = in_brackets(fault.tokens, open);
    const auto axes = axes_in_text(fault.tokens, fault.statement, name);
    if (axes && axes->size() == parts.size())
        if (std::string help = position_here(fault, name, parts, *axes); !help.empty()) return help;
    for (const TokenRange& part : parts)
        if (word_at(fault.tokens, part.begin) == "None" || word_at(fault.tokens, part.begin) == "newaxis")
            return fmt::format("write '{}': it serves every cell along the axes that it lacks", name);
    const std::string axis = axes && !axes->empty() ? axes->front() : "x";
    if (open == fault.statement + 1)
        return fmt::format(
            "a statement assigns every cell, and a condition chooses: '{0} = {1} > 0 && {1} < extent({1}) - 1 "
            "? ... : {0};'",
            name, axis);
    return fmt::format(
        "a statement computes every cell of its target: '{0}[{1} + 1]' is the next one, '{0}[{1} = 0]' one "
        "place",
        name, axis);
}

}  // namespace

std::string help_for_brackets(const SyntaxFault& fault) {
    const std::string_view found = text_of(fault.found), previous = text_of(fault.previous);
    if (found == "[" && previous == "]") return "axes stand in one bracket: 'T[x - 1, y + 1]'";
    if (found == "[" && previous == ")")
        return "a bracket stands behind the name of a field: assign the value to one first";
    if (found == "[" && previous == "shape") return "the length along an axis is 'extent(x)'";
    const std::size_t open = open_bracket(fault);
    if (found == ":" && word_at(fault.tokens, open) == "[") return slice_here(fault, open);
    if (found == ":" && fault.rule == SyntaxRule::call && open < fault.tokens.size())
        return fmt::format("cells stand in brackets: '{}[x + 1]' is the next one along x", owner_of(fault, open));
    const bool of_value = fault.rule == SyntaxRule::other || fault.rule == SyntaxRule::assignment;
    if (found == ":" && of_value && fault.at == fault.statement + 3 && is_number(previous)) {
        const bool steps = word_at(fault.tokens, fault.at + 2) == ":";
        return fmt::format("the name of an axis counts its cells: '{} = {} + {}x;'", text_of(fault.first), previous,
                           steps ? fmt::format("{}*", word_at(fault.tokens, fault.at + 1)) : "");
    }
    if (found == "[" && fault.expected == std::vector<std::string>{"an expression"})
        return "a statement computes every cell, with the names of axes for places: 'T = 2*x;'";
    if (found == "]" && previous == "[")
        return fmt::format("the cell itself is the name alone: '{}'", owner_of(fault, open));
    const bool of_declaration = fault.rule == SyntaxRule::declaration || fault.rule == SyntaxRule::indices;
    const bool of_axes = previous == "[" || (!fault.expected.empty() && fault.expected.back() == "']'");
    const bool counted = previous == "," && is_number(found) && is_type_here(text_of(fault.first));
    if (((of_declaration && of_axes) || counted) && open == fault.statement + 2 && word_at(fault.tokens, open) == "[")
        return "axes have names, 'float q[i];', and lengths where no input has them, 'axis i = 10;'";
    return {};
}

}  // namespace kasc::frontend
