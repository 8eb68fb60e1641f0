#include "command/run/spacing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace kasc::command {

namespace {

constexpr std::array lengths{"x", "y", "z"};

}  // namespace

std::map<std::string, double> spacings(const runtime::ProgramInterface& program,
                                       const std::vector<double>& parameters) {
    std::map<std::string, double> known;
    for (std::size_t p = 0; p < program.parameters.size(); ++p) {
        if (parameters.at(p) > 0) known[program.parameters[p].name] = parameters[p];
    }
    const char* alone = known.contains("dx") ? "dx" : "h";
    std::map<std::string, double> found;
    const auto set = [&](const std::string& axis, const std::string& parameter) {
        const bool has_axis = std::find(program.axes.begin(), program.axes.end(), axis) != program.axes.end();
        if (has_axis && known.contains(parameter) && known.at(parameter) != 1) found[axis] = known.at(parameter);
    };
    for (const std::string axis : lengths) {
        const bool several = known.contains("dy") || known.contains("dz");
        set(axis, several ? "d" + axis : alone);
    }
    return found;
}

runtime::Attributes spacing_attributes(const std::map<std::string, double>& spacings) {
    runtime::Attributes attributes;
    // The digits that the program's parameter was given, where it is a float.
    for (const auto& [axis, step] : spacings) {
        const auto single = static_cast<float>(step);
        attributes.emplace_back("spacing_" + axis, static_cast<double>(single) == step ? fmt::format("{}", single)
                                                                                       : fmt::format("{}", step));
    }
    return attributes;
}

runtime::PictureAxis picture_axis(const std::string& name, const std::map<std::string, double>& spacings) {
    const auto found = spacings.find(name);
    if (found == spacings.end()) return {name};
    return {name, found->second, "m"};
}

}  // namespace kasc::command
