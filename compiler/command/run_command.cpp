// kasc run: compile, bind to the inputs, build with the machine's compiler, run in pieces, write.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>

#include "command/binding.hpp"
#include "command/data_faults.hpp"
#include "command/exit.hpp"
#include "command/file_settings.hpp"
#include "command/machine.hpp"
#include "command/request.hpp"
#include "command/run_data.hpp"
#include "command/run_memory.hpp"
#include "command/run_picture.hpp"
#include "command/run_pieces.hpp"
#include "command/temporary_folder.hpp"
#include "command/tune_key.hpp"
#include "contract/uniform_positions.hpp"
#include "driver/output_folder.hpp"
#include "driver/report.hpp"
#include "runtime/build.hpp"
#include "runtime/compare.hpp"
#include "runtime/entry_library.hpp"
#include "runtime/interrupt.hpp"
#include "runtime/long_run.hpp"
#include "runtime/outputs.hpp"
#include "runtime/progress.hpp"

namespace kasc::command {

namespace {

/// Everything between a compilation and its results, in the order in which it is made.
class Run {
public:
    Run(const RunOptions& options, const Machine& machine) : options_(options), machine_(machine) {}

    int execute() {
        auto request = make_request(options_.common, machine_.device);
        if (!request) return end(request.diagnostics);
        *request.value = with_file_settings(std::move(*request.value), options_.input);
        auto checked = check_program(*request);
        say(checked.diagnostics);
        if (!checked) return end({});
        if (!bind(*checked.value, request->settings) || !read_restart()) return end({});
        const auto compilation = plan(*checked, *request);
        say(compilation.diagnostics);
        if (!compilation) return end({});
        compilation_ = &compilation->compilation;
        if (!settle_memory() || !load(*checked, *request) || !examine(*checked) || !make_outputs() || !build(*request))
            return end({});
        fmt::print("{}{}{}", short_report(*compilation_, 0), compilation->note, stable_step_);
        std::fflush(stdout);
        if (!compute() || (options_.check && !check_against_reference())) return end({});
        const int written = end(outputs_->write());
        return written == good ? end(draw_picture(options_.picture, face_, *outputs_)) : written;
    }

private:
    const RunOptions& options_;
    const Machine& machine_;
    const Compilation* compilation_ = nullptr;
    Diagnostics said_;
    std::vector<double> parameters_;
    std::vector<long long> extents_;
    runtime::ProgramInterface face_;
    runtime::SurveyedInputs surveyed_;
    runtime::LoadedArrays inputs_;
    std::optional<runtime::Outputs> outputs_;
    std::vector<Series> series_;
    std::vector<long long> rows_;  ///< by series, of its window; 0: whole
    std::vector<OutermostLoop> loops_;
    runtime::Identity identity_;  ///< of a run with checkpoints
    std::optional<runtime::Checkpoint> restart_;
    TemporaryFolder folder_;
    std::string library_;
    std::string stable_step_;  ///< up to which step the scheme is stable, for the report

    void say(const Diagnostics& more) { said_.insert(said_.end(), more.begin(), more.end()); }
    /// False: it is an error.
    bool well(const Diagnostics& more) {
        say(more);
        return !has_errors(more);
    }
    int end(const Diagnostics& more) {
        say(more);
        const int status = report(said_, options_.common.diagnostics);
        said_.clear();
        return status;
    }
    template <class T>
    bool take(Outcome<T> outcome, T& to) {
        say(outcome.diagnostics);
        if (outcome.value) to = std::move(*outcome.value);
        return outcome.value.has_value();
    }
    [[nodiscard]] bool long_run() const { return !options_.checkpoint.empty() || !options_.restart.empty(); }

