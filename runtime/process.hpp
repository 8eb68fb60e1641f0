#pragma once
// Other programs, without a shell in between: nothing in a name is ever interpreted.

#include <optional>
#include <string>
#include <vector>

namespace kasc::runtime {

struct ProcessResult {
    int exit_code = 0;   ///< 128 + the signal's number where a signal ended it
    std::string output;  ///< stdout and stderr as they came, at most 1 MiB
};

/// Runs `arguments[0]` (a path) with standard input empty. None: it could not be started.
[[nodiscard]] std::optional<ProcessResult> run_process(const std::vector<std::string>& arguments);

/// The executable's path: `name` itself if it holds a '/', else the first in PATH's folders.
[[nodiscard]] std::optional<std::string> find_program(const std::string& name);

}  // namespace kasc::runtime
