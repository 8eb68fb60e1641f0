// The command line: what can be asked, and nothing else.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <exception>
#include <new>
#include <sstream>

#include "command/call_fault.hpp"
#include "command/data_faults.hpp"
#include "command/editor/flags.hpp"
#include "command/exit.hpp"
#include "command/fonts.hpp"
#include "command/kwave/options.hpp"
#include "command/kwave/prepare.hpp"
#include "command/options.hpp"
#include "command/run/flags.hpp"
#include "command/streams.hpp"
#include "command/view/flags.hpp"
#include "rewrite/rewrite.hpp"
#include "runtime/array.hpp"
#include "runtime/devices/cpu_threads.hpp"
#include "runtime/runs/long_run.hpp"
#include "select/selection.hpp"

namespace kasc::command {

namespace {

std::string strategy_help() {
    std::string help = "how fusions are selected:";
    for (const StrategyInfo& s : strategies()) help += "\n" + s.name + ": " + s.description;
    return help;
}

void add_common(CLI::App& app, CommonOptions& o) {
    app.add_option("program", o.program, "the program (docs/language.md)")->required()->type_name("PROGRAM.kas");
    app.add_option("--lib", o.libraries,
                   "a folder of elementary functions, beyond kasc's own; code that runs with your rights")
        ->type_name("DIR");
    app.add_option("--device", o.device, "h100, h200, a100, cpu, or a device file")->type_name("NAME|FILE");
    app.add_option("--set", o.settings, "an extent, a parameter, or n for a stream's elements; may be repeated")
        ->type_name("name=value");
    app.add_option("--plan", o.plan,
                   "what the plan must be, in part or whole (docs/plans.md); the search decides the rest")
        ->type_name("PLAN");
    app.add_option("--strategy", o.strategy, strategy_help())->type_name("NAME[:SEED]")->capture_default_str();
    app.add_option("--seed", o.seed, "what a strategy draws or breaks ties with")->type_name("N");
    app.add_option(
           "--budget", o.budget,
           "what the search may spend: schedules priced (2000), or seconds (5s, 500ms), with which alone a plan "
           "may depend on the clock; default: as much as it takes")
        ->type_name("N|SECONDS");
    app.add_option(
           "--lists", o.lists,
           "assignments to lists of cells in loops: kernels of their own, cell by cell, or what is predicted faster")
        ->check(CLI::IsMember({"priced", "kernels", "cells"}))
        ->capture_default_str();
    app.add_option("--graph", o.graph,
                   "launches that are the same in every iteration as a CUDA graph: where launches are two "
                   "hundredths of a loop's predicted time or more (priced), or wherever there are any")
        ->check(CLI::IsMember({"never", "priced", "always"}))
        ->capture_default_str();
    app.add_flag("--no-rewrite{all}", o.no_rewrite,
                 "leave the program as it is written: no rule, or not this one; may be repeated")
        ->check(CLI::IsMember([] {
            std::vector<std::string> names = rule_names();
            names.emplace_back("all");
            return names;
        }()));
    app.add_option(
           "--rewrite", o.rewrite,
           "write the program anew by a rule that is off unless asked for, where that is predicted faster: modes, many "
           "linear steps as one product of waves; it rounds otherwise than steps do")
        ->type_name("RULE")
        ->check(CLI::IsMember(asked_rule_names()));
    app.add_option(
           "--steps", o.steps,
           "steps of a time loop over a stencil that one kernel computes, where it can: 1 to 32, or as many as are "
           "predicted fastest")
        ->type_name("N|best")
        ->check(CLI::IsMember({"best"}) | CLI::Range(1, 32))
        ->capture_default_str();
    app.add_flag("--no-callbacks", o.no_callbacks,
                 "cuFFT computes nothing as it stores a transform (its link-time callbacks)");
    app.add_flag("--no-last-blocks", o.no_last_blocks,
                 "no kernel's last block to finish goes on with what completes a sum");
    app.add_option("--max-fusion", o.max_fusion, "calls in one kernel, at most")
        ->check(CLI::Range(1, 1024))
        ->capture_default_str();
    add_diagnostics(app, o.diagnostics);
}

void add_tuned(CLI::App& sub, TunedOptions& o) {
    auto* tuned = sub.add_flag("--tuned", o.wanted, "take the plan that kasc tune measured best for this device");
    sub.add_option("--db", o.database, "the tuning database; default: the user's own")->needs(tuned)->type_name("FILE");
}

void add_compile(CLI::App& app, CompileOptions& o) {
    CLI::App* sub = app.add_subcommand("compile", "Fuse a program and write its CUDA source");
    add_common(*sub, o.common);
    auto* output = sub->add_option("-o,--output", o.output, "where the files go; made if missing")->type_name("DIR");
    sub->add_flag("--force", o.force, "replace files in DIR that kasc did not write, or that were changed since")
        ->needs(output);
    sub->add_option("--top", o.top, "write the N best plans into DIR/1 … DIR/N")
        ->check(CLI::Range(1, 1000))
        ->type_name("N");
    sub->add_option("--target", o.target,
                    "cuda, cpu, or cpu-checking (runs a GPU's plan on the CPU and checks every access)")
        ->check(CLI::IsMember({"cuda", "cpu", "cpu-checking"}))
        ->capture_default_str();
    add_tuned(*sub, o.tuned);
    auto* emit = sub->add_option("--emit", o.emit, "print one stage's value in place of writing files")
                     ->check(CLI::IsMember({"ast", "program", "graph", "space", "plan", "dot", "kernel", "cuda"}))
                     ->type_name("STAGE");
    output->excludes(emit);
    sub->add_option("--format", o.format, "of --emit space: text, or json with every candidate and its prediction")
        ->check(CLI::IsMember({"text", "json"}))
        ->capture_default_str()
        ->needs(emit);
    add_pass_times(*sub, o.timing)->excludes(emit);
    sub->footer(
        "Example:\n  kasc compile examples/big_fusion.kas -o out\n  kasc compile examples/heat3d.kas --emit plan --set "
        "x=512\n  kasc compile examples/heat2d.kas --plan \"column 128x1 vector 4 chunk 32\" -o out\n  kasc compile "
        "examples/sync_test.kas --emit space --format json");
}

void add_run(CLI::App& app, RunOptions& o) {
    CLI::App* sub = app.add_subcommand("run", "Fuse a program, build it and run it on data in HDF5");
    add_common(*sub, o.common);
    sub->add_option("--in", o.input, "HDF5 file with a dataset for each input")->type_name("FILE.h5");
    sub->add_option("--out", o.output, "HDF5 file for the results")->required()->type_name("FILE.h5");
    sub->add_option("--target", o.target, "auto takes a GPU if there is one")
        ->check(CLI::IsMember({"auto", "cuda", "cpu"}))
        ->capture_default_str();
    sub->add_flag(
        "--check", o.check,
        "compare with the unfused program on the CPU; on the CPU also check every access of the GPU's kernels (slow)");
    sub->add_option("--picture", o.picture,
                    "draw a result as PNG, SVG or PDF: of three axes the planes through the value farthest from 0")
        ->type_name("NAME=FILE.png");
    sub->add_option("--keep", o.keep, "keep the emitted source here")->type_name("DIR");
    auto* checkpoint = sub->add_option("--checkpoint", o.checkpoint,
                                       "write the state of the run here now and then, and when it is stopped")
                           ->type_name("FILE.h5");
    sub->add_option("--every", o.every, "between checkpoints: a number of iterations, or a time as 90s, 10m, 2h")
        ->check(CLI::Validator(
            [](const std::string& text) {
                return runtime::read_interval(text) ? "" : "a number of iterations, or a time as 90s, 10m, 2h";
            },
            ""))
        ->needs(checkpoint)
        ->type_name("N|TIME")
        ->capture_default_str();
    sub->add_option("--restart", o.restart, "go on from a checkpoint of the same call")->type_name("FILE.h5");
    sub->add_option("--ranks", o.ranks,
                    "GPUs of this machine that share the work and the arrays, with the same results; on CPUs processes "
                    "do, which mpirun starts")
        ->check(CLI::Range(1, 64))
        ->type_name("N")
        ->capture_default_str();
    add_share(*sub, o.share);
    add_basis(*sub, o.basis);
    sub->add_option("--memory", o.memory,
                    "what arrays may take of the GPU's or the CPU's memory, as 8G; series that do not fit pass through "
                    "it row by row; of several GPUs on each; default: what is free")
        ->check(CLI::Validator(
            [](const std::string& text) { return runtime::read_bytes(text) ? "" : "a size as 500M, 8G, 1.5T"; }, ""))
        ->type_name("SIZE");
    sub->add_option(
           "--allow", o.allow,
           "go on in spite of: not-finite values, positions outside of the grid; unstable: do not warn of time "
           "steps; may be a list")
        ->delimiter(',')
        ->check(CLI::IsMember(allowable_faults()))
        ->allow_extra_args(false)
        ->type_name("not-finite|unstable|outside");
    add_timing(*sub, o.timing);
    add_no_cache(*sub, o.no_cache);
    add_tuned(*sub, o.tuned);
    sub->footer(
        "A long run: kasc run P.kas --in IN.h5 --out OUT.h5 --checkpoint P.ck.h5 --every 10m; after Ctrl-C or a crash "
        "the same call\nwith --restart P.ck.h5 goes on, and gives the same bytes as a run that was never stopped.\n"
        "Example:\n  kasc run examples/heat3d.kas --in tissue.h5 --out result.h5 --set dt=0.05 --picture T=hot.png");
}

void add_tune(CLI::App& app, TuneOptions& o) {
    CLI::App* sub = app.add_subcommand("tune", "Build, check and time the best plans, and remember the times");
    add_common(*sub, o.common);
    sub->add_option("--top", o.top, "how many of the model's best plans are tried")
        ->check(CLI::Range(1, 1000))
        ->type_name("N")
        ->capture_default_str();
    sub->add_option("--spread", o.spread,
                    "measure N of these alone, evenly through their order: the first, and worse ones")
        ->check(CLI::Range(1, 1000))
        ->type_name("N");
    sub->add_option("--db", o.database, "the tuning database; default: the user's own")->type_name("FILE");
    sub->add_option("--in", o.input, "HDF5 file with a dataset for each input; default: random data")
        ->type_name("FILE.h5");
    sub->add_option("--target", o.target, "what the plans run on")
        ->check(CLI::IsMember({"cuda", "cpu"}))
        ->capture_default_str();
    sub->add_option("--jobs", o.jobs, "compilers at a time; default: one a core")->check(CLI::Range(1, 1024));
    sub->add_option("--repeats", o.repeats, "timed runs of a plan, at most")
        ->check(CLI::Range(1, 10000))
        ->capture_default_str();
    sub->add_option("--time-limit", o.limit_seconds, "seconds for building a plan, and for one run of it")
        ->check(CLI::Range(1, 86400))
        ->capture_default_str();
    sub->add_option("--export", o.export_file, "write the results in the auto-tuning community's format T4")
        ->type_name("FILE.json");
    sub->add_option("--format", o.format, "text or json")
        ->check(CLI::IsMember({"text", "json"}))
        ->capture_default_str();
    add_timing(*sub, o.timing);
    add_no_cache(*sub, o.no_cache);
    sub->footer(
        "Results are kept as they come: after Ctrl-C, the same call goes on where it was.\n"
        "Example:\n  kasc tune examples/big_fusion.kas --set n=2097152 --top 20\n"
        "  kasc compile examples/big_fusion.kas --tuned -o out");
}

void add_bench(CLI::App& app, BenchOptions& o) {
    CLI::App* sub = app.add_subcommand("bench", "Measure the library's functions on the device, as a table");
    sub->add_option("--lib", o.libraries,
                    "a folder of elementary functions, beyond kasc's own; code that runs with your rights")
        ->type_name("DIR");
    sub->add_option("--function", o.function, "one function; default: all")->type_name("NAME");
    sub->add_option("-o,--output", o.output, "where the table goes; default: standard output")->type_name("TABLE.json");
    sub->add_option("--elements", o.elements, "elements a block; may be repeated")->check(CLI::Range(1, 1024));
    sub->add_option("--size", o.size, "elements of the streams; default: 2^20, on the CPU 2^14")
        ->check(CLI::Range(1024, 1 << 26));
    sub->add_option("--target", o.target, "what is measured")
        ->check(CLI::IsMember({"cuda", "cpu"}))
        ->capture_default_str();
    sub->add_option("--repeats", o.repeats, "timed runs, of which the median counts")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    sub->add_option("--jobs", o.jobs, "compilers at a time; default: one a core")->check(CLI::Range(1, 1024));
    add_no_cache(*sub, o.no_cache);
    sub->footer(
        "Example:\n  kasc bench -o h100.library.json\n  kasc bench --function mmul33 --elements 64 --target cpu");
}

void add_explain(CLI::App& app, ExplainOptions& o) {
    CLI::App* sub = app.add_subcommand("explain", "Say what is fused, what is not, and why; and which step is stable");
    add_common(*sub, o.common);
    sub->add_option("--in", o.input, "HDF5 file with a dataset for each input: its extents and values are taken")
        ->type_name("FILE.h5");
    auto* format = sub->add_option("--format", o.format, "text or json")
                       ->check(CLI::IsMember({"text", "json"}))
                       ->capture_default_str();
    auto* page = sub->add_option("--html", o.page,
                                 "write all of it as one page for a browser, which needs no network "
                                 "(docs/explorer.md), in place of text")
                     ->excludes(format)
                     ->type_name("FILE.html");
    sub->add_option("--db", o.database, "what kasc tune measured, for the page; default: the user's own database")
        ->needs(page)
        ->type_name("FILE");
    auto* ranks = sub->add_option("--ranks", o.ranks,
                                  "say how so many GPUs, or processes where the device is a CPU, would share the run: "
                                  "what is cut, what is exchanged")
                      ->check(CLI::Range(1, 4096))
                      ->excludes(page)
                      ->excludes(format)
                      ->type_name("N");
    add_share(*sub, o.share)->needs(ranks);
    add_basis(*sub, o.basis)->needs(ranks);
    add_pass_times(*sub, o.timing)->excludes(page);
    sub->footer(
        "The page shows the program beside its kernels, their graph, all candidates with their predictions, and, "
        "where\n"
        "kasc tune has measured the program, predicted against measured times.\n"
        "Example:\n  kasc explain examples/heat3d.kas\n  kasc explain examples/heat3d.kas --html report.html");
}

void add_check_lib(CLI::App& app, CheckLibOptions& o) {
    CLI::App* sub = app.add_subcommand("check-lib", "Run a library's functions and compare them with their metadata");
    sub->add_option("folders", o.folders, "folders of elementary functions; kasc's own if none is named")
        ->type_name("DIR");
    sub->add_option("--lib", o.libraries, "a folder that those rest on, beyond kasc's own; not checked")
        ->type_name("DIR")
        ->allow_extra_args(false);
    sub->add_option("--function", o.functions, "check this function only; may be repeated")
        ->type_name("NAME")
        ->allow_extra_args(false);
    sub->add_option("--format", o.format, "of the table: text or json")
        ->check(CLI::IsMember({"text", "json"}))
        ->capture_default_str();
    add_no_cache(*sub, o.no_cache);
    add_diagnostics(*sub, o.diagnostics);
    sub->footer(
        "The functions are built by the C++ compiler that $CXX names, or g++, and run on the CPU, where every access "
        "is compared\nwith the declared pattern, and every result with the function's reference.\n"
        "Example:\n  kasc check-lib mylib\n  kasc check-lib mylib --function mvmul33 --format json");
}

void add_cache(CLI::App& app, CacheOptions& o) {
    CLI::App* sub = app.add_subcommand("cache", "Show what is kept of what was built, or be rid of it");
    auto* clear = sub->add_flag("--clear", o.clear, "remove all of it");
    sub->add_option("--size", o.size, "remove the least recently used until the rest takes so many bytes at most")
        ->check(CLI::Validator(
            [](const std::string& text) { return runtime::read_bytes(text) ? "" : "a size as 500M, 8G, 1.5T"; }, ""))
        ->excludes(clear)
        ->type_name("SIZE");
    sub->add_option("--format", o.format, "text or json")
        ->check(CLI::IsMember({"text", "json"}))
        ->capture_default_str();
    add_diagnostics(*sub, o.diagnostics);
    sub->footer(
        "What run, kwave, tune, bench and check-lib build is kept in $KASC_CACHE, else $XDG_CACHE_HOME/kasc, else "
        "~/.cache/kasc,\nand taken from there where source, compiler, flags and machine are the same. It takes "
        "$KASC_CACHE_SIZE at most, 1G\nwhere that is not set; with 0 nothing is kept. --no-cache of those commands "
        "leaves it out for one call.\n"
        "Example:\n  kasc cache\n  kasc cache --size 100M\n  kasc cache --clear");
}

void add_batch(CLI::App& app, BatchOptions& o) {
    CLI::App* sub = app.add_subcommand("batch", "One command for many programs, a line of JSON each");
    sub->add_option("programs", o.programs,
                    "programs (.kas), and lists: files with a program and its own options a line")
        ->required()
        ->type_name("PROGRAM.kas|LIST");
    sub->add_option("-o,--output", o.output, "where the lines go; what is in it already is not done again")
        ->type_name("FILE.jsonl");
    sub->add_option("--jobs", o.jobs,
                    "processes at a time; times of tune are those of a machine that does nothing else")
        ->check(CLI::Range(1, 1024))
        ->capture_default_str();
    sub->add_option("--limit", o.limit_seconds, "seconds for a program")->check(CLI::Range(1, 86400));
    add_diagnostics(*sub, o.diagnostics);
    sub->footer(
        "The command and its options stand behind --. A line has program, arguments, status, seconds, result, which is "
        "JSON where\nthe command prints JSON, and diagnostics; a program at fault stops none of the others. After "
        "Ctrl-C "
        "the same call goes on.\n"
        "Example:\n  kasc batch examples/*.kas --jobs 4 -o plans.jsonl -- explain --format json --strategy greedy\n"
        "  kasc batch programs.txt -o times.jsonl -- tune --top 200 --spread 40 --format json");
}

int run(int argc, char** argv) {
    CLI::App app{
        "kasc fuses a numerical pipeline, written as a short program of elementary operations, into few CUDA kernels."};
    app.set_version_flag("--version", "kasc " KASC_VERSION);
    app.require_subcommand(1);
    app.footer("Exit status: 0 good, 1 the input is at fault, 2 the call is, 3 kasc is.");
    CompileOptions compile;
    RunOptions run;
    ExplainOptions explain;
    TuneOptions tune;
    BenchOptions bench;
    KwaveOptions kwave;
    add_compile(app, compile);
    add_run(app, run);
    add_kwave(app, kwave);
    KwavePrepareOptions kwave_prepare;
    add_kwave_prepare(app, kwave_prepare);
    add_explain(app, explain);
    add_tune(app, tune);
    add_bench(app, bench);
    CheckLibOptions check_lib;
    add_check_lib(app, check_lib);
    CacheOptions cache;
    add_cache(app, cache);
    BatchOptions batch;
    add_batch(app, batch);
    ViewOptions view;
    add_view(app, view);
    FormatOptions formatting;
    add_format(app, formatting);
    LspOptions lsp;
    add_lsp(app, lsp);
    if (argc > 1 && std::string_view(argv[1]) == "batch") {
        char** const behind =
            std::find_if(argv, argv + argc, [](const char* word) { return std::string_view(word) == "--"; });
        if (behind != argv + argc) batch.command.assign(behind + 1, argv + argc);
        argc = static_cast<int>(behind - argv);
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
        std::ostringstream said, refused;
        const DiagnosticsFormat format = wanted_format({argv + 1, argv + argc});
        const bool asked = app.exit(e, said, refused) == 0;
        tell(said.str());
        return settle_output(asked ? good : report({call_fault(app, e, {argv + 1, argv + argc})}, format), format);
    }
    const auto with = [](DiagnosticsFormat format, int status) { return settle_output(status, format); };
    if (app.got_subcommand("compile")) return with(compile.common.diagnostics, compile_command(compile));
    if (app.got_subcommand("kwave")) return with(kwave.diagnostics, kwave_command(kwave));
    if (app.got_subcommand("kwave-prepare"))
        return with(kwave_prepare.diagnostics, kwave_prepare_command(kwave_prepare));
    if (app.got_subcommand("bench")) return with(bench.diagnostics, bench_command(bench));
    if (app.got_subcommand("tune")) return with(tune.common.diagnostics, tune_command(tune));
    if (app.got_subcommand("check-lib")) return with(check_lib.diagnostics, check_lib_command(check_lib));
    if (app.got_subcommand("cache")) return with(cache.diagnostics, cache_command(cache));
    if (app.got_subcommand("batch")) return with(batch.diagnostics, batch_command(batch));
    if (app.got_subcommand("view")) return with(view.diagnostics, view_command(view));
    if (app.got_subcommand("format")) return with(formatting.diagnostics, format_command(formatting));
    if (app.got_subcommand("lsp")) return lsp_command(lsp);
    if (app.got_subcommand("run")) return with(run.common.diagnostics, run_command(run));
    return with(explain.common.diagnostics, explain_command(explain));
}

}  // namespace

}  // namespace kasc::command

