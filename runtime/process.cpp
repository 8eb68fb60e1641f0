#include "runtime/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <sstream>
#include <string_view>
#include <utility>

namespace kasc::runtime {

namespace {

constexpr std::size_t most_output_bytes = std::size_t{1} << 20;

bool executable(const std::string& path) {
    struct stat info {};
    return stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) && access(path.c_str(), X_OK) == 0;
}

/// All that comes is read, so that the writer never blocks; what is beyond the limit is dropped.
class Reader {
public:
    Reader(int descriptor, pid_t child, const ProcessWatch& watch)
        : descriptor_(descriptor), child_(child), watch_(watch) {}

    void read_to_end(ProcessResult& result) {
        std::array<char, 4096> buffer{};
        while (await_data(result)) {
            const ssize_t count = read(descriptor_, buffer.data(), buffer.size());
            if (count < 0 && errno == EINTR) continue;
            if (count <= 0) return;
            take({buffer.data(), static_cast<std::size_t>(count)}, result);
        }
    }

private:
    using Clock = std::chrono::steady_clock;
    int descriptor_;
    pid_t child_;
    const ProcessWatch& watch_;
    Clock::time_point began_ = Clock::now();
    std::string line_;  ///< that has not ended yet

    void take(std::string_view more, ProcessResult& result) {
        if (result.output.size() < most_output_bytes) result.output.append(more);
        if (!watch_.on_line) return;
        for (const char c : more) {
            if (c == '\n')
                watch_.on_line(std::exchange(line_, {}));
            else if (line_.size() < most_output_bytes)
                line_.push_back(c);
        }
    }

    /// False where the watch has ended the program: its writer may live on in a descendant, so nothing more is awaited.
    bool await_data(ProcessResult& result) {
        if (watch_.limit_seconds <= 0 && !watch_.stop) return true;
        constexpr int ask_every_ms = 100;
        while (true) {
            pollfd ready{descriptor_, POLLIN, 0};
            if (poll(&ready, 1, ask_every_ms) > 0) return true;
            const double seconds = std::chrono::duration<double>(Clock::now() - began_).count();
            result.timed_out = watch_.limit_seconds > 0 && seconds > watch_.limit_seconds;
            result.stopped = watch_.stop && watch_.stop();
            if (!result.timed_out && !result.stopped) continue;
            kill(-child_, SIGKILL);
            return false;
        }
    }
};

std::optional<pid_t> start(const std::vector<std::string>& arguments, int output, bool own_group) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    if (own_group) posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    std::vector<char*> argv;
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    pid_t child = 0;
    const int fault = posix_spawn(&child, argv[0], &actions, &attributes, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return fault == 0 ? std::optional(child) : std::nullopt;
}

}  // namespace

std::optional<ProcessResult> run_process(const std::vector<std::string>& arguments, const ProcessWatch& watch) {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) return std::nullopt;
    const bool watched = watch.limit_seconds > 0 || watch.stop;
    const auto child = start(arguments, ends[1], watched);
    close(ends[1]);
    ProcessResult result;
    if (child) Reader(ends[0], *child, watch).read_to_end(result);
    close(ends[0]);
    if (!child) return std::nullopt;
    int status = 0;
    while (waitpid(*child, &status, 0) < 0) {
        if (errno != EINTR) return std::nullopt;
    }
    result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return result;
}

std::optional<std::string> find_program(const std::string& name) {
    if (name.empty()) return std::nullopt;
    if (name.find('/') != std::string::npos) return executable(name) ? std::optional(name) : std::nullopt;
    const char* path = std::getenv("PATH");
    std::istringstream folders(path == nullptr ? "/usr/local/bin:/usr/bin:/bin" : path);
    for (std::string folder; std::getline(folders, folder, ':');) {
        const std::string candidate = (folder.empty() ? "." : folder) + "/" + name;
        if (executable(candidate)) return candidate;
    }
    return std::nullopt;
}

}  // namespace kasc::runtime
