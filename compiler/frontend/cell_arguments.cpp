#include "frontend/cell_arguments.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/reduction.hpp"

namespace kasc::frontend {

namespace {

/// "33" of a matrix, "3" of a vector, "sym33" of the six words of a symmetric one.
std::string suffix_of(const CellShape& shape) {
    if (!shape.word_names.empty()) return "sym33";
    return fmt::format("{}", fmt::join(shape.extents, ""));
}

std::string without_suffix(std::string name) {
    while (!name.empty() && name.back() >= '0' && name.back() <= '9') name.pop_back();
    if (name.ends_with("sym")) name.resize(name.size() - 3);
    return name;
}

std::string described(const CellShape& shape) {
    if (shape.is_number()) return "a number";
    const std::string names = fmt::format(", '.{}' to '.{}'", word_name(shape, 0), word_name(shape, shape.words() - 1));
    return fmt::format("a cell of {}{}", text_of(shape), shape.word_names.empty() ? "" : names);
}

}  // namespace

std::string signature(const Library& library, const Function& function) {
    std::vector<std::string> arguments;
    for (const TypeId type : function.arguments) arguments.push_back(library.types[type].name);
    return fmt::format("{}({}) -> {}", function.name, fmt::join(arguments, ", "), library.types[function.result].name);
}

bool takes(const StreamType& type, const CellShape& given) {
    const CellShape taken = cell_shape(type);
    return taken == given && taken.word_names == given.word_names;
}

std::string meant_function(const std::string& name, const CellShape& taken, const CellShape& given,
                           const std::vector<std::string>& names) {
    std::vector<std::string> meant;
    if (taken.is_number()) {
        if (name.starts_with("s")) meant.push_back(name.substr(1));
    } else if (given.is_number()) {
        meant.push_back("s" + name);
    } else {
        const std::string stem = without_suffix(name);
        meant.push_back(stem + suffix_of(given));
        if (stem.starts_with("v")) meant.push_back(stem.substr(1));
    }
    const auto known = std::find_if(meant.begin(), meant.end(), [&](const std::string& candidate) {
        return candidate != name &&
               (find_reduction(candidate) || std::find(names.begin(), names.end(), candidate) != names.end());
    });
    return known == meant.end() ? "" : *known;
}

std::vector<std::string> functions_of_stem(const std::string& stem, const std::vector<std::string>& names) {
    std::vector<std::string> found;
    for (const std::string& name : names) {
        const std::string of = without_suffix(name);
        const bool is_of = of != name && (of == stem || (of.starts_with("v") && of.substr(1) == stem));
        if (is_of && std::find(found.begin(), found.end(), name) == found.end()) found.push_back(name);
    }
    std::sort(found.begin(), found.end());
    return found;
}

Diagnostic wrong_argument(const Library& library, const Function& function, std::size_t argument,
                          const CellShape& given, const std::vector<std::string>& names) {
    const StreamType& type = library.types[function.arguments[argument]];
    const CellShape taken = cell_shape(type);
    Diagnostic made;
    made.code = "K0256";
    made.message = fmt::format("argument {} of '{}' must be {}", argument + 1, function.name,
                               taken.is_number() ? "a number" : fmt::format("of type '{}'", type.name));
    made.label = described(given);
    const std::string meant = meant_function(function.name, taken, given, names);
    made.help = fmt::format("{}the function is {}", meant.empty() ? "" : fmt::format("did you mean '{}'? ", meant),
                            signature(library, function));
    const std::vector<std::string> of_symmetric{"xx", "yy", "zz", "yz", "xz", "xy"};
    if (meant.empty() && type.name == "matrix3x3" && given.word_names == of_symmetric)
        made.help += "; of a symmetric S it takes 'matrix3x3(S.xx, S.xy, S.xz, S.xy, S.yy, S.yz, S.xz, S.yz, S.zz)'";
    return made;
}

}  // namespace kasc::frontend
