#pragma once
// A run that is stopped by a signal, as users and batch systems do it.

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>

#include "support/temporary.hpp"

namespace kasc::test {

/// Starts the call, sends `signal` once the file `awaited` is there, gives the exit status as waitpid has it and what
/// was said, which goes to the file `log`.
inline int interrupt(const std::string& command, const std::string& awaited, int signal, const std::string& log,
                     std::string& said) {
    const pid_t child = fork();
    if (child == 0) {
        execl("/bin/sh", "sh", "-c", ("exec " + command + " >" + log + " 2>&1").c_str(), nullptr);
        _exit(127);
    }
    int status = 0;
    bool ended = false;
    // A busy machine takes its time to build the program; the test's own limit ends what never comes.
    while (!std::filesystem::exists(awaited) && !ended) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        ended = waitpid(child, &status, WNOHANG) == child;
    }
    if (!ended) {
        kill(child, signal);
        waitpid(child, &status, 0);
    }
    said = read_file(log);
    return status;
}

/// The same, and not at its end: a run that was done before the signal came, by its file `made`, is tried again.
inline int interrupt_midway(const std::string& command, const std::string& made, const std::string& awaited, int signal,
                            const std::string& log, std::string& said) {
    int status = 0;
    for (int tries = 0; tries < 50; ++tries) {
        std::filesystem::remove(made);
        std::filesystem::remove(awaited);
        status = interrupt(command, awaited, signal, log, said);
        if (!std::filesystem::exists(made)) break;
    }
    return status;
}

}  // namespace kasc::test
