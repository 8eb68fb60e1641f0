#pragma once
// The command line of k-Wave's commands kspaceFirstOrder-CUDA and kspaceFirstOrder-OMP.

#include <set>
#include <string>
#include <vector>

#include "command/options.hpp"
#include "foundation/flag_words.hpp"
#include "runtime/building/cache.hpp"

namespace CLI {
class App;
}

namespace kasc::command {

struct KwaveOptions {
    std::string input, output;
    std::set<std::string> recorded;  ///< as the program's options have it: "p", "p_max", "u_non_staggered"; empty: p
    long long start = 1;             ///< the first step that is recorded
    std::string checkpoint;
    long long checkpoint_seconds = 0, checkpoint_steps = 0;
    int device = -1;      ///< of the GPUs; negative: the first
    int threads = 0;      ///< of the CPU; 0: all
    int compression = 0;  ///< of the output, 0 to 9
    double progress = 5;  ///< per cent of the steps from line to line
    int verbose = 0;
    long long benchmark = 0;  ///< steps in place of the file's; 0: those
    bool copy_sensor_mask = false;
    std::vector<std::string> refused;  ///< flags of another version of k-Wave's
    // Beyond k-Wave's.
    std::string target = "auto";
    std::vector<std::string> allow;
    std::string memory, keep;
    std::string share = "priced";  ///< of several processes
    BasisOptions basis;            ///< of several processes
    bool check = false;
    bool no_cache = false;
    std::string timing;  ///< text, json; empty: nothing is told
    DiagnosticsFormat diagnostics = DiagnosticsFormat::text;
    // Options of kasc kwave-prepare (RunFront).
    bool build_only = false;
    runtime::BuildCache portable_into{};
};

/// What k-Wave's commands call the flags of kasc run.
[[nodiscard]] const FlagWords& kwave_words();

void add_kwave(CLI::App& app, KwaveOptions& options);

int kwave_command(const KwaveOptions& options);

}  // namespace kasc::command
