#include "lsp/accesses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "patterns/access.hpp"

namespace kasc::lsp {

namespace {

/// The variables of a field: its words, where its cells have a shape.
std::set<VariableId> variables_of(const Program& program, const std::string& field) {
    std::set<VariableId> all;
    for (const VariableId id : program.variables.ids())
        if (program.variables[id].name == field) all.insert(id);
    for (const ShapedField& shaped : program.shaped)
        if (shaped.name == field) all.insert(shaped.words.begin(), shaped.words.end());
    return all;
}

struct Reads {
    bool cell = false, whole = false;
    std::set<std::string> neighbours, slices;
};

void add(Reads& reads, const Program& program, const Access& access) {
    if (std::holds_alternative<PointAccess>(access) || std::holds_alternative<ElementAccess>(access)) reads.cell = true;
    if (std::holds_alternative<WholeAccess>(access)) reads.whole = true;
    if (const auto* near = std::get_if<NearAccess>(&access))
        for (const auto& offset : near->offsets) reads.neighbours.insert(fmt::format("({})", fmt::join(offset, ", ")));
    if (std::holds_alternative<SliceAccess>(access)) {
        const std::string text = print(access, program);
        reads.slices.insert(text.substr(std::min(text.find(' ') + 1, text.size())));
    }
}

void collect(Reads& reads, const Program& program, const std::vector<Statement>& statements, const Span& place,
             const std::set<VariableId>& variables) {
    const auto here = [&](const Span& span) {
        const Span given = as_given(span);
        return given.source == place.source && given.begin < place.end && place.begin < given.end;
    };
    for (const Statement& statement : statements) {
        if (const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&statement)) {
            collect(reads, program, (*loop)->body, place, variables);
        } else if (const auto* field = std::get_if<FieldStatement>(&statement)) {
            if (!here(field->span)) continue;
            for (const Operand& operand : field->operands)
                if (variables.contains(operand.variable)) add(reads, program, access_of(program, *field, operand));
        } else if (const auto* transform = std::get_if<TransformStatement>(&statement)) {
            if (here(transform->span) && variables.contains(transform->source)) reads.whole = true;
        } else if (const auto* call = std::get_if<CallStatement>(&statement)) {
            for (const VariableId argument : call->arguments)
                if (here(call->span) && variables.contains(argument)) reads.cell = true;
        }
    }
}

std::string several(const std::set<std::string>& all) {
    constexpr std::size_t most = 24;
    if (all.size() <= most) return fmt::format("{}", fmt::join(all, ", "));
    return fmt::format("{} … ({} of them)", fmt::join(all.begin(), std::next(all.begin(), most), ", "), all.size());
}

}  // namespace

std::string accesses_text(const Program& program, const Span& statement, const std::string& field) {
    Reads reads;
    collect(reads, program, program.statements, statement, variables_of(program, field));
    std::vector<std::string> parts;
    if (reads.cell) parts.emplace_back("the cell itself");
    if (!reads.neighbours.empty()) parts.push_back("neighbours " + several(reads.neighbours));
    if (!reads.slices.empty()) parts.push_back("the slice " + several(reads.slices));
    if (reads.whole) parts.emplace_back("any cell: it is complete before");
    return parts.empty() ? "" : fmt::format("This statement reads {}.", fmt::join(parts, "; "));
}

}  // namespace kasc::lsp
