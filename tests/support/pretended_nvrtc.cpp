// What kasc asks of NVRTC, of a compiler that leaves the GPUs that its process sees in the file PRETENDED_COMPILER_SAW
// and refuses whatever it is given.
#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

namespace {

constexpr int compilation_error = 6;  // NVRTC_ERROR_COMPILATION

int none(std::size_t* size) {
    *size = 0;
    return 0;
}

}  // namespace

extern "C" {

int nvrtcVersion(int* major, int* minor) {
    *major = 13;
    *minor = 0;
    return 0;
}
int nvrtcCreateProgram(void** program, const char*, const char*, int, const char* const*, const char* const*) {
    *program = program;
    return 0;
}
int nvrtcCompileProgram(void*, int, const char* const*) {
    const char* seen = std::getenv("CUDA_VISIBLE_DEVICES");
    if (const char* file = std::getenv("PRETENDED_COMPILER_SAW")) {
        // Written apart and renamed: of several processes that compile, the first refusal ends the others wherever they
        // are, and none may leave a file cut short.
        const std::string apart = std::string(file) + "." + std::to_string(getpid());
        std::ofstream(apart) << (seen == nullptr ? "all" : seen) << '\n';
        std::rename(apart.c_str(), file);
    }
    return compilation_error;
}
int nvrtcDestroyProgram(void**) { return 0; }
int nvrtcGetProgramLogSize(void*, std::size_t* size) { return none(size); }
int nvrtcGetProgramLog(void*, char*) { return 0; }
int nvrtcGetCUBINSize(void*, std::size_t* size) { return none(size); }
int nvrtcGetCUBIN(void*, char*) { return 0; }
int nvrtcGetLTOIRSize(void*, std::size_t* size) { return none(size); }
int nvrtcGetLTOIR(void*, char*) { return 0; }
}
