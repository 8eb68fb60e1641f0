#pragma once
// Work on bytes that nobody vouches for, in a child process under limits: the HDF5 library may crash, hang or ask for
// all memory on a damaged file, and then only the child ends.

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

namespace kasc::runtime {

struct ChildLimits {
    unsigned cpu_seconds = 2;
    double wall_seconds = 60;                              ///< a slow disk is no fault, a read that never returns is
    std::uint64_t private_bytes = std::uint64_t{1} << 30;  ///< beyond what the parent holds; shared memory is free
};

enum class ChildEnd {
    finished,     ///< the work returned true
    failed,       ///< the work returned false, or crashed
    out_of_time,  ///< a time limit was hit
    killed,       ///< from outside: as a rule by the system, for lack of memory
    no_child,     ///< the system gives no process
};

/// Runs `work` in a fork of this process with output silenced. What it computes it leaves in SharedMemory.
[[nodiscard]] ChildEnd run_in_child(const ChildLimits& limits, const std::function<bool()>& work);

/// Called by the work: the time limits count from now on. For work of many parts of which any may never end.
void restart_child_clock(const ChildLimits& limits);
/// Called by the work: until the clock is restarted it waits for its parent, and no limit of time counts.
void stop_child_clock();

/// A child that works while its parent goes on.
class Child {
public:
    /// None where the system gives no process.
    [[nodiscard]] static std::optional<Child> start(const ChildLimits& limits, const std::function<bool()>& work);
    Child(Child&& other) noexcept : pid_(std::exchange(other.pid_, 0)) {}
    Child& operator=(Child&&) = delete;
    /// Ends it, whatever it does.
    ~Child();

    [[nodiscard]] ChildEnd wait();
    /// The same; asked some ten times a second, `stop` ends it: as killed.
    [[nodiscard]] ChildEnd wait(const std::function<bool()>& stop);

private:
    explicit Child(int pid) : pid_(pid) {}
    int pid_;  ///< 0: it has ended
};

}  // namespace kasc::runtime