    /// Looks at the inputs, and sets the sizes that the program is planned for to theirs.
    bool bind(CheckedProgram& checked, const std::map<std::string, double>& settings) {
        const Program& program = checked.program;
        face_ = interface_of(program, checked.library);
        const auto extents = set_extents(program, settings);
        if (!well(check_picture(options_.picture, face_)) || !take(parameter_values(program), parameters_) ||
            !take(runtime::survey_inputs(options_.input, face_, extents), surveyed_) ||
            !take(extent_values(program, surveyed_.extents, parameters_), extents_) || !well(check_places()) ||
            !well(check_uniform_positions(program, parameters_, extents_)))
            return false;
        if (face_.stream) {
            checked.problem.elements = extents_.front();
        } else {
            checked.problem.extents = extents_;
        }
        series_ = series_of(program);
        return true;
    }
    /// No file that is written is another's place.
    [[nodiscard]] Diagnostics check_places() const {
        Diagnostics bad = runtime::check_place({options_.output, options_.input, KASC_VERSION, {}, false});
        if (!bad.empty() || options_.checkpoint.empty()) return bad;
        for (const std::string& other : {options_.input, options_.output}) {
            bad = runtime::check_place({options_.checkpoint, other, KASC_VERSION, {}, false});
            if (!bad.empty()) return bad;
        }
        return {};
    }
    bool read_restart() {
        if (options_.restart.empty()) return true;
        runtime::Checkpoint checkpoint;
        if (!take(runtime::read_checkpoint(options_.restart), checkpoint)) return false;
        restart_.emplace(std::move(checkpoint));
        return true;
    }
    Outcome<TunedCompilation> plan(const CheckedProgram& checked, const CompileRequest& request) {
        if (options_.tuned.wanted) return plan_tuned(checked, request, options_.tuned, machine_);
        auto first = plan_program(checked, request);
        if (!first) return failure<TunedCompilation>(first.diagnostics);
        return success(TunedCompilation{std::move(*first.value), ""}, first.diagnostics);
    }

    /// Which series pass through memory in windows.
    bool settle_memory() {
        const Compilation& c = *compilation_;
        const HostPlan plan = build_host_plan(c.program, c.library, c.plans.front(), c.program.name);
        loops_ = outermost_loops(plan, parameters_, extents_);
        if (long_run() && loops_.empty()) {
            say({call_fault("K0906", "the program has no loop that the host runs: there is no iteration to go on from",
                            "leave --checkpoint and --restart out")});
            return false;
        }
        const RunNeeds needs = run_needs(c.program, c.library, plan, series_, extents_, machine_.target);
        const auto limit = options_.memory.empty() ? 0 : runtime::read_bytes(options_.memory).value_or(0);
        std::vector<bool> streamed;
        for (const Series& s : series_) streamed.push_back(long_run() && !s.input);
        return take(choose_windows(needs, default_budget(machine_.target, limit), streamed), rows_) &&
               well(check_whole(streamed_outputs()));
    }
    [[nodiscard]] std::vector<bool> streamed_outputs() const {
        std::vector<bool> streamed(face_.outputs.size(), false);
        for (std::size_t i = 0; i < series_.size(); ++i) {
            if (rows_[i] != 0 && !series_[i].input) streamed[series_[i].position] = true;
        }
        return streamed;
    }
    bool make_outputs() {
        runtime::OutputRequest request{options_.output, options_.input, KASC_VERSION, {}, long_run()};
        request.streamed = streamed_outputs();
        auto outputs = runtime::create_outputs(request, face_, extents_);
        say(outputs.diagnostics);
        if (outputs) outputs_.emplace(std::move(*outputs.value));
        return outputs_.has_value();
    }
    /// --check and --picture need arrays in memory.
    [[nodiscard]] Diagnostics check_whole(const std::vector<bool>& streamed) const {
        const bool windows = std::any_of(rows_.begin(), rows_.end(), [](long long rows) { return rows != 0; });
        if (options_.check && windows)
            return {call_fault("K0907", "--check compares whole arrays, and a series passes through memory row by row",
                               "leave --check, or --checkpoint, --restart and --memory, out")};
        if (!options_.picture.empty() && streamed.at(drawn_output(options_.picture, face_)))
            return {call_fault("K0907", "--picture draws a whole array, and this output is written row by row",
                               "draw it from the file, or leave --checkpoint, --restart and --memory out")};
        return {};
    }

