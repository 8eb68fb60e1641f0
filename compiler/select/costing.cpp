// Fusion by fusion: its choices, each scheduled and predicted; the feasible ones in order of predicted time.

#include "select/costing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "graph/expand.hpp"
#include "search/linearise.hpp"
#include "search/stream_choices.hpp"

namespace kasc {

namespace {

/// A fusion's share of the evaluations is never less: one combination of two sizes with both transfers.
constexpr std::size_t least_choices = 4;
/// Candidates that are held together: a schedule with its address sets takes up to about 50 kB.
constexpr std::size_t most_held = 8192;
constexpr std::size_t least_held = 8;  // of a fusion

/// A loop that stands in a fusion is one on streams.
bool is_stream(const Graph& graph, const Fusion& fusion) {
    const auto& first = graph.nodes[fusion.calls.front()].what;
    return std::holds_alternative<StreamCall>(first) || std::holds_alternative<LoopNode>(first);
}
bool has_transform(const Graph& graph, const Fusion& fusion) {
    return std::any_of(fusion.calls.begin(), fusion.calls.end(),
                       [&](NodeId call) { return std::holds_alternative<Transform>(graph.nodes[call].what); });
}

}  // namespace

Costing::Costing(const Program& program, const Graph& graph, const Library& library, const Device& device,
                 const Problem& problem, const CostOptions& options, FusionSpace space,
                 std::map<NodeId, double> loop_ns, std::size_t fusions)
    : program_(program),
      graph_(graph),
      library_(library),
      device_(device),
      problem_(problem),
      options_(options),
      enumerations_(library),
      numbers_(enumerations_),
      words_(value_words(program, graph, library)) {
    const std::size_t shares = std::max<std::size_t>(1, fusions);
    share_ = std::min(options_.max_choices, std::max(least_choices, options_.max_evaluations / shares));
    keep_ = std::min(std::max<std::size_t>(1, options_.keep), std::max(least_held, most_held / shares));
    costed_.space = std::move(space);
    costed_.loop_ns = std::move(loop_ns);
    costed_.expanded = std::make_shared<const Graph>(expand_loops(graph));
}

std::optional<double> Costing::price(FusionId id) { return add(id, share_); }

void Costing::price_again(const std::vector<FusionId>& fusions, std::size_t choices) {
    const std::set<FusionId> again(fusions.begin(), fusions.end());
    std::erase_if(costed_.candidates, [&](const Candidate& candidate) { return again.contains(candidate.fusion); });
    for (const FusionId id : fusions) (void)add(id, std::max(choices, share_));
}

std::optional<double> Costing::add(FusionId id, std::size_t choices) {
    Fusion& fusion = costed_.space.fusions[id];
    fusion.calls = linearise(graph_, fusion.calls, words_);
    found_.clear();
    bar_ns_ = std::numeric_limits<double>::infinity();
    reason_.clear();
    if (is_stream(graph_, fusion))
        cost_stream(id, fusion, choices);
    else if (has_transform(graph_, fusion))
        cost_transform(id, fusion);
    else
        cost_field(id, fusion);
    if (found_.empty()) costed_.infeasible.push_back({fusion.calls, reason_});
    shrink(keep_);
    if (found_.empty()) return std::nullopt;
    const double best_ns = found_.front().prediction.time_ns;
    for (Candidate& candidate : found_) costed_.candidates.push_back(std::move(candidate));
    return best_ns;
}

CostedSpace Costing::finish(const std::string& remark) {
    if (!remark.empty()) note(remark);
    if (cut_fusions_ > 0) {
        note(fmt::format("{} fusions: {}", cut_fusions_, first_cut_));
        costed_.space.whole = false;
    }
    if (dropped_ > 0 && keep_ < options_.keep)
        note(fmt::format("{} candidates are not held, each fusion keeps its best {}", dropped_, keep_));
    sort_fusions();
    std::stable_sort(costed_.candidates.begin(), costed_.candidates.end(),
                     [](const Candidate& a, const Candidate& b) { return a.fusion < b.fusion; });
    return std::move(costed_);
}

/// By size, then by calls: fusions that were added one by one stand in the order in which they were asked for.
void Costing::sort_fusions() {
    using Key = std::pair<std::size_t, std::vector<NodeId>>;
    std::vector<std::pair<Key, FusionId>> order;
    for (const FusionId id : costed_.space.fusions.ids()) {
        std::vector<NodeId> calls = costed_.space.fusions[id].calls;
        std::sort(calls.begin(), calls.end());
        order.push_back({{calls.size(), std::move(calls)}, id});
    }
    std::sort(order.begin(), order.end());
    std::vector<FusionId> moved(order.size());
    Table<FusionId, Fusion> sorted;
    for (const auto& [key, id] : order) moved[id.index] = sorted.add(std::move(costed_.space.fusions[id]));
    costed_.space.fusions = std::move(sorted);
    for (Candidate& candidate : costed_.candidates) candidate.fusion = moved[candidate.fusion.index];
    for (FusionId& id : costed_.start) id = moved[id.index];
}

void Costing::note(const std::string& text) {
    std::string& cut = costed_.space.cut;
    cut += (cut.empty() ? "" : "; ") + text;
}

const ChoiceWish* Costing::wish_of(const Fusion& fusion) const {
    const WishedFusion* own = wish_for(options_.wishes, fusion.calls);
    return own != nullptr ? &own->choice : options_.others ? &*options_.others : nullptr;
}

void Costing::cost_stream(FusionId id, const Fusion& fusion, std::size_t most) {
    const ChoiceWish* wish = wish_of(fusion);
    StreamChoices choices =
        stream_choices(*costed_.expanded, numbers_, fusion, wish != nullptr ? options_.max_choices : most);
    if (!choices.cut.empty() && cut_fusions_++ == 0) first_cut_ = choices.cut;
    reason_ = choices.none;
    if (wish != nullptr) keep_wished(choices, *wish);
    bool first = true;
    for (const StreamChoice& choice : choices.choices) {
        StreamScheduleResult result =
            schedule_stream(program_, *costed_.expanded, enumerations_, fusion, choice, device_.max_threads_per_block,
                            device_.max_shared_bytes_per_block);
        take(id, std::move(result.value), result.reason, first);
    }
}

/// Of streams, a wish takes from what there is: implementations and transfers are the library's.
void Costing::keep_wished(StreamChoices& choices, const ChoiceWish& wish) {
    if (wish.of_fields()) {
        choices.choices.clear();
        reason_ = "the plan speaks of fields, this kernel runs on streams";
        return;
    }
    const std::size_t before = choices.choices.size();
    std::erase_if(choices.choices, [&](const StreamChoice& c) { return wished(c, wish) != c; });
    if (before > 0 && choices.choices.empty()) reason_ = "these calls have no such choice";
}

void Costing::cost_transform(FusionId id, const Fusion& fusion) {
    const ChoiceWish* wish = wish_of(fusion);
    if (wish != nullptr && fusion.calls.size() > 1 && !wish->storing) {
        reason_ = "the plan has kernels for the calls behind the transform";
        return;
    }
    TransformScheduleResult result = schedule_transform(program_, graph_, fusion);
    bool first = true;
    take(id, std::move(result.value), result.reason, first);
}

void Costing::cost_field(FusionId id, const Fusion& fusion) {
    const FieldScheduler scheduler(program_, graph_, fusion);
    reason_ = scheduler.reason();
    if (!reason_.empty()) return;
    const bool cpu = device_.kind == DeviceKind::cpu;
    const ChoiceWish* wish = wish_of(fusion);
    if (wish != nullptr && wish->storing) {
        reason_ = "nothing is transformed here: no transform stores these calls' results";
        return;
    }
    if (wish != nullptr && wish->of_streams()) {
        reason_ = "the plan speaks of streams, this kernel runs on fields";
        return;
    }
    bool first = true;
    if (const auto choice = scheduler.choice_of_fold(cpu)) {
        FieldScheduleResult result = scheduler.with(*choice);
        take(id, std::move(result.value), result.reason, first);
        return;
    }
    FieldSchedule schedule = scheduler.open();
    FieldPredictor predictor(schedule, program_, *costed_.expanded, device_, problem_);
    for (const FieldChoice& choice :
         wish != nullptr ? field_choices(scheduler.axes(), cpu, *wish) : field_choices(scheduler.axes(), cpu)) {
        ++costed_.evaluated;
        std::string refused = scheduler.choose(choice, schedule);
        if (refused.empty()) refused = keep(id, schedule, predictor.of(schedule));
        if (first) reason_ = refused;
        first = false;
    }
}

template <class Schedule>
void Costing::take(FusionId id, std::optional<Schedule> schedule, const std::string& reason, bool& first) {
    ++costed_.evaluated;
    std::string refused = reason;
    if (schedule) {
        const Prediction prediction = predict(*schedule, program_, *costed_.expanded, library_, device_, problem_);
        refused = keep(id, std::move(*schedule), prediction);
    }
    if (first) reason_ = refused;
    first = false;
}

template <class Schedule>
std::string Costing::keep(FusionId id, Schedule&& schedule, const Prediction& prediction) {
    if (!std::isfinite(prediction.time_ns)) return "not one block fits a multiprocessor";
    if (prediction.time_ns > bar_ns_) {
        ++dropped_;
        return {};
    }
    found_.push_back({id, std::forward<Schedule>(schedule), prediction});
    if (found_.size() > keep_ + std::min<std::size_t>(keep_, 16)) shrink(keep_);
    return {};
}

void Costing::shrink(std::size_t kept) {
    std::stable_sort(found_.begin(), found_.end(), [](const Candidate& a, const Candidate& b) {
        if (a.prediction.time_ns != b.prediction.time_ns) return a.prediction.time_ns < b.prediction.time_ns;
        return choice_of(a.schedule) < choice_of(b.schedule);
    });
    if (found_.size() <= kept) return;
    dropped_ += found_.size() - kept;
    found_.resize(kept);
    bar_ns_ = found_.back().prediction.time_ns;
}

}  // namespace kasc
