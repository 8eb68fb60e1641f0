#pragma once
// Other programs, without a shell in between: nothing in a name is ever interpreted.

#include <chrono>
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

/// What may happen while a program runs.
struct ProcessWatch {
    double limit_seconds = 0;                         ///< 0: none
    std::function<bool()> stop;                       ///< asked ten times a second; true ends the program
    std::function<void(const std::string&)> on_line;  ///< each whole line as it comes, without its end
    int input = -1;                                   ///< a program's standard input; -1: it is empty
    int printed = -1;                                 ///< where its standard output goes; -1: with standard error
};

/// A program that runs while this process goes on. It is a process group of its own, so that it ends with all that it
/// has started, and Ctrl-C reaches this process alone; and it ends where this process ends, by whatever signal. The
/// thread that starts it outlives it.
class Process {
public:
    /// `arguments[0]` is a path. None: it could not be started.
    [[nodiscard]] static std::optional<Process> start(const std::vector<std::string>& arguments,
                                                      ProcessWatch watch = {});
    /// A fork of this process in place of another program: its status is what `work` returns, and what the work prints
    /// is its output. It must not wait for threads of this process, which are not in the fork: a library of threads
    /// that this process has used (OpenMP) is not the work's to use.
    [[nodiscard]] static std::optional<Process> start(const std::function<int()>& work, ProcessWatch watch = {});
    Process(Process&& other) noexcept;
    Process& operator=(Process&&) = delete;
    /// Ends it, where nobody has waited for it.
    ~Process();

    /// Its output is read, and the watch kept, from here on; the limit counts from the start. Once.
    [[nodiscard]] ProcessResult wait();

private:
    Process(int child, int guard, int output, ProcessWatch watch);
    /// `start`: given where its output goes, the child's number.
    [[nodiscard]] static std::optional<Process> begin(const std::function<std::optional<int>(int)>& start,
                                                      ProcessWatch watch);
    void end_guard();

    int child_, guard_, output_;
    ProcessWatch watch_;
    std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

/// Starts it and waits. None: it could not be started.
[[nodiscard]] std::optional<ProcessResult> run_process(const std::vector<std::string>& arguments,
                                                       const ProcessWatch& watch = {});
[[nodiscard]] std::optional<ProcessResult> run_process(const std::function<int()>& work,
                                                       const ProcessWatch& watch = {});

/// The executable's path: `name` itself if it holds a '/', else the first in PATH's folders.
[[nodiscard]] std::optional<std::string> find_program(const std::string& name);

}  // namespace kasc::runtime