    bool load(const CheckedProgram& checked, const CompileRequest& request) {
        std::vector<bool> wanted;
        for (const long long rows : input_rows()) wanted.push_back(rows == 0);
        auto loaded = runtime::load_inputs(surveyed_, face_, wanted);
        loaded.diagnostics = judged(std::move(loaded.diagnostics), options_.allow);
        const bool fit = !has_errors(loaded.diagnostics);
        if (!take(std::move(loaded), inputs_) || !fit) return false;
        if (long_run() &&
            !take(identity_of(checked, request, parameters_, extents_, surveyed_, inputs_, series_), identity_))
            return false;
        if (restart_ && !well(runtime::check_identity(options_.restart, restart_->head.identity, identity_)))
            return false;
        return true;
    }
    /// By input, the rows of its window; 0: it is whole.
    [[nodiscard]] std::vector<long long> input_rows() const {
        std::vector<long long> rows(face_.inputs.size(), 0);
        for (std::size_t i = 0; i < series_.size(); ++i) {
            if (series_[i].input) rows[series_[i].position] = rows_[i];
        }
        return rows;
    }
    bool examine(const CheckedProgram& checked) {
        Examination examined = examine_data({checked, parameters_, extents_, surveyed_, inputs_, input_rows()});
        stable_step_ = std::move(examined.stable_step);
        return well(judged(std::move(examined.found), options_.allow));
    }
    bool build(const CompileRequest& request) {
        const auto files = emit_plan(*compilation_, request, 0, machine_.target);
        say(files.diagnostics);
        if (!files) return false;
        const std::filesystem::path folder =
            options_.keep.empty() ? folder_.path() / "source" : std::filesystem::path(options_.keep);
        const Diagnostics unwritable = write_folder(folder, *files);
        say(unwritable);
        if (!unwritable.empty()) return false;
        const std::string& p = compilation_->program.name;
        const bool cuda = machine_.target == emit::Target::cuda;
        runtime::BuildRequest build;
        build.target = cuda ? runtime::BuildTarget::cuda : runtime::BuildTarget::cpu;
        build.compute_capability = machine_.compute_capability;
        build.library = (folder_.path() / "program.so").string();
        build.sources.push_back((folder / (p + (cuda ? ".cu" : ".cpp"))).string());
        build.link_names = emit::libraries_of(compilation_->program, machine_.target);
        if (options_.check) {
            build.sources.push_back((folder / (p + "_reference.cpp")).string());
            for (std::string& name : emit::libraries_of(compilation_->program, emit::Target::cpu))
                build.link_names.push_back(std::move(name));
        }
        return take(runtime::build_shared_library(build), library_);
    }

    [[nodiscard]] runtime::EntryArguments arguments(std::vector<void*> results) const {
        runtime::EntryArguments a;
        a.extents = extents_;
        a.parameters = parameters_;
        for (const auto& array : inputs_.arrays) a.inputs.push_back(array.values.data());
        a.outputs = std::move(results);
        return a;
    }

    bool compute() {
        const auto series =
            windowed_series(compilation_->program, compilation_->library, series_, loops_, extents_, rows_);
        std::optional<runtime::RowReader> reader;
        if (!start_reader(series, reader)) return false;
        const auto entry = runtime::load_entry(library_, compilation_->program.name);
        say(entry.diagnostics);
        if (!entry) return false;
        runtime::EntryArguments call = arguments(outputs_->pointers());
        call.rows = rows_;
        auto begun = runtime::PiecewiseRun::begin(*entry, call);
        say(begun.diagnostics);
        if (!begun || !open_outputs()) return false;
        runtime::PiecewiseRun& run = *begun.value;
        runtime::SeriesWindows windows(series, reader ? &*reader : nullptr,
                                       outputs_->streams() ? &outputs_->file() : nullptr);
        const auto start = std::chrono::steady_clock::now();
        if (!well(run.advance(0)) || !go_on_from_checkpoint(run, windows)) return false;

        runtime::InterruptWatch interrupt;
        runtime::ProgressDisplay display(compilation_->program.name, runtime::ProgressDisplay::standard_error(),
                                         run.done());
        runtime::LongRunRequest request;
        request.go_on = [&](long long done, long long total) {
            display.update(done, total);
            return !interrupt.interrupted();
        };
        if (!options_.checkpoint.empty()) request.checkpoint = [&] { return write_checkpoint(run, windows); };
        request.every = runtime::read_interval(options_.every).value_or(runtime::Interval{});
        request.judge = [&](Diagnostics found) { return judged(std::move(found), options_.allow); };
        const auto ended = runtime::run_to_end(run, windows, request);
        display.finish();
        say(ended.diagnostics);
        if (!ended) return false;
        if (ended->stopped) return stopped(run);
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
        fmt::print("ran on {} in {:.3f} s, {:.3f} s of it in kernels\n", machine_.name, seconds.count(),
                   run.kernel_seconds());
        return true;
    }
    /// Before the run takes its memory.
    bool start_reader(const std::vector<runtime::WindowedSeries>& series, std::optional<runtime::RowReader>& reader) {
        const auto parts = runtime::read_parts(series);
        if (parts.empty()) return true;
        auto started = runtime::RowReader::start(options_.input, surveyed_.file_bytes, parts);
        say(started.diagnostics);
        if (started) reader.emplace(std::move(*started.value));
        return reader.has_value();
    }
    bool open_outputs() {
        if (!outputs_->streams()) return true;
        return well(outputs_->open(restart_ ? restart_->head.places : std::vector<std::uint64_t>{}));
    }
    /// The loop's iteration of the checkpoint is this plan's to find: another may run independent loops in another
    /// order.
    bool go_on_from_checkpoint(runtime::PiecewiseRun& run, runtime::SeriesWindows& windows) {
        if (!restart_) return true;
        const auto loop = std::find_if(loops_.begin(), loops_.end(),
                                       [&](const auto& l) { return l.loop.index == restart_->head.loop; });
        const long long done = loop == loops_.end() ? -1 : loop->range.start + restart_->head.iteration;
        if (!well(runtime::restore(options_.restart, *restart_, done, run)) ||
            !well(windows.resume(restart_->head.series)))
            return false;
        restart_->state = {};  // it is in the run now
        fmt::print("goes on at step {} of {}\n", run.done(), run.total());
        std::fflush(stdout);
        return true;
    }
    [[nodiscard]] Diagnostics write_checkpoint(runtime::PiecewiseRun& run, const runtime::SeriesWindows& windows) {
        runtime::CheckpointHead head;
        head.identity = identity_;
        for (const OutermostLoop& l : loops_) {
            if (!l.range.row(run.done())) continue;
            head.loop = l.loop.index;
            head.iteration = run.done() - l.range.start;
        }
        head.done = run.done();
        head.total = run.total();
        if (outputs_->streams()) {
            if (Diagnostics bad = outputs_->file().sync(); !bad.empty()) return bad;
            head.series = windows.so_far();
            head.places = outputs_->file().places();
        }
        return runtime::write_checkpoint(
            options_.checkpoint, std::move(head), run,
            state_shapes(compilation_->program, compilation_->library, run.state(), extents_));
    }
    bool stopped(const runtime::PiecewiseRun& run) {
        Diagnostic d = runtime::run_fault(face_.name, 4, fmt::format("after step {} of {}", run.done(), run.total()));
        if (!options_.checkpoint.empty())
            d.help = fmt::format("the same call with --restart {} goes on from there", options_.checkpoint);
        say({d});
        return false;
    }

