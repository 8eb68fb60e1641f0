// Fusion by fusion: its choices, each scheduled and predicted; the feasible ones in order of predicted time.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "graph/expand.hpp"
#include "search/stream_choices.hpp"
#include "select/candidate.hpp"

namespace kasc {

namespace {

/// Once as many candidates as are wanted come this close to the floor, the rest cannot improve the fusion by more:
/// below what the model can tell apart.
constexpr double close_to_floor = 1.01;
/// A fusion's share of the evaluations is never less: one combination of two sizes with both transfers.
constexpr std::size_t least_choices = 4;
/// Candidates that are held together: a schedule with its address sets takes up to about 50 kB.
constexpr std::size_t most_held = 8192;
constexpr std::size_t least_held = 8;  // of a fusion

Choice choice_of(const Candidate& candidate) {
    if (const auto* stream = std::get_if<StreamSchedule>(&candidate.schedule)) return stream->choice;
    return std::get<FieldSchedule>(candidate.schedule).choice;
}

/// A loop that stands in a fusion is one on streams.
bool is_stream(const Graph& graph, const Fusion& fusion) {
    return !std::holds_alternative<FieldUpdate>(graph.nodes[fusion.calls.front()].what);
}

class Costing {
public:
    Costing(const Program& program, const Graph& graph, const Library& library, const Device& device,
            const Problem& problem, const CostOptions& options)
        : program_(program),
          graph_(graph),
          expanded_(std::make_shared<const Graph>(expand_loops(graph))),
          library_(library),
          device_(device),
          problem_(problem),
          options_(options),
          enumerations_(library) {}

    CostedSpace run(FusionSpace space) {
        const std::size_t fusions = std::max<std::size_t>(1, space.fusions.size());
        share_ = std::min(options_.max_choices, std::max(least_choices, options_.max_evaluations / fusions));
        keep_ = std::min(std::max<std::size_t>(1, options_.keep), std::max(least_held, most_held / fusions));
        for (FusionId id : space.fusions.ids()) cost(id, space.fusions[id]);
        if (cut_fusions_ > 0) note(space, fmt::format("{} fusions: {}", cut_fusions_, first_cut_));
        if (dropped_ > 0 && keep_ < options_.keep) {
            note(space, fmt::format("{} candidates are not held, each fusion keeps its best {}", dropped_, keep_));
        }
        costed_.expanded = expanded_;
        costed_.space = std::move(space);
        return std::move(costed_);
    }

private:
    static void note(FusionSpace& space, const std::string& text) {
        space.cut += (space.cut.empty() ? "" : "; ") + text;
    }

    void cost(FusionId id, const Fusion& fusion) {
        found_.clear();
        reason_.clear();
        at_floor_ = 0;
        if (is_stream(graph_, fusion))
            cost_stream(id, fusion);
        else
            cost_field(id, fusion);
        if (found_.empty()) costed_.infeasible.push_back({fusion.calls, reason_});
        shrink(keep_);
        for (Candidate& candidate : found_) costed_.candidates.push_back(std::move(candidate));
    }

    void cost_stream(FusionId id, const Fusion& fusion) {
        StreamChoices choices = stream_choices(*expanded_, library_, fusion, share_);
        if (!choices.cut.empty() && cut_fusions_++ == 0) first_cut_ = choices.cut;
        reason_ = "a function has no implementation for a GPU";
        bool first = true;
        for (const StreamChoice& choice : choices.choices) {
            StreamScheduleResult result =
                schedule_stream(program_, *expanded_, enumerations_, fusion, choice, device_.max_threads_per_block,
                                device_.max_shared_bytes_per_block);
            take(id, std::move(result.value), result.reason, first);
            if (at_floor_ >= keep_) break;
        }
    }

    void cost_field(FusionId id, const Fusion& fusion) {
        const auto choices = field_choices(program_, graph_, fusion, device_.kind == DeviceKind::cpu);
        if (choices.empty()) reason_ = schedule_field(program_, graph_, fusion, FieldChoice{}).reason;
        bool first = true;
        for (const FieldChoice& choice : choices) {
            FieldScheduleResult result = schedule_field(program_, graph_, fusion, choice);
            take(id, std::move(result.value), result.reason, first);
        }
    }

    template <class Schedule>
    void take(FusionId id, std::optional<Schedule> schedule, const std::string& reason, bool& first) {
        ++costed_.evaluated;
        std::string refused = reason;
        if (schedule) {
            Candidate candidate{id, std::move(*schedule), {}};
            candidate.prediction = predict(candidate.schedule, program_, *expanded_, library_, device_, problem_);
            if (std::isfinite(candidate.prediction.time_ns)) {
                at_floor_ += is_at_floor(candidate.prediction) ? 1 : 0;
                found_.push_back(std::move(candidate));
                if (found_.size() > 2 * keep_ + 16) shrink(keep_);
                return;
            }
            refused = "not one block fits a multiprocessor";
        }
        if (first) reason_ = refused;
        first = false;
    }

    /// No choice moves less than the fusion's compulsory traffic, nor faster than the device copies.
    [[nodiscard]] bool is_at_floor(const Prediction& p) const {
        return p.time_ns <= (p.global_bytes / device_.copy_gb_s + p.launch_ns) * close_to_floor;
    }

    void shrink(std::size_t kept) {
        std::stable_sort(found_.begin(), found_.end(), [](const Candidate& a, const Candidate& b) {
            if (a.prediction.time_ns != b.prediction.time_ns) return a.prediction.time_ns < b.prediction.time_ns;
            return choice_of(a) < choice_of(b);
        });
        if (found_.size() <= kept) return;
        dropped_ += found_.size() - kept;
        found_.resize(kept);
    }

    const Program& program_;
    const Graph& graph_;
    std::shared_ptr<const Graph> expanded_;
    const Library& library_;
    const Device& device_;
    const Problem& problem_;
    const CostOptions& options_;
    Enumerations enumerations_;
    std::size_t at_floor_ = 0;  ///< candidates of the fusion at hand that come close to its floor
    std::size_t share_ = 0, keep_ = 1, dropped_ = 0, cut_fusions_ = 0;
    std::string first_cut_, reason_;
    std::vector<Candidate> found_;
    CostedSpace costed_;
};

}  // namespace

CostedSpace cost_space(const Program& program, const Graph& graph, const Library& library, const Device& device,
                       const Problem& problem, FusionSpace space, const CostOptions& options,
                       std::map<NodeId, double> loop_ns) {
    CostedSpace costed = Costing(program, graph, library, device, problem, options).run(std::move(space));
    costed.loop_ns = std::move(loop_ns);
    return costed;
}

}  // namespace kasc
