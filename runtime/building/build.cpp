#include "runtime/building/build.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "runtime/building/prebuilt.hpp"
#include "runtime/processes/host.hpp"

namespace kasc::runtime {

namespace {

constexpr std::size_t most_output_lines = 10;  // of a compiler's output

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

/// "lib.cu: In function 'void f_1::d_f_1_compute_3_32_1_s(…)':", "In file included from program.cpp:2:", of g++.
bool says_only_where(const std::string& line) {
    const std::size_t first = line.find_first_not_of(' ');
    if (first != std::string::npos && line.compare(first, 5, "from ") == 0) return true;
    return line.starts_with("In file included from ") || line.find(": In function ") != std::string::npos ||
           line.find(": In instantiation of ") != std::string::npos ||
           line.find(": At global scope:") != std::string::npos;
}

/// A note a line, from the first that speaks of an error. A line that stands there already is left out: compilers
/// repeat themselves for every place that a fault is met from, and the lines that only say where that is.
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
    std::set<std::string> told;
    for (; begin != lines.end() && notes.size() < most_output_lines; ++begin) {
        if (!says_only_where(*begin) && told.insert(*begin).second) notes.push_back({{}, *begin});
    }
    return notes;
}

Diagnostic refused(const std::vector<std::string>& command, const ProcessResult& result) {
    Diagnostic d;
    d.code = result.timed_out ? "K0807" : "K0802";
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

Diagnostic without_openmp(const std::string& compiler) {
    Diagnostic d;
    d.severity = Severity::warning;
    d.code = "K0803";
    d.message = fmt::format("'{}' has no OpenMP: the program runs on one core", compiler);
    d.help = "install OpenMP for it (Debian's clang: apt install libomp-dev) or choose another with $CXX";
    return d;
}

std::optional<std::string> text_of_file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return in && !text.fail() ? std::optional(std::move(text).str()) : std::nullopt;
}

/// As a new file: one of that name may be loaded, and what is loaded must not change.
bool write_library(const std::string& path, const std::string& bytes) {
    std::error_code error;
    std::filesystem::remove(path, error);
    std::ofstream out(path, std::ios::binary);
    out << bytes;
    out.close();
    return static_cast<bool>(out);
}

/// Names in lines of the form   #include "name"
std::vector<std::string> included_names(const std::string& text) {
    std::vector<std::string> names;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        char hash = 0;
        std::string directive, name;
        if (line.find("include") == std::string::npos || !(words >> hash >> directive) || hash != '#') continue;
        const std::size_t begin = line.find('"'), end = line.find('"', begin + 1);
        if (directive.starts_with("include") && end != std::string::npos)
            names.push_back(line.substr(begin + 1, end - begin - 1));
    }
    return names;
}

/// Adds a source and all that it includes by "…" to the key: names and texts, no folder.
void add_texts(const std::filesystem::path& source, std::set<std::string>& added, BuildKey& key) {
    const auto text = text_of_file(source.string());
    if (!text || !added.insert(source.filename().string()).second) return;
    key.add(source.filename().string(), *text);
    for (const std::string& name : included_names(*text)) add_texts(source.parent_path() / name, added, key);
}

BuildKey begin_key(const BuildRequest& request, const std::string& target) {
    const std::string first = request.sources.empty() ? "" : request.sources.front();
    BuildKey key(request.title.empty() ? std::filesystem::path(first).stem().string() : request.title, target);
    key.add("kasc", KASC_VERSION);
    return key;
}

/// What is asked of the compiler.
void add_request(const BuildRequest& request, BuildKey& key) {
    for (const std::string& flag : compiler_flags(request)) key.add("flag", flag);
    std::set<std::string> added;
    for (const std::string& source : request.sources) {
        key.add("source", std::filesystem::path(source).filename().string());
        add_texts(source, added, key);
    }
    for (const std::string& name : request.link_names) key.add("library", name);
}

/// The key of all that decides the library's bytes. None: the compiler does not say which one it is.
std::optional<BuildKey> key_of(const BuildRequest& request, const std::vector<std::string>& compiler) {
    const auto identity = compiler_identity(request.target, compiler);
    if (!identity) return std::nullopt;
    const bool cuda = request.target == BuildTarget::cuda;
    BuildKey key = begin_key(request, cuda ? fmt::format("sm_{}", request.compute_capability) : "cpu");
    key.add("compiler", *identity);
    // What runs on one machine need not on another that shares the folder.
    const std::vector<std::string> flags = compiler_flags(request);
    key.add("machine", machine_text(std::find(flags.begin(), flags.end(), "-march=native") != flags.end()
                                        ? MachineText::with_processor
                                        : MachineText::system));
    add_request(request, key);
    return key;
}

