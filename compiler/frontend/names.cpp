#include "frontend/names.hpp"

#include <fmt/format.h>

namespace kasc::frontend {

void Names::declare(const ast::Name& name, Meaning meaning, Report& report) {
    const auto [place, added] = symbols_.try_emplace(name.text, Symbol{meaning, name.span});
    if (added) return;
    Diagnostic& d = report.error("K0202", fmt::format("'{}' is declared twice", name.text), name.span);
    d.notes.push_back({place->second.span, "the first declaration is here"});
}

void Names::enter_loop(const ast::Name& name, LoopId loop, Report& report) {
    const auto [place, added] = symbols_.try_emplace(name.text, Symbol{loop, name.span});
    if (added) return;
    const bool of_loop = std::holds_alternative<LoopId>(place->second.meaning);
    Diagnostic& d = report.error("K0214",
                                 fmt::format("the loop variable '{}' is already {}", name.text,
                                             of_loop ? "that of an enclosing loop" : "declared"),
                                 name.span);
    d.notes.push_back({place->second.span, of_loop ? "the enclosing loop" : "declared here"});
    d.help = of_loop ? "give each loop its own variable" : "a loop declares its variable itself: choose another name";
}

void Names::leave_loop(const ast::Name& name, LoopId loop) {
    const auto place = symbols_.find(name.text);
    if (place == symbols_.end()) return;
    const auto* entered = std::get_if<LoopId>(&place->second.meaning);
    if (entered && *entered == loop) symbols_.erase(place);
}

const Symbol* Names::use(const std::string& name) {
    const auto place = symbols_.find(name);
    if (place == symbols_.end()) return nullptr;
    place->second.used = true;
    return &place->second;
}

const Symbol* Names::find(const std::string& name) const {
    const auto place = symbols_.find(name);
    return place == symbols_.end() ? nullptr : &place->second;
}

std::vector<std::string> Names::all() const {
    std::vector<std::string> names;
    for (const auto& [name, symbol] : symbols_) names.push_back(name);
    return names;
}

const char* describe(const Meaning& meaning, const Program& program) {
    if (std::holds_alternative<ParameterId>(meaning)) return "a parameter";
    if (std::holds_alternative<VariableId>(meaning)) return has_streams(program) ? "a stream" : "a field";
    if (std::holds_alternative<FunctionIndex>(meaning)) return "a function";
    if (std::holds_alternative<OptionIndex>(meaning)) return "an option";
    return "a loop variable";
}

}  // namespace kasc::frontend
