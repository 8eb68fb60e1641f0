#include "runtime/build.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "runtime/process.hpp"

namespace kasc::runtime {

namespace {

constexpr std::size_t most_shown_lines = 10;  // of a compiler's output

std::vector<std::string> words_of_environment(const char* variable) {
    const char* value = std::getenv(variable);
    std::istringstream stream(value == nullptr ? "" : value);
    std::vector<std::string> words;
    for (std::string word; stream >> word;) words.push_back(word);
    return words;
}

Diagnostic no_compiler(BuildTarget target) {
    Diagnostic d;
    d.code = "K0801";
    d.message = target == BuildTarget::cpu ? "no C++ compiler found" : "no CUDA compiler found";
    d.help = target == BuildTarget::cpu
                 ? "install one (Debian: apt install g++) or name one in $CXX"
                 : "install the CUDA toolkit, name its nvcc in $CUDACXX, or run with --target cpu";
    return d;
}

std::string shown_command(const std::vector<std::string>& arguments) {
    std::string text;
    for (const std::string& argument : arguments) text += (text.empty() ? "" : " ") + argument;
    return text;
}

/// A note a line, from the first that speaks of an error.
std::vector<Note> first_errors(const std::string& output) {
    std::vector<std::string> lines;
    std::istringstream stream(output);
    for (std::string line; std::getline(stream, line);) {
        if (!line.empty()) lines.push_back(line);
    }
    auto begin = std::find_if(lines.begin(), lines.end(),
                              [](const std::string& line) { return line.find("error") != std::string::npos; });
    if (begin == lines.end()) begin = lines.begin();
    std::vector<Note> notes;
    for (; begin != lines.end() && notes.size() < most_shown_lines; ++begin) notes.push_back({{}, *begin});
    return notes;
}

Diagnostic refused(const std::vector<std::string>& command, const ProcessResult& result) {
    Diagnostic d;
    d.code = "K0802";
    d.message = result.timed_out
                    ? fmt::format("'{}' took too long on emitted code", command.front())
                    : fmt::format("'{}' ended with status {} on emitted code", command.front(), result.exit_code);
    d.notes = first_errors(result.output);
    d.help = "the call was: " + shown_command(command);
    return d;
}

bool lacks_openmp(const std::string& output) {
    const auto holds = [&](const char* word) { return output.find(word) != std::string::npos; };
    return holds("-fopenmp") || holds("omp.h") || holds("libomp") || holds("libgomp") || holds("-lomp") ||
           holds("-lgomp");
}

std::vector<std::string> full_command(std::vector<std::string> command, const BuildRequest& request) {
    const std::vector<std::string> flags = compiler_flags(request);
    command.insert(command.end(), flags.begin(), flags.end());
    command.insert(command.end(), {"-o", request.library});
    command.insert(command.end(), request.sources.begin(), request.sources.end());
    for (const std::string& name : request.link_names) command.push_back("-l" + name);
    return command;
}

}  // namespace

std::vector<std::string> compiler_flags(const BuildRequest& request) {
    if (request.target == BuildTarget::cuda) {
        return {"-std=c++17", "-O3",        "--fmad=false", fmt::format("-arch=sm_{}", request.compute_capability),
                "-shared",    "-Xcompiler", "-fPIC"};
    }
    if (request.purpose == BuildPurpose::one_look)
        return {"-std=c++17", "-O0", "-w", "-ffp-contract=off", "-shared", "-fPIC"};
    return {"-std=c++17",      "-O3",      "-march=native", "-ffp-contract=off",
            "-fno-math-errno", "-fopenmp", "-shared",       "-fPIC"};
}

std::vector<std::string> find_compiler(BuildTarget target) {
    const bool cpu = target == BuildTarget::cpu;
    std::vector<std::string> chosen = words_of_environment(cpu ? "CXX" : "CUDACXX");
    if (!chosen.empty()) {
        const auto program = find_program(chosen.front());
        if (!program) return {};
        chosen.front() = *program;
        return chosen;
    }
    const std::vector<std::string> names = cpu ? std::vector<std::string>{"g++", "clang++", "c++"}
                                               : std::vector<std::string>{"nvcc", "/usr/local/cuda/bin/nvcc"};
    for (const std::string& name : names) {
        if (const auto program = find_program(name)) return {*program};
    }
    return {};
}

std::string compiler_version(BuildTarget target) {
    std::vector<std::string> command = find_compiler(target);
    if (command.empty()) return "";
    command.emplace_back(target == BuildTarget::cuda ? "--version" : "-dumpfullversion");
    if (target == BuildTarget::cpu) command.emplace_back("-dumpversion");  // clang knows this one alone
    const auto result = run_process(command);
    if (!result || result->exit_code != 0) return "";
    // nvcc: "Cuda compilation tools, release 13.0, V13.0.88"; g++ and clang: the number alone.
    const std::size_t found = target == BuildTarget::cuda ? result->output.rfind(", V") : std::string::npos;
    const std::size_t begin = found == std::string::npos ? 0 : found + 2;
    return result->output.substr(begin, result->output.find('\n', begin) - begin);
}

Outcome<std::string> build_shared_library(const BuildRequest& request) {
    const std::vector<std::string> compiler = find_compiler(request.target);
    if (compiler.empty()) return failure<std::string>(no_compiler(request.target));
    std::vector<std::string> command = full_command(compiler, request);
    const auto result = run_process(command, request.watch);
    if (!result) return failure<std::string>(no_compiler(request.target));
    if (result->exit_code == 0) return success(request.library);
    if (request.target == BuildTarget::cpu && lacks_openmp(result->output)) {
        std::erase(command, "-fopenmp");
        const auto again = run_process(command, request.watch);
        if (again && again->exit_code == 0) {
            Diagnostic d;
            d.severity = Severity::warning;
            d.code = "K0803";
            d.message = fmt::format("'{}' has no OpenMP: the program runs on one core", compiler.front());
            d.help = "install OpenMP for it (Debian's clang: apt install libomp-dev) or choose another with $CXX";
            return success(request.library, {d});
        }
    }
    return failure<std::string>(refused(command, *result));
}

}  // namespace kasc::runtime
