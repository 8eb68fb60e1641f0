// kasc run: compile, bind to the inputs, build with the machine's compiler, run in pieces, write.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "command/data_faults.hpp"
#include "command/exit.hpp"
#include "command/file_settings.hpp"
#include "command/request.hpp"
#include "command/run/block.hpp"
#include "command/run/call_checks.hpp"
#include "command/run/check.hpp"
#include "command/run/compute.hpp"
#include "command/run/distinct_lists.hpp"
#include "command/run/flags.hpp"
#include "command/run/front.hpp"
#include "command/run/machine.hpp"
#include "command/run/memory.hpp"
#include "command/run/picture.hpp"
#include "command/run/spacing.hpp"
#include "command/run/together.hpp"
#include "command/run/transform_sizes.hpp"
#include "command/streams.hpp"
#include "command/tune/key.hpp"
#include "contract/check_data.hpp"
#include "contract/uniform_positions.hpp"
#include "driver/report.hpp"
#include "emit/transform_text.hpp"
#include "engine/binding.hpp"
#include "engine/conducted_run.hpp"
#include "engine/machine.hpp"
#include "engine/run_engine.hpp"
#include "runtime/building/cache_place.hpp"
#include "runtime/files/temporary_folder.hpp"
#include "runtime/processes/interrupt.hpp"

namespace kasc::command {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds patience{2};

Diagnostics in_words(const RunFront& front, Diagnostics said) {
    return front.flags ? in_words_of(*front.flags, std::move(said)) : said;
}

/// Everything between a compilation and its results, in the order in which it is made.
class Run {
public:
    Run(const RunOptions& options, const RunFront& front, const Machine& machine, runtime::PhaseTimes times)
        : options_(options), front_(front), machine_(machine), times_(times) {}

    int execute() {
        const int status = run_all();
        if (broken_ && machine_.processes != nullptr) machine_.processes->abort(status);
        if (status == good && machine_.leads()) tell(times_.told(options_.timing));
        return status;
    }

private:
    const RunOptions& options_;
    const RunFront& front_;
    const Machine& machine_;
    runtime::PhaseTimes times_;
    std::optional<Compilation> compilation_;
    std::string note_;  ///< of what was tuned
    Diagnostics said_;
    RunBinding bound_;
    std::unique_ptr<Block> block_;  ///< of a run in blocks
    std::optional<runtime::Outputs> outputs_;
    std::optional<runtime::Checkpoint> restart_;
    std::optional<runtime::TemporaryFolder> folder_;
    std::optional<RunEngine> engine_;
    std::vector<runtime::NotFinite> not_finite_;  ///< in rows that were written
    std::string figures_of_all_;                  ///< of several processes, for the report
    Diagnostics said_of_build_;  ///< as it was begun: told where its end is, behind what is wrong with the data
    std::string stable_step_;    ///< up to which step the scheme is stable, for the report
    Clock::time_point begun_ = Clock::now();
    RunFigures figures_;
    bool suspended_ = false;
    bool broken_ = false;  ///< other processes wait for this one

