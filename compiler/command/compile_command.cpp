// kasc compile: files, or one stage's value as text.
#include <fmt/format.h>

#include "command/exit.hpp"
#include "command/request.hpp"
#include "command/streams.hpp"
#include "command/tune/key.hpp"
#include "driver/report.hpp"
#include "driver/stage_text.hpp"
#include "frontend/parse.hpp"
#include "runtime/files/output_folder.hpp"

namespace kasc::command {

namespace {

emit::Target target_of(const std::string& name) {
    return name == "cpu" ? emit::Target::cpu : name == "cpu-checking" ? emit::Target::cpu_checking : emit::Target::cuda;
}

int write_plans(const CompileOptions& options, const CompileRequest& request, const Compilation& c, Diagnostics said,
                const std::string& note, const PassWatch& passes) {
    std::vector<emit::EmittedFile> all;
    for (std::size_t i = 0; i < c.plans.size(); ++i) {
        const auto code = emit_plan(c, request, i, target_of(options.target));
        said.insert(said.end(), code.diagnostics.begin(), code.diagnostics.end());
        if (!code) return report(said, options.common.diagnostics);
        const std::string folder = options.top > 1 ? fmt::format("{}/", i + 1) : "";
        for (const emit::EmittedFile& file : code->files) all.push_back({folder + file.name, file.text});
    }
    const Diagnostics faults = runtime::write_folder(
        options.output, all, options.force ? runtime::Foreign::replace : runtime::Foreign::refuse);
    said.insert(said.end(), faults.begin(), faults.end());
    const int status = report(said, options.common.diagnostics);
    if (status != good) return status;
    tell(fmt::format("{}{}", short_report(c, 0), note));
    if (options.top > 1) tell(plan_table(c));
    if (options.timing) tell(pass_text(passes.times()));
    return good;
}

Outcome<TunedCompilation> plan(const CompileOptions& options, const CompileRequest& request) {
    const auto checked = check_program(request);
    if (!checked) return failure<TunedCompilation>(checked.diagnostics);
    Outcome<TunedCompilation> outcome;
    if (options.tuned.wanted) {
        Machine machine;  // any of the device that plans are made for
        machine.target = target_of(options.target);
        machine.name = "";
        outcome = plan_tuned(*checked, request, options.tuned, machine);
    } else {
        auto plans = plan_program(*checked, request);
        outcome.diagnostics = plans.diagnostics;
        if (plans) outcome.value = TunedCompilation{std::move(*plans.value), ""};
    }
    outcome.diagnostics.insert(outcome.diagnostics.begin(), checked.diagnostics.begin(), checked.diagnostics.end());
    return outcome;
}

}  // namespace

int compile_command(const CompileOptions& options) {
    if (options.output.empty() && options.emit.empty()) {
        Diagnostic d;
        d.code = "K0903";
        d.message = "the call does not say where the files go";
        d.help = "write -o DIR, or print a stage with --emit";
        return report({d}, options.common.diagnostics);
    }
    const PassWatch passes;
    auto request = make_request(options.common, options.target == "cpu" ? "cpu" : "h100");
    if (!request) return report(request.diagnostics, options.common.diagnostics);
    if (options.emit == "ast") {
        const auto ast = parse(request->source, request->settings);
        const int status = report(ast.diagnostics, options.common.diagnostics);
        if (ast) tell(print(*ast));
        return status;
    }
    request.value->plan.count = options.top;
    const bool dump = options.emit == "space" && options.format == "json";
    request.value->plan.keep_all = dump;
    const auto planned = plan(options, *request);
    if (!planned) return report(planned.diagnostics, options.common.diagnostics);
    const Compilation& compilation = planned->compilation;
    if (options.emit.empty())
        return write_plans(options, *request, compilation, planned.diagnostics, planned->note, passes);
    const auto text = dump ? success(space_json(compilation))
                           : stage_text(options.emit, compilation, *request, target_of(options.target));
    Diagnostics said = planned.diagnostics;
    said.insert(said.end(), text.diagnostics.begin(), text.diagnostics.end());
    const int status = report(said, options.common.diagnostics);
    if (text) tell(*text);
    return status;
}

}  // namespace kasc::command
