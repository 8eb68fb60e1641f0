#include "command/run/compute.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "command/data_faults.hpp"
#include "command/run/compared.hpp"
#include "command/streams.hpp"
#include "runtime/processes/interrupt.hpp"
#include "runtime/progress/progress.hpp"
#include "runtime/runs/long_run.hpp"

namespace kasc::command {

namespace {

class Computation {
public:
    Computation(ComputeRequest request, runtime::Outputs& outputs, runtime::PhaseTimes& times)
        : request_(std::move(request)),
          options_(request_.options),
          bound_(request_.bound),
          outputs_(outputs),
          times_(times) {}

    Outcome<ComputeEnd> run() {
        ComputeEnd end;
        if (!go(end)) return failure<ComputeEnd>(std::move(said_));
        return success(std::move(end), std::move(said_));
    }

private:
    ComputeRequest request_;
    const RunOptions& options_;
    const RunBinding& bound_;
    runtime::Outputs& outputs_;
    runtime::PhaseTimes& times_;
    Diagnostics said_;

    [[nodiscard]] long long steps(long long iterations) const { return request_.steps_before + iterations; }
    [[nodiscard]] runtime::ReportForm report_form() const {
        runtime::ReportForm form = request_.report.value_or(runtime::ReportForm{});
        form.before = request_.steps_before;
        return form;
    }
    /// False: it is an error.
    bool well(const Diagnostics& more) {
        said_.insert(said_.end(), more.begin(), more.end());
        return !has_errors(more);
    }

