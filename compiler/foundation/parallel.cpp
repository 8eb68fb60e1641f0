// Threads draw the next number until there is none left. They live as long as the call: to start one takes some 20 µs,
// and a process that forks later has no threads of ours.

#include "foundation/parallel.hpp"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "foundation/quota.hpp"

namespace kasc {

namespace {

constexpr std::size_t most_threads = 64;

}  // namespace

int usable_cores() {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
    return std::max(1, CPU_COUNT(&set));
}

std::size_t thread_count() {
    static const std::size_t quota = static_cast<std::size_t>(cores_of_quota().value_or(most_threads));
    const char* wanted = std::getenv("OMP_NUM_THREADS");
    const long threads = wanted == nullptr ? 0 : std::strtol(wanted, nullptr, 10);
    if (threads > 0) return std::min(static_cast<std::size_t>(threads), most_threads);
    return std::min({static_cast<std::size_t>(usable_cores()), quota, most_threads});
}

void parallel_for(std::size_t pieces, const std::function<void(std::size_t)>& piece, std::size_t threads) {
    std::atomic<std::size_t> next = 0;
    std::exception_ptr thrown;
    std::mutex throwing;
    const auto work = [&] {
        try {
            for (std::size_t i = next++; i < pieces; i = next++) piece(i);
        } catch (...) {
            next = pieces;
            const std::lock_guard lock(throwing);
            if (!thrown) thrown = std::current_exception();
        }
    };
    std::vector<std::thread> others;
    try {
        for (std::size_t wanted = std::min(pieces, threads); others.size() + 1 < wanted;) others.emplace_back(work);
    } catch (const std::exception&) {
        // No memory or no threads for more: those that run do the work.
    }
    work();
    for (std::thread& other : others) other.join();
    if (thrown) std::rethrow_exception(thrown);
}

}  // namespace kasc
