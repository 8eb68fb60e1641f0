// Fusion by fusion: its choices, each scheduled and predicted; the feasible ones in order of predicted time.

#include "select/costing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "graph/expand.hpp"
#include "model/parts.hpp"
#include "schedule/field/crossed.hpp"
#include "schedule/field/walk/fold.hpp"
#include "search/legality.hpp"
#include "search/linearise.hpp"
#include "search/loop_cells.hpp"
#include "search/prologue.hpp"
#include "search/set_rules.hpp"
#include "search/stream_choices.hpp"
#include "search/transform_lines.hpp"
#include "select/costing_take.hpp"
#include "select/histogram_offers.hpp"
#include "select/whole_vectors.hpp"

namespace kasc {

namespace {

/// A fusion's share of the evaluations is never less: one combination of two sizes with both transfers.
constexpr std::size_t least_choices = 4;
/// Calls of all schedules that are priced once more: each takes some 50 us.
constexpr std::size_t most_refined_calls = 4'000;
/// Candidates that are held together: a schedule with its address sets takes up to about 50 kB.
constexpr std::size_t most_held = 8192;
constexpr std::size_t least_held = 8;  // of a fusion

/// A loop that stands in a fusion is one on streams, unless it is marked.
bool is_stream(const Program& program, const Graph& graph, const Fusion& fusion) {
    const auto& first = graph.nodes[fusion.calls.front()].what;
    const auto* loop = std::get_if<LoopNode>(&first);
    return std::holds_alternative<StreamCall>(first) || (loop != nullptr && !program.loops[loop->loop].inside);
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
      words_(value_words(program, graph, library)),
      roles_(find_call_roles(program, graph)),
      recomputation_(program, graph) {
    const std::size_t shares = std::max<std::size_t>(1, fusions);
    const Budget half = part_of(options.budget, 0.5);
    const std::size_t evaluations =
        half.schedules ? static_cast<std::size_t>(*half.schedules) : options_.max_evaluations;
    share_ = std::min(options_.max_choices, std::max(least_choices, evaluations / shares));
    refining_ = half.schedules ? evaluations : evaluations / 2;
    limit_ = half.schedules ? *half.schedules : half.seconds.value_or(0);
    keep_ = std::min(std::max<std::size_t>(1, options_.keep), std::max(least_held, most_held / shares));
    costed_.space = std::move(space);
    costed_.loop_ns = std::move(loop_ns);
    costed_.expanded = std::make_shared<const Graph>(expand_loops(graph));
}

bool Costing::out_of_budget() const {
    if (options_.budget.schedules) return static_cast<double>(costed_.evaluated) >= limit_;
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - started_;
    return options_.budget.seconds && spent.count() >= limit_;
}

void Costing::begin_refining() {
    if (options_.budget.schedules) {
        limit_ = *options_.budget.schedules;
        refining_ = static_cast<std::size_t>(std::max(0.0, limit_ - static_cast<double>(costed_.evaluated)));
    }
    if (options_.budget.seconds) limit_ = *options_.budget.seconds;
}

std::size_t Costing::choices_of_refining(std::size_t selected) const {
    const std::size_t share = refining_ / std::max<std::size_t>(1, selected);
    // Whatever is selected, all calls of the graph are in it once.
    return options_.budget.schedules ? share : std::min(share, most_refined_calls / graph_.nodes.size());
}

/// One at least: no call is left without a price.
std::size_t Costing::affordable(std::size_t choices) const {
    if (!options_.budget.schedules) return choices;
    const double left = std::max(1.0, limit_ - static_cast<double>(costed_.evaluated));
    return std::min(choices, static_cast<std::size_t>(left));
}

/// What is not among the best few is never told of.
bool Costing::keeps_few() const { return keep_ <= least_held && keep_ >= options_.keep; }

bool Costing::covers(const Fusion& fusion) const {
    return std::all_of(fusion.calls.begin(), fusion.calls.end(),
                       [&](NodeId call) { return covered_.contains(call) || costed_.loop_ns.contains(call); });
}

std::optional<double> Costing::price(FusionId id) {
    found_.clear();
    return add(id, share_);
}

void Costing::price_again(const std::vector<FusionId>& fusions, std::size_t choices) {
    if (choices <= share_) return;
    std::map<FusionId, std::vector<Candidate>> known;
    for (const FusionId id : fusions) known.try_emplace(id);
    const auto moved = std::stable_partition(costed_.candidates.begin(), costed_.candidates.end(),
                                             [&](const Candidate& c) { return !known.contains(c.fusion); });
    for (auto at = moved; at != costed_.candidates.end(); ++at) known.at(at->fusion).push_back(std::move(*at));
    costed_.candidates.erase(moved, costed_.candidates.end());
    for (const FusionId id : fusions) {
        found_ = std::move(known.at(id));
        (void)add(id, choices);
    }
    sort();
}

std::optional<double> Costing::add(FusionId id, std::size_t choices) {
    Fusion& fusion = costed_.space.fusions[id];
    fusion.calls = linearise(graph_, fusion.calls, words_);
    choices = affordable(choices);
    cut_.erase(id);
    bar_ns_ = std::numeric_limits<double>::infinity();
    reason_.clear();
    const bool of_all = options_.others && wish_for(options_.wishes, fusion.calls) == nullptr;
    find_choices(id, fusion, choices);
    if (of_all && found_.empty()) find_without_wish(id, fusion, choices);
    costed_.heeded = costed_.heeded || (of_all && heeds_ && !found_.empty());
    if (found_.empty()) costed_.infeasible.push_back({fusion.calls, reason_});
    shrink(keep_);
    const double best_ns = found_.empty() ? std::numeric_limits<double>::infinity() : found_.front().prediction.time_ns;
    costed_.pricings.push_back({id, costed_.evaluated, best_ns});
    if (found_.empty()) return std::nullopt;
    covered_.insert(fusion.calls.begin(), fusion.calls.end());
    for (Candidate& candidate : found_) costed_.candidates.push_back(std::move(candidate));
    return best_ns;
}

void Costing::find_choices(FusionId id, const Fusion& fusion, std::size_t choices) {
    heeds_ = false;
    if (is_stream(program_, graph_, fusion))
        cost_stream(id, fusion, choices);
    else if (loop_among(graph_, fusion.calls))
        cost_loop(id, fusion);
    else if (run_along_lines(graph_, fusion.calls))
        cost_scan(id, fusion);
    else if (const Verdict sides = transforms_complete(program_, graph_, fusion.calls); !sides)
        reason_ = sides.reason();
    else if (has_transform(graph_, fusion)) {
        cost_transform(id, fusion);
        if (device_.kind == DeviceKind::gpu && transforms_lines(program_, graph_, fusion.calls)) cost_fft(id, fusion);
    } else if (const Verdict whole = lines_complete(program_, graph_, roles_.lines, fusion.calls); !whole)
        reason_ = whole.reason();
    else if (const Verdict words = prologue_complete(program_, graph_, roles_.prologues, fusion.calls); !words)
        reason_ = words.reason();
    else if (device_.kind == DeviceKind::cpu &&
             !split_prologue(graph_, roles_.prologues, fusion.calls).prologue.empty())
        reason_ = "a CPU's blocks are of one thread: each would fold all parts by itself";
    else if (device_.kind == DeviceKind::cpu && has_lines(roles_.lines, fusion.calls))
        reason_ = "a CPU folds in one kernel, and needs what is folded in the next";
    else if (device_.kind == DeviceKind::gpu && folds_chained(roles_.lines, fusion.calls)) {
        cost_product(id, fusion);
        if (found_.empty() && !has_lines(roles_.lines, fusion.calls)) cost_field(id, fusion, choices);
    } else if (has_lines(roles_.lines, fusion.calls))
        cost_lines(id, fusion);
    else
        cost_field(id, fusion, choices);
}

void Costing::find_without_wish(FusionId id, const Fusion& fusion, std::size_t choices) {
    for (const NodeId call : fusion.calls)
        if (may_be_as_wished(call)) return;
    costed_.unheeded.push_back({fusion.calls, std::exchange(reason_, "")});
    open_ = true;
    find_choices(id, fusion, choices);
    open_ = heeds_ = false;
}

bool Costing::may_be_as_wished(NodeId call) {
    if (const auto known = as_wished_.find(call); known != as_wished_.end()) return known->second;
    const std::vector<Candidate> found = std::exchange(found_, {});
    const std::string reason = reason_;
    const double bar_ns = bar_ns_;
    find_choices({}, FusionMaker(graph_).of({call.index}), least_choices);
    const bool may = heeds_ && !found_.empty();
    found_ = found;
    reason_ = reason;
    bar_ns_ = bar_ns;
    return as_wished_.emplace(call, may).first->second;
}

const ChoiceWish* Costing::wish_of(const Fusion& fusion) const {
    const WishedFusion* own = wish_for(options_.wishes, fusion.calls);
    if (own != nullptr) return &own->choice;
    return options_.others && !open_ ? &*options_.others : nullptr;
}

void Costing::cost_stream(FusionId id, const Fusion& fusion, std::size_t most) {
    const ChoiceWish* wish = wish_of(fusion);
    StreamChoices choices =
        stream_choices(*costed_.expanded, numbers_, fusion, wish != nullptr ? options_.max_choices : most);
    if (!choices.cut.empty()) cut_.emplace(id, choices.cut);
    reason_ = choices.none;
    if (wish != nullptr) keep_wished(choices, *wish);
    heeds_ = wish != nullptr;
    bool first = true;
    for (const StreamChoice& choice : choices.choices) {
        StreamScheduleResult result =
            schedule_stream(program_, *costed_.expanded, enumerations_, fusion, choice, device_.max_threads_per_block,
                            device_.max_shared_bytes_per_block);
        take(id, std::move(result.value), result.reason, first);
    }
}

/// Keeps the choices for streams that a wish wants: it takes from what there is, as implementations and transfers are
/// the library's.
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

namespace {

/// Pipelines have one in so many of the schedules that a budget leaves to a fusion.
constexpr std::size_t part_of_pipelines = 4;

std::vector<NodeId> sorted(std::vector<NodeId> calls) {
    std::sort(calls.begin(), calls.end());
    return calls;
}

}  // namespace

void Costing::cost_field(FusionId id, const Fusion& fusion, std::size_t most) {
    const FieldScheduler scheduler(program_, graph_, fusion);
    const bool cpu = device_.kind == DeviceKind::cpu;
    const ChoiceWish* wish = wish_of(fusion);
    reason_ = scheduler.reason();
    const bool of_pipeline = wish != nullptr && wish->walk == Walk::pipeline;
    // What may be the fastest is made first: cell by cell, unless that is to make things anew for other cells.
    const bool makes_anew =
        !scheduler.reason().empty() || scheduler.work().evaluations.size() > scheduler.work().plan.calls.size();
    const bool pipelines_last = wish == nullptr && !options_.budget.schedules && !makes_anew;
    const std::size_t before = costed_.evaluated;
    if ((!cpu || of_pipeline) && !pipelines_last)
        cost_pipeline(id, fusion, wish, of_pipeline ? most : most / part_of_pipelines);
    most -= std::min(most, costed_.evaluated - before);
    if (scheduler.reason().empty() && !of_pipeline) cost_cells(id, fusion, scheduler, most);
    if (!cpu && pipelines_last) cost_pipeline(id, fusion, wish, most / part_of_pipelines);
}

void Costing::cost_cells(FusionId id, const Fusion& fusion, const FieldScheduler& scheduler, std::size_t most) {
    const bool cpu = device_.kind == DeviceKind::cpu;
    const ChoiceWish* wish = wish_of(fusion);
    // What is recomputed beyond that, no other walk could like.
    if (const Verdict work = recomputation_.bounded(sorted(fusion.calls)); !work) {
        if (reason_.empty()) reason_ = work.reason();
        return;
    }
    if (wish != nullptr && wish->storing) {
        reason_ = "nothing is transformed here: no transform stores these calls' results";
        return;
    }
    if (wish != nullptr && wish->of_streams()) {
        reason_ = "the plan speaks of streams, this kernel runs on fields";
        return;
    }
    if (const auto pieces = scheduler.choices_of_pieces(cpu); !pieces.empty()) {
        heeds_ = wish != nullptr;
        cost_offers(id, scheduler, heeds_ ? wished_of(pieces, *wish) : pieces);
        return;
    }
    const Verdict last = runs_in_last_block(fusion);
    if (wish != nullptr && wish->launch == KernelLaunch::last && !last) {
        reason_ = last.reason();
        return;
    }
    const bool open_launch = last && (wish == nullptr || !(wish->walk || wish->launch));
    if (const auto choice = scheduler.choice_of_fold(cpu)) {
        cost_fold(id, scheduler, *choice, last && (open_launch || wish->launch == KernelLaunch::last), wish);
        return;
    }
    heeds_ = wish != nullptr;
    FieldSchedule schedule = scheduler.open();
    // What a thread of one cell does is known of all choices.
    const bool best_few = keeps_few() && wish == nullptr;
    if (best_few && !cpu) (void)scheduler.choose(cell_by_cell(scheduler.axes()), schedule);
    FieldPredictor predictor(schedule, program_, *costed_.expanded, device_, problem_, of_statements_);
    const ChoiceCells cells{scheduler.axes(),
                            cpu,
                            access_cells(scheduler.work()),
                            crosses(scheduler.work().plan, 2),
                            cells_of_row(schedule, problem_),
                            scheduler.has_words_of_cells()};
    auto all = wish != nullptr ? field_choices(cells, *wish) : field_choices(cells);
    if (!cpu)
        for (const FieldChoice& offer : histogram_offers(scheduler.work(), program_, problem_, wish))
            all.push_back(offer);
    for (std::size_t k = 0, own = all.size(); open_launch && k < own; ++k) {
        all.push_back(all[k]);
        all.back().launch = KernelLaunch::last;
    }
    if (wish == nullptr) all = with_whole_vectors(std::move(all), cells.row_cells);
    const bool some = options_.budget.schedules && most < all.size();
    if (some) cut_.emplace(id, fmt::format("{} of {} choices, evenly spread", most, all.size()));
    const std::size_t tried = some ? most : all.size();
    // Without an edge, blocks that test for their threads are like those whose threads do, but for what the test takes:
    // of one candidate they are none.
    const bool cells_are_as_fast = wish == nullptr && !some && keep_ == 1 && !scheduler.work().edges;
    // Where a few are kept, those that may be the fastest are made first, and those that cannot be among them are not.
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t k = 0; k < tried; ++k) {
        const std::size_t at = k * all.size() / tried;
        if (cells_are_as_fast && all[at].borders == Borders::uniform) continue;
        const bool launched = all[at].launch == KernelLaunch::own;
        order.emplace_back(best_few && launched ? predictor.at_least(all[at]) : 0, at);
    }
    std::sort(order.begin(), order.end());
    costed_.evaluated += tried;
    for (const auto& [at_least, at] : order) {
        if (at_least > bar_ns_) break;
        std::string refused = scheduler.choose(all[at], schedule);
        if (refused.empty()) refused = keep(id, schedule, price_of_run(scheduler, schedule, predictor, problem_));
        if (at == 0) reason_ = refused;
    }
}

void Costing::cost_offers(FusionId id, const FieldScheduler& scheduler, const std::vector<FieldChoice>& offers) {
    bool first = true;
    for (const FieldChoice& offer : offers) {
        FieldScheduleResult result = scheduler.with(offer);
        take(id, std::move(result.value), result.reason, first);
    }
}

/// The order of the lanes is the language's: a wish takes from what there is.
void Costing::cost_fold(FusionId id, const FieldScheduler& scheduler, const FieldChoice& choice, bool may_be_last,
                        const ChoiceWish* wish) {
    std::vector<FieldChoice> offers;
    if (may_be_last) {
        offers.push_back(choice);
        offers.back().launch = KernelLaunch::last;
    }
    offers.push_back(choice);
    const Fold* fold = fold_of(scheduler.work());
    const auto results = fold != nullptr ? axis_of_results(scheduler.work().plan, *fold) : std::nullopt;
    const long long count = results ? model::extent_of(problem_, *results) : 1;
    for (const FieldChoice& other : scheduler.choices_of_fold(device_.kind == DeviceKind::cpu))
        if (other != choice && (wish != nullptr || may_pay(*fold, other, count))) offers.push_back(other);
    const auto groups = device_.kind == DeviceKind::cpu ? std::nullopt : scheduler.groups_of_fold();
    const bool wishes_groups = wish != nullptr && wish->vector;
    if (groups && (wishes_groups || cells_of_row(scheduler.open(), problem_) % groups->vector == 0))
        offers.push_back(*groups);
    if (wish != nullptr) {
        std::erase_if(offers, [&](const FieldChoice& c) { return wished(c, *wish) != c; });
        heeds_ = true;
        reason_ = fmt::format("what folds its cells has one block: lanes in the order of the language, '{}'",
                              print(Choice{choice}));
    }
    cost_offers(id, scheduler, offers);
}

Verdict Costing::runs_in_last_block(const Fusion& fusion) const {
    if (device_.kind == DeviceKind::cpu) return Verdict::no("a CPU's blocks are of one thread");
    if (!options_.last_blocks) return Verdict::no("no last block goes on with another kernel: it was not to");
    return completes_parts(program_, graph_, roles_.prologues, fusion.calls);
}

void Costing::shrink(std::size_t kept) {
    std::stable_sort(found_.begin(), found_.end(), [](const Candidate& a, const Candidate& b) {
        if (a.prediction.time_ns != b.prediction.time_ns) return a.prediction.time_ns < b.prediction.time_ns;
        return choice_of(a.schedule) < choice_of(b.schedule);
    });
    // What was found before may be found again.
    const auto same = [](const Candidate& a, const Candidate& b) {
        return choice_of(a.schedule) == choice_of(b.schedule);
    };
    found_.erase(std::unique(found_.begin(), found_.end(), same), found_.end());
    if (found_.size() <= kept) return;
    dropped_ += found_.size() - kept;
    found_.resize(kept);
    bar_ns_ = found_.back().prediction.time_ns;
}

}  // namespace kasc