    int run_all() {
        std::optional<CompileRequest> request;
        std::optional<CheckedProgram> checked;
        if (!meet(make_plan(request, checked))) return end({});
        // The compiler needs the plan alone: it works while the data are read and examined, whose faults come first.
        share_windows();
        begin_build(*request);
        if (front_.build_only) {
            static_cast<void>(finish_build());
            return end({});
        }
        if (!meet(load(*checked)) || !identify(*checked, *request) ||
            !meet(examine(*checked) && load_block() && make_outputs() && finish_build()))
            return end({});
        if (!machine_.leads()) return follow_run();
        // Before the hours that it may take; as JSON all diagnostics are one document, at the end.
        if (!said_.empty() && options_.common.diagnostics == DiagnosticsFormat::text) end({});
        if (!front_.quiet)
            tell(fmt::format("{}{}{}{}", short_report(*compilation_, 0), note_, stable_step_, division()));
        std::fflush(stdout);
        if (!run()) return end({});
        times_.enter(runtime::Phase::write);
        if (suspended_) return end(outputs_->suspend(figures_.done));
        const int written = end(outputs_->write(figures_.done));
        if (written != good) return written;
        const std::string file = machine_.processes != nullptr ? options_.output : "";
        return end(draw_picture(options_.picture, bound_, *outputs_, file));
    }
    /// On another process than rank 0, which alone speaks, and says what is done next.
    int follow_run() {
        runtime::Communicator& processes = *machine_.processes;
        const runtime::InterruptWatch rank_0_hears_of_it;
        auto run = engine_->begin(computed().arguments(outputs_->pointers()));
        if (!run) return input_at_fault;
        const Diagnostics fault = kasc::follow(**run.value, processes, restart_ ? &*restart_ : nullptr);
        if (fault.empty()) {
            run.value->reset();
            return complete(false) && has_errors(outputs_->write()) ? input_at_fault : good;
        }
        // What is wrong with the input rank 0 says as well, and ends all.
        std::this_thread::sleep_for(patience);
        tell_error(fmt::format("rank {} of {}:\n", processes.rank(), machine_.ranks));
        const int status = report(fault, options_.common.diagnostics);
        processes.abort(status);
        return status;
    }
    /// All processes go on, or none. What any of them says rank 0 has to say.
    bool meet(bool well) {
        if (machine_.processes == nullptr) return well;
        const std::vector<std::string> all = gather_texts(*machine_.processes, well ? "" : "no");
        Diagnostics said = said_by_any(*machine_.processes, said_);
        said_ = machine_.leads() ? std::move(said) : Diagnostics{};
        return std::all_of(all.begin(), all.end(), [](const std::string& text) { return text.empty(); });
    }
    /// Rank 0's are taken by all: what is free differs from machine to machine.
    void share_windows() {
        std::vector<long long>& rows = bound_.rows;
        if (machine_.processes != nullptr) machine_.processes->broadcast(rows.data(), rows.size() * sizeof(rows[0]));
    }
    /// The results are complete, which rank 0 tells the others: whether all write them. What is not finite is said.
    bool complete(bool completes) {
        if (machine_.processes != nullptr) machine_.processes->broadcast(&completes, sizeof(completes));
        if (completes && block_) block_->bring_results(outputs_->pointers());
        const auto& allowed = options_.allow;
        const bool asked = std::find(allowed.begin(), allowed.end(), "not-finite") == allowed.end();
        std::vector<runtime::NotFinite> found = std::move(not_finite_);
        if (completes && asked) {
            std::vector<runtime::NotFinite> more = outputs_->not_finite();
            std::move(more.begin(), more.end(), std::back_inserter(found));
        }
        if (asked && machine_.leads()) say(runtime::not_finite_results(found));
        if (completes && machine_.processes != nullptr) figures_of_all_ = figures_of_all(*machine_.processes);
        return completes;
    }
    bool make_plan(std::optional<CompileRequest>& request, std::optional<CheckedProgram>& checked) {
        times_.enter(runtime::Phase::check);
        auto asked = make_request(options_.common, machine_.device);
        if (!take(std::move(asked), request)) return false;
        *request = with_file_settings(std::move(*request), options_.input);
        request->inner_loops = !long_run() && options_.memory.empty();
        if (machine_.ranks > 1) share_launches(*request);
        if (machine_.processes != nullptr && !in_blocks()) share_kernels(*request);
        if (!take(check_program(*request), checked) || !make_folder()) return false;
        times_.enter(runtime::Phase::survey);
        if (!bind(*checked, request->settings) || !read_restart() || !make_block(*checked)) return false;
        times_.enter(runtime::Phase::plan);
        auto made = plan(block_ ? block_->checked() : *checked, *request);
        say(made.diagnostics);
        if (!made) return false;
        note_ = std::move(made.value->note);
        compilation_.emplace(std::move(made.value->compilation));
        return settle_memory();
    }

    void say(const Diagnostics& more) { said_.insert(said_.end(), more.begin(), more.end()); }
    /// False: it is an error.
    bool well(const Diagnostics& more) {
        say(more);
        return !has_errors(more);
    }
    int end(const Diagnostics& more) {
        say(more);
        if (!machine_.leads()) return status_of(std::exchange(said_, {}));
        const int status = report(in_words(front_, std::move(said_)), options_.common.diagnostics);
        said_.clear();
        return status;
    }
    template <class T, class To>
    bool take(Outcome<T> outcome, To& to) {
        say(outcome.diagnostics);
        if (outcome.value) to = std::move(*outcome.value);
        return outcome.value.has_value();
    }
    [[nodiscard]] bool long_run() const { return is_long_run(options_); }
    [[nodiscard]] bool in_blocks() const { return is_local(options_.basis); }
    /// What this process computes with: of a run in blocks its block's.
    [[nodiscard]] const RunBinding& computed() const { return block_ ? block_->bound() : bound_; }

