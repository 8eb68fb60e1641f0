#pragma once
// Emitted sources into a shared library, by the machine's own compiler.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "foundation/outcome.hpp"
#include "runtime/building/cache.hpp"
#include "runtime/building/compiler.hpp"
#include "runtime/processes/process.hpp"

namespace kasc::runtime {

/// What the code is for: to be run for long; to be run soon, where libraries do most of the work and the time to build
/// it counts; or once, when that alone counts.
enum class BuildPurpose { long_runs, soon, one_look };

struct BuildRequest {
    BuildTarget target = BuildTarget::cpu;
    std::vector<std::string> sources;     ///< paths; their folders are searched for headers as #include "…" does
    std::string library;                  ///< path of the library to make
    int compute_capability = 0;           ///< cuda: 90 stands for sm_90
    std::vector<std::string> link_names;  ///< "cufft" for -lcufft
    ProcessWatch watch;                   ///< of the compiler
    BuildPurpose purpose = BuildPurpose::long_runs;
    std::string title{};  ///< in the cache's list; empty: the first source's name
    BuildCache cache{};   ///< what was built before is taken from it
    /// What was built as kasc was installed is taken from here first, whatever compilers there are; empty: nothing is.
    std::filesystem::path prebuilt{};
    bool portable = false;  ///< it is built to be such a program: for portable_level()
};

/// Where a library came from.
enum class BuiltBy { compiler, cache, installation };

/// The compiler's call without sources and output: floating point as the emitted code promises, that is without
/// contraction and reordering, so that fused equals unfused to the bit.
[[nodiscard]] std::vector<std::string> compiler_flags(const BuildRequest& request);

/// A library under way: taken from the cache, or in the hands of the compiler while this process goes on. The sources
/// stay as they are until it is finished. The thread that starts it outlives it.
class Build {
public:
    [[nodiscard]] static Build start(BuildRequest request);
    /// Where it is not finished its compiler is ended.
    ~Build() = default;
    Build(Build&&) = default;
    Build& operator=(Build&&) = delete;

    /// Known from the start.
    [[nodiscard]] BuiltBy built_by() const { return built_by_; }
    /// What the compiler took, once it is finished; 0 where there was none to call.
    [[nodiscard]] double compiler_seconds() const { return compiler_seconds_; }
    /// The library's path. K0801 no compiler, K0802 the compiler refuses (with its first errors), K0807 it
    /// takes longer than the watch allows, warning K0803 where the compiler has no OpenMP and the library runs on one
    /// core. Once.
    [[nodiscard]] Outcome<std::string> finish();

private:
    explicit Build(BuildRequest request) : request_(std::move(request)) {}
    [[nodiscard]] bool take(std::optional<Artefact> found, BuiltBy from);
    [[nodiscard]] Outcome<std::string> built(Diagnostics said);
    [[nodiscard]] Outcome<std::string> not_built(Diagnostic why) const;

    BuildRequest request_;
    std::vector<std::string> compiler_;
    std::optional<BuildKey> key_;       ///< none: it is not for the cache
    std::optional<Diagnostics> found_;  ///< what was said as it was built
    BuiltBy built_by_ = BuiltBy::compiler;
    std::optional<std::string> load_fault_;  ///< of what came with kasc
    std::optional<Process> process_;
    std::filesystem::file_time_type began_{};
    double compiler_seconds_ = 0;
};

/// Started and finished.
[[nodiscard]] Outcome<std::string> build_shared_library(BuildRequest request);

}  // namespace kasc::runtime
