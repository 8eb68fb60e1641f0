#pragma once
// Plans of a program that together hold every feasible fusion, each with two choices drawn at random.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "patterns/enumerations.hpp"
#include "plan/host_plan.hpp"
#include "random/draw.hpp"

namespace kasc::random {

/// What a kernel of a plan was lowered from.
struct PlannedStream {
    std::shared_ptr<const CostedSpace> costed;
    std::size_t candidate = 0;
};

struct TestedPlan {
    HostPlan host;
    std::vector<StreamSchedule> schedules;  ///< in the order of the launches, loops' after their graph's
    /// By a kernel's name.
    std::map<std::string, PlannedStream> kernels{};
};

struct TestedPlans {
    std::vector<TestedPlan> plans;    ///< the first fuses nothing
    std::size_t fusions = 0;          ///< feasible ones, over all graphs; each is in some plan
    std::size_t refused = 0;          ///< none of the choices tried was feasible
    std::size_t candidates = 0;       ///< distinct kernels
    std::vector<std::string> faults;  ///< what the verifiers of schedules and kernels say
};

/// `prefix` names the kernels, apart from all other programs'.
[[nodiscard]] TestedPlans covering_plans(const Program& program, const Graph& graph, Enumerations& enumerations,
                                         const std::string& prefix, Draw& draw);

}  // namespace kasc::random
