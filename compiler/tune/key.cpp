// M = scale(A) with n = 64: program = hash("float... input A; M = scale(A); return M;"), library = hash(all of scale),
// sizes = "n=64". The same program in another file, indented otherwise, has the same key.

#include "tune/key.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <set>
#include <sstream>

#include "library/identity.hpp"

namespace kasc::tune {

namespace {

void collect_callees(const std::vector<Statement>& statements, std::set<std::string>& names, const Library& library) {
    for (const Statement& statement : statements) {
        if (const auto* call = std::get_if<CallStatement>(&statement))
            names.insert(library.functions[call->callee].name);
        if (const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&statement))
            collect_callees((*loop)->body, names, library);
    }
}

std::string functions_text(const std::set<std::string>& names, const Library& library) {
    std::string text = library.version + "\n";
    for (const std::string& name : names) {
        const Function& function = library.functions[*library.find_function(name)];
        for (const TypeId argument : function.arguments) text += identity_text(library.types[argument]) + " ";
        text += identity_text(library.types[function.result]) + " " + name + "\n";
        for (const Implementation& i : function.implementations) text += identity_text(i, library);
    }
    return text;
}

std::string list_text(const std::vector<std::pair<std::string, std::string>>& entries) {
    std::string text;
    for (const auto& [name, value] : entries) text += fmt::format("{}{}={}", text.empty() ? "" : ",", name, value);
    return text;
}

std::vector<std::pair<std::string, double>> entries_of(const std::string& list) {
    std::vector<std::pair<std::string, double>> entries;
    std::istringstream stream(list);
    for (std::string entry; std::getline(stream, entry, ',');) {
        const std::size_t equals = std::min(entry.find('='), entry.size());
        const double value = equals < entry.size() ? std::strtod(entry.c_str() + equals + 1, nullptr) : 0;
        entries.emplace_back(entry.substr(0, equals), value);
    }
    return entries;
}

}  // namespace

std::string canonical_text(const Program& program, const Library& library) {
    const std::string text = print(program, library);
    return text.substr(text.find(": a program over "));  // the first line begins with the name
}

std::string used_library_text(const Program& program, const Library& library) {
    std::set<std::string> names;
    collect_callees(program.statements, names, library);
    return functions_text(names, library);
}

std::string whole_library_text(const Library& library) {
    std::set<std::string> names;
    for (const Function& function : library.functions) names.insert(function.name);
    return functions_text(names, library);
}

std::string sizes_text(const Program& program, const Problem& problem) {
    if (has_streams(program)) return fmt::format("n={}", problem.elements);
    std::vector<std::pair<std::string, std::string>> entries;
    for (const AxisId axis : program.axes.ids())
        entries.emplace_back(program.axes[axis].name, fmt::format("{}", problem.extents.at(axis.index)));
    return list_text(entries);
}

std::string parameters_text(const Program& program, const std::vector<double>& values) {
    std::vector<std::pair<std::string, std::string>> entries;
    for (const ParameterId p : program.parameters.ids())
        entries.emplace_back(program.parameters[p].name, fmt::format("{}", values.at(p.index)));
    return list_text(entries);
}

double size_distance(const std::string& a, const std::string& b) {
    const auto first = entries_of(a), second = entries_of(b);
    double sum = 0;
    for (std::size_t i = 0; i < first.size() || i < second.size(); ++i) {
        if (i >= first.size() || i >= second.size() || first[i].first != second[i].first ||
            !(first[i].second > 0 && second[i].second > 0))
            return std::numeric_limits<double>::infinity();
        sum += std::abs(std::log2(first[i].second / second[i].second));
    }
    return sum;
}

}  // namespace kasc::tune
