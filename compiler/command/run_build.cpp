#include "command/run_build.hpp"

#include "driver/output_folder.hpp"
#include "runtime/build.hpp"

namespace kasc::command {

Outcome<std::string> build_run(const Compilation& compilation, const CompileRequest& request, const Machine& machine,
                               const RunBuild& build) {
    auto files = emit_plan(compilation, request, 0, machine.target);
    if (!files) return failure<std::string>(std::move(files.diagnostics));
    if (Diagnostics bad = write_folder(build.folder, *files); !bad.empty()) return failure<std::string>(std::move(bad));
    const std::string& p = compilation.program.name;
    const bool cuda = machine.target == emit::Target::cuda;
    runtime::BuildRequest wanted;
    wanted.target = cuda ? runtime::BuildTarget::cuda : runtime::BuildTarget::cpu;
    wanted.compute_capability = machine.compute_capability;
    wanted.library = build.library.string();
    wanted.sources.push_back((build.folder / (p + (cuda ? ".cu" : ".cpp"))).string());
    const HostPlan plan = host_plan(compilation, 0);
    wanted.link_names = emit::libraries_of(compilation.program, plan, machine.target);
    if (build.with_reference) {
        wanted.sources.push_back((build.folder / (p + "_reference.cpp")).string());
        for (std::string& name : emit::libraries_of(compilation.program_as_written(), plan, emit::Target::cpu))
            wanted.link_names.push_back(std::move(name));
    }
    auto built = runtime::build_shared_library(wanted);
    built.diagnostics.insert(built.diagnostics.begin(), files.diagnostics.begin(), files.diagnostics.end());
    return built;
}

}  // namespace kasc::command