namespace {

constexpr const char* no_memory =
    "error[K0728]: there is not enough memory\n   = help: allow more (ulimit -v), or ask for less at once\n";

/// Where no handler can be: memory ends before main, in a destructor or in a thread of a library's.
[[noreturn]] void end_at_once() noexcept {
    try {
        if (const std::exception_ptr thrown = std::current_exception()) std::rethrow_exception(thrown);
    } catch (const std::bad_alloc&) {
        kasc::command::tell_error(no_memory);
        _exit(kasc::command::input_at_fault);
    } catch (...) {}
    std::abort();
}

/// Before the constructors of all other static objects: 101 is the first that programs may take.
[[gnu::constructor(101)]] void set_last_handler() { std::set_terminate(end_at_once); }

}  // namespace

int main(int argc, char** argv) {
    using namespace kasc::command;
    settle_streams();
    try {
        use_own_fonts_without_others();
        kasc::runtime::prepare_cpu_threads();
        return run(argc, argv);
    } catch (const std::bad_alloc&) {
        tell_error(no_memory);
        return input_at_fault;
    } catch (const std::exception& e) {
        tell_error("error[K0699]: internal: ");
        tell_error(e.what());
        tell_error("\n   = help: please report this, with the call and its inputs\n");
        return kasc_at_fault;
    }
}
