#pragma once
// The one ordered list of stages: source text → plans. Everything that a command needs of a program is a field of
// Compilation, made once and never changed.

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driver/settings.hpp"
#include "emit/emit.hpp"
#include "frontend/program.hpp"
#include "graph/graph.hpp"
#include "library/library.hpp"
#include "model/device/device.hpp"
#include "model/prediction.hpp"
#include "plan/capture.hpp"
#include "plan/planned_graph.hpp"
#include "plan/run_ahead.hpp"
#include "rewrite/rewrite.hpp"

namespace kasc {

struct Ast;

/// Assignments to lists of cells in loops: a kernel of their own each, or cell by cell (rewrite/number_lists). priced:
/// whichever of the two the model finds faster. With kernels, nothing rides on other launches either (plan/riders).
enum class Lists { priced, kernels, cells };
[[nodiscard]] std::optional<Lists> find_lists(std::string_view name);

struct CompileRequest {
    SourceRef source;
    /// What the source is with these settings, where it was parsed already; null: it is parsed.
    std::shared_ptr<const Outcome<Ast>> parsed{};
    std::filesystem::path data_folder;             ///< holds elementlib, devices, support
    std::vector<std::filesystem::path> libraries;  ///< beyond elementlib
    std::string device = "h100";                   ///< a name or a path of a device file
    std::map<std::string, double> settings;        ///< --set: extents, parameters, "n" for a stream's elements
    SettingDatasets datasets;                      ///< that have names of settings
    PlanOptions plan;
    SourceRef written_plan;  ///< --plan; null: none
    Lists lists = Lists::priced;
    Capture graph = Capture::priced;  ///< of CUDA: loops' launches as graphs
    std::set<Rule> no_rewrite;        ///< rules that leave the program as it is
    std::set<Rule> rewrite;           ///< rules of asked_rule_names() that are asked for
    bool inner_loops = true;          ///< kernels may run loops: no run goes on from the middle of one
    Riding riding = Riding::where_possible;
    /// How many steps of loops that read neighbours a kernel takes where it can; none: as many as are predicted best.
    std::optional<int> steps;
};

/// The request or the program asks for the rule, and the request does not forbid it.
[[nodiscard]] bool asks_for(const CompileRequest& request, const Program& program, Rule rule);

/// A program that is understood, and the sizes it will be planned for.
struct CheckedProgram {
    Library library;
    Program program;
    Device device;
    Problem problem;
    Graph graph;
};

/// The program as the user wrote it: what results are compared with.
struct WrittenProgram {
    Program program;
    Graph graph;
};

/// A plan with what the host does: made once, read by reports, emission and runs.
struct ProgramPlan : PlannedGraph {
    std::shared_ptr<const HostPlan> host;  ///< with CUDA graphs, which no target but CUDA looks at
    std::vector<CaptureVerdict> captures;  ///< of its loops on a GPU, where graphs are asked for
    std::vector<AheadVerdict> ahead;       ///< of its loops with conditions on a GPU
};

/// What the model says of a run where a kernel has so many steps of a time loop, or of a plan for it.
struct StepDepth {
    int steps = 1;
    std::string fault;  ///< why there is no plan; empty: there is one
    double time_ns = 0;
    double moved_bytes = 0;  ///< between memory and the device
    double flops = 0;        ///< with those of cells that several blocks compute
    std::string binds;       ///< the part that takes the most time
    bool taken = false;
};

struct Compilation : CheckedProgram {
    [[nodiscard]] const Program& program_as_written() const { return written ? written->program : program; }

    std::vector<ProgramPlan> plans;  ///< best first
    /// Null: rules or numbered lists changed nothing. Else `program` and `graph` are what became of it.
    std::shared_ptr<const WrittenProgram> written;
    std::vector<RewriteVerdict> rewrites;
    /// By how much results may differ from the program's as written, relative to the largest; 0: by no bit.
    double rewriting_tolerance = 0;
    std::vector<StepDepth> depths;           ///< that were compared, 1 first; none: several steps were not tried
    std::vector<std::string> list_verdicts;  ///< one an assignment to a list in a loop, and what was chosen
};

/// Reads the library and the device, checks the program and makes its graph.
[[nodiscard]] Outcome<CheckedProgram> check_program(const CompileRequest& request);

/// Plans a checked program. Requires: the strategy exists.
[[nodiscard]] Outcome<Compilation> plan_program(const CheckedProgram& checked, const CompileRequest& request);

/// Both, one after the other.
[[nodiscard]] Outcome<Compilation> compile(const CompileRequest& request);

/// Code of plan `index`, every kernel of which was checked (driver/verification).
[[nodiscard]] Outcome<emit::EmittedCode> emit_plan(const Compilation& compilation, const CompileRequest& request,
                                                   std::size_t index, emit::Target target,
                                                   emit::Emitted emitted = emit::Emitted::folder);

/// What runs plan `index` without compiling its host side (execute/): the plan, and its kernels.
struct WalkedPlan {
    HostPlan plan;
    emit::EmittedModule module;
};
[[nodiscard]] Outcome<WalkedPlan> emit_walked(const Compilation& compilation, const CompileRequest& request,
                                              std::size_t index, emit::Target target,
                                              emit::Blocks blocks = emit::Blocks::all);

}  // namespace kasc