    bool make_folder() {
        auto made = runtime::TemporaryFolder::create();
        if (made) folder_.emplace(*std::move(made.value));
        return well(made.diagnostics);
    }
    bool make_block(const CheckedProgram& checked) {
        if (!in_blocks()) return true;
        bound_.series = series_of(checked.program);
        bound_.rows.assign(bound_.series.size(), 0);
        if (!take(Block::make(options_.basis, checked, bound_, *machine_.processes), block_)) return false;
        if (front_.plan_for) front_.plan_for(block_->checked());
        return true;
    }
    /// Looks at the inputs, and sets the sizes that the program is planned for to theirs.
    bool bind(CheckedProgram& checked, const std::map<std::string, double>& settings) {
        const Program& program = checked.program;
        bound_.face = interface_of(program, checked.library);
        const auto extents = set_extents(program, settings);
        if (!well(check_picture(options_.picture, bound_.face)) ||
            !take(parameter_values(program), bound_.parameters) || !well(check_numbers(program, bound_.parameters)) ||
            !take(runtime::survey_inputs(options_.input, bound_.face, extents, front_.inputs), bound_.surveyed) ||
            !take(extent_values(program, bound_.surveyed.extents, bound_.parameters), bound_.extents) ||
            (!in_blocks() && !well(check_transform_sizes(program, bound_.extents))) || !well(check_files(options_)) ||
            !well(check_picture_file(options_.picture)) ||
            !well(check_uniform_positions(program, bound_.parameters, bound_.extents)))
            return false;
        // Who transforms lines is not shared out among ranks.
        if (machine_.ranks > 1)
            set_sizes(checked, bound_.extents);
        else
            fix_sizes(checked, bound_.extents);
        if (front_.plan_for && machine_.target != emit::Target::cuda) front_.plan_for(checked);
        if (machine_.ranks > 1) share_sizes(checked, machine_.ranks);
        // A plan that was tuned is of the program as it stands.
        if (!options_.tuned.wanted)
            settle_distinct_lists(checked, bound_.face, bound_.parameters, bound_.extents, bound_.surveyed);
        return true;
    }
    bool read_restart() {
        if (options_.restart.empty()) return true;
        runtime::Checkpoint checkpoint;
        // Which part of its arrays a process needs, the plan says.
        const bool whole = machine_.processes == nullptr;
        if (whole ? !take(runtime::read_checkpoint(options_.restart), checkpoint)
                  : !take(runtime::read_head(options_.restart), checkpoint.head))
            return false;
        restart_.emplace(std::move(checkpoint));
        return true;
    }
    Outcome<TunedCompilation> plan(const CheckedProgram& checked, const CompileRequest& request) {
        if (options_.tuned.wanted) return plan_tuned(checked, request, options_.tuned, machine_);
        auto first = plan_program(checked, request);
        if (!first) return failure<TunedCompilation>(first.diagnostics);
        return success(TunedCompilation{std::move(*first.value), ""}, first.diagnostics);
    }

