#include "engine/run_engine.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/building/build.hpp"
#include "runtime/devices/cuda_ranks.hpp"
#include "runtime/files/output_folder.hpp"

namespace kasc {

namespace {

runtime::CudaSource source_of(const emit::EmittedModule& module, const emit::EmittedFile& unit,
                              int compute_capability) {
    runtime::CudaSource source{unit.name, unit.text, {}, compute_capability};
    for (const emit::EmittedFile& header : module.headers) source.headers.emplace_back(header.name, header.text);
    return source;
}

/// What transforms compute as they store, with these extents as constants, so that no cell's place costs a division by
/// a variable: a thread computes its cells one after the other, and waits for each step of each. Empty: it cannot be.
std::string stored_code(const std::string& text, const std::vector<long long>& extents, int compute_capability) {
    std::string all = "#define KASC_EXTENT(axis, value) KASC_EXTENT_##axis\n";
    for (std::size_t axis = 0; axis < extents.size(); ++axis)
        all += fmt::format("#define KASC_EXTENT_{} {}\n", axis, extents[axis]);
    const auto code = runtime::compile_cuda({"at_store.cu", all + text, {}, compute_capability, true});
    return code ? *code : "";
}

/// Without sources.
runtime::BuildRequest request_of(const EngineRequest& wanted) {
    runtime::BuildRequest build;
    build.target = runtime::BuildTarget::cpu;
    build.library = (wanted.scratch / "program.so").string();
    build.cache = wanted.cache;
    build.watch = wanted.watch;
    build.purpose = wanted.purpose;
    build.prebuilt = wanted.prebuilt;
    build.portable = wanted.portable;
    return build;
}

/// Seconds of its kernels, from where it stands to the end.
Outcome<double> timed(runtime::PiecewiseRun& run) {
    const double before = run.kernel_seconds();
    constexpr long long all = -1;
    if (Diagnostics bad = run.advance(all); !bad.empty()) return failure<double>(std::move(bad));
    if (Diagnostics bad = run.finish(); !bad.empty()) return failure<double>(std::move(bad));
    return success(run.kernel_seconds() - before);
}

}  // namespace

Outcome<RunEngine> RunEngine::start(const Compilation& compilation, const CompileRequest& request,
                                    const Machine& machine, EngineRequest wanted, runtime::PhaseTimes& times) {
    times.enter(runtime::Phase::emit);
    RunEngine engine(compilation, machine);
    const std::string& p = compilation.program.name;
    const bool cuda = machine.target == emit::Target::cuda;
    Diagnostics said;
    engine.scratch_ = wanted.scratch;
    engine.block_ = wanted.block;
    const bool together = machine.processes != nullptr;
    if (cuda && together) engine.start_messages(wanted);
    if (cuda || together) {
        auto walked = emit_walked(compilation, request, wanted.plan, machine.target,
                                  cuda && machine.ranks > 1 ? emit::Blocks::shared : emit::Blocks::all);
        if (!walked) return failure<RunEngine>(std::move(walked.diagnostics));
        engine.walked_ = std::move(walked.value);
        if (!machine.leads()) return success(std::move(engine));  // rank 0 sends what it builds
        times.enter(runtime::Phase::build);
        if (Diagnostics bad = engine.build_kernels(wanted); !bad.empty()) return failure<RunEngine>(std::move(bad));
        times.enter(runtime::Phase::emit);
        if (together && wanted.keep.empty()) return success(std::move(engine));
    }
    if (cuda && wanted.keep.empty() && !wanted.with_reference) return success(std::move(engine));
    const bool whole = wanted.with_reference || !wanted.keep.empty();
    auto code = emit_plan(compilation, request, wanted.plan, machine.target,
                          whole ? emit::Emitted::folder : emit::Emitted::library);
    if (!code) return failure<RunEngine>(std::move(code.diagnostics));
    if (!wanted.keep.empty()) {
        if (Diagnostics bad = runtime::write_folder(wanted.keep, code->files); !bad.empty())
            return failure<RunEngine>(std::move(bad));
    }
    if (engine.walked_ && !wanted.with_reference) return success(std::move(engine), std::move(code.diagnostics));
    const std::filesystem::path folder = wanted.scratch / "source";
    std::vector<emit::EmittedFile> files = code->files;
    files.insert(files.end(), {code->entry, code->reference_entry});
    if (Diagnostics bad = runtime::write_folder(folder, files); !bad.empty()) return failure<RunEngine>(std::move(bad));
    runtime::BuildRequest build = request_of(wanted);
    if (!cuda) {
        build.sources = {(folder / (p + ".cpp")).string(), (folder / code->entry.name).string()};
        build.link_names = code->libraries;
    }
    if (wanted.with_reference) {
        build.sources.push_back((folder / (p + "_reference.cpp")).string());
        build.sources.push_back((folder / code->reference_entry.name).string());
        build.link_names.insert(build.link_names.end(), code->reference_libraries.begin(),
                                code->reference_libraries.end());
    }
    times.enter(runtime::Phase::build);
    engine.build_.emplace(runtime::Build::start(std::move(build)));
    return success(std::move(engine), std::move(code.diagnostics));
}

Diagnostics RunEngine::build_kernels(const EngineRequest& wanted) {
    const emit::EmittedModule& module = walked_->module;
    if (machine_->target == emit::Target::cuda) {
        for (const emit::EmittedFile& unit : module.units)
            kernels_.push_back(runtime::CudaBuild::start(compilation_->program.name,
                                                         source_of(module, unit, machine_->compute_capability),
                                                         wanted.cache, wanted.watch));
        return {};
    }
    const std::filesystem::path folder = wanted.scratch / "kernels";
    std::vector<emit::EmittedFile> files = module.units;
    files.insert(files.end(), module.headers.begin(), module.headers.end());
    if (Diagnostics bad = runtime::write_folder(folder, files); !bad.empty()) return bad;
    runtime::BuildRequest build = request_of(wanted);
    for (const emit::EmittedFile& unit : module.units) build.sources.push_back((folder / unit.name).string());
    build.link_names = module.libraries;
    build_.emplace(runtime::Build::start(std::move(build)));
    return {};
}

Diagnostics RunEngine::finish() {
    Diagnostics said;
    for (runtime::CudaBuild& unit : kernels_) {
        auto code = unit.finish();
        if (!code) return code.diagnostics;
        code_.push_back(std::move(*code.value));
    }
    if (build_) {
        const auto library = build_->finish();
        said.insert(said.end(), library.diagnostics.begin(), library.diagnostics.end());
        if (library) library_ = *library;
    }
    return said;
}

std::size_t RunEngine::compilers() const {
    const auto units =
        std::count_if(kernels_.begin(), kernels_.end(), [](const auto& unit) { return unit.under_way(); });
    return static_cast<std::size_t>(units) + (build_ && build_->built_by() == runtime::BuiltBy::compiler ? 1 : 0);
}

runtime::BuiltBy RunEngine::built_by() const {
    if (compiler_seconds() > 0) return runtime::BuiltBy::compiler;
    return build_ ? build_->built_by() : runtime::BuiltBy::cache;
}

double RunEngine::compiler_seconds() const {
    double longest = build_ ? build_->compiler_seconds() : 0;  // they work at the same time
    for (const runtime::CudaBuild& unit : kernels_) longest = std::max(longest, unit.compiler_seconds());
    return longest;
}

/// What walks of the same plan have in common.
struct RunEngine::Made {
    explicit Made(const std::vector<std::string>& units, int gpu = 0)
        : kernels(std::make_shared<runtime::LoadedKernels>(units, gpu)) {}

