// Fuse and select, graph by graph from the inside out. The n best plans of a program are the n least sums over its
// graphs: the selections of one graph are combined with the plans of each loop in turn, and after every combination
// the n best are kept, which loses none because times add.
#include "plan/planned_graph.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "foundation/pass_times.hpp"
#include "model/counted_loop.hpp"
#include "plan/taken_over.hpp"
#include "search/element_numbers.hpp"
#include "search/fusion_space.hpp"
#include "search/set_rules.hpp"

namespace kasc {

namespace {

bool by_time(const PlannedGraph& a, const PlannedGraph& b) { return a.time_ns < b.time_ns; }

double bytes_of(const CostedSpace& costed, const Selection& selection) {
    double bytes = 0;
    for (const std::size_t candidate : selection.candidates)
        bytes += costed.candidates[candidate].prediction.global_bytes;
    return bytes;
}

bool is_single_call(const Graph& graph, const Fusion& fusion) {
    return fusion.calls.size() == 1 && !std::holds_alternative<LoopNode>(graph.nodes[fusion.calls.front()].what);
}

/// Bytes of global memory with a kernel for every call; loops are not counted here.
double unfused_bytes(const Graph& graph, const CostedSpace& costed) {
    std::map<NodeId, double> single;
    for (const Candidate& c : costed.candidates) {
        const Fusion& fusion = costed.space.fusions[c.fusion];
        if (is_single_call(graph, fusion)) single.try_emplace(fusion.calls.front(), c.prediction.global_bytes);
    }
    return std::accumulate(single.begin(), single.end(), 0.0,
                           [](double sum, const auto& entry) { return sum + entry.second; });
}

/// The calls that a plan keeps in kernels with others, each by itself.
FusionSpace calls_apart(const Graph& graph, const FusionSpace& all, const FusionSpace& kept) {
    std::set<NodeId> there;
    for (const Fusion& fusion : kept.fusions) {
        if (is_single_call(graph, fusion)) there.insert(fusion.calls.front());
    }
    FusionSpace apart;
    for (const Fusion& fusion : all.fusions) {
        if (is_single_call(graph, fusion) && !there.contains(fusion.calls.front())) apart.fusions.add(fusion);
    }
    return apart;
}

bool runs_on_host(const PlannedGraph& planned, NodeId loop) {
    return std::any_of(planned.launches.begin(), planned.launches.end(), [&](const Launch& launch) {
        const auto* node = std::get_if<NodeId>(&launch.what);
        return node != nullptr && *node == loop;
    });
}

/// What is wrong in the library with the code and patterns of a function that cannot be called.
Diagnostics library_faults(const Function& function, const Library& library) {
    Diagnostics faults;
    Enumerations enumerations(library);
    ElementNumbers numbers(enumerations);
    for (const Implementation& implementation : function.implementations) {
        faults.insert(faults.end(), implementation.faults.begin(), implementation.faults.end());
        for (const int elements : numbers.of(implementation)) {
            const Diagnostics& found = enumerations.of(implementation, elements).diagnostics;
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
        if (call != nullptr) said = library_faults(library.functions[call->callee], library);
        break;
    }
    d.help = said.empty() ? "add an implementation of the function to a library folder and pass it with --lib"
                          : "mend the library's file, or add another implementation of the function";
    said.push_back(std::move(d));
    return said;
}

}  // namespace

namespace {

/// Kernels that the notes name: the first ones of a program of many.
constexpr std::size_t most_notes = 4;

Diagnostic infeasible(const Span& span, const std::string& reason) {
    Diagnostic d = placeless("K0923", "the plan's choice is not feasible",
                             "kasc explain prints a choice for every kernel; docs/plans.md says what each word needs");
    d.span = span;
    d.label = reason;
    return d;
}

/// The plan's kernels that no schedule serves, with the schedule's reason.
Diagnostics infeasible_wishes(const PlanWish& wish, const Graph& graph, const CostedSpace& costed) {
    Diagnostics said;
    for (const Refusal& refusal : costed.infeasible) {
        const WishedFusion* wished = wish_for(wish.of(graph), refusal.calls);
        if (wished == nullptr) continue;
        said.push_back(infeasible(wished->span, refusal.reason));
        said.back().notes.push_back({graph.nodes[refusal.calls.front()].span, "the kernel computes this"});
    }
    return said;
}

/// Some kernel of the program is as the plan wishes of all.
bool is_heeded(const PlannedGraph& planned) {
    return planned.costed->heeded || std::any_of(planned.loops.begin(), planned.loops.end(),
                                                 [](const auto& loop) { return is_heeded(*loop.second); });
}

/// Each call that cannot be as the plan wishes of all kernels, and why.
void add_unheeded(const PlannedGraph& planned, std::vector<Note>& notes) {
    for (const Refusal& refusal : planned.costed->unheeded)
        if (refusal.calls.size() == 1)
            notes.push_back({planned.graph->nodes[refusal.calls.front()].span, refusal.reason});
    for (const auto& loop : planned.loops) add_unheeded(*loop.second, notes);
}

/// K0923 where the plan wishes something of all kernels that none of them can have.
Diagnostics unheeded_wish(const PlanWish& wish, const PlannedGraph& planned) {
    std::vector<Note> notes;
    add_unheeded(planned, notes);
    if (!wish.others || notes.empty() || is_heeded(planned)) return {};
    Diagnostic d = infeasible(wish.others_span, "no kernel of the program can have it");
    notes.resize(std::min<std::size_t>(notes.size(), most_notes));
    d.notes = std::move(notes);
    return {d};
}

}  // namespace

namespace {

/// Graphs of more fusions are not priced whole. Pricing one takes a tenth of a millisecond.
constexpr std::size_t most_named = 500;
/// Calls of a graph, beyond which sets that only a pipeline could compute are not looked at but for steps of loops:
/// there are too many, and their least times tell too little of what they take.
constexpr std::size_t most_pipelined = 24;
/// Calls of several steps of a loop, up to which these are taken apart in all ways: two steps may be best made of other
/// kernels than one is.
constexpr std::size_t most_taken_apart = 8;

struct SearchedGraph {
    CostedSpace costed;
    double bytes_apart = 0;  ///< of calls that a plan keeps in kernels with others, each by itself
    Diagnostics faults;
};

/// Every call by itself, and the wished kernels that may be.
FusionSpace singles_and_wished(const Graph& graph, const SetRules& rules, const std::vector<WishedFusion>& wishes) {
    FusionSpace space;
    const FusionMaker maker(graph);
    const auto add = [&](const std::vector<std::uint32_t>& members) {
        if (rules.is_fusion(members)) space.fusions.add(maker.of(members));
    };
    for (const NodeId node : graph.nodes.ids()) add({node.index});
    for (const WishedFusion& wish : wishes) {
        std::vector<std::uint32_t> members;
        for (const NodeId call : wish.calls) members.push_back(call.index);
        if (members.size() > 1) add(members);
    }
    return space;
}

SearchedGraph search_graph(const Program& program, const Graph& graph, const Library& library, const Device& device,
                           const Problem& problem, const SearchBounds& bounds, const CostOptions& cost,
                           const std::map<NodeId, double>& loop_ns, const std::vector<StepKernels>& steps,
                           const Strategy& strategy) {
    const Pass pass("fusions and their prices");
    SearchedGraph searched;
    const auto keep = [&](FusionSpace& space) {
        if (cost.wishes.empty() && !cost.others) return;
        const FusionSpace all = space;
        searched.faults = keep_wished(space, cost.wishes, program, graph, bounds);
        const FusionSpace apart = calls_apart(graph, all, space);
        searched.bytes_apart = unfused_bytes(graph, cost_space(program, graph, library, device, problem, apart, {}));
    };
    if (!may_be_searched(graph)) {
        FusionSpace space = single_calls(graph);
        keep(space);
        searched.costed =
            cost_space(program, graph, library, device, problem, std::move(space), cost, loop_ns, &strategy);
        return searched;
    }
    std::optional<FusionSpace> all;
    if (!steps.empty() && graph.nodes.size() > most_taken_apart) {
        const SetRules of_pipelines(program, graph, bounds);
        for (const StepKernels& step : steps)
            if (!all) all = fusions_of_steps(program, graph, of_pipelines, step);
    }
    SearchBounds own = bounds;
    own.pipelines = bounds.pipelines && graph.nodes.size() <= most_pipelined;
    const SetRules rules(program, graph, own);
    if (!all) all = enumerate_all(graph, rules, bounds, std::max(most_named, graph.nodes.size()));
    if (all) {
        keep(*all);
        searched.costed =
            cost_space(program, graph, library, device, problem, std::move(*all), cost, loop_ns, &strategy);
        return searched;
    }
    FusionSpace named = singles_and_wished(graph, rules, cost.wishes);
    keep(named);
    if (searched.faults.empty())
        searched.costed = cost_promising(program, graph, library, device, problem, rules, cost, loop_ns, strategy);
    return searched;
}

std::size_t nodes_of_all_graphs(const Graph& graph) {
    std::size_t nodes = graph.nodes.size();
    for (const Node& node : graph.nodes) {
        if (const auto* loop = std::get_if<LoopNode>(&node.what)) nodes += nodes_of_all_graphs(*loop->body);
    }
    return nodes;
}

/// With the kernels that a plan has outside loops, none of them searched again.
std::optional<SearchedGraph> price_taken_over(const Program& program, const Graph& graph, const Library& library,
                                              const Device& device, const Problem& problem, const CostOptions& cost,
                                              const std::map<NodeId, double>& loop_ns, const PlannedGraph& plan,
                                              const Strategy& strategy) {
    auto space = taken_over(graph, plan);
    if (!space) return std::nullopt;
    const Pass pass("fusions and their prices");
    SearchedGraph searched;
    searched.costed = cost_space(program, graph, library, device, problem, *std::move(space), cost, loop_ns, &strategy);
    take_over_bound(searched.costed, plan);
    return searched;
}

/// `all_nodes`: of the program's graphs together, which share the budget.
Outcome<std::vector<PlannedGraph>> plan_of(const Program& program, const Graph& graph, const Library& library,
                                           const Device& device, const Problem& problem, const PlanOptions& options,
                                           std::size_t all_nodes) {
    const auto strategy = find_strategy(options.strategy, options.seed);
    std::map<NodeId, std::vector<PlannedGraph>> bodies;
    std::map<NodeId, double> iterations, loop_ns;
    for (const NodeId id : graph.nodes.ids()) {
        const auto* loop = std::get_if<LoopNode>(&graph.nodes[id].what);
        if (loop == nullptr) continue;
        PlanOptions of_body = options;
        of_body.outside_loops = nullptr;
        const CountedLoop counted =
            counted_loop(program, loop->loop, loop->from, loop->to, loop->going.has_value(), problem);
        auto inner =
            plan_of(program, *loop->body, library, device, problem_within(counted, problem), of_body, all_nodes);
        if (!inner) return inner;
        iterations[id] = counted.iterations;
        loop_ns[id] = inner->front().time_ns * iterations[id];
        bodies[id] = std::move(*inner.value);
    }
    CostOptions cost;
    cost.keep = options.keep_all ? static_cast<std::size_t>(-1) : options.count;
    cost.budget = part_of(options.budget, static_cast<double>(graph.nodes.size()) /
                                              static_cast<double>(std::max<std::size_t>(1, all_nodes)));
    cost.last_blocks = options.bounds.last_blocks && options.strategy != "none";
    const auto shared_graph = std::make_shared<const Graph>(graph);
    SearchBounds bounds = options.bounds;
    // FFTW has no callbacks.
    bounds.storing_transforms = bounds.storing_transforms && device.kind == DeviceKind::gpu;
    bounds.pipelines = bounds.transform_lines = device.kind == DeviceKind::gpu;
    if (options.wish) {
        cost.wishes = options.wish->of(graph);
        cost.others = options.wish->others;
    }
    std::optional<SearchedGraph> known;
    if (options.outside_loops)
        known = price_taken_over(program, *shared_graph, library, device, problem, cost, loop_ns,
                                 *options.outside_loops, *strategy);
    SearchedGraph searched = known ? *std::move(known)
                                   : search_graph(program, *shared_graph, library, device, problem, bounds, cost,
                                                  loop_ns, options.steps, *strategy);
    if (!searched.faults.empty()) return failure<std::vector<PlannedGraph>>(searched.faults);
    const auto costed = std::make_shared<const CostedSpace>(std::move(searched.costed));

    std::vector<Selection> selections{Selection{{}, 0, options.strategy, "nothing to select"}};
    if (!graph.nodes.empty()) {
        const Pass pass("select");
        selections = strategy->select(graph, *costed, options.count);
    }
    if (options.wish) {
        const Diagnostics faults = infeasible_wishes(*options.wish, graph, *costed);
        if (!faults.empty()) return failure<std::vector<PlannedGraph>>(faults);
    }
    if (selections.empty()) return failure<std::vector<PlannedGraph>>(no_plan(graph, library, *costed));

    std::vector<Progress> made;
    if (options.trace) {
        const Pass pass("progress of the selection");
        made = progress_of(graph, *costed, *strategy, selections.front().time_ns);
    }
    std::vector<PlannedGraph> plans;
    for (const Selection& selection : selections) {
        plans.push_back({shared_graph,
                         costed,
                         selection,
                         launch_order(graph, *costed, selection),
                         {},
                         iterations,
                         selection.time_ns,
                         0,
                         0,
                         made});
        plans.back().bytes = bytes_of(*costed, selection);
        plans.back().unfused_bytes = unfused_bytes(graph, *costed) + searched.bytes_apart;
    }
    // Plans of equal integer costs may come in any order; times decide between them.
    std::stable_sort(plans.begin(), plans.end(), by_time);
    for (const auto& [id, inner] : bodies) {
        std::vector<PlannedGraph> combined;
        for (PlannedGraph& outer : plans) {
            outer.unfused_bytes += inner.front().unfused_bytes * iterations[id];
            if (!runs_on_host(outer, id)) {
                combined.push_back(outer);
                continue;
            }
            for (const PlannedGraph& body : inner) {
                combined.push_back(outer);
                combined.back().loops[id] = std::make_shared<const PlannedGraph>(body);
                combined.back().time_ns += body.time_ns * iterations[id] - loop_ns[id];
                combined.back().bytes += body.bytes * iterations[id];
            }
        }
        std::stable_sort(combined.begin(), combined.end(), by_time);
        if (combined.size() > options.count) combined.resize(options.count);
        plans = std::move(combined);
    }
    return success(std::move(plans));
}

}  // namespace

Outcome<std::vector<PlannedGraph>> plan_graph(const Program& program, const Graph& graph, const Library& library,
                                              const Device& device, const Problem& problem,
                                              const PlanOptions& options) {
    auto plans = plan_of(program, graph, library, device, problem, options, nodes_of_all_graphs(graph));
    if (!plans || !options.wish) return plans;
    Diagnostics faults = unheeded_wish(*options.wish, plans->front());
    return faults.empty() ? std::move(plans) : failure<std::vector<PlannedGraph>>(std::move(faults));
}

}  // namespace kasc
