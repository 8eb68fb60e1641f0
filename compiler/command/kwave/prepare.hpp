#pragma once
// kasc kwave-prepare: what common simulations are is built before the first of them is run.

#include <string>
#include <vector>

#include "command/options.hpp"

namespace CLI {
class App;
}

namespace kasc::command {

struct KwavePrepareOptions {
    std::vector<std::string> names;  ///< of simulations, or their beginnings; empty: all
    std::string into;                ///< a folder of programs that come with kasc; empty: the user's cache
    int jobs = 0;                    ///< compilers at a time; 0: as many as there are cores
    bool list = false;
    DiagnosticsFormat diagnostics = DiagnosticsFormat::text;
};

void add_kwave_prepare(CLI::App& app, KwavePrepareOptions& options);

int kwave_prepare_command(const KwavePrepareOptions& options);

}  // namespace kasc::command