    std::shared_ptr<const runtime::LoadedKernels> kernels;
    std::optional<std::string> stored;  ///< what transforms compute as they store, once it was asked for
};

/// A walk reads parameters and addresses of the GPU as it is begun: it serves calls with the same parameters, on the
/// same arrays there or any of the host, in the same stream. The last few are kept.
class RunEngine::WalkedRuns final : public runtime::RepeatedRun {
public:
    WalkedRuns(const RunEngine& engine, std::shared_ptr<runtime::SharedBlocks> blocks)
        : engine_(engine),
          gpu_(kept_gpu()),
          made_(std::make_shared<Made>(engine.code_)),
          blocks_(blocks ? std::move(blocks) : std::make_shared<runtime::SharedBlocks>()) {}

    [[nodiscard]] Outcome<double> compute(const runtime::EntryArguments& arguments) override {
        const runtime::WithinContext within(gpu_);
        const bool captured = arguments.stream != nullptr && runtime::is_captured(arguments.stream);
        const auto known = std::find_if(runs_.begin(), runs_.end(), [&](const Walk& walk) {
            const bool same_arrays = walk.of.inputs == arguments.inputs && walk.of.outputs == arguments.outputs;
            return walk.of.resident == arguments.resident && (same_arrays || !arguments.resident) &&
                   walk.of.parameters == arguments.parameters && walk.of.stream == arguments.stream;
        });
        if (known != runs_.end()) {
            std::rotate(runs_.begin(), known, known + 1);
            if (Diagnostics bad = runs_.front().run->rewind(arguments); !bad.empty())
                return failure<double>(std::move(bad));
        } else {
            if (captured) return failure<double>(not_ready());
            auto blocks = blocks_in(arguments.stream);
            auto begun = engine_.walk(arguments, made_, blocks);
            if (!begun) return failure<double>(std::move(begun.diagnostics));
            make_room();
            runs_.insert(runs_.begin(), Walk{arguments, std::move(blocks), std::move(*begun.value), false});
        }
        Walk& walk = runs_.front();
        walk.captured = walk.captured || captured;
        auto seconds = timed(*walk.run);
        if (!seconds) runs_.erase(runs_.begin());  // a run that failed stays where it failed
        return seconds;
    }

private:
    struct Walk {
        runtime::EntryArguments of;
        std::shared_ptr<runtime::SharedBlocks> blocks;
        std::unique_ptr<execute::WalkedRun> run;
        bool captured;  ///< a graph of the caller's uses its memory
    };
    const RunEngine& engine_;
    const runtime::GpuContext& gpu_;
    const std::shared_ptr<Made> made_;
    const std::shared_ptr<runtime::SharedBlocks> blocks_;  ///< of runs in streams of their own, which are waited for
    std::vector<Walk> runs_;                               ///< the last used first

