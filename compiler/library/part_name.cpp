// Read from the end, since a function's own name may hold underscores and digits:
// "d2_dx2_1_load_3" → load 3 of "d2_dx2_1" → implementation 1 of "d2_dx2".

#include "library/part_name.hpp"

#include <algorithm>

#include "library/c_tokens.hpp"

namespace kasc::library {

namespace {

/// Cuts "_<n>" off the end of a name.
std::optional<int> cut_number(std::string_view& name) {
    const std::size_t underscore = name.rfind('_');
    if (underscore == std::string_view::npos || underscore == 0) return std::nullopt;
    const std::string_view digits = name.substr(underscore + 1);
    if (digits.empty() || digits.size() > 4 || !std::all_of(digits.begin(), digits.end(), is_digit))
        return std::nullopt;
    if (digits.size() > 1 && digits.front() == '0') return std::nullopt;
    name = name.substr(0, underscore);
    return std::stoi(std::string(digits));
}

bool cut_suffix(std::string_view& name, std::string_view suffix) {
    if (!name.ends_with(suffix)) return false;
    name.remove_suffix(suffix.size());
    return true;
}

}  // namespace

std::optional<PartName> parse_part_name(std::string_view name) {
    PartName result;
    std::string_view rest = name;
    if (cut_suffix(rest, "_compute")) {
        result.part = Part::compute;
    } else if (cut_suffix(rest, "_save")) {
        result.part = Part::save;
    } else {
        std::string_view before = rest;
        const auto argument = cut_number(before);
        if (argument && cut_suffix(before, "_load")) {
            result.part = Part::load;
            result.argument = *argument;
            rest = before;
        }
    }
    const auto implementation = cut_number(rest);
    if (!implementation || !is_identifier(rest)) return std::nullopt;
    result.function = std::string(rest);
    result.implementation = *implementation;
    return result;
}

}  // namespace kasc::library
