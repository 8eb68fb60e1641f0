#include "command/run_build.hpp"

#include "driver/output_folder.hpp"
#include "runtime/build.hpp"

namespace kasc::command {

Outcome<std::string> build_run(const Compilation& compilation, const CompileRequest& request, const Machine& machine,
                               const RunBuild& build) {
    auto code = emit_plan(compilation, request, 0, machine.target);
    if (!code) return failure<std::string>(std::move(code.diagnostics));
    if (Diagnostics bad = write_folder(build.folder, code->files); !bad.empty())
        return failure<std::string>(std::move(bad));
    const std::string& p = compilation.program.name;
    const bool cuda = machine.target == emit::Target::cuda;
    runtime::BuildRequest wanted;
    wanted.target = cuda ? runtime::BuildTarget::cuda : runtime::BuildTarget::cpu;
    wanted.compute_capability = machine.compute_capability;
    wanted.library = build.library.string();
    wanted.sources.push_back((build.folder / (p + (cuda ? ".cu" : ".cpp"))).string());
    wanted.link_names = code->libraries;
    if (build.with_reference) {
        wanted.sources.push_back((build.folder / (p + "_reference.cpp")).string());
        const auto& more = code->reference_libraries;
        wanted.link_names.insert(wanted.link_names.end(), more.begin(), more.end());
    }
    auto built = runtime::build_shared_library(wanted);
    built.diagnostics.insert(built.diagnostics.begin(), code.diagnostics.begin(), code.diagnostics.end());
    return built;
}

}  // namespace kasc::command
