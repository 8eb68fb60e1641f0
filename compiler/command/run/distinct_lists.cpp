#include "command/run/distinct_lists.hpp"

#include <algorithm>
#include <set>

#include "contract/check_data.hpp"
#include "contract/reach.hpp"

namespace kasc::command {

namespace {

/// Sources and sensors are fewer, and so many are read and told apart in a hundredth of a second.
constexpr long long most_entries = 1 << 20;

long long entries_of(const ListedCells& list, const std::vector<long long>& extents) {
    long long entries = 1;
    for (const AxisId axis : list.axes) entries *= entries > most_entries ? 1 : extents.at(axis.index);
    return entries;
}

/// By input, whether one of the lists is made of it.
std::vector<bool> inputs_of(const Program& program, const std::vector<ListedCells>& lists) {
    std::vector<bool> wanted(program.inputs.size(), false);
    for (const ListedCells& list : lists) {
        for (const contract::InputUse& use : contract::input_uses(program, list.operands, list.positions))
            wanted.at(use.input) = true;
    }
    return wanted;
}

/// Statements at these places assign each of their cells once.
std::vector<Statement> settled(const std::vector<Statement>& statements, const std::set<std::size_t>& places) {
    std::vector<Statement> made;
    for (const Statement& s : statements) {
        made.push_back(s);
        if (const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&s)) {
            LoopStatement inside = **loop;
            inside.body = settled(inside.body, places);
            made.back() = std::make_shared<const LoopStatement>(std::move(inside));
        } else if (auto* field = std::get_if<FieldStatement>(&made.back())) {
            if (places.contains(field->span.begin)) field->adding.reset();
        }
    }
    return made;
}

}  // namespace

void settle_distinct_lists(CheckedProgram& checked, const runtime::ProgramInterface& face,
                           const std::vector<double>& parameters, const std::vector<long long>& extents,
                           const runtime::SurveyedInputs& surveyed) {
    std::vector<ListedCells> lists = added_lists(checked.program);
    std::erase_if(lists, [&](const ListedCells& list) { return entries_of(list, extents) > most_entries; });
    if (lists.empty()) return;
    const std::vector<bool> wanted = inputs_of(checked.program, lists);
    const auto loaded = runtime::load_inputs(surveyed, face, wanted);
    if (!loaded) return;
    std::vector<const void*> inputs;
    for (const auto& array : loaded->arrays) inputs.push_back(array.values.empty() ? nullptr : array.values.data());
    for (std::size_t k = 0; k < wanted.size(); ++k) {
        if (wanted[k] && inputs.at(k) == nullptr) return;
    }
    const contract::BoundData data{parameters, extents, inputs, std::nullopt, {}};
    std::set<std::size_t> distinct, several;
    for (const ListedCells& list : lists) {
        const bool repeats = !check_data(checked.program, Contract{{}, {list}}, data).empty();
        (repeats ? several : distinct).insert(list.span.begin);
    }
    // Words of a cell stand at one place; a function's text may stand at one as well.
    for (const std::size_t place : several) distinct.erase(place);
    if (distinct.empty()) return;
    Program program = checked.program;
    program.statements = settled(program.statements, distinct);
    auto graph = build_graph(program);
    if (!graph) return;
    checked.program = std::move(program);
    checked.graph = std::move(*graph.value);
}

}  // namespace kasc::command
