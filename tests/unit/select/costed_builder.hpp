#pragma once
// Costed spaces with made-up times: selection sees nothing else.

#include <optional>
#include <vector>

#include "select/selection.hpp"
#include "unit/graph/program_builder.hpp"

namespace kasc::test {

struct Priced {
    std::vector<std::uint32_t> calls;
    double time_ns;
    /// Candidates of one fusion share it; none: a fusion of its own.
    std::optional<std::uint32_t> fusion = {};
};

inline CostedSpace costed(const std::vector<Priced>& list) {
    CostedSpace space;
    for (const Priced& priced : list) {
        StreamSchedule schedule;
        for (std::uint32_t call : priced.calls) schedule.fusion.calls.push_back(NodeId{call});
        const FusionId id = priced.fusion ? FusionId{*priced.fusion} : space.space.fusions.add(schedule.fusion);
        Prediction prediction;
        prediction.time_ns = priced.time_ns;
        space.candidates.push_back({id, std::move(schedule), prediction});
    }
    return space;
}

}  // namespace kasc::test
