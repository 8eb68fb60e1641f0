#include "driver/compilation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "driver/plan_text.hpp"
#include "graph/number_lists.hpp"
#include "kernel/prove_shared.hpp"
#include "model/measured_table.hpp"
#include "rewrite/remake_fields.hpp"
#include "schedule/verify.hpp"

namespace kasc {

namespace {

void append(Diagnostics& all, const Diagnostics& more) { all.insert(all.end(), more.begin(), more.end()); }

Outcome<Library> read_libraries(const CompileRequest& request) {
    std::vector<std::filesystem::path> folders{request.data_folder / "elementlib"};
    folders.insert(folders.end(), request.libraries.begin(), request.libraries.end());
    return read_library(folders);
}

/// A schedule that does not verify is a fault of kasc, never of the program: nothing is emitted.
Diagnostics verify_plan(const Program& program, const PlannedGraph& planned) {
    Diagnostics faults;
    for (const Launch& launch : planned.launches) {
        const auto* candidate = std::get_if<std::size_t>(&launch.what);
        if (candidate == nullptr) continue;
        const auto* stream = std::get_if<StreamSchedule>(&planned.costed->candidates[*candidate].schedule);
        if (stream == nullptr) continue;
        for (const std::string& fault : verify(*stream)) {
            Diagnostic d;
            d.code = "K0603";
            d.message = "internal: a kernel's schedule is not proved free of races";
            d.span = planned.graph->nodes[stream->fusion.calls.front()].span;
            d.label = fault;
            d.help = fmt::format("please report this, with {}", program.source->name);
            faults.push_back(d);
        }
    }
    for (const auto& loop : planned.loops) append(faults, verify_plan(program, *loop.second));
    return faults;
}

Diagnostic unproved(const kernel::Kernel& k, const std::string& race) {
    Diagnostic d;
    d.code = "K0603";
    d.message = fmt::format("internal: kernel {} is not proved free of races: it {}", k.name, race);
    d.help = "please report this, with the program and the plan";
    return d;
}

/// The kernel IR keeps its rules: the same care as for schedules.
Diagnostics verify_kernels(const HostPlan& plan) {
    Diagnostics faults;
    for (const kernel::Lowered& lowered : plan.kernels) {
        for (const kernel::Kernel& k : lowered.alternatives) {
            const std::string fault = kernel::verify(k);
            if (fault.empty()) {
                for (const std::string& race :
                     k.functions.empty() ? kernel::prove_shared(k) : std::vector<std::string>{})
                    faults.push_back(unproved(k, race));
                continue;
            }
            Diagnostic d;
            d.code = "K0604";
            d.message = fmt::format("internal: kernel {} breaks a rule of the kernel IR: {}", k.name, fault);
            d.help = "please report this, with the program";
            faults.push_back(d);
        }
    }
    return faults;
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

std::vector<std::string> setting_names(const Program& program) {
    std::vector<std::string> names;
    if (program.kind == ProgramKind::stream) names.emplace_back("n");
    for (const Axis& axis : program.axes) {
        if (!axis.parts) names.push_back(axis.name);
    }
    for (const Parameter& p : program.parameters) names.push_back(p.name);
    names.insert(names.end(), program.options.begin(), program.options.end());
    names.insert(names.end(), program.may_be_uniform.begin(), program.may_be_uniform.end());
    return names;
}

bool set_extent(const Program& program, Problem& problem, const std::string& name, double value) {
    if (program.kind == ProgramKind::stream && name == "n") {
        problem.elements = static_cast<long long>(value);
        return true;
    }
    for (const AxisId axis : program.axes.ids()) {
        if (program.axes[axis].name != name || program.axes[axis].parts) continue;
        problem.extents.at(axis.index) = static_cast<long long>(value);
        return true;
    }
    return false;
}

/// It was heeded when the program was read.
bool is_option(const Program& program, const std::string& name) {
    return std::find(program.options.begin(), program.options.end(), name) != program.options.end();
}

/// A setting that no parameter of its type can hold.
bool fits_parameter(const Parameter& p, double value) {
    if (p.kind == ScalarKind::integer) return value == std::floor(value) && std::abs(value) <= 2147483647.0;
    return std::isfinite(static_cast<float>(value));
}

bool set_parameter(Program& program, const std::string& name, double value) {
    for (Parameter& p : program.parameters) {
        if (p.name != name) continue;
        p.fallback = std::make_shared<const Expression>(Expression{Literal{value}, p.kind, p.span});
        return true;
    }
    return false;
}

Diagnostic bad_setting(const std::string& name, std::string message, std::string help) {
    Diagnostic d;
    d.code = "K0901";
    d.message = std::move(message);
    d.span.source = make_source("--set " + name);
    d.help = std::move(help);
    return d;
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

Diagnostics apply_settings(Program& program, Problem& problem, const std::map<std::string, double>& settings) {
    Diagnostics faults;
    for (const auto& setting : settings) {
        const std::string& name = setting.first;
        const double value = setting.second;
        const bool is_extent =
            std::any_of(program.axes.begin(), program.axes.end(), [&](const Axis& a) { return a.name == name; }) ||
            (program.kind == ProgramKind::stream && name == "n");
        const auto parameter = std::find_if(program.parameters.begin(), program.parameters.end(),
                                            [&](const Parameter& p) { return p.name == name; });
        if (!is_extent && parameter != program.parameters.end() && !fits_parameter(*parameter, value)) {
            const char* kind = parameter->kind == ScalarKind::integer ? "an integer of 32 bits" : "a finite float32";
            faults.push_back(bad_setting(name, fmt::format("parameter '{}' is {}, not {}", name, kind, value), ""));
        } else if (is_extent && (value < 1 || value > 2e9 || value != std::floor(value))) {
            faults.push_back(
                bad_setting(name, fmt::format("an extent is a whole number of at least 1, not {}", value), ""));
        } else if (!is_option(program, name) && !set_extent(program, problem, name, value) &&
                   !set_parameter(program, name, value)) {
            std::string all;
            for (const std::string& known : setting_names(program)) all += (all.empty() ? "" : ", ") + known;
            const auto near = nearest_name(name, setting_names(program));
            faults.push_back(bad_setting(name, fmt::format("the program has no axis or parameter '{}'", name),
                                         near ? fmt::format("did you mean '{}'?", *near) : "it has " + all));
        }
    }
    set_dependent_extents(program, problem);
    return faults;
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

    Problem problem = default_problem(*program);
    append(said, apply_settings(*program.value, problem, request.settings));
    const auto graph = build_graph(*program);
    append(said, graph.diagnostics);
    if (!graph || has_errors(said)) return failure<CheckedProgram>(said);
    // From here on: values in place of names.
    return success(CheckedProgram{*library, *program, *device, problem, *graph}, said);
}

namespace {

using Plans = Outcome<std::vector<PlannedGraph>>;

Riding riding_of(const CompileRequest& request) {
    return request.lists == Lists::kernels ? Riding::never : Riding::where_possible;
}

/// Best first, launches that small kernels are spared of taken off.
Plans plan_with(const CheckedProgram& c, const PlanOptions& options, Riding riding) {
    Plans plans = plan_graph(c.program, c.graph, c.library, c.device, c.problem, options);
    if (!plans || riding == Riding::never || c.program.kind == ProgramKind::stream) return plans;
    for (PlannedGraph& planned : *plans.value) {
        for (const Ride& ride : build_host_plan(c.program, c.library, planned, c.program.name).rides)
            planned.time_ns -= ride.saved_ns;
    }
    std::stable_sort(plans.value->begin(), plans.value->end(),
                     [](const PlannedGraph& a, const PlannedGraph& b) { return a.time_ns < b.time_ns; });
    return plans;
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

constexpr double any_time = std::numeric_limits<double>::infinity();
/// Fields that are made anew take no memory: of two plans as fast to a hundredth, theirs.
constexpr double worth_memory = 1.01;

/// Another program of the same results, and what the model says of it beside the one that is planned.
struct Alternative {
    bool taken = false;
    std::string verdict;
};

/// The plans of the other program, where they take less than so many times as long.
Alternative plan_alternative(Compilation& c, Program program, const PlanOptions& options, double at_most = 1) {
    CheckedProgram other{c.library, std::move(program), c.device, c.problem, {}};
    const auto graph = build_graph(other.program);
    if (graph) other.graph = *graph;
    const Plans plans = graph ? plan_with(other, options, c.riding) : Plans{};
    const double before = c.plans.front().time_ns, after = plans ? plans->front().time_ns : before;
    Alternative alternative{plans && after < at_most * before, {}};
    alternative.verdict = fmt::format("{}, {:.1f} % {} by the model", alternative.taken ? "done" : "left",
                                      std::abs(after / before - 1) * 100, after < before ? "faster" : "slower");
    if (alternative.taken) {
        if (!c.written)
            c.written =
                std::make_shared<const WrittenProgram>(WrittenProgram{std::move(c.program), std::move(c.graph)});
        static_cast<CheckedProgram&>(c) = std::move(other);
        c.plans = *plans;
    }
    return alternative;
}

/// The plans of the program with its lists numbered, where they are faster or asked for.
Compilation with_lists(Compilation c, const PlanOptions& options, Lists wanted) {
    NumberedLists numbered = number_lists(c.program);
    std::string chosen;
    if (numbered.changed)
        chosen =
            "; " +
            plan_alternative(c, std::move(numbered.program), options, wanted == Lists::cells ? any_time : 1).verdict;
    for (const ListVerdict& list : numbered.verdicts) {
        c.list_verdicts.push_back(fmt::format("{}: {}{}", list.statement, list.verdict ? "" : "a kernel of its own, ",
                                              list.verdict.reason()) +
                                  (list.verdict ? chosen : ""));
    }
    return c;
}

bool some_transform_stores(const PlannedGraph& planned) {
    const auto stores = [&](const Launch& launch) {
        const auto* candidate = std::get_if<std::size_t>(&launch.what);
        if (candidate == nullptr) return false;
        const auto* transform = std::get_if<TransformSchedule>(&planned.costed->candidates[*candidate].schedule);
        return transform != nullptr && transform->stored;
    };
    return std::any_of(planned.launches.begin(), planned.launches.end(), stores) ||
           std::any_of(planned.loops.begin(), planned.loops.end(),
                       [](const auto& loop) { return some_transform_stores(*loop.second); });
}

/// The plans of the program whose loops make fields anew, where they are faster.
Compilation with_remade_fields(Compilation c, const PlanOptions& options) {
    RemadeFields remade = remake_fields(c.program);
    Alternative made;
    if (remade.changed) {
        Program for_transforms = remake_fields(c.program, MadeFor::transform).program;
        made = plan_alternative(c, std::move(remade.program), options, worth_memory);
        // Where no transform computes anything as it stores, none would with more of it.
        if (some_transform_stores(c.plans.front())) {
            Alternative apart = plan_alternative(c, std::move(for_transforms), options, 1 / worth_memory);
            if (apart.taken) made = std::move(apart);
        }
    }
    for (const RemadeVerdict& field : remade.verdicts) {
        const std::string why =
            field.verdict ? fmt::format("{}; {}", field.verdict.reason(), made.verdict) : field.verdict.reason();
        c.rewrites.push_back(
            {Rule::remake, field.field, made.taken && field.verdict ? Verdict::yes(why) : Verdict::no(why)});
    }
    return c;
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
    for (const PlannedGraph& planned : compilation.plans) append(said, verify_plan(compilation.program, planned));
    if (has_errors(said)) return failure<Compilation>(said);
    // From here on: every chosen schedule is proved.
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

Outcome<emit::EmittedCode> emit_plan(const Compilation& c, const CompileRequest& request, std::size_t index,
                                     emit::Target target) {
    HostPlan plan = host_plan(c, index);
    if (target == emit::Target::cuda)
        plan = capture_graphs(std::move(plan), c.program, c.plans.at(index), request.graph).plan;
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
