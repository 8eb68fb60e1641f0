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
#include "command/run_build.hpp"
#include "command/run_check.hpp"
#include "command/run_compute.hpp"
#include "command/run_front.hpp"
#include "command/run_memory.hpp"
#include "command/run_picture.hpp"
#include "command/temporary_folder.hpp"
#include "command/transform_sizes.hpp"
#include "command/tune_key.hpp"
#include "contract/check_data.hpp"
#include "contract/uniform_positions.hpp"
#include "driver/report.hpp"

namespace kasc::command {

namespace {

using Clock = std::chrono::steady_clock;

/// Everything between a compilation and its results, in the order in which it is made.
class Run {
public:
    Run(const RunOptions& options, const RunFront& front, const Machine& machine)
        : options_(options), front_(front), machine_(machine) {}

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
        if (!front_.quiet) fmt::print("{}{}{}", short_report(*compilation_, 0), compilation->note, stable_step_);
        std::fflush(stdout);
        if (!run()) return end({});
        if (suspended_) return end(outputs_->suspend(figures_.done));
        const int written = end(outputs_->write(figures_.done));
        return written == good ? end(draw_picture(options_.picture, bound_.face, *outputs_)) : written;
    }

private:
    const RunOptions& options_;
    const RunFront& front_;
    const Machine& machine_;
    const Compilation* compilation_ = nullptr;
    Diagnostics said_;
    RunBinding bound_;
    std::optional<runtime::Outputs> outputs_;
    std::optional<runtime::Checkpoint> restart_;
    TemporaryFolder folder_;
    std::string library_;
    std::string stable_step_;  ///< up to which step the scheme is stable, for the report
    Clock::time_point begun_ = Clock::now();
    RunFigures figures_;
    bool suspended_ = false;

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
        bound_.face = interface_of(program, checked.library);
        const auto extents = set_extents(program, settings);
        if (!well(check_picture(options_.picture, bound_.face)) ||
            !take(parameter_values(program), bound_.parameters) || !well(check_numbers(program, bound_.parameters)) ||
            !take(runtime::survey_inputs(options_.input, bound_.face, extents, front_.inputs), bound_.surveyed) ||
            !take(extent_values(program, bound_.surveyed.extents, bound_.parameters), bound_.extents) ||
            !well(check_transform_sizes(program, bound_.extents)) || !well(check_places()) ||
            !well(check_uniform_positions(program, bound_.parameters, bound_.extents)))
            return false;
        set_sizes(checked, bound_.extents);
        bound_.series = series_of(program);
        return true;
    }
    /// No file that is written is another's place.
    [[nodiscard]] Diagnostics check_places() const {
        Diagnostics bad = runtime::check_place(options_.output, {{options_.input, "the input file"}});
        if (!bad.empty() || options_.checkpoint.empty()) return bad;
        return runtime::check_place(options_.checkpoint,
                                    {{options_.input, "the input file"}, {options_.output, "the output file"}});
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
        const HostPlan plan = host_plan(c, 0);
        bound_.loops = outermost_loops(plan, bound_.parameters, bound_.extents);
        if (long_run() && bound_.loops.empty()) {
            say({call_fault("K0906", "the program has no loop that the host runs: there is no iteration to go on from",
                            "leave --checkpoint and --restart out")});
            return false;
        }
        const RunNeeds needs = run_needs(c.program, c.library, plan, bound_.series, bound_.extents, machine_.target);
        const auto limit = options_.memory.empty() ? 0 : runtime::read_bytes(options_.memory).value_or(0);
        std::vector<bool> streamed;
        for (const Series& s : bound_.series) streamed.push_back(long_run() && !s.input);
        return take(choose_windows(needs, default_budget(machine_.target, limit), streamed), bound_.rows) &&
               well(check_whole(bound_.streamed_outputs()));
    }
    bool make_outputs() {
        runtime::OutputRequest request{options_.output, options_.input, KASC_VERSION, {}, long_run()};
        request.streamed = bound_.streamed_outputs();
        request.at_once = front_.stop_at_checkpoint;
        if (front_.form) request.form = front_.form(bound_.face, bound_.extents);
        auto outputs = runtime::create_outputs(request, bound_.face, bound_.extents);
        say(outputs.diagnostics);
        if (outputs) outputs_.emplace(std::move(*outputs.value));
        return outputs_.has_value();
    }
    /// --check and --picture need arrays in memory.
    [[nodiscard]] Diagnostics check_whole(const std::vector<bool>& streamed) const {
        const bool windows = std::any_of(bound_.rows.begin(), bound_.rows.end(), [](auto rows) { return rows != 0; });
        if (options_.check && windows)
            return {call_fault("K0907", "--check compares whole arrays, and a series passes through memory row by row",
                               "leave --check, or --checkpoint, --restart and --memory, out")};
        if (!options_.picture.empty() && streamed.at(drawn_output(options_.picture, bound_.face)))
            return {call_fault("K0907", "--picture draws a whole array, and this output is written row by row",
                               "draw it from the file, or leave --checkpoint, --restart and --memory out")};
        return {};
    }

