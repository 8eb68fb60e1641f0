#pragma once
// Prices fusions: each with its choices, every one scheduled and predicted, the feasible ones in order of predicted
// time.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/prediction.hpp"
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
    /// Takes the fusions' candidates away and prices them again, with so many choices each but no fewer than price()
    /// tries.
    void price_again(const std::vector<FusionId>& fusions, std::size_t choices);

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
    void cost_stream(FusionId id, const Fusion& fusion, std::size_t choices);
    void cost_field(FusionId id, const Fusion& fusion);
    void cost_transform(FusionId id, const Fusion& fusion);
    template <class Schedule>
    void take(FusionId id, std::optional<Schedule> schedule, const std::string& reason, bool& first);
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
    std::size_t share_ = 0, keep_ = 1, dropped_ = 0, cut_fusions_ = 0;
    std::string first_cut_, reason_;
    std::vector<Candidate> found_;
    double bar_ns_ = 0;  ///< what takes longer is not among the best `keep_` of the fusion at hand
    CostedSpace costed_;
};

}  // namespace kasc
