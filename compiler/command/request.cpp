#include "command/request.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "api/data_folder.hpp"
#include "driver/option_words.hpp"

namespace kasc::command {

namespace {

constexpr std::uintmax_t largest_program = 16U << 20U;  // a program of a mebibyte is refused by the front end already

Diagnostic request_fault(std::string code, std::string message, std::string place, std::string help) {
    Diagnostic d;
    d.code = std::move(code);
    d.message = std::move(message);
    if (!place.empty()) d.span.source = make_source(std::move(place));
    d.help = std::move(help);
    return d;
}

}  // namespace

Outcome<SourceRef> read_program_file(const std::string& path) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) {
        return failure<SourceRef>(
            request_fault("K0700", "there is no such program file", path, "give the path of a .kas file"));
    }
    if (std::filesystem::file_size(path, error) > largest_program) {
        return failure<SourceRef>(
            request_fault("K0700", "the program file is larger than 16 MiB", path, "is it a program?"));
    }
    std::ifstream in(path, std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    if (!in)
        return failure<SourceRef>(
            request_fault("K0700", "the program file cannot be read", path, "check its permissions"));
    return success(make_source(path, text.str()));
}

namespace {

/// `source`: null where the program could not be read, of which `said` tells.
Outcome<CompileRequest> request_with(const SourceRef& source, Diagnostics said, const CommonOptions& options,
                                     const std::string& default_device) {
    CompileRequest request;
    request.source = source;
    request.data_folder = find_data_folder();
    request.libraries.assign(options.libraries.begin(), options.libraries.end());
    request.device = options.device.empty() ? default_device : options.device;
    std::vector<std::string> words;
    for (const std::string& setting : options.settings) {
        const std::size_t equals = setting.find('=');
        char* end = nullptr;
        const double value = equals == std::string::npos ? 0 : std::strtod(setting.c_str() + equals + 1, &end);
        if (end == nullptr || *end != '\0' || end == setting.c_str() + equals + 1) {
            words.push_back(setting);
        } else {
            request.settings[setting.substr(0, equals)] = value;
        }
    }
    if (source) set_words(source, words, request.settings, said);
    const auto say = [&](Diagnostics found, const char* flag) {
        for (Diagnostic& d : found) d.span.source = make_source(flag);
        said.insert(said.end(), found.begin(), found.end());
    };
    say(strategy_faults(options.strategy, options.seed), "--strategy");
    say(budget_faults(options.budget), "--budget");
    request.plan.strategy = options.strategy;
    request.plan.seed = options.seed;
    request.plan.budget = read_budget(options.budget);
    request.plan.bounds.max_calls = options.max_fusion;
    request.plan.bounds.storing_transforms = !options.no_callbacks;
    request.plan.bounds.last_blocks = !options.no_last_blocks;
    if (const auto lists = find_lists(options.lists)) request.lists = *lists;
    if (const auto graph = find_capture(options.graph)) request.graph = *graph;
    request.no_rewrite = rules_of(options.no_rewrite);
    request.rewrite = rules_of(options.rewrite);
    if (options.steps != "best") request.steps = std::stoi(options.steps);
    if (!options.plan.empty()) request.written_plan = make_source("--plan", options.plan);
    if (!said.empty()) return failure<CompileRequest>(said);
    return success(std::move(request));
}

}  // namespace

Outcome<CompileRequest> make_request(const CommonOptions& options, const std::string& default_device) {
    const auto source = read_program_file(options.program);
    return request_with(source ? *source : nullptr, source.diagnostics, options, default_device);
}

Outcome<CompileRequest> request_for(const SourceRef& source, const CommonOptions& options,
                                    const std::string& default_device) {
    return request_with(source, {}, options, default_device);
}

std::vector<runtime::CallFile> read_files(const CommonOptions& options) {
    std::vector<runtime::CallFile> files{{options.program, "the program"}};
    std::error_code error;
    // Else it is a name of kasc's own.
    if (std::filesystem::is_regular_file(options.device, error)) files.push_back({options.device, "the device file"});
    const auto libraries = library_files(options.libraries);
    files.insert(files.end(), libraries.begin(), libraries.end());
    return files;
}

std::vector<runtime::CallFile> library_files(const std::vector<std::string>& libraries) {
    std::vector<runtime::CallFile> files;
    std::error_code error;
    for (const std::string& library : libraries) {
        // What cannot be listed is told of where it is read.
        for (std::filesystem::directory_iterator at(library, error), end; !error && at != end; at.increment(error))
            files.push_back({at->path().string(), "a file of the library"});
    }
    return files;
}

}  // namespace kasc::command
