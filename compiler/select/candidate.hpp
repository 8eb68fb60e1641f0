#pragma once
// The costed space: every fusion with its choices, each scheduled and predicted.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/prediction.hpp"
#include "schedule/schedule.hpp"
#include "search/choice.hpp"
#include "search/fusion_space.hpp"
#include "search/plan_wish.hpp"
#include "search/set_rules.hpp"
#include "select/budget.hpp"

namespace kasc {

struct Candidate {
    FusionId fusion;
    KernelSchedule schedule;  ///< holds the choice
    Prediction prediction;
};

/// A fusion was priced, or priced once more.
struct Pricing {
    FusionId fusion;
    std::size_t evaluated = 0;  ///< schedules that were priced until then, its own among them
    double time_ns = 0;         ///< of its best; infinite: no choice is feasible
};

/// Candidates of all fusions, ordered by (fusion, predicted time, choice); of each fusion at most `keep` are held:
/// selection looks at predicted time alone, so that the best of each fusion suffices for the best selection, and the
/// n best selections never need more than n of one fusion.
struct CostedSpace {
    FusionSpace space;
    std::vector<Candidate> candidates;
    std::vector<Refusal> infeasible;        ///< fusions without a feasible choice, with the first reason
    bool heeded = false;                    ///< some kernel is as CostOptions::others wishes
    std::vector<Refusal> unheeded;          ///< kernels that cannot be so, and are as they like: why
    std::size_t evaluated = 0;              ///< schedules that were priced
    std::vector<Pricing> pricings;          ///< in the order in which they were made
    std::shared_ptr<const Graph> expanded;  ///< what the schedules' calls and values are of (graph/expand.hpp)
    std::map<NodeId, double> loop_ns;       ///< of every loop: its predicted time where the host runs it
    double at_least_ns = 0;                 ///< no selection is faster, of any fusions; 0: not known
    bool in_part = false;                   ///< that is so of the schedules that are tried: of some fusions not all are
    bool in_units = false;                  ///< and of selections that keep words of a statement together (units.hpp)
    std::vector<FusionId> start;  ///< fusions that cover every call once, a first selection; empty: none is known
};

struct CostOptions {
    std::size_t keep = 1;
    std::size_t max_choices = 4000;  ///< of one fusion
    /// Evaluations of all fusions of streams together: each has an equal share, and at least 4. One takes about a tenth
    /// of a millisecond. Half as many again are for what is selected.
    std::size_t max_evaluations = 2'000;
    /// A half for the space, a half for what is selected. Where it is one of schedules, it stands in place of
    /// max_evaluations, and for fields as well. Whatever it is, no call is left without a price.
    Budget budget{};
    std::vector<WishedFusion> wishes{};  ///< of this graph; fusions that they contradict are not in the space
    std::optional<ChoiceWish> others{};  ///< of all other fusions that can have it
    bool last_blocks = true;             ///< KernelLaunch::last may be chosen
};

class Strategy;
/// Requires: the space is of this graph. What a bound leaves out is added to the space's `cut`.
/// `loop_ns`: see CostedSpace. `strategy`: what it selects is priced once more with more choices; null: nothing is.
[[nodiscard]] CostedSpace cost_space(const Program& program, const Graph& graph, const Library& library,
                                     const Device& device, const Problem& problem, FusionSpace space,
                                     const CostOptions& options, std::map<NodeId, double> loop_ns = {},
                                     const Strategy* strategy = nullptr);

/// A line a candidate: its number, calls, choice, predicted time and the parts of it.
[[nodiscard]] std::string print(const CostedSpace& costed, const Program& program, const Graph& graph);

/// The same of a graph whose fusions are too many to price them all: those that linear programming asks for
/// (cost_promising.cpp), and in `cut` by how much a selection with any other may be faster. Fusions take no wished
/// calls apart.
[[nodiscard]] CostedSpace cost_promising(const Program& program, const Graph& graph, const Library& library,
                                         const Device& device, const Problem& problem, const SetRules& rules,
                                         const CostOptions& options, std::map<NodeId, double> loop_ns,
                                         const Strategy& strategy);

}  // namespace kasc
