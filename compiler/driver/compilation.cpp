#include "driver/compilation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "driver/plan_rounding.hpp"
#include "driver/plan_text.hpp"
#include "driver/planned_transforms.hpp"
#include "driver/settings.hpp"
#include "driver/variants.hpp"
#include "driver/verification.hpp"
#include "foundation/pass_times.hpp"
#include "frontend/parse.hpp"
#include "model/device/measured_table.hpp"
#include "rewrite/copy_cells.hpp"
#include "rewrite/mode_axes.hpp"
#include "rewrite/order_lists.hpp"

namespace kasc {

namespace {

void append(Diagnostics& all, const Diagnostics& more) { all.insert(all.end(), more.begin(), more.end()); }

Outcome<Library> read_libraries(const CompileRequest& request) {
    const Pass pass("read the library");
    std::vector<std::filesystem::path> folders{request.data_folder / "elementlib"};
    folders.insert(folders.end(), request.libraries.begin(), request.libraries.end());
    return read_library_for(*text_with_imports(request.source), folders);
}

/// The program as it was written, one statement a kernel, for the CPU.
Outcome<HostPlan> unfused_plan(const Compilation& c, const Program& program, const CompileRequest& request) {
    const Pass pass("plan the reference");
    const auto cpu = read_device("cpu", request.data_folder / "devices");
    if (!cpu) return failure<HostPlan>(cpu.diagnostics);
    PlanOptions options;
    options.strategy = "none";
    options.bounds.max_calls = 1;  // nothing else is looked at
    const auto graph = build_graph(program);
    if (!graph) return failure<HostPlan>(graph.diagnostics);
    const auto plans = plan_graph(program, *graph, c.library, *cpu, c.problem, options);
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

namespace {

/// What a program allows are rules that it may ask for.
Diagnostics check_allowances(const Program& program) {
    Diagnostics said;
    const std::vector<std::string> names = asked_rule_names();
    for (const Allowance& allowed : program.allowed) {
        if (std::find(names.begin(), names.end(), allowed.name) != names.end()) continue;
        Diagnostic d;
        d.code = "K0926";
        d.span = allowed.span;
        d.message = fmt::format("there is nothing to allow that is called '{}'", allowed.name);
        const auto near = nearest_name(allowed.name, names);
        d.help = near ? fmt::format("did you mean '{}'?", *near)
                      : fmt::format("a program may allow {}", fmt::join(names, ", "));
        said.push_back(std::move(d));
    }
    return said;
}

}  // namespace

bool asks_for(const CompileRequest& request, const Program& program, Rule rule) {
    if (request.no_rewrite.contains(rule)) return false;
    return request.rewrite.contains(rule) ||
           std::any_of(program.allowed.begin(), program.allowed.end(),
                       [&](const Allowance& allowed) { return allowed.name == name_of(rule); });
}

Outcome<CheckedProgram> check_program(const CompileRequest& request) {
    Diagnostics said;
    auto library = read_libraries(request);
    append(said, library.diagnostics);
    if (!library) return failure<CheckedProgram>(said);
    // From here on: every type and function has checked metadata.

    auto device = read_device(request.device, request.data_folder / "devices");
    append(said, device.diagnostics);
    auto program = [&] {
        const Pass pass("read the program");
        return read_parsed(request.parsed ? *request.parsed : parse(request.source, request.settings), *library,
                           request.settings);
    }();
    append(said, program.diagnostics);
    if (!program || !device) return failure<CheckedProgram>(said);
    if (has_streams(*program)) append(said, attach_measurements(*device.value, request, *library));
    append(said, check_allowances(*program));
    if (has_errors(said)) return failure<CheckedProgram>(said);
    if (asks_for(request, *program, Rule::modes))
        program.value = with_mode_axes(*std::move(program.value), request.no_rewrite);
    // From here on: names are resolved, types and extents agree, all axes are there.

    GivenSizes given;
    append(said, apply_settings(*program.value, given, request.settings, request.datasets));
    const Problem problem = planned_problem(*program, given);
    const auto graph = build_graph(*program);
    append(said, graph.diagnostics);
    if (!graph || has_errors(said)) return failure<CheckedProgram>(said);
    // From here on: values in place of names.
    return success(CheckedProgram{*library, *program, *device, problem, *graph}, said);
}

namespace {

/// The program as rules write it anew, without plans.
Compilation rewritten(const CheckedProgram& checked, const CompileRequest& request) {
    const Pass pass("rewrite");
    Compilation c{checked, {}, nullptr, {}, 0, {}, {}};
    OrderedLists ordered = order_lists(checked.program);
    Rewriting anew = rewrite(ordered.program, request.no_rewrite);
    c.rewrites = std::move(anew.verdicts);
    // Blocks of a GPU have copies of their own, in shared memory (walk `histogram`).
    if (!request.no_rewrite.contains(Rule::copies) && checked.device.kind == DeviceKind::cpu) {
        CopiedCells cells = copy_cells(anew.program, &checked.problem.extents);
        for (CopiedVerdict& v : cells.verdicts)
            c.rewrites.push_back({Rule::copies, std::move(v.statement), std::move(v.verdict)});
        anew.program = std::move(cells.program);
        anew.changed = anew.changed || cells.changed;
    }
    if (!anew.changed && !ordered.changed) return c;
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
    Compilation anew = rewritten(checked, request);
    const Pass pass("plan");
    return asks_for(request, checked.program, Rule::modes) ? choose_modes(std::move(anew), request)
                                                           : choose_variant(std::move(anew), request);
}

Outcome<Compilation> compile(const CompileRequest& request) {
    const auto checked = check_program(request);
    if (!checked) return failure<Compilation>(checked.diagnostics);
    auto compilation = plan_program(*checked, request);
    compilation.diagnostics.insert(compilation.diagnostics.begin(), checked.diagnostics.begin(),
                                   checked.diagnostics.end());
    return compilation;
}

double rounding_of_plan(const Compilation& c, std::size_t plan) {
    const bool has_lines = some_kernel_transforms(c.plans.at(plan));
    const double of_lines = has_lines ? rounding_tolerance(Rewriting{c.program, {}, true, true}) : 0;
    return std::max(c.rewriting_tolerance, of_lines);
}

Outcome<WalkedPlan> emit_walked(const Compilation& c, const CompileRequest& request, std::size_t index,
                                emit::Target target, emit::Blocks blocks) {
    const HostPlan& plan = *c.plans.at(index).host;
    Diagnostics faults = verify_kernels(plan);
    if (!faults.empty()) return failure<WalkedPlan>(faults);
    emit::EmitRequest emission{c.program, c.library, plan, target, nullptr, (request.data_folder / "support").string(),
                               0};
    emission.blocks = blocks;
    auto module = emit::emit_module(emission);
    if (!module) return failure<WalkedPlan>(module.diagnostics);
    return success(WalkedPlan{plan, std::move(*module.value)});
}

Outcome<emit::EmittedCode> emit_plan(const Compilation& c, const CompileRequest& request, std::size_t index,
                                     emit::Target target, emit::Emitted emitted) {
    const Pass pass("emit");
    const HostPlan& plan = *c.plans.at(index).host;
    Diagnostics faults = verify_kernels(plan);
    if (!faults.empty()) return failure<emit::EmittedCode>(faults);
    emit::EmitRequest emission{c.program,
                               c.library,
                               plan,
                               target,
                               nullptr,
                               (request.data_folder / "support").string(),
                               rounding_of_plan(c, index)};
    emission.emitted = emitted;
    if (has_streams(c.program) || emitted == emit::Emitted::library) return emit::emit_code(emission);
    const Program written = order_lists(c.program_as_written()).program;
    const auto reference = unfused_plan(c, written, request);
    if (!reference) return failure<emit::EmittedCode>(reference.diagnostics);
    faults = verify_kernels(*reference);
    if (!faults.empty()) return failure<emit::EmittedCode>(faults);
    emission.reference = &*reference;
    emission.written = &written;
    return emit::emit_code(emission);
}

}  // namespace kasc
