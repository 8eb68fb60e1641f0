#pragma once
// Plans of a field program that together hold every feasible fusion, each with two choices drawn at random; of programs
// with many some of the fusions.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "plan/host_plan.hpp"
#include "random/draw.hpp"

namespace kasc::random {

/// What a kernel of a plan was lowered from.
struct PlannedKernel {
    std::shared_ptr<const Graph> graph;
    std::shared_ptr<const CostedSpace> costed;
    std::size_t candidate = 0;
    std::set<ValueId> in_place;  ///< values whose cells it reads and writes in one array

    /// The schedule of a kernel over fields; for a transform, that of what is computed as it stores. Requires: none of
    /// those below.
    [[nodiscard]] const FieldSchedule& schedule() const;
    /// The schedule of a kernel whose blocks have whole lines; null: it is another.
    [[nodiscard]] const LineSchedule* lines() const;
    /// The schedule of a kernel whose blocks have tiles of results; null: it is another.
    [[nodiscard]] const ProductSchedule* product() const;
    /// The schedule of a kernel whose blocks go through planes with several stages; null: it is another.
    [[nodiscard]] const PipelineSchedule* pipeline() const;
    /// The schedule of a kernel that transforms lines; null: it is another.
    [[nodiscard]] const FftSchedule* transforms() const;
    /// The schedule of a kernel that has a running sum, and of one that runs a loop of the program; null: it is
    /// another.
    [[nodiscard]] const ScanSchedule* scan() const;
    /// Its blocks have words before their cells.
    [[nodiscard]] bool has_prologue() const;
    [[nodiscard]] const LoopSchedule* loop() const;
    [[nodiscard]] bool folds_across_lines() const;
};

struct TestedFieldPlan {
    HostPlan host;
    std::map<std::string, PlannedKernel> kernels;  ///< by name
};

struct TestedFieldPlans {
    std::vector<TestedFieldPlan> plans;  ///< the first fuses nothing
    std::size_t fusions = 0;             ///< feasible ones, over all graphs; each is in some plan
    std::size_t refused = 0;             ///< none of the choices tried was feasible
    std::vector<std::string> faults;     ///< what the verifiers of kernels and of shared memory say
};

/// Whose walks are drawn: rows are the host's, grids and columns a device's.
enum class Walks { any, host, device };

/// Kernels begin with the program's name. `lengths`: by axis, of the lines that kernels transform, or run loops for,
/// which serve these alone; null: none does.
[[nodiscard]] TestedFieldPlans covering_field_plans(const Program& program, const Graph& graph, const Library& library,
                                                    Walks walks, Draw& draw,
                                                    const std::vector<long long>* lengths = nullptr);

}  // namespace kasc::random
