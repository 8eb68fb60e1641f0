#pragma once
// Predicted time of one kernel, with its parts. Pure functions of a schedule and a device.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/device/device.hpp"
#include "schedule/schedule.hpp"

namespace kasc {

/// The sizes a prediction is made for; the same for all candidates of a program.
/// Variables of loops, in one iteration of each.
using LoopIndices = std::map<LoopId, double>;

struct Problem {
    long long elements = 1LL << 21;  ///< of a stream
    std::vector<long long> extents;  ///< by axis
    std::vector<double> parameters;  ///< by parameter; NaN: has no value before the program runs
    /// By axis: the length is given, or is a number of the program's text, and a plan may be for this one alone.
    std::vector<bool> given{};
    /// Some of all runs of what stands in loops, evenly: a loop within them may ask for their variables.
    std::vector<LoopIndices> runs{{}};

    [[nodiscard]] bool is_given(AxisId axis) const { return axis.index < given.size() && given[axis.index]; }
};
struct GivenSizes {
    std::optional<long long> elements;
    std::map<AxisId, long long> extents;
};
/// What is given, and besides: an axis is as long as its declaration says, or, where no input has it, the loop that
/// indexes it, as far as values of parameters settle that. Else 4096 an axis for programs whose largest field has up to
/// two axes, 256 for others, 100 for an axis that only loops index. Half spectra and parts of folds follow other axes.
[[nodiscard]] Problem planned_problem(const Program& program, const GivenSizes& given = {});

/// How often a loop runs as far as extents and values of parameters settle its bounds, else 100: only the weight of a
/// loop against what stands outside of it, so any large number serves. One that runs none weighs next to nothing.
[[nodiscard]] double estimated_iterations(const ExpressionRef& from, const ExpressionRef& to, const Problem& problem,
                                          int by = 1, bool may_end_earlier = false);

struct Prediction {
    double blocks = 0;
    int threads = 0;          ///< a block
    double global_bytes = 0;  ///< compulsory traffic of this kernel over all elements or cells
    double moved_bytes = 0;   ///< between memory and the device, with what is read again
    double l2_bytes = 0;      ///< between L2 and the multiprocessors; 0: as moved_bytes
    double shared_bytes = 0;
    double flops = 0;
    double instructions =
        0;  ///< of all threads, addresses and accesses among them; of streams on a CPU none are counted
    int barriers = 0;
    int registers = 0;  ///< estimate a thread
    int shared_bytes_per_block = 0;
    double occupancy = 0;  ///< resident threads / most resident threads
    double waves = 0;
    double code_bytes = 0;  ///< of a kernel whose code the cache of instructions does not hold; else 0
    double global_ns = 0, shared_ns = 0, arithmetic_ns = 0, latency_ns = 0, dispatch_ns = 0, launch_ns = 0;
    double time_ns = 0;  ///< launch + about the largest of the others: what overlaps is not added (predict.cpp)
};

[[nodiscard]] Prediction predict(const KernelSchedule& schedule, const Program& program, const Graph& graph,
                                 const Library& library, const Device& device, const Problem& problem);

namespace model {
class StatementCosts;
}

/// The same for many choices of one fusion of fields that folds nothing: what no choice changes is counted once, and
/// what statements take by themselves once for all fusions. The references must outlive it.
class FieldPredictor {
public:
    /// `schedule`: of the fusion, with any choice, or with none: then `at_least` knows nothing of loads.
    FieldPredictor(const FieldSchedule& schedule, const Program& program, const Graph& graph, const Device& device,
                   const Problem& problem, model::StatementCosts& costs);
    ~FieldPredictor();
    /// No schedule with this choice is faster, in nanoseconds: known before there is one.
    [[nodiscard]] double at_least(const FieldChoice& choice) const;
    /// Requires: the schedule is of the same fusion.
    [[nodiscard]] Prediction of(const FieldSchedule& schedule);

private:
    struct Shared;
    const Device& device_;
    std::unique_ptr<Shared> shared_;
};

/// The same of pipelines of planes.
class PipelinePredictor {
public:
    PipelinePredictor(const PipelineWork& work, const Program& program, const Graph& graph, const Device& device,
                      const Problem& problem, model::StatementCosts& costs);
    ~PipelinePredictor();
    /// Requires: the schedule is of the same work.
    [[nodiscard]] Prediction of(const PipelineSchedule& schedule) const;
    /// No schedule is faster that is this one with its steps, and with as many iterations in a row; it has as many
    /// blocks in as many waves, and has `code_bytes` only if this one has. Requires: it was opened.
    [[nodiscard]] Prediction at_least(const PipelineSchedule& open) const;

private:
    struct Shared;
    const Device& device_;
    const Problem& problem_;
    std::unique_ptr<const Shared> shared_;
};

/// The same of loops in each cell, or of whole lines.
class LoopPredictor {
public:
    LoopPredictor(const LoopWork& work, const Program& program, const Device& device, const Problem& problem);
    ~LoopPredictor();
    /// Requires: the schedule is of the same work.
    [[nodiscard]] Prediction of(const LoopSchedule& schedule);

private:
    struct Shared;
    const LoopWork& work_;
    const Program& program_;
    const Device& device_;
    const Problem& problem_;
    std::unique_ptr<Shared> shared_;
};

}  // namespace kasc