    bool go(ComputeEnd& end) {
        times_.enter(runtime::Phase::prepare);
        const Compilation& c = request_.compilation;
        const auto series =
            windowed_series(c.program, c.library, bound_.series, bound_.loops, bound_.extents, bound_.rows);
        std::optional<runtime::RowReader> reader;
        if (!start_reader(series, reader)) return false;
        runtime::EntryArguments call = bound_.arguments(outputs_.pointers());
        call.rows = bound_.rows;
        runtime::InterruptWatch interrupt;  // from here on there are files to leave in order
        auto begun = request_.engine.begin(call);
        if (!well(begun.diagnostics) || !begun || !open_outputs()) return false;
        runtime::PiecewiseRun& run = **begun.value;
        runtime::SeriesWindows windows(series, reader ? &*reader : nullptr,
                                       outputs_.streams() ? &outputs_.file() : nullptr);
        times_.enter(runtime::Phase::compute);
        const auto start = std::chrono::steady_clock::now();
        if (!well(windows.begin(run)) || !well(run.advance(0)) || !go_on_from_checkpoint(run, windows)) return false;

        runtime::ProgressDisplay display(c.program.name, runtime::ProgressDisplay::standard_error(), run.done());
        runtime::ProgressReport report(report_form(), runtime::ProgressDisplay::standard_output(), run.done());
        runtime::LongRunRequest request;
        if (request_.report) request.pause = [&](long long done, long long total) { return report.due(done, total); };
        request.go_on = [&](long long done, long long total) {
            if (request_.report) {
                report.update(done, total);
            } else {
                display.update(done, total, [&] {
                    return compared_text(c.program, bound_.loops, bound_.parameters, bound_.extents, run);
                });
            }
            return !interrupt.interrupted();
        };
        if (!options_.checkpoint.empty()) request.checkpoint = [&] { return write_checkpoint(run, windows); };
        request.every = request_.every;
        request.stop_at_checkpoint = request_.stop_at_checkpoint;
        // The first interval of a run that begins counts the steps before its iterations.
        if (!request_.restart) request.before = request_.steps_before;
        request.judge = [&](Diagnostics found) { return judged(std::move(found), options_.allow); };
        const auto ended = runtime::run_to_end(run, windows, request);
        display.finish();
        if (!well(ended.diagnostics) || !ended) return false;
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
        times_.set_kernels(run.kernel_seconds());
        end = {run.done(), run.total(), ended->suspended, {}, seconds.count(), run.kernel_seconds(), {}};
        if (ended->stopped) {
            end.suspended = request_.stop_at_checkpoint;
            end.stopped = stopped(run);
            return true;
        }
        end.not_finite = windows.not_finite();
        return true;
    }
    /// Before the run takes its memory.
    bool start_reader(const std::vector<runtime::WindowedSeries>& series, std::optional<runtime::RowReader>& reader) {
        const auto parts = runtime::read_parts(series, bound_.surveyed);
        if (parts.empty()) return true;
        auto started = runtime::RowReader::start(options_.input, bound_.surveyed.stamp, parts);
        if (started) reader.emplace(std::move(*started.value));
        return well(started.diagnostics) && reader.has_value();
    }
    bool open_outputs() {
        if (!outputs_.streams() && !request_.stop_at_checkpoint) return true;
        return well(outputs_.open(request_.restart ? request_.restart->head.places : std::vector<std::uint64_t>{}));
    }
    /// The loop's iteration of the checkpoint is this plan's to find: another may run independent loops in another
    /// order.
    bool go_on_from_checkpoint(runtime::PiecewiseRun& run, runtime::SeriesWindows& windows) {
        if (!request_.restart) return true;
        const runtime::CheckpointHead& head = request_.restart->head;
        const auto loop = std::find_if(bound_.loops.begin(), bound_.loops.end(),
                                       [&](const auto& l) { return l.loop.index == head.loop; });
        const long long done = loop == bound_.loops.end() ? -1 : loop->range.start + head.iteration;
        if (!well(runtime::restore(options_.restart, *request_.restart, done, run)) ||
            !well(windows.resume(head.series)))
            return false;
        request_.restart->state = {};  // it is in the run now
        tell(fmt::format("goes on at step {}\n", place_of(run)));
        std::fflush(stdout);
        return true;
    }
    [[nodiscard]] Diagnostics write_checkpoint(runtime::PiecewiseRun& run, const runtime::SeriesWindows& windows) {
        runtime::CheckpointHead head;
        head.identity = bound_.identity;
        for (const OutermostLoop& l : bound_.loops) {
            if (!l.range.row(run.done())) continue;
            head.loop = l.loop.index;
            head.iteration = run.done() - l.range.start;
        }
        head.done = run.done();
        head.total = run.total();
        if (outputs_.streams() || request_.stop_at_checkpoint) {
            if (Diagnostics bad = outputs_.file().sync(); !bad.empty()) return bad;
            head.series = windows.so_far();
            head.places = outputs_.file().places();
        }
        const Compilation& c = request_.compilation;
        return runtime::write_checkpoint(options_.checkpoint, std::move(head), run,
                                         state_shapes(c.program, c.library, run.state(), bound_.extents));
    }
    /// "3 of 10"; of a loop that ends by what it computes nobody knows how many there are.
    [[nodiscard]] std::string place_of(const runtime::PiecewiseRun& run) const {
        if (run.total() >= runtime::no_bound) return std::to_string(steps(run.done()));
        return fmt::format("{} of {}", steps(run.done()), steps(run.total()));
    }
    [[nodiscard]] Diagnostic stopped(const runtime::PiecewiseRun& run) const {
        Diagnostic d = runtime::run_fault(bound_.face.name, 4, fmt::format("after step {}", place_of(run)));
        if (!options_.checkpoint.empty())
            d.help =
                fmt::format("the same call {}goes on from there",
                            request_.stop_at_checkpoint ? "" : fmt::format("with --restart {} ", options_.checkpoint));
        return d;
    }
};

}  // namespace

Outcome<ComputeEnd> compute(ComputeRequest request, runtime::Outputs& outputs, runtime::PhaseTimes& times) {
    return Computation(std::move(request), outputs, times).run();
}

}  // namespace kasc::command
