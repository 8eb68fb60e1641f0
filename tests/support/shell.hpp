#pragma once
// Running a command line in tests: its status and what it printed, standard error included.

#include <sys/wait.h>
#include <array>
#include <cstdio>
#include <string>

namespace kasc::test {

struct ShellResult {
    int status = -1;
    std::string output;
};

inline ShellResult shell(const std::string& command) {
    ShellResult result;
    FILE* pipe = popen((command + " 2>&1").c_str(), "r");
    if (pipe == nullptr) return result;
    std::array<char, 4096> buffer{};
    while (const std::size_t n = fread(buffer.data(), 1, buffer.size(), pipe)) result.output.append(buffer.data(), n);
    const int status = pclose(pipe);
    result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return result;
}

}  // namespace kasc::test
