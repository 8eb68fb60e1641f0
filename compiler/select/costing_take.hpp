#pragma once
// What the parts of Costing share. Internal to this folder.

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "select/costing.hpp"

namespace kasc {

/// The choices with what the wish says in place of their own, each once.
[[nodiscard]] inline std::vector<FieldChoice> wished_of(const std::vector<FieldChoice>& offered,
                                                        const ChoiceWish& wish) {
    std::vector<FieldChoice> all;
    for (const FieldChoice& choice : offered) {
        const FieldChoice made = wished(choice, wish);
        if (std::find(all.begin(), all.end(), made) == all.end()) all.push_back(made);
    }
    return all;
}

template <class Schedule>
void Costing::take(FusionId id, std::optional<Schedule> schedule, const std::string& reason, bool& first) {
    take(id, std::move(schedule), reason, first,
         [&](const Schedule& s) { return predict(s, program_, *costed_.expanded, library_, device_, problem_); });
}

template <class Schedule, class Predict>
void Costing::take(FusionId id, std::optional<Schedule> schedule, const std::string& reason, bool& first,
                   const Predict& predicted) {
    ++costed_.evaluated;
    std::string refused = reason;
    if (schedule) {
        const Prediction prediction = predicted(*schedule);
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

}  // namespace kasc
