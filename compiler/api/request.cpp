#include "api/request.hpp"

#include <algorithm>
#include <cstdlib>

#include "api/data_folder.hpp"
#include "driver/option_words.hpp"

namespace kasc::api {

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

std::vector<File> files_of(const emit::EmittedCode& code) {
    std::vector<File> files;
    for (const emit::EmittedFile& file : code.files) files.push_back({file.name, file.text});
    return files;
}

Outcome<CompileRequest> request_of(const std::string& source, const std::string& name, const Options& options) {
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
    request.rewrite = rules_of(options.rewrite);
    if (const int steps = std::atoi(options.steps.c_str()); steps > 0) request.steps = steps;
    request.plan.count = std::max<std::size_t>(1, options.plans);
    request.plan.bounds.max_calls = std::max(1, options.max_fusion);
    request.plan.bounds.storing_transforms = !options.no_callbacks;
    request.plan.bounds.last_blocks = !options.no_last_blocks;

    Diagnostics faults = strategy_faults(options.strategy, options.seed);
    const Diagnostics of_budget = budget_faults(options.budget);
    faults.insert(faults.end(), of_budget.begin(), of_budget.end());
    std::vector<std::string> words;
    for (const auto& [option, word] : options.words) words.push_back(option + "=" + word);
    set_words(request.source, words, request.settings, faults);
    if (!faults.empty()) return failure<CompileRequest>(std::move(faults));
    return success(std::move(request));
}

}  // namespace kasc::api
