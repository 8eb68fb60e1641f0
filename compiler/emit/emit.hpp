#pragma once
// Host plan → files. Every file is a function of the plan alone: no time, no path.

#include <string>
#include <vector>

#include "emit/target.hpp"
#include "foundation/text_file.hpp"
#include "plan/host_plan.hpp"

namespace kasc::emit {

using EmittedFile = TextFile;

/// Code, and the names of the libraries that it is linked with: "cufft".
struct EmittedCode {
    std::vector<EmittedFile> files;
    EmittedFile entry, reference_entry;            ///< for kasc alone (runtime/runs/entry.hpp): no files of the code
    std::vector<std::string> libraries;            ///< of <program>.{cu,cpp}
    std::vector<std::string> reference_libraries;  ///< of <program>_reference.cpp
};

/// A folder that builds by itself, or no more than what a run compiles: without the reference and a main program.
enum class Emitted { folder, library };

struct EmitRequest {
    const Program& program;
    const Library& library;
    const HostPlan& plan;
    Target target = Target::cuda;
    /// For fields: the same program unfused, one statement a loop over the cells, for the CPU; its kernels are named
    /// <program>_reference_k0 …. Streams are checked against the library's reference functions instead.
    const HostPlan* reference = nullptr;
    std::string support_folder;  ///< kasc_device.cuh and its CPU counterparts
    /// By how much results may differ from the reference's where no machine rounds otherwise, of the largest.
    double tolerance = 0;
    const Program* written = nullptr;  ///< what the reference computes; null: `program`
    Blocks blocks = Blocks::all;       ///< of emit_module
    Emitted emitted = Emitted::folder;

    [[nodiscard]] const Program& program_as_written() const { return written != nullptr ? *written : program; }
};

/// <program>.h, <program>_kernels.{cuh,hpp}, <program>.{cu,cpp}, <program>_reference.cpp, <program>_main.cpp,
/// CMakeLists.txt and the support header, as far as they are wanted. K0602 where a support file cannot be read.
[[nodiscard]] Outcome<EmittedCode> emit_code(const EmitRequest& request);

/// A host plan's kernels as translation units, for whoever walks the plan (execute/) in place of compiling its host
/// side.
struct EmittedModule {
    std::vector<EmittedFile> units;      ///< CPU: one
    std::vector<EmittedFile> headers;    ///< that they include
    std::string at_store;                ///< CUDA: what transforms compute as they store; empty: nothing
    std::vector<std::string> libraries;  ///< CPU: what it is linked with
};

/// Target cuda: device code alone, all that NVRTC needs. cpu: launches of its kernels by name. K0602.
[[nodiscard]] Outcome<EmittedModule> emit_module(const EmitRequest& request);

/// A file of kasc's own data. K0602 where it cannot be read.
[[nodiscard]] Outcome<EmittedFile> data_file(const std::string& folder, const std::string& name);
/// The header of `folder` that code for the target includes, and those that this includes. K0602 where one cannot be
/// read.
[[nodiscard]] Outcome<std::vector<EmittedFile>> support_files(const std::string& folder, Target target);

}  // namespace kasc::emit
