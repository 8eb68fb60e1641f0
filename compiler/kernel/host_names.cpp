#include "kernel/host_names.hpp"

namespace kasc::kernel {

HostNames host_names(const Program& program) {
    HostNames names;
    for (const char* own : {"advance",   "args",    "arguments", "arrays", "at",      "block_x", "block_y", "block_z",
                            "crew",      "deliver", "done",      "first",  "grid_x",  "grid_y",  "grid_z",  "host",
                            "iteration", "memory",  "on_host",   "part",   "prepare", "range",   "riding",  "seek",
                            "series",    "state",   "status",    "total",  "until",   "window"}) {
        names.scope.take(own);
    }
    for (const kasc::Parameter& p : program.parameters) names.parameters.push_back(names.scope.fresh(p.name));
    for (const Loop& loop : program.loops) names.loops.push_back(names.scope.fresh(loop.name));
    return names;
}

}  // namespace kasc::kernel
