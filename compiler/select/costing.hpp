#pragma once
// Prices fusions: each with its choices, every one scheduled and predicted, the feasible ones in order of predicted
// time.

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/field/statement_costs.hpp"
#include "model/prediction.hpp"
#include "search/prologue.hpp"
#include "search/recompute.hpp"
#include "search/stream_choices.hpp"
#include "select/candidate.hpp"

namespace kasc {

class Costing {
public:
    /// Nothing is priced yet. `fusions`: how many will be, which share out what CostOptions allow. The references must
    /// outlive it.
    Costing(const Program& program, const Graph& graph, const Library& library, const Device& device,
            const Problem& problem, const CostOptions& options, FusionSpace space, std::map<NodeId, double> loop_ns,
            std::size_t fusions);

    /// Another fusion of the space; it is not priced yet.
    FusionId hold(Fusion fusion) { return costed_.space.fusions.add(std::move(fusion)); }
    /// Puts the fusion's calls in the order of execution and adds its candidates behind the others. Requires: it has
    /// none yet. The time of the best, in nanoseconds; none: no choice is feasible.
    std::optional<double> price(FusionId fusion);
    /// Prices the fusions once more, with so many choices each if those are more than price() tried. What was found
    /// before stays among their candidates.
    void price_again(const std::vector<FusionId>& fusions, std::size_t choices);
    /// Some of the fusion's choices were left out.
    [[nodiscard]] bool is_priced_in_part(FusionId fusion) const { return cut_.contains(fusion); }
    [[nodiscard]] bool is_any_priced_in_part() const { return !cut_.empty(); }

    /// The half of the budget for the space is used up or, behind begin_refining(), all of it.
    [[nodiscard]] bool out_of_budget() const;
    /// From here on the other half is spent.
    void begin_refining();
    /// Choices for each fusion, where so many are selected.
    [[nodiscard]] std::size_t choices_of_refining(std::size_t selected) const;
    /// Each of the fusion's calls has a kernel, or is a loop that the host can run.
    [[nodiscard]] bool covers(const Fusion& fusion) const;
    /// Fusions were not priced: the space is not whole.
    void leave_out() { costed_.space.whole = false; }
    /// Fusions by size, then by calls; candidates by fusion, the best first. Fusions get other ids.
    void sort();

    void start_with(std::vector<FusionId> fusions) { costed_.start = std::move(fusions); }
    /// What is priced by now.
    [[nodiscard]] const CostedSpace& so_far() const { return costed_; }
    /// With the fusions in their order, the candidates in that of their fusions, and notes on what was cut. The object
    /// is used up.
    [[nodiscard]] CostedSpace finish(const std::string& remark = "");

private:
    void note(const std::string& text);
    void sort_fusions();
    std::optional<double> add(FusionId fusion, std::size_t choices);
    void find_choices(FusionId id, const Fusion& fusion, std::size_t choices);
    /// The choice that is wished of all kernels is none of this fusion's: those that it has otherwise, if none of its
    /// calls could have the wished one in a kernel of its own.
    void find_without_wish(FusionId id, const Fusion& fusion, std::size_t choices);
    [[nodiscard]] bool may_be_as_wished(NodeId call);
    [[nodiscard]] std::size_t affordable(std::size_t choices) const;
    [[nodiscard]] bool keeps_few() const;
    void cost_stream(FusionId id, const Fusion& fusion, std::size_t choices);
    void cost_field(FusionId id, const Fusion& fusion, std::size_t choices);
    /// Cell by cell, and folds.
    void cost_cells(FusionId id, const Fusion& fusion, const FieldScheduler& scheduler, std::size_t choices);
    void cost_fold(FusionId id, const FieldScheduler& scheduler, const FieldChoice& choice, bool may_be_last,
                   const ChoiceWish* wish);
    void cost_offers(FusionId id, const FieldScheduler& scheduler, const std::vector<FieldChoice>& offers);
    /// All other calls of a fusion with a transform are behind it, cell by cell.
    [[nodiscard]] Verdict stored_by_library(const Fusion& fusion) const;
    void cost_transform(FusionId id, const Fusion& fusion);
    /// The choices of a walk that the plan wants: all, or its own, or, where it wants another walk, none, since
    /// `others`.
    [[nodiscard]] std::vector<FieldChoice> of_walk(std::vector<FieldChoice> choices, const Fusion& fusion, Walk walk,
                                                   const char* others);
    void cost_lines(FusionId id, const Fusion& fusion);
    void cost_product(FusionId id, const Fusion& fusion);
    void cost_fft(FusionId id, const Fusion& fusion);
    void cost_scan(FusionId id, const Fusion& fusion);
    void cost_loop(FusionId id, const Fusion& fusion);
    /// Where the calls read at neighbours what others of them make, or a plan wants it so.
    void cost_pipeline(FusionId id, const Fusion& fusion, const ChoiceWish* wish, std::size_t most);
    /// KernelLaunch::last may be its choice.
    [[nodiscard]] Verdict runs_in_last_block(const Fusion& fusion) const;
    template <class Schedule>
    void take(FusionId id, std::optional<Schedule> schedule, const std::string& reason, bool& first);
    /// The same, with who predicts it.
    template <class Schedule, class Predict>
    void take(FusionId id, std::optional<Schedule> schedule, const std::string& reason, bool& first,
              const Predict& predicted);
    /// Why it is not feasible; empty: it is, and is among what is found, unless there are enough that are faster.
    template <class Schedule>
    [[nodiscard]] std::string keep(FusionId id, Schedule&& schedule, const Prediction& prediction);
    void shrink(std::size_t kept);
    void keep_wished(StreamChoices& choices, const ChoiceWish& wish);
    [[nodiscard]] const ChoiceWish* wish_of(const Fusion& fusion) const;

    const Program& program_;
    const Graph& graph_;
    const Library& library_;
    const Device& device_;
    const Problem& problem_;
    const CostOptions& options_;
    Enumerations enumerations_;
    ElementNumbers numbers_;
    std::vector<int> words_;  ///< by value
    CallRoles roles_;
    Recomputation recomputation_;
    FftShapes shapes_;
    model::StatementCosts of_statements_;
    std::size_t share_ = 0, refining_ = 0, keep_ = 1, dropped_ = 0;
    std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
    double limit_ = 0;                     ///< of schedules or seconds, by the budget
    std::map<FusionId, std::string> cut_;  ///< of fusions without all of their choices: which they have
    std::set<NodeId> covered_;
    std::string reason_;
    std::vector<Candidate> found_;
    bool open_ = false;                 ///< what is wished of all kernels does not count
    bool heeds_ = false;                ///< what was found is as it is wished
    std::map<NodeId, bool> as_wished_;  ///< may_be_as_wished, by what is known
    double bar_ns_ = 0;                 ///< what takes longer is not among the best `keep_` of the fusion at hand
    CostedSpace costed_;
};

}  // namespace kasc
