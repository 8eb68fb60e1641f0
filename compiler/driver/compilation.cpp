#include "driver/compilation.hpp"

#include <algorithm>
#include <stdexcept>

#include "driver/alternatives.hpp"
#include "driver/plan_text.hpp"
#include "driver/settings.hpp"
#include "driver/verification.hpp"
#include "model/measured_table.hpp"

namespace kasc {

namespace {

void append(Diagnostics& all, const Diagnostics& more) { all.insert(all.end(), more.begin(), more.end()); }

Outcome<Library> read_libraries(const CompileRequest& request) {
    std::vector<std::filesystem::path> folders{request.data_folder / "elementlib"};
    folders.insert(folders.end(), request.libraries.begin(), request.libraries.end());
    return read_library(folders);
}

/// The same program, one statement a kernel, for the CPU.
Outcome<HostPlan> unfused_plan(const Compilation& c, const CompileRequest& request) {
    const auto cpu = read_device("cpu", request.data_folder / "devices");
    if (!cpu) return failure<HostPlan>(cpu.diagnostics);
    PlanOptions options;
    options.strategy = "none";
    const Program& program = c.program_as_written();
    const auto plans = plan_graph(program, c.written ? c.written->graph : c.graph, c.library, *cpu, c.problem, options);
    if (!plans) return failure<HostPlan>(plans.diagnostics);
    return success(build_host_plan(program, c.library, plans->front(), c.program.name + "_reference"));
}

/// What was measured of this library's functions on the device, where a table is there.
Diagnostics attach_measurements(Device& device, const CompileRequest& request, const Library& library) {
    const std::filesystem::path path = measured_table_path(request.device, request.data_folder / "devices");
    if (path.empty()) return {};
    const auto table = read_table(path);
    if (table) device.measured = std::make_shared<const MeasuredTable>(entries_of(*table, library));
    return table.diagnostics;
}

}  // namespace

std::optional<Lists> find_lists(std::string_view name) {
    if (name == "priced") return Lists::priced;
    if (name == "kernels") return Lists::kernels;
    if (name == "cells") return Lists::cells;
    return std::nullopt;
}

Outcome<CheckedProgram> check_program(const CompileRequest& request) {
    Diagnostics said;
    auto library = read_libraries(request);
    append(said, library.diagnostics);
    if (!library) return failure<CheckedProgram>(said);
    // From here on: every type and function has checked metadata.

    auto device = read_device(request.device, request.data_folder / "devices");
    append(said, device.diagnostics);
    auto program = read_program(request.source, *library, request.settings);
    append(said, program.diagnostics);
    if (!program || !device) return failure<CheckedProgram>(said);
    if (program->kind == ProgramKind::stream) append(said, attach_measurements(*device.value, request, *library));
    if (has_errors(said)) return failure<CheckedProgram>(said);
    // From here on: names are resolved, types and extents agree.

    GivenSizes given;
    append(said, apply_settings(*program.value, given, request.settings));
    const Problem problem = planned_problem(*program, given);
    const auto graph = build_graph(*program);
    append(said, graph.diagnostics);
    if (!graph || has_errors(said)) return failure<CheckedProgram>(said);
    // From here on: values in place of names.
    return success(CheckedProgram{*library, *program, *device, problem, *graph}, said);
}

namespace {

Riding riding_of(const CompileRequest& request) {
    return request.lists == Lists::kernels ? Riding::never : Riding::where_possible;
}

/// The written plan, and first, where it counts kernels, the plan that would be made without it.
Outcome<PlanWish> read_plan(const CheckedProgram& checked, const CompileRequest& request) {
    const auto written = parse_plan(request.written_plan);
    if (!written) return failure<PlanWish>(written.diagnostics);
    std::vector<PlannedCalls> planned;
    if (std::any_of(written->begin(), written->end(), [](const WrittenKernel& k) { return k.number.has_value(); })) {
        const Plans open = plan_with(checked, request.plan, riding_of(request));
        if (!open) return failure<PlanWish>(open.diagnostics);
        planned = planned_calls(checked.graph, open->front());
    }
    return resolve_plan(*written, checked.program, checked.graph, planned);
}

/// The program as rules write it anew, without plans.
Compilation rewritten(const CheckedProgram& checked, const CompileRequest& request) {
    Compilation c{checked, {}, nullptr, {}, 0, {}, {}};
    Rewriting anew = rewrite(checked.program, request.no_rewrite);
    c.rewrites = std::move(anew.verdicts);
    if (!anew.changed) return c;
    const auto graph = build_graph(anew.program);
    if (!graph) throw std::logic_error("a program that was written anew has no graph");
    c.rewriting_tolerance = rounding_tolerance(anew);
    c.program = std::move(anew.program);
    c.written = std::make_shared<const WrittenProgram>(WrittenProgram{checked.program, checked.graph});
    c.graph = *graph;
    return c;
}

}  // namespace

Outcome<Compilation> plan_program(const CheckedProgram& checked, const CompileRequest& request) {
    Compilation compilation = rewritten(checked, request);
    compilation.riding = riding_of(request);
    PlanOptions options = request.plan;
    if (request.written_plan) {
        auto wish = read_plan(compilation, request);
        if (!wish) return failure<Compilation>(wish.diagnostics);
        options.wish = std::make_shared<const PlanWish>(std::move(*wish.value));
    }
    const Plans plans = plan_with(compilation, options, compilation.riding);
    Diagnostics said = plans.diagnostics;
    if (!plans) return failure<Compilation>(said);
    compilation.plans = *plans;
    const bool fuses = options.strategy != "none" && !request.written_plan && !options.wish;
    if (request.lists == Lists::cells || (request.lists == Lists::priced && fuses))
        compilation = with_lists(std::move(compilation), options, request.lists);
    if (fuses && !request.no_rewrite.contains(Rule::remake))
        compilation = with_remade_fields(std::move(compilation), options);
    if (request.graph != Capture::never && compilation.device.kind == DeviceKind::gpu) {
        const PlannedGraph& best = compilation.plans.front();
        compilation.captures =
            capture_graphs(host_plan(compilation, 0), compilation.program, best, request.graph).verdicts;
    }
    return success(std::move(compilation), said);
}

Outcome<Compilation> compile(const CompileRequest& request) {
    const auto checked = check_program(request);
    if (!checked) return failure<Compilation>(checked.diagnostics);
    auto compilation = plan_program(*checked, request);
    compilation.diagnostics.insert(compilation.diagnostics.begin(), checked.diagnostics.begin(),
                                   checked.diagnostics.end());
    return compilation;
}

HostPlan host_plan(const Compilation& c, std::size_t index) {
    return build_host_plan(c.program, c.library, c.plans.at(index), c.program.name, c.riding);
}

namespace {

/// With the graphs that the target has.
HostPlan plan_for(const Compilation& c, const CompileRequest& request, std::size_t index, emit::Target target) {
    HostPlan plan = host_plan(c, index);
    if (target != emit::Target::cuda) return plan;
    return capture_graphs(std::move(plan), c.program, c.plans.at(index), request.graph).plan;
}

}  // namespace

Outcome<WalkedPlan> emit_walked(const Compilation& c, const CompileRequest& request, std::size_t index,
                                emit::Target target) {
    HostPlan plan = plan_for(c, request, index, target);
    Diagnostics faults = verify_kernels(plan);
    if (!faults.empty()) return failure<WalkedPlan>(faults);
    auto module =
        emit::emit_module({c.program, c.library, plan, target, nullptr, (request.data_folder / "support").string(), 0});
    if (!module) return failure<WalkedPlan>(module.diagnostics);
    return success(WalkedPlan{std::move(plan), std::move(*module.value)});
}

Outcome<emit::EmittedCode> emit_plan(const Compilation& c, const CompileRequest& request, std::size_t index,
                                     emit::Target target) {
    const HostPlan plan = plan_for(c, request, index, target);
    Diagnostics faults = verify_kernels(plan);
    if (!faults.empty()) return failure<emit::EmittedCode>(faults);
    emit::EmitRequest emission{
        c.program, c.library, plan, target, nullptr, (request.data_folder / "support").string(), c.rewriting_tolerance};
    if (c.program.kind == ProgramKind::stream) return emit::emit_code(emission);
    const auto reference = unfused_plan(c, request);
    if (!reference) return failure<emit::EmittedCode>(reference.diagnostics);
    faults = verify_kernels(*reference);
    if (!faults.empty()) return failure<emit::EmittedCode>(faults);
    emission.reference = &*reference;
    emission.written = &c.program_as_written();
    return emit::emit_code(emission);
}

}  // namespace kasc
