#pragma once
// How the threads of emitted CPU code wait for work, and how many they are: the OpenMP library reads that from the
// environment when it is loaded, which is when emitted code is.

namespace kasc::runtime {

/// Sets this process's environment, which its children inherit, where the user has not: how long threads spin
/// (GOMP_SPINCOUNT, unless it or OMP_WAIT_POLICY is set) and how many they are (OMP_NUM_THREADS, where a control group
/// gives the time of fewer cores than the process may run on). Requires: no emitted code
/// is loaded yet, and no other thread runs.
void prepare_cpu_threads();

}  // namespace kasc::runtime
