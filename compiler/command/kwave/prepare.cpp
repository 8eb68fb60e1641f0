// The simulations are shared out among processes, each of which hands one after the other to kasc kwave, which ends
// once its program is built: so what is built here is what a run looks for.
#include "command/kwave/prepare.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>

#include "command/exit.hpp"
#include "command/kwave/common_simulations.hpp"
#include "command/kwave/options.hpp"
#include "command/run/flags.hpp"
#include "command/streams.hpp"
#include "foundation/parallel.hpp"
#include "runtime/building/cache_place.hpp"
#include "runtime/building/prebuilt.hpp"
#include "runtime/files/descriptor.hpp"
#include "runtime/files/temporary_folder.hpp"
#include "runtime/processes/process.hpp"

namespace kasc::command {

namespace {

namespace fs = std::filesystem;

Outcome<std::vector<CommonSimulation>> chosen(const std::vector<std::string>& names) {
    std::vector<CommonSimulation> all = common_simulations();
    if (names.empty()) return success(std::move(all));
    const auto begins = [](const CommonSimulation& simulation, const std::string& name) {
        return simulation.name() == name || simulation.name().starts_with(name + "/");
    };
    for (const std::string& name : names) {
        const bool known = std::any_of(all.begin(), all.end(), [&](const auto& one) { return begins(one, name); });
        if (!known)
            return failure<std::vector<CommonSimulation>>({placeless(
                "K0924", fmt::format("no simulation that is prepared has the name '{}', or begins with it", name),
                "kasc kwave-prepare --list prints the names")});
    }
    std::erase_if(all, [&](const CommonSimulation& one) {
        return std::none_of(names.begin(), names.end(), [&](const std::string& name) { return begins(one, name); });
    });
    return success(std::move(all));
}

/// Where programs go that come with kasc.
Outcome<runtime::BuildCache> folder_of_programs(const std::string& into) {
    if (runtime::portable_level().empty())
        return failure<runtime::BuildCache>(
            {placeless("K0925", "programs that run on every processor of this architecture are not built",
                       "leave --into out: each machine builds its own")});
    constexpr std::uint64_t most = std::uint64_t{1} << 30;
    std::error_code error;
    fs::create_directories(into, error);
    auto folder = runtime::BuildCache::open(into, most);
    for (Diagnostic& d : folder.diagnostics) {  // a cache may be missing, this folder not
        d = placeless("K0720", fmt::format("'{}' is no folder of yours that nobody else may write", into),
                      "name another with --into");
    }
    return folder;
}

/// Kept files are the user's alone; these are for all who run kasc.
Diagnostics let_all_read(const fs::path& folder) {
    using fs::perms;
    const perms read = perms::owner_read | perms::group_read | perms::others_read;
    std::error_code error;
    for (auto at = fs::directory_iterator(folder, error); !error && at != fs::directory_iterator(); at.increment(error))
        fs::permissions(at->path(), read | perms::owner_write, error);
    if (!error)
        fs::permissions(folder, read | perms::owner_write | perms::owner_exec | perms::group_exec | perms::others_exec,
                        error);
    if (!error) return {};
    return {
        placeless("K0721", fmt::format("'{}' cannot be made readable for all: {}", folder.string(), error.message()))};
}

int prepare_one(const CommonSimulation& simulation, const fs::path& folder, const runtime::BuildCache& into) {
    KwaveOptions run;
    run.input = (folder / "input.h5").string();
    run.output = (folder / "output.h5").string();
    run.recorded = simulation.recorded;
    run.target = "cpu";
    run.build_only = true;
    run.portable_into = into;
    if (Diagnostics bad = write_input(simulation, run.input); !bad.empty()) return report(bad, run.diagnostics);
    return kwave_command(run);
}

/// Every `workers`th from `first` on. Names of those that are built go to the descriptor `told`.
int prepare_some(const std::vector<CommonSimulation>& simulations, std::size_t first, std::size_t workers,
                 const runtime::BuildCache& into, int told) {
    const auto folder = runtime::TemporaryFolder::create();
    if (!folder) return report(folder.diagnostics, DiagnosticsFormat::text);
    for (std::size_t i = first; i < simulations.size(); i += workers) {
        if (const int status = prepare_one(simulations[i], folder->path(), into); status != good) return status;
        dprintf(told, "%s\n", simulations[i].name().c_str());
    }
    return good;
}

}  // namespace

void add_kwave_prepare(CLI::App& app, KwavePrepareOptions& o) {
    CLI::App* sub =
        app.add_subcommand("kwave-prepare", "Build what common k-Wave simulations are, before the first is run");
    sub->add_option("names", o.names, "simulations, or beginnings of their names; default: all of them")
        ->type_name("NAME");
    sub->add_flag("--list", o.list, "print their names and build nothing");
    sub->add_option("--into", o.into, "a folder of programs for any processor, as share/kasc/built of an installation")
        ->type_name("DIR");
    sub->add_option("--jobs", o.jobs, "compilers at a time; default: as many as there are cores")
        ->check(CLI::Range(1, 1024));
    add_diagnostics(*sub, o.diagnostics);
    sub->footer(
        "Without --into they are built for this machine's processor and kept with all else that is built "
        "(docs/cache.md).\nWhat comes with kasc is not built again.\n"
        "Example:\n  kasc kwave-prepare 2d/uniform 2d/varying/p0\n  kasc kwave-prepare --into "
        "/opt/kasc/share/kasc/built");
}

int kwave_prepare_command(const KwavePrepareOptions& options) {
    const auto simulations = chosen(options.names);
    if (!simulations) return report(simulations.diagnostics, options.diagnostics);
    if (options.list) {
        for (const CommonSimulation& simulation : *simulations) tell(simulation.name() + "\n");
        return good;
    }
    runtime::BuildCache into;
    if (!options.into.empty()) {
        auto folder = folder_of_programs(options.into);
        if (!folder) return report(folder.diagnostics, options.diagnostics);
        into = *std::move(folder.value);
    }
    const auto cores = static_cast<std::size_t>(options.jobs > 0 ? options.jobs : usable_cores());
    const std::size_t workers = std::min(cores, simulations->size());
    // What a fork prints is caught for errors; names are told by all at once.
    const runtime::Descriptor told(dup(STDOUT_FILENO));
    std::vector<runtime::Process> processes;
    int status = good;
    for (std::size_t first = 0; first < workers; ++first) {
        runtime::ProcessWatch watch;
        watch.on_line = [](const std::string& line) { tell_error(line + "\n"); };
        auto process = runtime::Process::start(
            [&, first] { return prepare_some(*simulations, first, workers, into, told.get()); }, std::move(watch));
        if (!process) return report({placeless("K0724", "the system gives no process")}, options.diagnostics);
        processes.push_back(std::move(*process));
    }
    for (runtime::Process& process : processes) status = std::max(status, process.wait().exit_code);
    if (status == good && into.usable()) status = report(let_all_read(into.folder()), options.diagnostics);
    return status;
}

}  // namespace kasc::command
