#pragma once
// A run from where it stands to its end, in pieces: windows move, progress is told, checkpoints are written, a request
// to stop is heard.

#include <functional>
#include <optional>
#include <string>

#include "runtime/runs/series_windows.hpp"

namespace kasc::runtime {

/// How often a checkpoint is written: after so many iterations or so many seconds, whichever is set.
struct Interval {
    long long iterations = 0;
    double seconds = 0;
};

/// "500": iterations; "90s", "10m", "2h". None: it is neither.
[[nodiscard]] std::optional<Interval> read_interval(const std::string& text);

struct LongRunRequest {
    std::function<bool(long long done, long long total)> go_on;  ///< after each piece; false asks to stop
    /// The iteration, behind `done`, where a piece ends at the latest: something is told there; may be empty.
    std::function<long long(long long done, long long total)> pause;
    std::function<Diagnostics()> checkpoint;  ///< writes one of where the run stands; may be empty
    Interval every;
    long long before = 0;                           ///< iterations that the first interval has behind it
    bool stop_at_checkpoint = false;                ///< the first checkpoint ends it
    std::function<Diagnostics(Diagnostics)> judge;  ///< of what is found in rows as they come: what is an error
};

struct LongRunEnd {
    bool stopped = false;    ///< on request, before the end
    bool suspended = false;  ///< by its checkpoint, before the end
};

/// Requires: the run was advanced by 0, and restored where it goes on. The outputs are complete unless it was stopped,
/// and what is streamed is in its file. Where it is stopped, a checkpoint is written last.
[[nodiscard]] Outcome<LongRunEnd> run_to_end(PiecewiseRun& run, SeriesWindows& windows, const LongRunRequest& request);

}  // namespace kasc::runtime
