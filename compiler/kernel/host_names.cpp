#include "kernel/host_names.hpp"

namespace kasc::kernel {

HostNames host_names(const Program& program) {
    HostNames names;
    for (const char* own :
         {"advance", "args",    "arguments", "arrays",  "at",     "begin",   "bind",     "block_x",   "block_y",
          "block_z", "callers", "capture",   "check",   "crew",   "deliver", "done",     "failed",    "first",
          "given",   "going",   "grid_x",    "grid_y",  "grid_z", "host",    "in_place", "iteration", "memory",
          "part",    "prepare", "range",     "release", "rest",   "riding",  "seek",     "series",    "state",
          "status",  "total",   "turn",      "until",   "user",   "whole",   "window"}) {
        names.scope.take(own);
    }
    for (const kasc::Parameter& p : program.parameters) names.parameters.push_back(names.scope.fresh(p.name));
    for (const Loop& loop : program.loops) names.loops.push_back(names.scope.fresh(loop.name));
    return names;
}

}  // namespace kasc::kernel
