#pragma once
// kasc as a library: a program's source text in, the emitted files of its best plans out. Plain standard types only; no
// global state; safe to call from several threads at once.

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kasc::api {

/// cuda: .cu for nvcc. cpu: C++ with OpenMP for the host. cpu_checking: C++ that runs a GPU's plan on the CPU, in an
/// adversarial thread order, and checks every access.
enum class Target { cuda, cpu, cpu_checking };

struct Options {
    std::vector<std::string> library_folders;  ///< beyond kasc's own elementlib
    std::string device = "h100";               ///< h100, h200, a100, cpu or a path of a device file
    std::map<std::string, double> settings;    ///< extents and parameters by name; "n" for a stream's elements
    std::map<std::string, std::string> words;  ///< options whose values have names: {"medium", "fluid"}
    Target target = Target::cuda;
    std::string strategy = "exact";  ///< a name of strategies(), or "NAME:SEED"
    std::optional<unsigned> seed;    ///< of a strategy that takes one
    std::string budget;              ///< of the search: schedules priced ("2000") or seconds ("5s"); empty: none
    int max_fusion = 512;            ///< calls a kernel
    std::string lists = "priced";    ///< assignments to lists of cells: kernels, cells, or what is predicted faster
    bool no_callbacks = false;       ///< transforms on a GPU store their results, and compute nothing
    bool no_last_blocks = false;     ///< no GPU kernel's last block to finish goes on with what completes a sum
    std::vector<std::string> no_rewrite;  ///< rules that leave the program as it is written: uniform, equal …, or all
    std::vector<std::string> rewrite;     ///< rules that are off unless asked for: modes
    std::string steps = "best";    ///< of a loop that reads neighbours, in one kernel: a number, or as predicted best
    std::string graph = "priced";  ///< launches of loops as CUDA graphs: never, priced, always
    std::size_t plans = 1;         ///< how many, best first
    std::string data_folder;       ///< empty: where kasc is installed
    std::string plan;              ///< docs/plans.md; empty: the search decides all
};

struct File {
    std::string name;
    std::string text;
};

struct Plan {
    double predicted_ns = 0;
    std::string report;  ///< what was fused and why, a few lines
    std::vector<File> files;
};

struct Result {
    bool ok = false;
    std::vector<Plan> plans;       ///< best first; empty unless ok
    std::string diagnostics;       ///< errors and warnings as text; empty: nothing to say
    std::string diagnostics_json;  ///< the same as a JSON array
};

/// `name` is how diagnostics call the source ("heat.kas"); its stem names the emitted program.
[[nodiscard]] Result compile(const std::string& source, const std::string& name, const Options& options = {});

/// How fusions may be selected.
struct StrategyInfo {
    std::string name;
    std::string description;
    bool takes_seed = false;
};
[[nodiscard]] std::vector<StrategyInfo> strategies();

[[nodiscard]] std::string version();

}  // namespace kasc::api
