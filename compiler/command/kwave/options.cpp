#include "command/kwave/options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>

#include "command/data_faults.hpp"
#include "command/run/flags.hpp"
#include "runtime/array.hpp"

namespace kasc::command {

namespace {

/// CLI11's own tells the largest double that there is.
CLI::Validator whole_number_from(long long least) {
    return {[least](const std::string& text) {
                long long value = 0;
                const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
                const bool whole = error == std::errc() && end == text.data() + text.size();
                return whole && value >= least ? "" : fmt::format("'{}' is no whole number from {}", text, least);
            },
            ""};
}

struct Flag {
    const char* names;
    const char* recorded;
    const char* help;
};
constexpr Flag flags[] = {
    {"-p,--p_raw", "p", "pressure, a series; what is recorded where nothing else is asked for"},
    {"--p_rms", "p_rms", "root mean square of the pressure"},
    {"--p_max", "p_max", "largest pressure"},
    {"--p_min", "p_min", "smallest pressure"},
    {"--p_max_all", "p_max_all", "largest pressure, of every point of the grid"},
    {"--p_min_all", "p_min_all", "smallest pressure, of every point of the grid"},
    {"--p_final", "p_final", "pressure after the last step, of every point"},
    {"-u,--u_raw", "u", "velocity, a series, at its staggered points"},
    {"--u_non_staggered_raw", "u_non_staggered", "velocity, a series, at the points of the pressure"},
    {"--u_rms", "u_rms", "root mean square of the velocity"},
    {"--u_max", "u_max", "largest velocity"},
    {"--u_min", "u_min", "smallest velocity"},
    {"--u_max_all", "u_max_all", "largest velocity, of every point of the grid"},
    {"--u_min_all", "u_min_all", "smallest velocity, of every point of the grid"},
    {"--u_final", "u_final", "velocity after the last step, of every point"},
};

void add_recordings(CLI::App& sub, KwaveOptions& o) {
    for (const Flag& flag : flags) {
        sub.add_flag_callback(
               flag.names, [&o, &flag] { o.recorded.insert(flag.recorded); }, flag.help)
            ->group("Recorded at the sensor, unless of every point");
    }
    sub.add_option("-s", o.start, "the first step that is recorded, from 1")
        ->check(whole_number_from(1))
        ->type_name("STEP")
        ->group("Recorded at the sensor, unless of every point");
    sub.add_flag("--copy_sensor_mask", o.copy_sensor_mask, "put the sensor mask into the output file, too")
        ->group("Recorded at the sensor, unless of every point");
}

/// Flags of k-Wave-Fluid, a development version of k-Wave's authors (2019): averages and series compressed by
/// harmonics, and what these depend on. The released 1.3 (2020) has none of them.
constexpr const char* fluid_flags[] = {"--p_c",     "--u_c",    "--u_non_staggered_c", "--I_avg",
                                       "--I_avg_c", "--Q_term", "--Q_term_c"};
constexpr const char* fluid_options[] = {"--block_size", "--frequency", "--period", "--mos", "--harmonics"};

/// Known, so that they can be refused by name; not in the help.
void add_refused(CLI::App& sub, KwaveOptions& o) {
    for (const char* name : fluid_flags)
        sub.add_flag_callback(name, [&o, name] { o.refused.emplace_back(name); })->group("");
    for (const char* name : fluid_options) {
        sub.add_option_function<std::string>(name, [&o, name](const std::string&) { o.refused.emplace_back(name); })
            ->group("");
    }
}

void add_more(CLI::App& sub, KwaveOptions& o) {
    const char* const group = "Beyond k-Wave's";
    sub.add_option("--target", o.target, "auto takes a GPU if there is one")
        ->check(CLI::IsMember({"auto", "cuda", "cpu"}))
        ->capture_default_str()
        ->group(group);
    sub.add_option("--allow", o.allow,
                   "go on in spite of not-finite values; unstable: do not warn of the time step; may be a list")
        ->delimiter(',')
        ->check(CLI::IsMember(allowable_faults()))
        ->allow_extra_args(false)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->type_name("not-finite|unstable")
        ->group(group);
    sub.add_option("--memory", o.memory, "what arrays may take of the GPU's or the CPU's memory, as 8G")
        ->check(CLI::Validator(
            [](const std::string& text) { return runtime::read_bytes(text) ? "" : "a size as 500M, 8G, 1.5T"; }, ""))
        ->type_name("SIZE")
        ->group(group);
    add_share(sub, o.share)->group(group);
    add_basis(sub, o.basis, group);
    sub.add_flag("--check", o.check, "compare with the unfused program on the CPU (slow)")->group(group);
    sub.add_option("--keep", o.keep, "keep the emitted source here")->type_name("DIR")->group(group);
    add_timing(sub, o.timing)->group(group);
    add_no_cache(sub, o.no_cache)->group(group);
    sub.add_option_function<std::string>(
           "--diagnostics",
           [&o](const std::string& format) {
               o.diagnostics = format == "json" ? DiagnosticsFormat::json : DiagnosticsFormat::text;
           },
           "text or json")
        ->check(CLI::IsMember({"text", "json"}))
        ->group(group);
}

}  // namespace

const FlagWords& kwave_words() {
    const auto same = [](const char* name) { return std::pair{std::string(name), FlagWord{name}}; };
    static const FlagWords words{
        {"--in", {"-i", "-i names an input file, as k-Wave's tools write it"}},
        {"--out", {"-o"}},
        {"--checkpoint", {"--checkpoint_file"}},
        {"--restart",
         {"--checkpoint_file", "repeat the call that wrote it, or remove the checkpoint to start the simulation anew"}},
        {"--set", {"", "write it into the input file, as a dataset of that name with one number"}},
        {"--no-rewrite", {"", "kasc orders the operations anew: report a difference that is more than roundings"}},
        same("--target"),
        same("--allow"),
        same("--memory"),
        same("--share"),
        same("--basis"),
        same("--blocks"),
        same("--check"),
        same("--keep")};
    return words;
}

void add_kwave(CLI::App& app, KwaveOptions& o) {
    CLI::App* sub = app.add_subcommand("kwave", "Run a k-Wave simulation: its input and output files, its flags");
    // Where a flag is given twice, the last counts, as k-Wave's commands have it: scripts append theirs to others'.
    sub->option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    sub->set_version_flag("--version", "kasc " KASC_VERSION ", in place of kspaceFirstOrder-CUDA and -OMP 1.3");
    sub->add_option("-i", o.input, "what k-Wave's tools have written")->required()->type_name("INPUT.h5");
    sub->add_option("-o", o.output, "what they will read")->required()->type_name("OUTPUT.h5");
    add_recordings(*sub, o);
    const CLI::Validator positive = whole_number_from(1);
    sub->add_option("--checkpoint_file", o.checkpoint, "where the state goes at a checkpoint, which ends the call")
        ->type_name("FILE.h5");
    sub->add_option("--checkpoint_interval", o.checkpoint_seconds, "a checkpoint after so many seconds")
        ->check(positive)
        ->type_name("SECONDS");
    sub->add_option("--checkpoint_timesteps", o.checkpoint_steps, "a checkpoint after so many steps")
        ->check(positive)
        ->type_name("STEPS");
    sub->add_option("--benchmark", o.benchmark, "run so many steps, whatever the file says")
        ->check(positive)
        ->type_name("STEPS");
    sub->add_option("-g", o.device, "which GPU, from 0")->check(whole_number_from(0))->type_name("NUMBER");
    sub->add_option("-t", o.threads, "threads of the CPU; default: all cores")
        ->check(CLI::Range(1, 4096))
        ->type_name("NUMBER");
    sub->add_option("-c", o.compression, "compress the finished output, 1 (fast) to 9 (small); 0: not")
        ->check(CLI::Range(0, 9))
        ->type_name("LEVEL");
    sub->add_option("-r", o.progress, "progress is told every so many per cent of the steps")
        ->check(CLI::Range(0.01, 100.0))
        ->capture_default_str()
        ->type_name("PERCENT");
    sub->add_option("--verbose", o.verbose, "0: few lines; 1, 2: also which kernels the simulation became")
        ->check(CLI::Range(0, 2))
        ->type_name("LEVEL");
    add_more(*sub, o);
    add_refused(*sub, o);
    sub->footer(
        "In place of k-Wave's own command: kasc-kwave takes this command line alone (docs/kwave.md says how MATLAB's "
        "and\n"
        "Python's k-Wave are told to call it). With a checkpoint file, repeat the call until the file is gone.\n"
        "Example:\n  kasc kwave -i input.h5 -o output.h5 --p_raw --p_max --u_final -s 100");
}

}  // namespace kasc::command
