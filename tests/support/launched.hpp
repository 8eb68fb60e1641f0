#pragma once
// kasc as several processes that mpirun starts.

#include <string>

#include "support/shell.hpp"

namespace kasc::test {

/// "mpirun -n 3 …": processes share the cores of a test machine, with a thread each, and its user may be root.
inline std::string launcher(int processes) {
    return "OMP_NUM_THREADS=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 timeout 100 " KASC_MPIEXEC
           " --oversubscribe -n " +
           std::to_string(processes) + " ";
}
inline std::string launched(int processes, const std::string& call) {
    return launcher(processes) + KASC_COMMAND " " + call;
}
/// kasc was built with MPI.
inline bool can_launch() { return !std::string(KASC_MPIEXEC).empty(); }

}  // namespace kasc::test
