// Names and numbers are those of nvrtc.h, which are stable.
#include "runtime/building/cuda_compiler.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <sstream>

#include "runtime/processes/shared_library.hpp"

namespace kasc::runtime {

namespace {

struct Nvrtc {
    int (*version)(int*, int*) = nullptr;
    int (*create)(void**, const char*, const char*, int, const char* const*, const char* const*) = nullptr;
    int (*compile)(void*, int, const char* const*) = nullptr;
    int (*destroy)(void**) = nullptr;
    int (*log_size)(void*, std::size_t*) = nullptr;
    int (*log)(void*, char*) = nullptr;
    int (*code_size)(void*, std::size_t*) = nullptr;
    int (*code)(void*, char*) = nullptr;
    int (*linker_code_size)(void*, std::size_t*) = nullptr;
    int (*linker_code)(void*, char*) = nullptr;
    bool found = false;

    Nvrtc() {
        void* library = open_cuda_library({"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"});
        found = library != nullptr && find_function(library, "nvrtcVersion", version) &&
                find_function(library, "nvrtcCreateProgram", create) &&
                find_function(library, "nvrtcCompileProgram", compile) &&
                find_function(library, "nvrtcDestroyProgram", destroy) &&
                find_function(library, "nvrtcGetProgramLogSize", log_size) &&
                find_function(library, "nvrtcGetProgramLog", log) &&
                find_function(library, "nvrtcGetCUBINSize", code_size) &&
                find_function(library, "nvrtcGetCUBIN", code) &&
                find_function(library, "nvrtcGetLTOIRSize", linker_code_size) &&
                find_function(library, "nvrtcGetLTOIR", linker_code);
    }
};

const Nvrtc& nvrtc() {
    static const Nvrtc loaded;
    return loaded;
}

/// What a call with a size and a call with a buffer give.
std::string fetch(void* program, int (*size)(void*, std::size_t*), int (*get)(void*, char*)) {
    std::size_t bytes = 0;
    if (size(program, &bytes) != 0) return "";
    std::string text(bytes, '\0');
    return get(program, text.data()) == 0 ? text : "";
}

Diagnostic no_compiler() {
    Diagnostic d;
    d.code = "K0801";
    d.message = "NVRTC, CUDA's compiler as a library, is not on this machine";
    d.help = "install the CUDA toolkit, or NVRTC alone (pip install nvidia-cuda-nvrtc), or run with --target cpu";
    return d;
}

Diagnostic refused(const CudaSource& source, const std::string& log) {
    constexpr std::size_t most_shown_lines = 10;
    Diagnostic d;
    d.code = "K0802";
    d.message = fmt::format("NVRTC refuses emitted code for sm_{}", source.compute_capability);
    std::istringstream lines(log);
    for (std::string line; std::getline(lines, line) && d.notes.size() < most_shown_lines;) {
        if (line.find("error") != std::string::npos) d.notes.push_back({{}, line});
    }
    d.help = "a device that is newer than the toolkit needs a newer toolkit; else please report this, with the program";
    return d;
}

}  // namespace

std::string cuda_compiler_version() {
    int major = 0, minor = 0;
    if (!nvrtc().found || nvrtc().version(&major, &minor) != 0) return "";
    return fmt::format("{}.{}", major, minor);
}

std::string cuda_compiler_identity() {
    Dl_info library{};
    struct stat file {};
    if (!nvrtc().found || dladdr(reinterpret_cast<void*>(nvrtc().version), &library) == 0 ||
        stat(library.dli_fname, &file) != 0)
        return cuda_compiler_version();
    return fmt::format("{}, {} of {} bytes and {}.{:09}", cuda_compiler_version(), library.dli_fname, file.st_size,
                       file.st_mtim.tv_sec, file.st_mtim.tv_nsec);
}

std::vector<std::string> cuda_compiler_options(const CudaSource& source) {
    std::vector<std::string> options{fmt::format("--gpu-architecture=sm_{}", source.compute_capability), "--std=c++17",
                                     "--fmad=false"};
    if (source.for_linker) options.insert(options.end(), {"--relocatable-device-code=true", "--dlink-time-opt"});
    return options;
}

Outcome<std::string> compile_cuda(const CudaSource& source) {
    const Nvrtc& n = nvrtc();
    if (!n.found) return failure<std::string>(no_compiler());
    std::vector<const char*> texts, names, words;
    for (const auto& [name, text] : source.headers) {
        names.push_back(name.c_str());
        texts.push_back(text.c_str());
    }
    const std::vector<std::string> options = cuda_compiler_options(source);
    for (const std::string& option : options) words.push_back(option.c_str());
    void* program = nullptr;
    if (n.create(&program, source.text.c_str(), source.name.c_str(), static_cast<int>(names.size()), texts.data(),
                 names.data()) != 0)
        return failure<std::string>(refused(source, ""));
    const bool good = n.compile(program, static_cast<int>(words.size()), words.data()) == 0;
    std::string code, log;
    if (good) {
        code =
            source.for_linker ? fetch(program, n.linker_code_size, n.linker_code) : fetch(program, n.code_size, n.code);
    } else {
        log = fetch(program, n.log_size, n.log);
    }
    n.destroy(&program);
    if (code.empty()) return failure<std::string>(refused(source, log));
    return success(std::move(code));
}

}  // namespace kasc::runtime
