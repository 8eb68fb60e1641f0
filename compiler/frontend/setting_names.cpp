#include "frontend/setting_names.hpp"

#include <algorithm>

#include "frontend/element_axis.hpp"

namespace kasc {

std::vector<std::string> setting_names(const Program& program) {
    std::vector<std::string> names;
    if (has_streams(program)) names.emplace_back("n");
    for (const Axis& axis : program.axes) {
        if (!axis.own) names.push_back(axis.name);
    }
    for (const Parameter& p : program.parameters) names.push_back(p.name);
    names.insert(names.end(), program.options.begin(), program.options.end());
    names.insert(names.end(), program.may_be_uniform.begin(), program.may_be_uniform.end());
    return names;
}

std::string own_name(const Program& program, const std::string& setting) {
    if (setting != "n" && setting != frontend::element_axis) return setting;
    const std::vector<std::string> names = setting_names(program);
    const auto is_in = [](const std::vector<std::string>& all, const std::string& name) {
        return std::find(all.begin(), all.end(), name) != all.end();
    };
    if (is_in(names, setting) || is_in(program.left_out, setting)) return setting;
    if (has_streams(program)) return "n";
    const bool has_elements = std::any_of(program.axes.begin(), program.axes.end(), [](const Axis& axis) {
        return !axis.own && axis.name == frontend::element_axis;
    });
    return has_elements ? frontend::element_axis : setting;
}

}  // namespace kasc
