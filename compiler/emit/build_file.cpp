// CMakeLists.txt: the program, its reference and the program that runs both.
#include <fmt/ranges.h>

#include "emit/files.hpp"
#include "emit/skeleton.hpp"

namespace kasc::emit {

namespace {

constexpr std::string_view build_skeleton = R"(
# Made by kasc.
cmake_minimum_required(VERSION 3.20)
${architectures}
project(${p} LANGUAGES ${languages})
set(CMAKE_CXX_STANDARD 17)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
find_package(OpenMP)
${toolkit}
# Contraction is written out as fmaf: compilers must add none, so that both sides give the same bits.
add_library(${p} ${p}.${ending})
add_library(${p}_reference ${p}_reference.cpp)
target_compile_options(${p}_reference PRIVATE -march=native -ffp-contract=off -fno-math-errno)
${options}
if(OpenMP_CXX_FOUND)
  ${threads}
  target_link_libraries(${p}_reference PRIVATE OpenMP::OpenMP_CXX)
endif()
${libraries}
add_executable(${p}_main ${p}_main.cpp)
target_link_libraries(${p}_main PRIVATE ${p} ${p}_reference)
)";

std::string compile_options(const std::string& p, bool cuda) {
    Lines all;
    if (cuda) {
        all.add("set_target_properties({} PROPERTIES CUDA_STANDARD 17)", p);
        all.add("target_compile_options({} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:--fmad=false>)", p);
    } else {
        all.add("target_compile_options({} PRIVATE -march=native -ffp-contract=off -fno-math-errno)", p);
    }
    return all.take();
}

/// Transforms' libraries: cuFFT, FFTW.
std::string linked_libraries(const std::string& p, const EmittedCode& code, bool cuda) {
    Lines all;
    std::string own;
    for (const std::string& name : code.libraries) own += (cuda ? " CUDA::" : " ") + name;
    if (!own.empty()) all.add("target_link_libraries({} PRIVATE{})", p, own);
    if (!code.reference_libraries.empty())
        all.add("target_link_libraries({}_reference PRIVATE {})", p, fmt::join(code.reference_libraries, " "));
    return all.take();
}

}  // namespace

std::string build_file_text(const EmitRequest& request, const EmittedCode& code) {
    const bool cuda = request.target == Target::cuda;
    const std::string& p = request.program.name;
    return filled(build_skeleton,
                  {{"p", p},
                   {"architectures", cuda ? "if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)\n"
                                            "  set(CMAKE_CUDA_ARCHITECTURES 80 90)\nendif()"
                                          : ""},
                   {"languages", cuda ? "CXX CUDA" : "CXX"},
                   {"toolkit", cuda && !code.libraries.empty() ? "find_package(CUDAToolkit REQUIRED)" : ""},
                   {"ending", cuda ? "cu" : "cpp"},
                   {"options", compile_options(p, cuda)},
                   {"threads", cuda ? "" : fmt::format("target_link_libraries({} PRIVATE OpenMP::OpenMP_CXX)", p)},
                   {"libraries", linked_libraries(p, code, cuda)}});
}

}  // namespace kasc::emit
