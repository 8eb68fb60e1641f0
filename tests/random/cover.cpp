// Every graph of a program (a loop's body is one) has its fusions; a plan takes a selection in each graph. Selections
// are packed: from the candidates that no plan holds yet, two a fusion, in random order, those that share
// no call and do not wait for each other; what is left goes to single calls.
//
//     chain a b c:   plan 0  a | b | c      plan 1  ab | c      plan 2  a | bc      plan 3  abc

#include "random/cover.hpp"

#include <algorithm>

#include "graph/expand.hpp"
#include "search/linearise.hpp"
#include "select/contraction.hpp"

namespace kasc::random {

namespace {

constexpr int candidates_a_fusion = 2;
constexpr int choices_tried = 12;
constexpr int choices_of_single_calls = 200;  // without them there is no plan at all
/// Sets of calls of which some are drawn: of the words of cells, calls side by side, four times as many take half a
/// minute.
constexpr std::size_t most_sets = 5000;

}  // namespace

Cover::Cover(const Program& program, const Graph& graph, const Library& library, Draw& draw, DrawSchedule schedule,
             std::size_t most)
    : graph_(std::make_shared<const Graph>(graph)), draw_(draw), schedule_(std::move(schedule)) {
    CostedSpace space;
    SearchBounds bounds;
    bounds.storing_transforms = bounds.transform_lines = true;
    bounds.max_fusions = most_sets;
    space.space = enumerate_fusions(program, graph, bounds);
    if (has_streams(program)) {
        const std::vector<int> words = value_words(program, graph, library);
        for (Fusion& fusion : space.space.fusions) fusion.calls = linearise(graph, fusion.calls, words);
    }
    space.expanded = std::make_shared<const Graph>(expand_loops(graph));
    costed_ = std::make_shared<CostedSpace>(std::move(space));
    for (const FusionId id : drawn_fusions(most)) find_candidates(id);
    for (const NodeId id : graph.nodes.ids()) {
        const auto* loop = std::get_if<LoopNode>(&graph.nodes[id].what);
        if (loop != nullptr) loops_.emplace(id, Cover(program, *loop->body, library, draw, schedule_, most));
    }
}

std::vector<FusionId> Cover::drawn_fusions(std::size_t most) {
    std::vector<FusionId> singles, larger;
    for (const FusionId id : costed_->space.fusions.ids())
        (costed_->space.fusions[id].calls.size() == 1 ? singles : larger).push_back(id);
    if (larger.size() > most) {
        draw_.shuffle(larger);
        larger.resize(most);
    }
    singles.insert(singles.end(), larger.begin(), larger.end());
    return singles;
}

bool Cover::covered() const {
    return open_.empty() && std::all_of(loops_.begin(), loops_.end(), [](const auto& l) { return l.second.covered(); });
}

std::size_t Cover::feasible() const {
    std::size_t sum = feasible_;
    for (const auto& loop : loops_) sum += loop.second.feasible();
    return sum;
}

std::size_t Cover::refused() const {
    std::size_t sum = refused_;
    for (const auto& loop : loops_) sum += loop.second.refused();
    return sum;
}

PlannedGraph Cover::next(bool fuse) {
    std::vector<std::size_t> chosen;
    std::set<NodeId> taken;
    std::vector<std::size_t> order(open_.begin(), open_.end());
    draw_.shuffle(order);
    for (const std::size_t candidate : order)
        if (fuse || is_single_call(candidate)) take(candidate, chosen, taken);
    for (const auto& [node, fusion] : singles_)
        if (!taken.contains(node)) chosen.push_back(*draw_until_feasible(fusion));
    Selection selection{chosen, 0, "random", ""};
    PlannedGraph planned{graph_, costed_, selection, launch_order(*graph_, *costed_, selection), {}, {}, 0};
    for (const auto& entry : loops_) planned.iterations[entry.first] = 1;
    for (auto& [id, loop] : loops_)
        if (!taken.contains(id)) planned.loops[id] = std::make_shared<const PlannedGraph>(loop.next(fuse));
    return planned;
}

const std::vector<NodeId>& Cover::calls_of(std::size_t candidate) const {
    return costed_->space.fusions[costed_->candidates[candidate].fusion].calls;
}

bool Cover::is_single_call(std::size_t candidate) const {
    const std::vector<NodeId>& calls = calls_of(candidate);
    return calls.size() == 1 && !std::holds_alternative<LoopNode>(graph_->nodes[calls.front()].what);
}

void Cover::find_candidates(FusionId id) {
    bool feasible = false;
    for (int k = 0; k < candidates_a_fusion; ++k) {
        const auto found = draw_until_feasible(id);
        if (found) open_.insert(*found);
        feasible = feasible || found;
    }
    ++(feasible ? feasible_ : refused_);
    const std::vector<NodeId>& calls = costed_->space.fusions[id].calls;
    const bool loop = std::holds_alternative<LoopNode>(graph_->nodes[calls.front()].what);
    if (calls.size() == 1 && !loop && feasible) singles_.emplace(calls.front(), id);
}

std::optional<std::size_t> Cover::draw_until_feasible(FusionId id) {
    const Fusion& fusion = costed_->space.fusions[id];
    const int tried = fusion.calls.size() == 1 ? choices_of_single_calls : choices_tried;
    for (int k = 0; k < tried; ++k) {
        if (auto schedule = schedule_(*costed_->expanded, fusion)) {
            costed_->candidates.push_back({id, std::move(*schedule), {}});
            return costed_->candidates.size() - 1;
        }
    }
    return std::nullopt;
}

void Cover::take(std::size_t candidate, std::vector<std::size_t>& chosen, std::set<NodeId>& taken) {
    const std::vector<NodeId>& calls = calls_of(candidate);
    if (std::any_of(calls.begin(), calls.end(), [&](NodeId c) { return taken.contains(c); })) return;
    chosen.push_back(candidate);
    if (!contract(*graph_, *costed_, chosen).cycles.empty()) {
        chosen.pop_back();
        return;
    }
    taken.insert(calls.begin(), calls.end());
    open_.erase(candidate);
}

}  // namespace kasc::random
