// Choices of one pipeline. What each takes at least is known of its planes alone: those that may be the fastest get
// their steps and barriers first, and those that cannot be among the best few never do. Where caches do not hold the
// code of a loop, it is tried with fewer iterations in a row; then, of the blocks that are made, with chunks of which
// the device has whole rounds.

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "model/parts.hpp"
#include "select/costing_take.hpp"

namespace kasc {

namespace {

/// Rounds of blocks that a device takes one after the other, at most, where chunks are made to fill them; to this part
/// where a block is one warp: how many of them a multiprocessor has hangs on single registers.
constexpr int most_rounds = 4;
constexpr double filled_by_warps = 0.9;

/// Chunks of which there are as many as the device has at a time, once or some times. `one`: of blocks with a chunk of
/// so many of the planes.
std::vector<int> chunks_of_whole_rounds(const Prediction& one, int chunk, double planes) {
    const double filled = one.threads <= warp_threads ? filled_by_warps : 1;
    const double at_a_time = filled * one.blocks / one.waves, of_a_layer = one.blocks / std::ceil(planes / chunk);
    std::vector<int> chunks;
    for (int rounds = 1; rounds <= most_rounds; ++rounds) {
        const double layers = std::min(planes, std::floor(rounds * at_a_time / of_a_layer));
        if (layers >= 1) chunks.push_back(static_cast<int>(std::ceil(planes / layers)));
    }
    return chunks;
}

/// The first choice of some blocks, and what it takes at least.
struct PricedShape {
    FieldChoice choice;
    Prediction at_least;
};
using PricedShapes = std::map<FieldChoice, PricedShape>;

/// The choices that fill rounds, besides those at hand.
std::vector<FieldChoice> choices_of_whole_rounds(const PricedShapes& by_shape, const std::vector<FieldChoice>& choices,
                                                 double planes) {
    if (by_shape.empty()) return {};
    // Shorter ones than any of these are worth nothing: stages begin anew with each chunk.
    const int least = std::min_element(choices.begin(), choices.end(), [](const auto& a, const auto& b) {
                          return a.chunk < b.chunk;
                      })->chunk;
    std::vector<FieldChoice> more;
    for (const auto& [shape, priced] : by_shape) {
        if (priced.at_least.waves > most_rounds) continue;  // of many blocks the last round is a small part
        FieldChoice choice = priced.choice;
        choice.ahead = shape.ahead;
        for (const int chunk : chunks_of_whole_rounds(priced.at_least, choice.chunk, planes)) {
            choice.chunk = chunk;
            if (chunk >= least && std::find(choices.begin(), choices.end(), choice) == choices.end())
                more.push_back(choice);
        }
    }
    return more;
}

}  // namespace

void Costing::cost_pipeline(FusionId id, const Fusion& fusion, const ChoiceWish* wish, std::size_t most) {
    if (device_.kind == DeviceKind::cpu) {
        reason_ = "a CPU's planes pass through its caches: there is no pipeline of them";
        return;
    }
    const bool wished_so = wish != nullptr && wish->walk == Walk::pipeline;
    if (wish != nullptr && wish->of_fields() && !wished_so) return;
    const PipelineWorkResult work = pipeline_work(program_, graph_, fusion, wished_so ? 1 : 2);
    if (!work.value) {
        if (wished_so) reason_ = work.reason;
        return;
    }
    heeds_ = heeds_ || wished_so;
    std::vector<FieldChoice> choices = pipeline_choices(*work.value);
    if (wished_so) choices = wished_of(choices, *wish);
    const std::string before = reason_;
    const PipelinePredictor predictor(*work.value, program_, *costed_.expanded, device_, problem_, of_statements_);
    PipelineScheduler scheduler(work.value, program_, graph_, device_.max_dynamic_shared_bytes_per_block);
    // Where caches do not hold the code of the loop, with fewer iterations in a row.
    const bool may_shorten = !(wished_so && wish->unroll), best_few = keeps_few() && !wished_so;
    bool first = wished_so;
    PricedShapes by_shape;
    const auto price_one = [&](const FieldChoice& choice) {
        PipelineScheduleResult made = scheduler.with(choice);
        if (!made.value) return true;
        const Prediction prediction = predictor.of(*made.value);
        const bool fits = prediction.code_bytes == 0;
        const std::string refused = keep(id, std::move(*made.value), prediction);
        if (std::exchange(first, false)) reason_ = refused;
        return fits;
    };
    // As it is, or where its code may be too large, with fewer iterations in a row.
    const auto may_be_among_them = [&](FieldChoice choice, const Prediction& at_least) {
        if (at_least.time_ns <= bar_ns_) return true;
        if (!may_shorten || at_least.code_bytes == 0) return false;
        while (--choice.unroll > 0)
            if (predictor.at_least(*scheduler.open(choice).value).time_ns <= bar_ns_) return true;
        return false;
    };
    const auto price = [&](const std::vector<FieldChoice>& some) {
        std::map<std::pair<double, std::size_t>, Prediction> order;
        for (std::size_t k = 0; k < some.size(); ++k) {
            ++costed_.evaluated;
            const PipelineScheduleResult open = scheduler.open(some[k]);
            if (!open.value) {
                if (k == 0 && std::exchange(first, false)) reason_ = open.reason;
                continue;
            }
            const Prediction at_least = predictor.at_least(*open.value);
            by_shape.try_emplace(shape_of(some[k]), PricedShape{some[k], at_least});
            order.emplace(std::pair{best_few ? at_least.time_ns : 0, k}, at_least);
        }
        for (const auto& [place, at_least] : order) {
            FieldChoice choice = some[place.second];
            if (best_few && !may_be_among_them(choice, at_least)) continue;
            while (!price_one(choice) && may_shorten && choice.unroll > 1) {
                --choice.unroll;
                ++costed_.evaluated;
            }
        }
    };
    const std::size_t tried = options_.budget.schedules ? std::min(most, choices.size()) : choices.size();
    std::vector<FieldChoice> spread;
    for (std::size_t k = 0; k < tried; ++k) spread.push_back(choices[k * choices.size() / tried]);
    price(spread);
    if (tried == choices.size() && !(wished_so && wish->chunk)) {
        const auto planes = static_cast<double>(model::extent_of(problem_, work.value->axes.back()));
        price(choices_of_whole_rounds(by_shape, choices, planes));
    }
    if (!wished_so) reason_ = before;
}

}  // namespace kasc
