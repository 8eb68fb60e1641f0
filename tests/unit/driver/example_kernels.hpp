#pragma once
// Every kernel over fields in the plans of the programs that come with kasc, run at small extents: what the model
// predicts of it, and what it did.

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "lower/lower.hpp"
#include "support/complex_apart.hpp"
#include "support/field_kernel.hpp"
#include "support/programs_of_the_day.hpp"
#include "support/temporary.hpp"
#include "unit/driver/planned.hpp"

namespace kasc::test {

struct ExampleKernel {
    std::string name;         ///< the program's file and the first statement
    bool is_complex = false;  ///< computes with complex numbers
    bool folds = false;       ///< its cells, or parts in front of them
    double cells = 1;
    Prediction predicted;
    Traffic traffic;
    Work work;
};

/// Sizes for every axis that may be given one, so that an interpreter is done soon.
inline std::map<std::string, double> small_sizes(const Program& program) {
    std::map<std::string, double> sizes;
    const double extents[] = {48, 20, 16, 4};
    std::size_t k = 0;
    for (const Axis& axis : program.axes) {
        if (axis.half_of || axis.parts || axis.fallback_extent) continue;
        sizes[axis.name] = extents[std::min<std::size_t>(k++, 3)];
    }
    return sizes;
}

inline bool reads_where_cells_say(const Graph& graph, const FieldSchedule& schedule) {
    const auto computed = [](const std::vector<AxisIndex>& indices) {
        return std::any_of(indices.begin(), indices.end(),
                           [](const AxisIndex& index) { return std::holds_alternative<Computed>(index); });
    };
    return std::any_of(schedule.fusion().calls.begin(), schedule.fusion().calls.end(), [&](NodeId call) {
        const FieldStatement& s = field_update(graph, call).statement;
        return computed(s.target_indices) || s.where ||
               std::any_of(s.operands.begin(), s.operands.end(), [&](const Operand& o) { return computed(o.indices); });
    });
}

inline bool computes_complex(const Graph& graph, const FieldSchedule& schedule) {
    return std::any_of(schedule.fusion().calls.begin(), schedule.fusion().calls.end(),
                       [&](NodeId call) { return kasc::computes_complex(*field_update(graph, call).statement.value); });
}

inline ExampleKernel run_example(const Compilation& c, const Graph& graph, const FieldSchedule& schedule,
                                 const Prediction& predicted, const std::string& program) {
    const kernel::Lowered lowered = lower_field(field_alternatives(schedule, c.program, graph), c.program, graph, "k");
    Problem problem;
    problem.extents = c.problem.extents;
    problem.parameters = c.problem.parameters;
    for (double& p : problem.parameters)
        if (std::isnan(p)) p = 1;
    for (const LoopId loop : c.program.loops.ids()) problem.loops[loop.index] = 0;
    const kernel::Kernel k = ComplexApart::of(lowered.alternatives[alternative_for(lowered, problem)]);
    std::map<ValueId, Cells> arrays;
    Interpreter interpreter(k);
    run_kernel(
        interpreter, k, c.program, problem,
        [&](ValueId v) -> Cells& {
            const FieldShape& shape = field_shape(c.program, graph.values[v].variable);
            Cells& words = arrays[v];
            if (!words.empty()) return words;
            words.assign(word_count(problem, shape), 0.5);
            // Entries of lists differ.
            for (std::size_t i = 0; i < words.size() && is_integer(shape.type); ++i)
                words[i] = static_cast<double>(i % 100);
            return words;
        },
        [&](ValueId v) { return use_of_output(c.program, graph, v); });
    double cells = 1;
    for (const AxisId axis : schedule.axes()) cells *= static_cast<double>(problem.extents[axis.index]);
    return {program + ": " + k.comment.front(),
            computes_complex(graph, schedule),
            fold_of(*schedule.work) != nullptr || schedule.prologue != nullptr,
            cells,
            predicted,
            interpreter.traffic(),
            interpreter.work()};
}

inline void run_examples(const Compilation& c, const PlannedGraph& planned, const std::string& program,
                         std::vector<ExampleKernel>& all) {
    for (const Launch& launch : planned.launches) {
        const auto* number = std::get_if<std::size_t>(&launch.what);
        if (number == nullptr) continue;
        const Candidate& candidate = planned.costed->candidates[*number];
        const auto* schedule = std::get_if<FieldSchedule>(&candidate.schedule);
        // Entries of a list that are meant to differ do not where data are made up.
        if (schedule == nullptr || reads_where_cells_say(*planned.graph, *schedule)) continue;
        all.push_back(run_example(c, *planned.graph, *schedule, candidate.prediction, program));
    }
    for (const auto& loop : planned.loops) run_examples(c, *loop.second, program, all);
}

/// Kernels over fields of every second example, of each sixth of the programs of tests and of those that have a walk or
/// a type that these lack, once for all tests; with KASC_FULL in the environment of all.
inline const std::vector<ExampleKernel>& example_kernels() {
    namespace fs = std::filesystem;
    static const std::vector<ExampleKernel> kernels = [] {
        const auto in = [](const char* folder) {
            std::vector<fs::path> found;
            for (const auto& entry : fs::directory_iterator(fs::path(KASC_SOURCE_DIR) / folder))
                if (entry.path().extension() == ".kas") found.push_back(entry.path());
            std::sort(found.begin(), found.end());
            return found;
        };
        std::vector<fs::path> files = of_the_day(in("examples"), 2);
        for (const fs::path& program :
             programs_of_the_day(in("tests/run/programs"), 6, {"long_integers", "running_sums", "shorts", "staggered"}))
            files.push_back(program);
        std::vector<ExampleKernel> all;
        for (const fs::path& file : files) {
            CompileRequest wanted = request_of(read_file(file));
            wanted.libraries = {fs::path(KASC_SOURCE_DIR) / "tests/run/library"};
            const auto checked = check_program(wanted);
            if (!checked || has_streams(checked->program)) continue;
            wanted.settings = small_sizes(checked->program);
            const auto c = compile(wanted);
            if (c) run_examples(*c, c->plans.front(), file.filename().string(), all);
        }
        return all;
    }();
    return kernels;
}

}  // namespace kasc::test
