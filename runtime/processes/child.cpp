// fork, limits, work, _exit; the parent waits. Example: a work that loops forever ends by SIGXCPU after cpu_seconds,
// the parent gets out_of_time.

#include "runtime/processes/child.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <ctime>

#ifdef KASC_COVERAGE
extern "C" void __gcov_dump();
#endif

namespace kasc::runtime {

namespace {

/// Bytes of private writable memory that this process has now (RLIMIT_DATA counts them): field 6 of statm, in pages.
std::uint64_t private_bytes_now() {
    unsigned long pages = 0;
    if (std::FILE* statm = std::fopen("/proc/self/statm", "re")) {
        if (std::fscanf(statm, "%*s %*s %*s %*s %*s %lu", &pages) != 1) pages = 0;
        std::fclose(statm);
    }
    return std::uint64_t{pages} * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

void set_soft_limit(__rlimit_resource resource, std::uint64_t value) {
    rlimit limit{};
    getrlimit(resource, &limit);
    if (limit.rlim_max == RLIM_INFINITY || value < limit.rlim_max) limit.rlim_cur = value;
    setrlimit(resource, &limit);
}

void set_alarm(double seconds) {
    itimerval timer{};
    timer.it_value.tv_sec = static_cast<time_t>(seconds);
    timer.it_value.tv_usec = static_cast<suseconds_t>(1e6 * (seconds - static_cast<double>(timer.it_value.tv_sec)));
    setitimer(ITIMER_REAL, &timer, nullptr);
}

void silence_output() {
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere < 0) return;
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
}

void enter_limits(const ChildLimits& limits) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // do not outlive the parent
    for (const int number : {SIGALRM, SIGXCPU, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) signal(number, SIG_DFL);
    silence_output();
    set_soft_limit(RLIMIT_CORE, 0);
    set_soft_limit(RLIMIT_CPU, limits.cpu_seconds);
    set_soft_limit(RLIMIT_DATA, private_bytes_now() + limits.private_bytes);
    set_alarm(limits.wall_seconds);
}

int run_guarded(const std::function<bool()>& work) {
    try {
        return work() ? 0 : 1;
    } catch (...) {
        return 1;
    }
}

ChildEnd end_of(int status) {
    if (WIFEXITED(status)) return WEXITSTATUS(status) == 0 ? ChildEnd::finished : ChildEnd::failed;
    const int number = WTERMSIG(status);
    if (number == SIGXCPU || number == SIGALRM) return ChildEnd::out_of_time;
    return number == SIGKILL ? ChildEnd::killed : ChildEnd::failed;
}

}  // namespace

void restart_child_clock(const ChildLimits& limits) {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    // The limit counts whole seconds: the one that has begun is given away.
    set_soft_limit(RLIMIT_CPU,
                   static_cast<std::uint64_t>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + 1 + limits.cpu_seconds);
    set_alarm(limits.wall_seconds);
}

void stop_child_clock() { set_alarm(0); }

std::optional<Child> Child::start(const ChildLimits& limits, const std::function<bool()>& work) {
    const pid_t child = fork();
    if (child < 0) return std::nullopt;
    if (child == 0) {
        enter_limits(limits);
        const int code = run_guarded(work);
#ifdef KASC_COVERAGE
        __gcov_dump();
#endif
        _exit(code);
    }
    return Child(child);
}

Child::~Child() {
    if (pid_ == 0) return;
    kill(pid_, SIGKILL);
    static_cast<void>(wait());
}

ChildEnd Child::wait() {
    const pid_t child = std::exchange(pid_, 0);
    int status = 0;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) return ChildEnd::no_child;
    }
    return end_of(status);
}

ChildEnd Child::wait(const std::function<bool()>& stop) {
    constexpr timespec pause{0, 10'000'000};
    for (int turn = 0; stop && pid_ != 0; ++turn) {
        siginfo_t ended{};
        // An ended child stays for waitpid, so that its number is nobody else's.
        if (waitid(P_PID, static_cast<id_t>(pid_), &ended, WEXITED | WNOHANG | WNOWAIT) != 0 || ended.si_pid != 0)
            break;
        if (turn % 10 == 0 && stop()) kill(pid_, SIGKILL);
        nanosleep(&pause, nullptr);
    }
    return wait();
}

ChildEnd run_in_child(const ChildLimits& limits, const std::function<bool()>& work) {
    auto child = Child::start(limits, work);
    return child ? child->wait() : ChildEnd::no_child;
}

}  // namespace kasc::runtime