    bool load(const CheckedProgram& checked, const CompileRequest& request) {
        std::vector<bool> wanted;
        for (const long long rows : bound_.input_rows()) wanted.push_back(rows == 0);
        auto loaded = runtime::load_inputs(bound_.surveyed, bound_.face, wanted);
        loaded.diagnostics = judged(std::move(loaded.diagnostics), options_.allow);
        const bool fit = !has_errors(loaded.diagnostics);
        if (!take(std::move(loaded), bound_.inputs) || !fit) return false;
        if (long_run() && !take(identity_of(checked, request, bound_.parameters, bound_.extents, bound_.surveyed,
                                            bound_.inputs, bound_.series),
                                bound_.identity))
            return false;
        return !restart_ || well(runtime::check_identity(options_.restart, restart_->head.identity, bound_.identity));
    }
    bool examine(const CheckedProgram& checked) {
        const BoundRun run{checked,         bound_.parameters, bound_.extents,
                           bound_.surveyed, bound_.inputs,     bound_.input_rows()};
        Diagnostics found = front_.examine ? front_.examine(run) : Diagnostics{};
        Examination examined = examine_data(run);
        found.insert(found.end(), examined.found.begin(), examined.found.end());
        stable_step_ = std::move(examined.stable_step);
        return well(judged(std::move(found), options_.allow));
    }
    bool build(const CompileRequest& request) {
        const std::filesystem::path folder =
            options_.keep.empty() ? folder_.path() / "source" : std::filesystem::path(options_.keep);
        return take(
            build_run(*compilation_, request, machine_, {folder, folder_.path() / "program.so", options_.check}),
            library_);
    }
    bool run() {
        const std::chrono::duration<double> prepared = Clock::now() - begun_;
        ComputeEnd ended;
        const auto every = runtime::read_interval(options_.every).value_or(runtime::Interval{});
        if (!take(compute({options_, *compilation_, bound_, std::move(restart_), library_, front_.every.value_or(every),
                           front_.stop_at_checkpoint, front_.report},
                          *outputs_),
                  ended))
            return false;
        suspended_ = ended.suspended;
        figures_ = {ended.done, ended.total, prepared.count(), ended.seconds, ended.kernel_seconds};
        fmt::print("ran on {} in {:.3f} s, {:.3f} s of it in kernels\n", machine_.name, ended.seconds,
                   ended.kernel_seconds);
        if (front_.ended) front_.ended(figures_);
        return !options_.check ||
               well(check_against_reference(*compilation_, bound_, *outputs_, library_, machine_.target));
    }
};

}  // namespace

int run_with(const RunOptions& options, const RunFront& front) {
    // A file that may not grow is answered by the write that fails, as a full disk is.
    std::signal(SIGXFSZ, SIG_IGN);
    // Who reads what is told may leave, as `| head` does, long before the results are written.
    std::signal(SIGPIPE, SIG_IGN);
    auto machine = choose_machine(options.target);
    if (!machine) return report(machine.diagnostics, options.common.diagnostics);
    // Checking mode is there to check what a GPU would run.
    if (options.check && machine->target == emit::Target::cpu)
        machine.value = {emit::Target::cpu_checking, "h100", 0, "CPU in checking mode", ""};
    return Run(options, front, *machine).execute();
}

int run_command(const RunOptions& options) { return run_with(options, {}); }

}  // namespace kasc::command
