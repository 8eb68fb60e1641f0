#include "foundation/pass_times.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace kasc {

namespace {
thread_local PassWatch* watching = nullptr;
}  // namespace

PassWatch::PassWatch() { watching = this; }
PassWatch::~PassWatch() { watching = nullptr; }

void PassWatch::enter(std::string_view name) {
    const auto outer = under_way_.empty() ? std::nullopt : std::optional(under_way_.back());
    const auto known = std::find_if(passes_.begin(), passes_.end(),
                                    [&](const Noted& pass) { return pass.name == name && pass.outer == outer; });
    under_way_.push_back(static_cast<std::size_t>(known - passes_.begin()));
    if (known == passes_.end()) passes_.push_back({std::string(name), outer});
}

void PassWatch::leave(double seconds) {
    Noted& pass = passes_[under_way_.back()];
    pass.seconds += seconds;
    ++pass.runs;
    under_way_.pop_back();
}

std::vector<PassTime> PassWatch::times() const {
    std::vector<PassTime> all;
    const auto add = [&](const auto& self, std::optional<std::size_t> outer, int depth) -> void {
        for (std::size_t k = 0; k < passes_.size(); ++k) {
            if (passes_[k].outer != outer) continue;
            all.push_back({passes_[k].name, depth, passes_[k].seconds, passes_[k].runs});
            self(self, k, depth + 1);
        }
    };
    add(add, std::nullopt, 0);
    return all;
}

Pass::Pass(std::string_view name) : watch_(watching) {
    if (watch_ == nullptr) return;
    watch_->enter(name);
    began_ = std::chrono::steady_clock::now();
}

Pass::~Pass() {
    if (watch_ != nullptr)
        watch_->leave(std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count());
}

std::string pass_text(const std::vector<PassTime>& passes) {
    std::string out = "   seconds    runs\n";
    double total = 0;
    for (const PassTime& pass : passes) {
        out += fmt::format("{:10.4f}  {:6}  {:{}}{}\n", pass.seconds, pass.runs, "", 2 * pass.depth, pass.name);
        if (pass.depth == 0) total += pass.seconds;
    }
    return out + fmt::format("{:10.4f}          in all\n", total);
}

}  // namespace kasc
