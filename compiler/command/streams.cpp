#include "command/streams.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "command/exit.hpp"

namespace kasc::command {

namespace {

/// The errno of the first write to standard output that failed.
int& output_fault() {
    static int fault = 0;
    return fault;
}

void note(bool good) {
    if (!good && output_fault() == 0) output_fault() = errno;
}

}  // namespace

void settle_streams() {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (fcntl(stream, F_GETFD) >= 0 || errno != EBADF) continue;
        // The lowest number that is free is this one. Nothing can be written to standard output there, so that it is
        // noticed.
        static_cast<void>(open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY));
    }
    std::signal(SIGXFSZ, SIG_IGN);
    std::signal(SIGPIPE, SIG_IGN);
}

void tell(std::string_view text) { note(std::fwrite(text.data(), 1, text.size(), stdout) == text.size()); }

void tell_error(std::string_view text) { static_cast<void>(std::fwrite(text.data(), 1, text.size(), stderr)); }

int settle_output(int status, DiagnosticsFormat format) {
    const bool failed_before = std::ferror(stdout) != 0;
    note(std::fflush(stdout) == 0);
    if (output_fault() == 0 && failed_before) output_fault() = EIO;  // by whoever does not tell
    if (output_fault() == 0 || output_fault() == EPIPE) return status;
    Diagnostic d;
    d.code = "K0727";
    d.message = fmt::format("cannot write to standard output: {}", std::strerror(output_fault()));
    return std::max(status, report({d}, format));
}

}  // namespace kasc::command
