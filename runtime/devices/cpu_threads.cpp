#include "runtime/devices/cpu_threads.hpp"

#include <cstdlib>
#include <string>

#include "foundation/parallel.hpp"
#include "foundation/quota.hpp"

namespace kasc::runtime {

namespace {

// How often a thread of libgomp looks for work before it sleeps. By itself it looks 300 000 times, some milliseconds,
// and takes a core from other processes and from the thread that is waited for. Two threads on two cores of an EPYC,
// milliseconds, 2026-11-22 (benchmarks/results/2026-11-22-cpu-threads.md):
//
//                                        one thread    0         300       1000      2000      300 000
//   200 steps of 1024 x 1024, quiet            80      53        51        42        41        42
//   1000 steps of 256 x 256, quiet             24      40        18        16        17        16
//   200 steps of 1024 x 1024, load 13         220      225       130       250       310       500 to 3000
//   1000 steps of 256 x 256, load 13           60      37        50        70        80        150 to 1200
constexpr const char* spins = "1000";

bool set_by_user(const char* variable) { return std::getenv(variable) != nullptr; }

}  // namespace

void prepare_cpu_threads() {
    // LLVM's libomp reads another variable, and yields its core where it spins: it needs nothing.
    if (!set_by_user("OMP_WAIT_POLICY")) setenv("GOMP_SPINCOUNT", spins, 0);
    // libgomp counts the cores that a process may run on, not those whose time it is given.
    const int cores = usable_cores();
    if (const int given = cores_of_quota().value_or(cores); given < cores)
        setenv("OMP_NUM_THREADS", std::to_string(given).c_str(), 0);
}

}  // namespace kasc::runtime
