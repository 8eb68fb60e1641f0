// kasc check-lib: read the library, plan, build, run, report.
#include <fmt/format.h>

#include <algorithm>

#include "api/data_folder.hpp"
#include "command/exit.hpp"
#include "command/streams.hpp"
#include "libcheck/check_library.hpp"
#include "runtime/building/cache_place.hpp"
#include "runtime/files/temporary_folder.hpp"
#include "runtime/processes/interrupt.hpp"
#include "runtime/progress/progress.hpp"

namespace kasc::command {

namespace {

namespace fs = std::filesystem;

/// kasc's own library, then what the folders to check rest on, then those.
std::vector<fs::path> all_folders(const CheckLibOptions& options, const fs::path& own) {
    std::vector<fs::path> folders{own};
    folders.insert(folders.end(), options.libraries.begin(), options.libraries.end());
    folders.insert(folders.end(), options.folders.begin(), options.folders.end());
    return folders;
}

/// The folders to check, as the library names them: one that is named twice has its first name.
std::vector<std::string> checked_folders(const CheckLibOptions& options, const fs::path& own, const Library& library) {
    std::vector<fs::path> wanted(options.folders.begin(), options.folders.end());
    if (wanted.empty()) wanted.push_back(own);
    std::vector<std::string> names;
    for (const fs::path& folder : wanted) {
        const auto same = std::find_if(library.folders.begin(), library.folders.end(), [&](const std::string& known) {
            std::error_code error;
            return fs::equivalent(known, folder, error);
        });
        names.push_back(same == library.folders.end() ? folder.generic_string() : *same);
    }
    return names;
}

}  // namespace

int check_lib_command(const CheckLibOptions& options) {
    const fs::path data = find_data_folder(), own = data / "elementlib";
    const auto library = read_library(all_folders(options, own));
    Diagnostics said = library.diagnostics;
    const auto finish = [&](const Diagnostics& more) {
        said.insert(said.end(), more.begin(), more.end());
        return report(said, options.diagnostics);
    };
    if (!library) return finish({});
    const auto plan = libcheck::plan_checks(*library, {checked_folders(options, own, *library), options.functions});
    if (!plan) return finish(plan.diagnostics);
    said.insert(said.end(), plan.diagnostics.begin(), plan.diagnostics.end());

    runtime::BuildCache cache;
    if (!options.no_cache) {
        auto users = runtime::users_cache();
        said.insert(said.end(), users.diagnostics.begin(), users.diagnostics.end());
        cache = std::move(*users.value);
    }
    const auto work = runtime::TemporaryFolder::create();
    if (!work) return finish(work.diagnostics);
    runtime::InterruptWatch interrupt;
    runtime::ProgressDisplay display("check-lib", runtime::ProgressDisplay::standard_error(), 0, "functions");
    const auto go_on = [&](long long done, long long total) {
        display.update(done, total);
        return !interrupt.interrupted();
    };
    auto checked = libcheck::check_library({*library, *plan, data / "support", work->path(), go_on, cache});
    display.finish();
    if (checked) checked.value->refused = has_errors(plan.diagnostics);
    const int status = finish(checked.diagnostics);
    if (checked) tell(options.format == "json" ? libcheck::report_json(*checked) : libcheck::report_text(*checked));
    return status;
}

}  // namespace kasc::command
