#include "runtime/processes/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <sstream>
#include <string_view>
#include <utility>

#ifdef KASC_COVERAGE
extern "C" void __gcov_dump();
#endif

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
    using Clock = std::chrono::steady_clock;

    Reader(int descriptor, pid_t child, const ProcessWatch& watch, Clock::time_point began)
        : descriptor_(descriptor), child_(child), watch_(watch), began_(began) {}

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
    int descriptor_;
    pid_t child_;
    const ProcessWatch& watch_;
    Clock::time_point began_;
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

std::optional<pid_t> spawn(const std::vector<std::string>& arguments, const ProcessWatch& watch, int output) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (watch.input >= 0)
        posix_spawn_file_actions_adddup2(&actions, watch.input, STDIN_FILENO);
    else
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, watch.printed >= 0 ? watch.printed : output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    std::vector<char*> argv;
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    pid_t child = 0;
    const int fault = posix_spawn(&child, argv[0], &actions, &attributes, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return fault == 0 ? std::optional(child) : std::nullopt;
}

/// None: the system gives no process.
std::optional<pid_t> fork_work(const std::function<int()>& work, int output) {
    std::fflush(nullptr);  // what waits to be written is the parent's
    const pid_t child = fork();
    if (child != 0) setpgid(child, child);  // whichever of the two comes first
    if (child != 0) return child > 0 ? std::optional(child) : std::nullopt;
    setpgid(0, 0);
    for (const int number : {SIGALRM, SIGINT, SIGTERM, SIGXFSZ}) signal(number, SIG_DFL);
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    dup2(nothing, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    int status = 1;
    try {
        status = work();
    } catch (const std::exception& e) {
        std::fprintf(stderr, "%s\n", e.what());
    }
    std::fflush(nullptr);
#ifdef KASC_COVERAGE
    __gcov_dump();
#endif
    _exit(status);
}

// A signal handler can reach nothing but a variable of the process: of the guard's own.
volatile pid_t guarded = 0;

void end_guarded(int) {
    kill(-guarded, SIGKILL);
    _exit(0);
}

/// A process that ends the group `child` where this process ends, and does nothing else. 0: the system gives none.
pid_t start_guard(pid_t child) {
    const pid_t parent = getpid();
    const pid_t guard = fork();
    if (guard != 0) return std::max(guard, 0);
    // Other threads of the parent may have held any lock: from here on only what is safe in a signal handler.
    guarded = child;
    setpgid(0, 0);  // what ends the parent's group ends the parent first
    signal(SIGTERM, end_guarded);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    close_range(0, ~0U, 0);  // files, pipes and locks are the parent's alone
    if (getppid() != parent) end_guarded(0);
    while (true) pause();
}

int status_of(pid_t child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) return 0;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

std::optional<Process> Process::begin(const std::function<std::optional<int>(int)>& start, ProcessWatch watch) {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) return std::nullopt;
    const auto child = start(ends[1]);
    close(ends[1]);
    if (child) return Process(*child, start_guard(*child), ends[0], std::move(watch));
    close(ends[0]);
    return std::nullopt;
}

std::optional<Process> Process::start(const std::vector<std::string>& arguments, ProcessWatch watch) {
    return begin([&](int output) { return spawn(arguments, watch, output); }, watch);
}

std::optional<Process> Process::start(const std::function<int()>& work, ProcessWatch watch) {
    return begin([&](int output) { return fork_work(work, output); }, std::move(watch));
}

Process::Process(int child, int guard, int output, ProcessWatch watch)
    : child_(child), guard_(guard), output_(output), watch_(std::move(watch)) {}

Process::Process(Process&& other) noexcept
    : child_(std::exchange(other.child_, 0)),
      guard_(std::exchange(other.guard_, 0)),
      output_(std::exchange(other.output_, -1)),
      watch_(std::move(other.watch_)),
      began_(other.began_) {}

Process::~Process() {
    if (child_ != 0) {
        kill(-child_, SIGKILL);
        end_guard();
        static_cast<void>(status_of(child_));
    }
    if (output_ >= 0) close(output_);
}

/// Before the child is waited for: its number may be another's then.
void Process::end_guard() {
    if (guard_ == 0) return;
    kill(guard_, SIGKILL);
    static_cast<void>(status_of(std::exchange(guard_, 0)));
}

ProcessResult Process::wait() {
    ProcessResult result;
    Reader(output_, child_, watch_, began_).read_to_end(result);
    end_guard();
    result.exit_code = status_of(std::exchange(child_, 0));
    return result;
}

std::optional<ProcessResult> run_process(const std::vector<std::string>& arguments, const ProcessWatch& watch) {
    auto process = Process::start(arguments, watch);
    return process ? std::optional(process->wait()) : std::nullopt;
}

std::optional<ProcessResult> run_process(const std::function<int()>& work, const ProcessWatch& watch) {
    auto process = Process::start(work, watch);
    return process ? std::optional(process->wait()) : std::nullopt;
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
