#include "runtime/building/compiler.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "runtime/processes/process.hpp"

namespace kasc::runtime {

namespace {

/// What GCC, Clang and nvcc take from the environment, beside what is on PATH.
constexpr std::array compilers_variables{
    "CPATH",       "C_INCLUDE_PATH",     "CPLUS_INCLUDE_PATH", "LIBRARY_PATH",
    "LD_RUN_PATH", "COMPILER_PATH",      "GCC_EXEC_PREFIX",    "CCC_OVERRIDE_OPTIONS",
    "NVCC_CCBIN",  "NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS"};

std::vector<std::string> words_of_environment(const char* variable) {
    const char* value = std::getenv(variable);
    std::istringstream stream(value == nullptr ? "" : value);
    std::vector<std::string> words;
    for (std::string word; stream >> word;) words.push_back(word);
    return words;
}

/// The files behind a compiler's words, through all links, as far as they are programs: "/usr/bin/g++-12 1234 …".
std::string programs_text(const std::vector<std::string>& compiler) {
    std::string text;
    for (const std::string& word : compiler) {
        text += word + "\n";
        const auto program = find_program(word);
        struct stat info {};
        std::error_code error;
        if (!program || stat(program->c_str(), &info) != 0) continue;
        text += fmt::format("{} {} {} {} {}\n", std::filesystem::canonical(*program, error).string(), info.st_size,
                            info.st_ino, info.st_mtim.tv_sec, info.st_mtim.tv_nsec);
    }
    return text;
}

std::optional<std::string> version_text(std::vector<std::string> compiler) {
    compiler.emplace_back("--version");
    const auto result = run_process(compiler);
    if (!result || result->exit_code != 0 || result->output.empty()) return std::nullopt;
    return result->output;
}

}  // namespace

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

std::optional<std::string> compiler_identity(BuildTarget target, const std::vector<std::string>& compiler) {
    const auto version = version_text(compiler);
    if (!version) return std::nullopt;
    std::string text = programs_text(compiler) + *version;
    for (const char* variable : compilers_variables) {
        const char* value = std::getenv(variable);
        if (value != nullptr) text += fmt::format("{}={}\n", variable, value);
    }
    if (target != BuildTarget::cuda) return text;
    const std::vector<std::string> chosen = words_of_environment("NVCC_CCBIN");
    const auto host = find_program(chosen.empty() ? "g++" : chosen.front());
    if (!host) return text;
    return text + programs_text({*host}) + version_text({*host}).value_or("");
}

}  // namespace kasc::runtime
