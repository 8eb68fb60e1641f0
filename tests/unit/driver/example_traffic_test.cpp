// Of every kernel over fields in the plans of the programs that come with kasc: the bytes that the model predicts are
// those that the kernel moves when it is run. Where boundaries keep layers, fewer cells are stored than the model says.
#include <gtest/gtest.h>

#include "lower/lower.hpp"
#include "support/complex_apart.hpp"
#include "support/field_kernel.hpp"
#include "support/temporary.hpp"
#include "unit/driver/planned.hpp"

namespace kasc::test {
namespace {

namespace fs = std::filesystem;

/// Sizes for every axis that may be given one, so that an interpreter is done soon.
std::map<std::string, double> small(const Program& program) {
    std::map<std::string, double> sizes;
    const double extents[] = {48, 20, 16, 4};
    std::size_t k = 0;
    for (const Axis& axis : program.axes) {
        if (axis.half_of || axis.parts || axis.fallback_extent) continue;
        sizes[axis.name] = extents[std::min<std::size_t>(k++, 3)];
    }
    return sizes;
}

struct Tally {
    int kernels = 0, exact = 0;
    double least = 1, most = 1;
    std::string least_of, most_of;
};

bool reads_where_cells_say(const Graph& graph, const FieldSchedule& schedule) {
    const auto computed = [](const std::vector<AxisIndex>& indices) {
        return std::any_of(indices.begin(), indices.end(),
                           [](const AxisIndex& index) { return std::holds_alternative<Computed>(index); });
    };
    return std::any_of(schedule.fusion.calls.begin(), schedule.fusion.calls.end(), [&](NodeId call) {
        const FieldStatement& s = field_update(graph, call).statement;
        return computed(s.target_indices) || s.where ||
               std::any_of(s.operands.begin(), s.operands.end(), [&](const Operand& o) { return computed(o.indices); });
    });
}

void run_kernels(const Compilation& c, const PlannedGraph& planned, const std::string& program, Tally& tally) {
    for (const Launch& launch : planned.launches) {
        const auto* number = std::get_if<std::size_t>(&launch.what);
        if (number == nullptr) continue;
        const Candidate& candidate = planned.costed->candidates[*number];
        const auto* schedule = std::get_if<FieldSchedule>(&candidate.schedule);
        // Which cells such a kernel touches depends on what it is run on.
        if (schedule == nullptr || reads_where_cells_say(*planned.graph, *schedule)) continue;
        const kernel::Lowered lowered = lower_field(*schedule, c.program, *planned.graph, "k");
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
                const FieldShape& shape = field_shape(c.program, planned.graph->values[v].variable);
                Cells& words = arrays[v];
                if (!words.empty()) return words;
                words.assign(word_count(problem, shape), 0.5);
                // Entries of lists differ.
                for (std::size_t i = 0; i < words.size() && is_integer(shape.type); ++i)
                    words[i] = static_cast<double>(i % 100);
                return words;
            },
            [&](ValueId v) { return use_of_output(c.program, *planned.graph, v); });
        const Traffic run = interpreter.traffic();
        const double part = (run.read_bytes + run.stored_bytes) / candidate.prediction.global_bytes;
        ++tally.kernels;
        if (part == 1) ++tally.exact;
        if (part < tally.least) tally.least = part, tally.least_of = program + ": " + k.comment.front();
        if (part > tally.most) tally.most = part, tally.most_of = program + ": " + k.comment.front();
    }
    for (const auto& loop : planned.loops) run_kernels(c, *loop.second, program, tally);
}

TEST(ExampleTraffic, IsWhatTheModelPredicts) {
    Tally tally;
    std::vector<fs::path> files;
    for (const char* folder : {"examples", "tests/run/programs"})
        for (const auto& entry : fs::directory_iterator(fs::path(KASC_SOURCE_DIR) / folder))
            if (entry.path().extension() == ".kas") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) {
        CompileRequest wanted = request_of(read_file(file));
        wanted.libraries = {fs::path(KASC_SOURCE_DIR) / "tests/run/library"};
        const auto checked = check_program(wanted);
        if (!checked || checked->program.kind == ProgramKind::stream) continue;
        wanted.settings = small(checked->program);
        const auto c = compile(wanted);
        if (!c) continue;
        run_kernels(*c, c->plans.front(), file.filename().string(), tally);
    }
    EXPECT_GT(tally.kernels, 60);
    EXPECT_GT(tally.exact, tally.kernels / 3);
    EXPECT_GT(tally.least, 0.5) << tally.least_of;
    EXPECT_LT(tally.most, 1.1) << tally.most_of;
}

}  // namespace
}  // namespace kasc::test
