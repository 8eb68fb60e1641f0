#include "search/condition_calls.hpp"

namespace kasc {

namespace {

void add_numbers_of_iterations(const Program& program, const std::vector<Statement>& statements,
                               std::set<VariableId>& numbers) {
    for (const Statement& statement : statements) {
        const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&statement);
        if (loop == nullptr) continue;
        if ((*loop)->going && program.loops[(*loop)->loop].counts) numbers.insert(*(*loop)->going);
        add_numbers_of_iterations(program, (*loop)->body, numbers);
    }
}

/// The value that the loop goes by before its first iteration; none: it has a number of iterations alone.
std::optional<ValueId> asked_by(const LoopNode& loop) {
    if (!loop.going) return std::nullopt;
    for (const Captured& captured : loop.captured)
        if (captured.inner == *loop.going) return captured.outer;
    for (const Carried& carried : loop.carried)
        if (carried.entering == loop.going) return carried.initial;
    return std::nullopt;
}

}  // namespace

ConditionCalls find_condition_calls(const Program& program, const Graph& graph) {
    ConditionCalls calls;
    for (const Node& node : graph.nodes) {
        const auto* loop = std::get_if<LoopNode>(&node.what);
        const auto asked = loop != nullptr ? asked_by(*loop) : std::nullopt;
        const auto producer = asked ? graph.values[*asked].producer : std::nullopt;
        if (producer) calls.of_branches.insert(*producer);
    }
    if (calls.of_branches.empty()) return calls;
    std::set<VariableId> numbers;
    add_numbers_of_iterations(program, program.statements, numbers);
    for (const NodeId node : graph.nodes.ids())
        for (const ValueId value : graph.nodes[node].writes)
            if (numbers.contains(graph.values[value].variable)) calls.of_iterations.insert(node);
    return calls;
}

Verdict asked_alike(const ConditionCalls& calls, NodeId first, NodeId second) {
    const bool apart = (calls.of_branches.contains(first) && calls.of_iterations.contains(second)) ||
                       (calls.of_branches.contains(second) && calls.of_iterations.contains(first));
    return apart ? Verdict::no("a branch of the iteration goes by one, and the other is stored when it has ended")
                 : Verdict::yes("no branch waits for the end of the iteration");
}

}  // namespace kasc
