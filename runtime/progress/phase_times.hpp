#pragma once
// Where the time of a command goes: at every moment it is in one phase, so that the phases add up to the whole.

#include <array>
#include <chrono>
#include <optional>
#include <string>

namespace kasc::runtime {

enum class Phase {
    start,    ///< of the process: libraries, the command line
    device,   ///< looking for one
    check,    ///< the library and the program: read, understood
    survey,   ///< what the input file holds
    plan,     ///< fusion, selection
    emit,     ///< source text, to its folder
    read,     ///< the input's values
    examine,  ///< what the program asks of them
    build,    ///< looking into the cache, and waiting for the compiler
    prepare,  ///< loading what was built, memory, the device, copies to it
    compute,  ///< until the results are complete, copies back among it
    compare,  ///< with the reference; of tuning, computing it
    write     ///< results
};
constexpr std::size_t phase_count = 13;

class PhaseTimes {
public:
    /// In the phase `start`, in which the process has been since it was begun.
    PhaseTimes();

    /// Ends the phase that it is in and begins, or goes on with, another.
    void enter(Phase phase);

    /// What the compiler took, beside other phases: in Phase::build is what was waited for. 0: nothing was to compile.
    /// `prebuilt`: it came with kasc.
    void set_built(double compiler_seconds, bool prebuilt) {
        compiler_seconds_ = compiler_seconds;
        prebuilt_ = prebuilt;
    }
    /// Seconds of Phase::compute.
    void set_kernels(double seconds) { kernel_seconds_ = seconds; }

    /// text: a line a phase that took any time; json: {"timing": {…}} in one line; empty: nothing.
    [[nodiscard]] std::string told(const std::string& format) const;

private:
    using Clock = std::chrono::steady_clock;
    std::array<double, phase_count> seconds_{};
    Phase now_ = Phase::start;
    Clock::time_point since_ = Clock::now();
    std::optional<double> compiler_seconds_, kernel_seconds_;
    bool prebuilt_ = false;

    [[nodiscard]] double total() const;
    [[nodiscard]] std::string text() const;
    [[nodiscard]] std::string json() const;
};

}  // namespace kasc::runtime
