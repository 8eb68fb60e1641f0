// Fuse and select, graph by graph from the inside out. The n best plans of a program are the n least sums over its
// graphs: the selections of one graph are combined with the plans of each loop in turn, and after every combination
// the n best are kept, which loses none because times add.
#include "plan/planned_graph.hpp"

#include <algorithm>

#include "patterns/pattern.hpp"
#include "search/fusion_space.hpp"

namespace kasc {

namespace {

/// Iterations of a loop whose bounds are not known when compiling: only the weight of a loop against what stands
/// outside of it, so any large number serves.
constexpr double unknown_iterations = 100;

double constant_value(const Expression& e, const Program& program, double unknown) {
    if (const auto* literal = std::get_if<Literal>(&e.node)) return literal->value;
    if (const auto* use = std::get_if<ParameterUse>(&e.node)) {
        const ExpressionRef& fallback = program.parameters[use->parameter].fallback;
        return fallback ? constant_value(*fallback, program, unknown) : unknown;
    }
    return unknown;
}

double estimated_iterations(const LoopNode& loop, const Program& program) {
    const double from = constant_value(*loop.from, program, 0);
    return std::max(1.0, constant_value(*loop.to, program, from + unknown_iterations) - from);
}

bool by_time(const PlannedGraph& a, const PlannedGraph& b) { return a.time_ns < b.time_ns; }

bool has_calls(const Graph& graph) {
    return std::any_of(graph.nodes.begin(), graph.nodes.end(),
                       [](const Node& n) { return !std::holds_alternative<LoopNode>(n.what); });
}

/// What is wrong in the library with the patterns of a function that cannot be called.
Diagnostics pattern_faults(const Function& function, const Library& library) {
    Diagnostics faults;
    for (const Implementation& implementation : function.implementations) {
        for (const int elements : {128, 64, 96}) {
            const Diagnostics found = enumerate_implementation(library, implementation, elements).diagnostics;
            faults.insert(faults.end(), found.begin(), found.end());
            if (!found.empty()) break;
        }
    }
    return faults;
}

Diagnostics no_plan(const Graph& graph, const Library& library, const CostedSpace& costed) {
    Diagnostics said;
    Diagnostic d;
    d.code = "K0601";
    d.message = "no implementation serves a call of this program on this device";
    for (const Refusal& refusal : costed.infeasible) {
        if (refusal.calls.size() != 1) continue;
        d.span = graph.nodes[refusal.calls.front()].span;
        d.label = refusal.reason;
        const auto* call = std::get_if<StreamCall>(&graph.nodes[refusal.calls.front()].what);
        if (call != nullptr) said = pattern_faults(library.functions[call->callee], library);
        break;
    }
    d.help = said.empty() ? "add an implementation of the function to a library folder and pass it with --lib"
                          : "mend the pattern, or add another implementation of the function";
    said.push_back(std::move(d));
    return said;
}

}  // namespace

Outcome<std::vector<PlannedGraph>> plan_graph(const Program& program, const Graph& graph, const Library& library,
                                              const Device& device, const Problem& problem,
                                              const PlanOptions& options) {
    const auto strategy = find_strategy(options.strategy);
    CostOptions cost;
    cost.keep = options.keep_all ? static_cast<std::size_t>(-1) : options.count;
    const auto shared_graph = std::make_shared<const Graph>(graph);
    SearchBounds bounds = options.bounds;
    if (options.strategy == "none") bounds.max_calls = 1;
    const auto costed = std::make_shared<const CostedSpace>(
        cost_space(program, graph, library, device, problem, enumerate_fusions(program, graph, library, bounds), cost));

    std::vector<Selection> selections{Selection{{}, 0, options.strategy, "nothing to select"}};
    if (has_calls(graph)) selections = strategy->select(graph, *costed, options.count);
    if (selections.empty()) return failure<std::vector<PlannedGraph>>(no_plan(graph, library, *costed));

    std::vector<PlannedGraph> plans;
    for (const Selection& selection : selections) {
        plans.push_back(
            {shared_graph, costed, selection, launch_order(graph, *costed, selection), {}, selection.time_ns});
    }
    for (const NodeId id : graph.nodes.ids()) {
        const auto* loop = std::get_if<LoopNode>(&graph.nodes[id].what);
        if (loop == nullptr) continue;
        const auto inner = plan_graph(program, *loop->body, library, device, problem, options);
        if (!inner) return inner;
        std::vector<PlannedGraph> combined;
        for (const PlannedGraph& outer : plans) {
            for (const PlannedGraph& body : *inner) {
                combined.push_back(outer);
                combined.back().loops[id] = std::make_shared<const PlannedGraph>(body);
                combined.back().time_ns += body.time_ns * estimated_iterations(*loop, program);
            }
        }
        std::stable_sort(combined.begin(), combined.end(), by_time);
        if (combined.size() > options.count) combined.resize(options.count);
        plans = std::move(combined);
    }
    return success(std::move(plans));
}

}  // namespace kasc