    /// A context that goes with each program takes a quarter of a second to come back, and libraries keep what is
    /// theirs in it.
    static const runtime::GpuContext& kept_gpu() {
        static const runtime::GpuContext gpu;
        return gpu;
    }
    /// Runs in one stream follow each other, and share memory.
    [[nodiscard]] std::shared_ptr<runtime::SharedBlocks> blocks_in(void* stream) const {
        if (stream == nullptr) return blocks_;
        const auto same =
            std::find_if(runs_.begin(), runs_.end(), [&](const Walk& walk) { return walk.of.stream == stream; });
        return same != runs_.end() ? same->blocks : std::make_shared<runtime::SharedBlocks>();
    }
    void make_room() {
        constexpr std::ptrdiff_t most_kept = 8;
        const auto goes = [](const Walk& walk) { return !walk.captured; };
        if (std::count_if(runs_.begin(), runs_.end(), goes) < most_kept) return;
        runs_.erase(std::prev(std::find_if(runs_.rbegin(), runs_.rend(), goes).base()));
    }
    [[nodiscard]] static Diagnostics not_ready() {
        return {placeless("K0812", "the stream is captured into a CUDA graph, and nothing is ready for these arrays",
                          "run the program on the same arrays, parameters and stream once before the capture")};
    }
};

Outcome<std::unique_ptr<runtime::PiecewiseRun>> RunEngine::begin(const runtime::EntryArguments& arguments) const {
    using Begun = std::unique_ptr<runtime::PiecewiseRun>;
    const Compilation& c = *compilation_;
    if (machine_->processes != nullptr) return begin_together(arguments);
    if (!walked_) {
        const auto entry = runtime::load_entry(library_, c.program.name);
        if (!entry) return failure<Begun>(entry.diagnostics);
        return runtime::begin_built(*entry, arguments);
    }
    auto run = walk(arguments, std::make_shared<Made>(code_), nullptr);
    if (!run) return failure<Begun>(std::move(run.diagnostics));
    return success<Begun>(std::move(*run.value));
}

runtime::CudaCode RunEngine::cuda_code(const std::shared_ptr<Made>& made, const std::vector<long long>& extents) const {
    const std::string& stored = walked_->module.at_store;
    runtime::CudaCode code{made->kernels, nullptr};
    if (!stored.empty())
        code.stored = [&stored, made, extents, capability = machine_->compute_capability] {
            if (!made->stored) made->stored = stored_code(stored, extents, capability);
            return *made->stored;
        };
    return code;
}

Outcome<std::unique_ptr<runtime::ComputeDevice>> RunEngine::open_gpu(const std::vector<std::string>& units,
                                                                     const runtime::EntryArguments& arguments,
                                                                     std::unique_ptr<runtime::Nccl> nccl) const {
    const auto made = std::make_shared<Made>(units, machine_->gpu);
    return runtime::open_cuda_of_process(cuda_code(made, arguments.extents), machine_->gpu, std::move(nccl));
}

Outcome<std::unique_ptr<execute::WalkedRun>> RunEngine::walk(const runtime::EntryArguments& arguments,
                                                             const std::shared_ptr<Made>& made,
                                                             std::shared_ptr<runtime::SharedBlocks> blocks) const {
    const Compilation& c = *compilation_;
    runtime::CudaCode code = cuda_code(made, arguments.extents);
    auto device = machine_->ranks > 1 ? runtime::open_cuda_ranks(std::move(code), code_, machine_->ranks)
                                      : runtime::open_cuda_device(std::move(code), std::move(blocks), arguments.stream);
    if (!device) return failure<std::unique_ptr<execute::WalkedRun>>(std::move(device.diagnostics));
    return execute::begin_plan(
        {c.program, c.library, walked_->plan, arguments, std::move(*device.value), machine_->sharing});
}

Outcome<std::unique_ptr<runtime::RepeatedRun>> RunEngine::repeat(const runtime::EntryArguments& first,
                                                                 std::shared_ptr<runtime::SharedBlocks> blocks) const {
    using Repeated = std::unique_ptr<runtime::RepeatedRun>;
    if (walked_) return success<Repeated>(std::make_unique<WalkedRuns>(*this, std::move(blocks)));
    const auto entry = runtime::load_entry(library_, compilation_->program.name);
    if (!entry) return failure<Repeated>(entry.diagnostics);
    return runtime::prepare_built(*entry, first);
}

runtime::Trial RunEngine::trial(std::shared_ptr<runtime::SharedBlocks> blocks) const {
    return [this, blocks = std::move(blocks),
            run = std::shared_ptr<runtime::RepeatedRun>()](const runtime::EntryArguments& arguments) mutable {
        if (!run) {
            auto made = repeat(arguments, blocks);
            if (!made) return failure<double>(std::move(made.diagnostics));
            run = std::move(*made.value);
        }
        return run->compute(arguments);
    };
}

}  // namespace kasc
