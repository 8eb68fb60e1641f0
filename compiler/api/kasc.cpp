#include "kasc/kasc.hpp"

#include <algorithm>
#include <cstdlib>

#include "api/data_folder.hpp"
#include "driver/compilation.hpp"
#include "driver/report.hpp"

namespace kasc::api {

namespace {

emit::Target emission(Target target) {
    switch (target) {
        case Target::cuda:
            return emit::Target::cuda;
        case Target::cpu:
            return emit::Target::cpu;
        case Target::cpu_checking:
            return emit::Target::cpu_checking;
    }
    return emit::Target::cuda;
}

void say(Result& result, Diagnostics diagnostics) {
    diagnostics = tidy(std::move(diagnostics));
    result.diagnostics = render_text(diagnostics);
    result.diagnostics_json = render_json(diagnostics);
}

}  // namespace

Result compile(const std::string& source, const std::string& name, const Options& options) {
    CompileRequest request;
    request.source = make_source(name, source);
    request.data_folder = options.data_folder.empty() ? find_data_folder() : std::filesystem::path(options.data_folder);
    request.libraries.assign(options.library_folders.begin(), options.library_folders.end());
    request.device = options.device;
    request.settings = options.settings;
    if (!options.plan.empty()) request.written_plan = make_source("plan", options.plan);
    request.plan.strategy = options.strategy;
    request.plan.seed = options.seed;
    request.plan.budget = read_budget(options.budget);
    if (const auto lists = find_lists(options.lists)) request.lists = *lists;
    if (const auto graph = find_capture(options.graph)) request.graph = *graph;
    request.no_rewrite = rules_of(options.no_rewrite);
    if (const int steps = std::atoi(options.steps.c_str()); steps > 0) request.steps = steps;
    request.plan.count = std::max<std::size_t>(1, options.plans);
    request.plan.bounds.max_calls = std::max(1, options.max_fusion);
    request.plan.bounds.storing_transforms = !options.no_callbacks;

    Result result;
    Diagnostics faults = strategy_faults(options.strategy, options.seed);
    const Diagnostics of_budget = budget_faults(options.budget);
    faults.insert(faults.end(), of_budget.begin(), of_budget.end());
    if (!faults.empty()) {
        say(result, faults);
        return result;
    }
    const auto compilation = kasc::compile(request);
    Diagnostics said = compilation.diagnostics;
    result.ok = compilation.value.has_value();
    for (std::size_t i = 0; result.ok && i < compilation->plans.size(); ++i) {
        const auto code = emit_plan(*compilation, request, i, emission(options.target));
        said.insert(said.end(), code.diagnostics.begin(), code.diagnostics.end());
        result.ok = code.value.has_value();
        if (!result.ok) break;
        Plan plan{compilation->plans[i].time_ns, short_report(*compilation, i), {}};
        for (const emit::EmittedFile& file : code->files) plan.files.push_back({file.name, file.text});
        result.plans.push_back(std::move(plan));
    }
    if (!result.ok) result.plans.clear();
    say(result, std::move(said));
    return result;
}

std::vector<StrategyInfo> strategies() {
    std::vector<StrategyInfo> all;
    for (const kasc::StrategyInfo& s : kasc::strategies()) all.push_back({s.name, s.description, !s.seeded.empty()});
    return all;
}

std::string version() { return KASC_VERSION; }

}  // namespace kasc::api