    bool check_against_reference() {
        const std::string name = compilation_->program.name + "_reference";
        const auto entry = runtime::load_entry(library_, name);
        say(entry.diagnostics);
        if (!entry) return false;
        std::vector<std::vector<std::byte>> expected;
        std::vector<void*> results;
        results.reserve(outputs_->arrays().size());
        for (const runtime::ArrayView& array : outputs_->arrays()) expected.emplace_back(array.values.size_bytes());
        for (auto& values : expected) results.push_back(values.data());
        const auto run = runtime::invoke(*entry, arguments(results));
        if (!run) {
            say(run.diagnostics);
            return false;
        }
        for (std::size_t i = 0; i < expected.size(); ++i) {
            const runtime::ArrayView array = outputs_->arrays()[i];
            if (!equal(array, {array.values.type(), expected[i].data(), array.values.size()})) return false;
        }
        fmt::print("checked: all results equal the unfused reference on the CPU, {}\n",
                   tolerance() == 0 ? "bit for bit" : fmt::format("to {} of the largest value", tolerance()));
        return true;
    }

    [[nodiscard]] float tolerance() const { return result_tolerance(*compilation_, machine_.target); }

    bool equal(const runtime::ArrayView& array, const runtime::Words& expected) {
        const auto word = runtime::first_difference(array.values, expected, tolerance());
        if (word)
            say({call_fault(
                "K0813", runtime::difference_text(array.name, array.values, expected, *word),
                compilation_->rewriting_tolerance > 0
                    ? "rewrites round otherwise than the program as written: is it the same with --no-rewrite?"
                    : "please report this, with the program")});
        return !word;
    }
};

}  // namespace

int run_command(const RunOptions& options) {
    // A file that may not grow is answered by the write that fails, as a full disk is.
    std::signal(SIGXFSZ, SIG_IGN);
    auto machine = choose_machine(options.target);
    if (!machine) return report(machine.diagnostics, options.common.diagnostics);
    // Checking mode is there to check what a GPU would run.
    if (options.check && machine->target == emit::Target::cpu)
        machine.value = {emit::Target::cpu_checking, "h100", 0, "CPU in checking mode", ""};
    return Run(options, *machine).execute();
}

}  // namespace kasc::command
