#include "runtime/progress/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

namespace kasc::runtime {

namespace {

constexpr double quiet_seconds = 2.0;      // shorter runs need no lines in a log
constexpr double bar_quiet_seconds = 0.3;  // nor a bar that only flashes up
constexpr double redraw_seconds = 0.1;     // the eye sees no more
constexpr double silent_seconds = 300;     // of a log whose tenths are days apart
constexpr int widest_bar = 40;

std::string rate_text(double rate) {
    if (rate >= 1e6) return fmt::format("{:.1f}M", rate / 1e6);
    if (rate >= 1e4) return fmt::format("{:.1f}k", rate / 1e3);
    return rate >= 10 ? fmt::format("{:.0f}", rate) : fmt::format("{:.2f}", rate);
}

std::string figures_of_count(const ProgressState& state) {
    if (state.total >= no_bound) {
        std::string text = fmt::format("{} {}", state.done, state.unit);
        if (state.done > state.begun && state.seconds > 0)
            text += fmt::format(", {} {}/s", rate_text(static_cast<double>(state.done - state.begun) / state.seconds),
                                state.unit);
        return text;
    }
    const double share = static_cast<double>(state.done) / static_cast<double>(state.total);
    std::string text = fmt::format("{:3.0f}% {}/{} {}", std::floor(100 * share), state.done, state.total, state.unit);
    if (state.done > state.begun && state.seconds > 0) {
        const double rate = static_cast<double>(state.done - state.begun) / state.seconds;
        text += fmt::format(", {} {}/s, {} to go", rate_text(rate), state.unit,
                            duration_text(static_cast<double>(state.total - state.done) / rate));
    }
    return text;
}

std::string figures(const ProgressState& state) {
    return figures_of_count(state) + (state.beside.empty() ? "" : ", " + state.beside);
}

}  // namespace

std::string duration_text(double seconds) {
    constexpr double longest = 1e9;  // 30 years: beyond it the estimate says nothing
    const auto whole = static_cast<long long>(std::ceil(std::clamp(seconds, 0.0, longest)));
    const long long hours = whole / 3600;
    const long long minutes = whole / 60 % 60;
    if (hours > 0) return fmt::format("{}:{:02}:{:02}", hours, minutes, whole % 60);
    return fmt::format("{}:{:02}", minutes, whole % 60);
}

std::string progress_line(const ProgressState& given, int columns) {
    ProgressState state = given;
    state.total = std::max(1LL, state.total);
    state.done = std::clamp(state.done, 0LL, state.total);
    const std::string text = figures(state);
    const int room = columns - static_cast<int>(state.title.size() + text.size()) - 5;
    std::string line = state.title + " ";
    if (room >= 5 && state.total < no_bound) {
        const int width = std::min(room, widest_bar);
        const auto filled = static_cast<int>(static_cast<double>(width) * static_cast<double>(state.done) /
                                             static_cast<double>(state.total));
        line += fmt::format("[{}{}] ", std::string(static_cast<std::size_t>(filled), '#'),
                            std::string(static_cast<std::size_t>(width - filled), '.'));
    }
    line += text;
    return line.substr(0, static_cast<std::size_t>(std::max(columns - 1, 1)));
}

namespace {

/// Writes there what it is given, at once.
ProgressDisplay::Medium medium_of(std::FILE* stream) {
    ProgressDisplay::Medium medium;
    medium.write = [stream](const std::string& text) {
        std::fwrite(text.data(), 1, text.size(), stream);
        std::fflush(stream);
    };
    medium.clock = [] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
    };
    return medium;
}

}  // namespace

ProgressDisplay::Medium ProgressDisplay::standard_output() { return medium_of(stdout); }

ProgressDisplay::Medium ProgressDisplay::standard_error() {
    Medium medium = medium_of(stderr);
    winsize size{};
    if (isatty(STDERR_FILENO) != 0) {
        medium.style = Style::bar;
        if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) medium.columns = size.ws_col;
    }
    return medium;
}

ProgressDisplay::ProgressDisplay(std::string title, Medium medium, long long begun, std::string_view unit)
    : title_(std::move(title)), medium_(std::move(medium)), start_(medium_.clock()), begun_(begun), unit_(unit) {}

void ProgressDisplay::update(long long done, long long total, const std::function<std::string()>& beside) {
    const double seconds = medium_.clock() - start_;
    const auto state = [&](long long steps, long long most) {
        return ProgressState{title_, steps, most, seconds, begun_, beside ? beside() : "", unit_};
    };
    if (medium_.style == Style::bar) {
        const bool due =
            done >= total ? drawn_ : seconds >= bar_quiet_seconds && seconds - last_drawn_ >= redraw_seconds;
        if (!due) return;
        // \033[K clears what a longer line before has left.
        medium_.write("\r" + progress_line(state(done, total), medium_.columns) + "\033[K");
        last_drawn_ = seconds;
        drawn_ = true;
        return;
    }
    const long long tenth =
        total > 0 ? static_cast<long long>(10.0 * static_cast<double>(done) / static_cast<double>(total)) : 10;
    const bool silent = seconds - last_drawn_ >= silent_seconds;
    if ((tenth <= last_tenth_ && !silent) || seconds < quiet_seconds) return;
    last_tenth_ = tenth;
    last_drawn_ = seconds;
    const long long most = std::max(total, 1LL);
    medium_.write(title_ + " " + figures(state(std::clamp(done, 0LL, most), most)) + "\n");
}

void ProgressDisplay::finish() {
    if (medium_.style == Style::bar && drawn_) medium_.write("\n");
    drawn_ = false;
}

}  // namespace kasc::runtime