    /// Settles which series pass through memory in windows.
    bool settle_memory() {
        const Compilation& c = *compilation_;
        const HostPlan& plan = *c.plans.front().host;
        if (block_) return block_->settle(plan), true;
        bound_.loops = outermost_loops(c.program, plan, bound_.parameters, bound_.extents);
        if (long_run() && bound_.loops.empty()) {
            say({flag_fault("K0906", "the program has no loop that the host runs: there is no iteration to go on from",
                            {{{"--checkpoint", "--restart"}, "leave {} out"}})});
            return false;
        }
        bound_.series = series_of(c.program);
        const bool together = machine_.processes != nullptr;
        // Transforms have their arrays on one device.
        const bool shared = !together && emit::transform_precisions(c.program).empty();
        const int ranks = shared ? machine_.ranks : 1;
        RunNeeds needs = run_needs(c.program, c.library, plan, bound_.series, bound_.extents, machine_.target, ranks);
        if (together) {
            const std::uint64_t most =
                execute::process_arrays(c.program, c.library, plan, bound_.arguments({}), divided_among(machine_))
                    .most_bytes;
            needs.host.fixed = most;
            if (machine_.target == emit::Target::cuda) needs.device.fixed = most + needs.work_area;
        }
        const auto limit = options_.memory.empty() ? 0 : runtime::read_bytes(options_.memory).value_or(0);
        std::vector<bool> streamed;
        for (const Series& s : bound_.series) streamed.push_back(long_run() && !s.input);
        return take(choose_windows(needs, default_budget(machine_, limit), streamed), bound_.rows) &&
               well(check_whole(options_, bound_, bound_.streamed_outputs()));
    }
    bool make_outputs() {
        times_.enter(runtime::Phase::prepare);
        runtime::OutputRequest request{options_.output, options_.input, KASC_VERSION, {}, long_run()};
        request.streamed = bound_.streamed_outputs();
        request.at_once = front_.stop_at_checkpoint;
        request.attributes = spacing_attributes(spacings(bound_.face, bound_.parameters));
        request.over_steps = bound_.outputs_over_steps();
        request.processes = machine_.processes;
        request.held = bound_.parts.outputs;
        if (front_.form) request.form = front_.form(bound_.face, bound_.extents);
        auto outputs = runtime::create_outputs(request, bound_.face, bound_.extents);
        say(outputs.diagnostics);
        if (outputs) outputs_.emplace(std::move(*outputs.value));
        return outputs_.has_value();
    }
    /// What this process reads and writes of the files.
    bool split(const Program& program) {
        if (machine_.processes == nullptr) return true;
        if (!well(said_of_build_) || !engine_) return false;
        if (block_) return bound_.parts = block_->parts(), true;
        bound_.parts = file_parts(program, engine_->process_arrays(bound_.arguments({})), machine_.processes->rank(),
                                  bound_.surveyed, bound_.input_rows());
        return true;
    }
    bool load(const CheckedProgram& checked) {
        times_.enter(runtime::Phase::read);
        if (!split(block_ ? checked.program : compilation_->program)) return false;
        std::vector<bool> wanted;
        for (const long long rows : bound_.input_rows()) wanted.push_back(rows == 0);
        auto loaded = runtime::load_inputs(bound_.surveyed, bound_.face, wanted, bound_.parts.inputs);
        loaded.diagnostics = judged(std::move(loaded.diagnostics), options_.allow);
        const bool fit = !has_errors(loaded.diagnostics);
        return take(std::move(loaded), bound_.inputs) && fit;
    }
    /// What was examined is the grid's: a block has its part anew, with overlaps.
    bool load_block() {
        if (!block_) return true;
        times_.enter(runtime::Phase::read);
        bound_.inputs = {};
        return well(block_->load());
    }
    /// What checkpoints belong to; by all processes. Where the run goes on, the checkpoint belongs to it.
    bool identify(const CheckedProgram& checked, const CompileRequest& request) {
        runtime::Communicator* const processes = machine_.processes;
        if (long_run() && !take(identity_of(checked, request, bound_.parameters, bound_.extents, bound_.surveyed,
                                            bound_.inputs, bound_.series, bound_.parts, processes),
                                bound_.identity))
            return false;
        if (!restart_) return true;
        if (!well(runtime::check_identity(options_.restart, restart_->head.identity, bound_.identity))) return false;
        if (processes == nullptr) return true;
        const auto held = state_parts(compilation_->program, bound_.parts, restart_->head);
        return take(runtime::read_state(options_.restart, restart_->head, held, processes), restart_->state);
    }
    bool examine(const CheckedProgram& checked) {
        times_.enter(runtime::Phase::examine);
        const BoundRun run{checked,       bound_.parameters,   bound_.extents,     bound_.surveyed,
                           bound_.inputs, bound_.input_rows(), machine_.processes, bound_.parts.inputs};
        Diagnostics found = front_.examine ? front_.examine(run) : Diagnostics{};
        // What the command says of its own files, the program need not say in its own words.
        if (Diagnostics own = judged(found, options_.allow); has_errors(own)) return well(own);
        Examination examined = examine_data(run);
        found.insert(found.end(), examined.found.begin(), examined.found.end());
        stable_step_ = std::move(examined.stable_step);
        return well(judged(std::move(found), options_.allow));
    }
    void begin_build(const CompileRequest& request) {
        EngineRequest wanted{folder_->path(), options_.keep, options_.check, {}};
        wanted.purpose = front_.purpose;
        wanted.sizes = computed().arguments({});
        if (block_) wanted.block = &block_->run();
        wanted.portable = front_.portable_into.usable();
        if (wanted.portable) {
            wanted.cache = front_.portable_into;
        } else if (!options_.no_cache) {
            take(runtime::users_cache(), wanted.cache);
            wanted.prebuilt = request.data_folder / "built";
        }
        auto engine = RunEngine::start(*compilation_, request, machine_, std::move(wanted), times_);
        said_of_build_ = std::move(engine.diagnostics);
        if (engine) engine_.emplace(std::move(*engine.value));
    }
    bool finish_build() {
        times_.enter(runtime::Phase::build);
        if (!well(said_of_build_) || !engine_) return false;
        if (!machine_.leads()) return true;  // rank 0 sends what it has built
        if (!well(engine_->finish())) return false;
        times_.set_built(engine_->compiler_seconds(), engine_->built_by() == runtime::BuiltBy::installation);
        return true;
    }
    /// Among ranks.
    [[nodiscard]] std::string division() const {
        if (machine_.ranks == 1) return "";
        if (block_) return block_->text();
        const Compilation& c = *compilation_;
        return execute::division_text(c.program, c.library, *c.plans.front().host, bound_.arguments({}),
                                      divided_among(machine_));
    }
    bool run() {
        const std::chrono::duration<double> prepared = Clock::now() - begun_;
        ComputeEnd ended;
        const auto every = runtime::read_interval(options_.every).value_or(runtime::Interval{});
        if (!take(compute({options_, *compilation_, computed(), std::move(restart_), *engine_,
                           front_.every.value_or(every), front_.stop_at_checkpoint, front_.report, front_.steps_before},
                          *outputs_, times_),
                  ended)) {
            broken_ = true;
            return false;
        }
        suspended_ = ended.suspended;
        figures_ = {ended.done, ended.total, prepared.count(), ended.seconds, ended.kernel_seconds};
        if (!ended.stopped) not_finite_ = std::move(ended.not_finite);
        complete(!ended.stopped && !suspended_);
        if (ended.stopped) {
            if (front_.ended) front_.ended(figures_);
            if (suspended_) say(outputs_->suspend(figures_.done));
            return well({*ended.stopped});
        }
        tell(fmt::format("ran on {} in {:.3f} s, {:.3f} s of it in kernels\n{}", machine_.name, ended.seconds,
                         ended.kernel_seconds, figures_of_all_));
        if (front_.ended) front_.ended(figures_);
        if (options_.check) times_.enter(runtime::Phase::compare);
        return !options_.check ||
               well(check_against_reference(*compilation_, bound_, *outputs_, engine_->reference(), machine_.target));
    }
};

}  // namespace

int run_with(const RunOptions& options, const RunFront& front) {
    runtime::PhaseTimes times = front.times;
    times.enter(runtime::Phase::device);
    const auto report_once = [&](const Diagnostics& said) {
        if (!speaks(front.processes)) return static_cast<int>(input_at_fault);
        return report(in_words(front, said), options.common.diagnostics);
    };
    auto machine = run_machine(options, front.processes);
    if (!machine) return report_once(machine.diagnostics);
    if (const Diagnostics bad = check_blocks(options, *machine); !bad.empty()) return report_once(bad);
    return Run(options, front, *machine, times).execute();
}

int run_command(const RunOptions& options) {
    auto processes = join_launched();
    if (!processes) return report(processes.diagnostics, options.common.diagnostics);
    RunFront front;
    front.processes = processes.value->get();
    if (front.processes != nullptr) {
        const Diagnostics bad = check_together(options, *front.processes);
        if (!bad.empty()) return speaks(front.processes) ? report(bad, options.common.diagnostics) : status_of(bad);
    }
    return run_with(options, front);
}

}  // namespace kasc::command
