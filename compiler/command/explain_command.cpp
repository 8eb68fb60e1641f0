// kasc explain: the plan with its reasons; with data, for their extents, and which time step they allow.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "command/exit.hpp"
#include "command/explain_blocks.hpp"
#include "command/explain_page.hpp"
#include "command/file_settings.hpp"
#include "command/request.hpp"
#include "command/run/flags.hpp"
#include "command/step_report.hpp"
#include "command/streams.hpp"
#include "engine/binding.hpp"
#include "execute/plan_run.hpp"
#include "model/settled_value.hpp"
#include "runtime/runs/inputs.hpp"

namespace kasc::command {

namespace {

/// The inputs of the file; what it does not tell of the extents stays as the program is planned for.
Outcome<runtime::Inputs> read_inputs(const ExplainOptions& options, const std::map<std::string, double>& settings,
                                     CheckedProgram& checked) {
    const runtime::ProgramInterface face = interface_of(checked.program, checked.library);
    auto inputs = runtime::open_inputs(options.input, face, set_extents(checked.program, settings));
    if (!inputs) return inputs;
    const runtime::BoundExtents& bound = inputs->extents;
    if (const auto parameters = parameter_values(checked.program)) {
        if (const auto all = extent_values(checked.program, bound, *parameters); all && !face.stream) {
            checked.problem.extents = *all;
            return inputs;
        }
    }
    GivenSizes given;
    if (face.stream) given.elements = bound.front();
    for (const AxisId axis : checked.program.axes.ids()) {
        if (!face.stream && bound[axis.index]) given.extents[axis] = *bound[axis.index];
    }
    checked.problem = planned_problem(checked.program, given);
    return inputs;
}

/// Planned for what one of the ranks has; empty: of one rank, or without a value of a parameter.
std::string division_of(const ExplainOptions& options, const CheckedProgram& checked, const CompileRequest& request,
                        const Compilation& compilation, const std::vector<long long>& extents) {
    const auto parameters = parameter_values(checked.program, request.settings);
    if (options.ranks == 1 || !parameters) return "";
    runtime::EntryArguments arguments;
    arguments.extents = extents;
    arguments.parameters = *parameters.value;
    const bool cpu = compilation.device.kind == DeviceKind::cpu;
    return "\n" + execute::division_text(
                      compilation.program, compilation.library, *compilation.plans.front().host, arguments,
                      {options.ranks, options.share == "always" ? ranks::Sharing::always : ranks::Sharing::priced,
                       cpu ? ranks::Memory::own : ranks::Memory::one});
}

}  // namespace

int explain_command(const ExplainOptions& options) {
    const PassWatch watch;
    auto request = make_request(options.common, "h100");
    if (!request) return report(request.diagnostics, options.common.diagnostics);
    if (const Diagnostics faults = page_faults(options); !faults.empty())
        return report(faults, options.common.diagnostics);
    request.value->plan.keep_all = !options.page.empty();
    request.value->plan.count = 2;
    request.value->plan.trace = true;
    *request.value = with_file_settings(std::move(*request.value), options.input);
    auto checked = check_program(*request);
    Diagnostics said = checked.diagnostics;
    const auto say = [&](const Diagnostics& more) { said.insert(said.end(), more.begin(), more.end()); };
    if (!checked) return report(said, options.common.diagnostics);
    runtime::Inputs inputs;
    if (!options.input.empty()) {
        auto read = read_inputs(options, request->settings, *checked.value);
        say(read.diagnostics);
        if (!read) return report(said, options.common.diagnostics);
        inputs = std::move(*read.value);
    }
    std::vector<long long> extents = checked->problem.extents;
    if (has_streams(checked->program)) extents = {checked->problem.elements};
    if (options.ranks > 1) share_launches(*request.value);
    std::string of_blocks;
    const CheckedProgram grid = *checked;
    if (is_local(options.basis)) {
        auto blocks = explain_blocks(options, grid, extents);
        say(blocks.diagnostics);
        if (!blocks) return report(said, options.common.diagnostics);
        *checked.value = std::move(blocks->checked);
        of_blocks = std::move(blocks->text);
    } else if (options.ranks > 1) {
        share_sizes(*checked.value, options.ranks);
        // As kasc run plans for processes.
        if (checked->device.kind == DeviceKind::cpu) share_kernels(*request.value);
    }
    const auto compilation = plan_program(*checked, *request);
    say(compilation.diagnostics);
    if (!compilation) return report(said, options.common.diagnostics);
    std::vector<const void*> arrays;
    for (const auto& array : inputs.data.arrays) arrays.push_back(array.values.data());
    arrays.resize(grid.program.inputs.size(), nullptr);
    const auto step = has_streams(checked->program)
                          ? std::nullopt
                          : step_report(grid, known_parameters(grid.program), grid.problem.extents, arrays);
    if (!options.page.empty()) {
        say(write_page(options, *checked, *request, *compilation, step));
        const int status = report(said, options.common.diagnostics);
        if (status == good) tell(short_report(*compilation, 0));
        return status;
    }
    const int status = report(said, options.common.diagnostics);
    const std::vector<PassTime> passes = options.timing ? watch.times() : std::vector<PassTime>{};
    if (options.format == "json") {
        tell(explain_json(*compilation, step, passes));
        return status;
    }
    tell(explain_text(*compilation, step));
    tell(is_local(options.basis) ? of_blocks : division_of(options, *checked, *request, *compilation, extents));
    if (options.timing) tell(pass_text(passes));
    return status;
}

}  // namespace kasc::command
