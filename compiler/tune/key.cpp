// M = scale(A) with n = 64: program = hash("float... input A; M = scale(A); return M;"), library = hash(all of scale),
// sizes = "n=64". The same program in another file, indented otherwise, has the same key.

#include "tune/key.hpp"

#include <fmt/format.h>

#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/uuid_io.hpp>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <set>
#include <sstream>

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

std::string type_text(const StreamType& type) { return fmt::format("{}[{}]", type.name, fmt::join(type.shape, ",")); }

std::string pattern_text(const Pattern& p) {
    return fmt::format("{};{};{};{};{}\n", p.start, p.block, p.stride, p.count, p.noreg);
}

std::string function_text(const DeviceFunction& f) {
    std::string text = f.text + "\n";
    for (const Coordinate c : f.coordinates) text += fmt::format("{} ", static_cast<int>(c));
    return text + "\n";
}

std::string extent_text(const Extent& e) {
    return fmt::format("{}/{} ", e.fixed.value_or(0), e.recommended.value_or(0));
}

std::string implementation_text(const Implementation& i, const Library& library) {
    std::string text = i.name + "\n";
    for (const Transfer& load : i.loads)
        text += type_text(library.types[load.type]) + function_text(load.function) + pattern_text(load.pattern);
    text += type_text(library.types[i.save.type]) + function_text(i.save.function) + pattern_text(i.save.pattern);
    text += function_text(i.compute);
    for (const Pattern& p : i.inputs) text += pattern_text(p);
    text += pattern_text(i.output);
    for (const Extent& e : i.grid) text += extent_text(e);
    for (const Extent& e : i.block) text += extent_text(e);
    text += extent_text(i.batch) + "\n";
    for (const DeviceFunction& helper : i.helpers) text += function_text(helper);
    for (const std::string& macro : i.macros) text += macro + "\n";
    return text;
}

std::string functions_text(const std::set<std::string>& names, const Library& library) {
    std::string text = library.version + "\n";
    for (const std::string& name : names) {
        const Function& function = library.functions[*library.find_function(name)];
        for (const TypeId argument : function.arguments) text += type_text(library.types[argument]) + " ";
        text += type_text(library.types[function.result]) + " " + name + "\n";
        for (const Implementation& i : function.implementations) text += implementation_text(i, library);
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

std::string hash_of(const std::string& text) {
    // The namespace only has to be the same for ever: RFC 4122's for what is none of its own kinds.
    return boost::uuids::to_string(boost::uuids::name_generator_sha1(boost::uuids::ns::oid())(text));
}

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
    if (program.kind == ProgramKind::stream) return fmt::format("n={}", problem.elements);
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
