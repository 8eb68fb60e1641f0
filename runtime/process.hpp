#pragma once
// Other programs, without a shell in between: nothing in a name is ever interpreted.

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace kasc::runtime {

struct ProcessResult {
    int exit_code = 0;                        ///< 128 + the signal's number where a signal ended it
    std::string output;                       ///< stdout and stderr as they came, at most 1 MiB
    bool timed_out = false, stopped = false;  ///< by the watch
};

/// What may happen while a program runs. With any of them set it is a process group of its own, so that it ends with
/// all that it has started, and Ctrl-C reaches this process alone.
struct ProcessWatch {
    double limit_seconds = 0;                         ///< 0: none
    std::function<bool()> stop;                       ///< asked ten times a second; true ends the program
    std::function<void(const std::string&)> on_line;  ///< each whole line as it comes, without its end
};

/// Runs `arguments[0]` (a path) with standard input empty. None: it could not be started.
[[nodiscard]] std::optional<ProcessResult> run_process(const std::vector<std::string>& arguments,
                                                       const ProcessWatch& watch = {});

/// The executable's path: `name` itself if it holds a '/', else the first in PATH's folders.
[[nodiscard]] std::optional<std::string> find_program(const std::string& name);

}  // namespace kasc::runtime
