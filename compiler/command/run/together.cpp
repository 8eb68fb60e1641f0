#include "command/run/together.hpp"

#include <fmt/format.h>

#include "foundation/flag_words.hpp"
#include "runtime/mpi/processes.hpp"

namespace kasc::command {

Outcome<std::unique_ptr<runtime::Communicator>> join_launched() {
    if (!runtime::started_by_launcher()) return success<std::unique_ptr<runtime::Communicator>>(nullptr);
    return runtime::join_processes();
}

bool speaks(const runtime::Communicator* processes) { return processes == nullptr || processes->rank() == 0; }

Diagnostics check_together(const RunOptions& options, const runtime::Communicator& processes) {
    if (options.ranks > 1 && options.ranks != processes.ranks())
        return {flag_fault("K0917", fmt::format("--ranks, and {} processes were started", processes.ranks()),
                           {{{"--ranks"}, "leave {} out: all of them share the run"}})};
    if (options.check)
        return {flag_fault("K0917", "--check compares the run of one process",
                           {{{"--check"}, "leave {} out, or start one process"}})};
    return {};
}

}  // namespace kasc::command
