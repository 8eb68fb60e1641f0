#include "runtime/runs/long_run.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>

namespace kasc::runtime {

namespace {

using Clock = std::chrono::steady_clock;

/// A piece takes about so long: progress is told and a request to stop is heard as often, and waiting for the device at
/// its end costs nothing that counts.
constexpr double shortest_piece = 0.05, longest_piece = 0.2;
constexpr long long most_iterations = 1LL << 20;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

}  // namespace

std::optional<Interval> read_interval(const std::string& text) {
    long long number = 0;
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc{} || number < 1 || number > 1'000'000'000) return std::nullopt;
    const std::string unit(rest, end);
    const auto seconds = [&](double each) { return Interval{0, each * static_cast<double>(number)}; };
    if (unit.empty()) return Interval{number, 0};
    if (unit == "s") return seconds(1);
    if (unit == "m") return seconds(60);
    if (unit == "h") return seconds(3600);
    return std::nullopt;
}

Outcome<LongRunEnd> run_to_end(PiecewiseRun& run, SeriesWindows& windows, const LongRunRequest& request) {
    Diagnostics said;
    /// False: it cannot go on.
    const auto good = [&](Diagnostics more) {
        said.insert(said.end(), more.begin(), more.end());
        return !has_errors(more);
    };
    long long piece = 1, written_at = run.done() - request.before;
    Clock::time_point written = Clock::now();
    while (run.done() < run.total()) {
        Diagnostics of_rows = windows.prepare(run);
        if (request.judge) of_rows = request.judge(std::move(of_rows));
        if (!good(std::move(of_rows))) return failure<LongRunEnd>(std::move(said));
        long long iterations = std::min({piece, windows.ready(run.done()), run.total() - run.done()});
        if (request.pause) iterations = std::min(iterations, request.pause(run.done(), run.total()) - run.done());
        if (request.checkpoint && request.every.iterations > 0)
            iterations = std::min(iterations, written_at + request.every.iterations - run.done());
        const Clock::time_point began = Clock::now();
        if (!good(run.advance(iterations))) return failure<LongRunEnd>(std::move(said));
        const double seconds = seconds_since(began);
        if (iterations == piece && seconds < shortest_piece) piece = std::min(2 * piece, most_iterations);
        if (seconds > longest_piece) piece = std::max(1LL, piece / 2);

        const bool stop = request.go_on && !request.go_on(run.done(), run.total());
        if (run.done() == run.total()) break;
        const bool due = request.checkpoint &&
                         ((request.every.iterations > 0 && run.done() - written_at >= request.every.iterations) ||
                          (request.every.seconds > 0 && seconds_since(written) >= request.every.seconds));
        if (request.checkpoint && (stop || due)) {
            if (!good(windows.flush(run)) || !good(request.checkpoint())) return failure<LongRunEnd>(std::move(said));
            if (request.stop_at_checkpoint && !stop) return success(LongRunEnd{false, true}, std::move(said));
            written_at = run.done();
            written = Clock::now();
        }
        if (stop) return success(LongRunEnd{true, false}, std::move(said));
    }
    if (!good(windows.flush(run)) || !good(run.finish())) return failure<LongRunEnd>(std::move(said));
    return success(LongRunEnd{}, std::move(said));
}

}  // namespace kasc::runtime