/// The key of what any compiler makes of the request for any processor of the portable level. None: there is no such.
std::optional<BuildKey> portable_key(BuildRequest request) {
    const std::string level = portable_level();
    if (level.empty() || request.target != BuildTarget::cpu || request.purpose == BuildPurpose::one_look)
        return std::nullopt;
    request.portable = true;
    BuildKey key = begin_key(request, level);
    key.add("processor", level);
    add_request(request, key);
    return key;
}

}  // namespace

std::vector<std::string> compiler_flags(const BuildRequest& request) {
    if (request.target == BuildTarget::cuda) {
        return {"-std=c++17", "-O3",        "--fmad=false", fmt::format("-arch=sm_{}", request.compute_capability),
                "-shared",    "-Xcompiler", "-fPIC"};
    }
    if (request.purpose == BuildPurpose::one_look)
        return {"-std=c++17", "-O0", "-w", "-ffp-contract=off", "-shared", "-fPIC"};
    // Loops over cells are made vectors at either level, for they are marked as independent.
    const char* level = request.purpose == BuildPurpose::soon ? "-O1" : "-O3";
    std::vector<std::string> flags{"-std=c++17",      level,      "-march=native", "-ffp-contract=off",
                                   "-fno-math-errno", "-fopenmp", "-shared",       "-fPIC"};
    if (request.portable) {
        flags[2] = "-march=" + portable_level();
        flags.emplace_back("-s");  // of each there are many
    }
    return flags;
}

/// Whether the library is there now.
bool Build::take(std::optional<Artefact> found, BuiltBy from) {
    if (!found || !write_library(request_.library, found->bytes)) return false;
    // What another machine has built may need a library that this one lacks.
    if (from == BuiltBy::installation && (load_fault_ = load_fault(request_.library))) return false;
    found_ = std::move(found->said);
    built_by_ = from;
    return true;
}

Build Build::start(BuildRequest request) {
    Build build(std::move(request));
    const BuildRequest& wanted = build.request_;
    if (!wanted.prebuilt.empty() && has_portable_level()) {
        const auto key = portable_key(wanted);
        if (key && build.take(find_prebuilt(wanted.prebuilt, *key), BuiltBy::installation)) return build;
    }
    build.compiler_ = find_compiler(wanted.target);
    if (build.compiler_.empty()) return build;
    if (wanted.cache.usable()) build.key_ = wanted.portable ? portable_key(wanted) : key_of(wanted, build.compiler_);
    if (build.key_ && build.take(wanted.cache.find(*build.key_), BuiltBy::cache)) return build;
    build.began_ = std::filesystem::file_time_type::clock::now();
    if (auto process = Process::start(full_command(build.compiler_, wanted), wanted.watch))
        build.process_.emplace(std::move(*process));
    return build;
}

Outcome<std::string> Build::finish() {
    if (found_) return success(request_.library, *found_);
    if (!process_) return not_built(no_compiler(request_.target));
    const ProcessResult result = process_->wait();
    if (result.exit_code == 0) return built({});
    std::vector<std::string> command = full_command(compiler_, request_);
    if (request_.target == BuildTarget::cpu && lacks_openmp(result.output)) {
        std::erase(command, "-fopenmp");
        const auto again = run_process(command, request_.watch);
        if (again && again->exit_code == 0) return built({without_openmp(compiler_.front())});
        command = full_command(compiler_, request_);
    }
    return not_built(refused(command, result));
}

/// Where the program came with kasc, what it lacks is the smaller thing to install.
Outcome<std::string> Build::not_built(Diagnostic why) const {
    if (load_fault_) {
        why.notes.insert(why.notes.begin(),
                         {{}, "kasc comes with this program, built, but it cannot be loaded: " + *load_fault_});
        if (load_fault_->starts_with("libfftw3f"))
            why.help = "install FFTW's library (Debian: apt install libfftw3-single3): then it takes no compiler";
    }
    return failure<std::string>(std::move(why));
}

Outcome<std::string> Build::built(Diagnostics said) {
    // The compiler may have ended long before it was waited for: the library is what it wrote last.
    std::error_code error;
    const auto written = std::filesystem::last_write_time(request_.library, error);
    if (!error) compiler_seconds_ = std::max(1e-3, std::chrono::duration<double>(written - began_).count());
    if (key_) {
        if (auto bytes = text_of_file(request_.library)) request_.cache.keep(*key_, {std::move(*bytes), said});
    }
    return success(request_.library, std::move(said));
}

Outcome<std::string> build_shared_library(BuildRequest request) { return Build::start(std::move(request)).finish(); }

}  // namespace kasc::runtime
