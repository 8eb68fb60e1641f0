#include <cstdlib>

#include "runtime/mpi/processes.hpp"

namespace kasc::runtime {

/// Open MPI's mpirun, those that speak PMI (MPICH, Intel MPI, Slurm), and PMIx say so in the environment.
bool started_by_launcher() {
    for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"}) {
        if (std::getenv(name) != nullptr) return true;
    }
    return false;
}

}  // namespace kasc::runtime
