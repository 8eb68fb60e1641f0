#include "runtime/progress/phase_times.hpp"

#include <fmt/format.h>

#include <ctime>
#include <nlohmann/json.hpp>
#include <numeric>

namespace kasc::runtime {

namespace {

struct PhaseName {
    const char* word;
    const char* text;
};
constexpr std::array<PhaseName, phase_count> phase_names{{{"start", "starting"},
                                                          {"device", "looking for the device"},
                                                          {"check", "checking the program"},
                                                          {"survey", "surveying the input"},
                                                          {"plan", "planning"},
                                                          {"emit", "emitting"},
                                                          {"read", "reading the input"},
                                                          {"examine", "examining it"},
                                                          {"build", "building"},
                                                          {"prepare", "preparing"},
                                                          {"compute", "computing"},
                                                          {"compare", "comparing with the reference"},
                                                          {"write", "writing"}}};

/// The processor's time since the process began, which has waited for little else until now.
double seconds_of_process() {
    timespec used{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
}

}  // namespace

PhaseTimes::PhaseTimes() { seconds_[static_cast<std::size_t>(Phase::start)] = seconds_of_process(); }

void PhaseTimes::enter(Phase phase) {
    const Clock::time_point now = Clock::now();
    seconds_[static_cast<std::size_t>(now_)] += std::chrono::duration<double>(now - since_).count();
    now_ = phase;
    since_ = now;
}

double PhaseTimes::total() const { return std::accumulate(seconds_.begin(), seconds_.end(), 0.0); }

std::string PhaseTimes::told(const std::string& format) const {
    if (format.empty()) return "";
    PhaseTimes ended = *this;
    ended.enter(Phase::start);  // the phase that it is in counts until now, and no further
    return format == "json" ? ended.json() : ended.text();
}

std::string PhaseTimes::text() const {
    std::string out = "   seconds\n";
    for (std::size_t i = 0; i < phase_count; ++i) {
        const auto phase = static_cast<Phase>(i);
        if (seconds_[i] == 0) continue;
        std::string more;
        if (phase == Phase::build && compiler_seconds_)
            more = *compiler_seconds_ > 0
                       ? fmt::format(": the compiler took {:.3f} s, from before reading on", *compiler_seconds_)
                   : prebuilt_ ? ": built when kasc was installed"
                               : ": found in the cache";
        if (phase == Phase::compute && kernel_seconds_)
            more = fmt::format(", {:.3f} s of it in kernels", *kernel_seconds_);
        out += fmt::format("{:10.3f}  {}{}\n", seconds_[i], phase_names[i].text, more);
    }
    return out + fmt::format("{:10.3f}  in all\n", total());
}

std::string PhaseTimes::json() const {
    nlohmann::ordered_json timing, phases;
    for (std::size_t i = 0; i < phase_count; ++i) phases[phase_names[i].word] = seconds_[i];
    timing["phases"] = phases;
    if (compiler_seconds_) timing["found_in_cache"] = *compiler_seconds_ == 0 && !prebuilt_;
    if (compiler_seconds_) timing["prebuilt"] = prebuilt_;
    if (compiler_seconds_) timing["compiler_seconds"] = *compiler_seconds_;
    if (kernel_seconds_) timing["kernel_seconds"] = *kernel_seconds_;
    timing["total_seconds"] = total();
    return nlohmann::ordered_json{{"timing", timing}}.dump() + "\n";
}

}  // namespace kasc::runtime
