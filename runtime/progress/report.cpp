#include "runtime/progress/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace kasc::runtime {

ProgressReport::ProgressReport(ReportForm form, ProgressDisplay::Medium medium, long long begun)
    : form_(form), medium_(std::move(medium)), start_(medium_.clock()), begun_(begun), told_(begun) {}

long long ProgressReport::due(long long done, long long total) const {
    if (done <= begun_) return std::min(begun_ + 1, total);
    // Steps k percent/100 of all, rounded up: a line never tells more than is done. A step's share of a billionth is
    // what rounding makes of the product.
    const double each = form_.percent / 100 * static_cast<double>(total + form_.before);
    const double k = std::floor(static_cast<double>(done + form_.before) / each + 1e-9) + 1;
    const double step = std::ceil(k * each - 1e-9);
    return std::clamp(static_cast<long long>(std::min(step, 9e18)) - form_.before, done + 1, std::max(total, done + 1));
}

void ProgressReport::update(long long done, long long total) {
    if (done <= told_ || done < due(told_, total)) return;
    told_ = done;
    const double seconds = medium_.clock() - start_;
    const double rate = static_cast<double>(done - begun_) / std::max(seconds, 1e-9);
    const long long all = total + form_.before, steps = done + form_.before;
    medium_.write(fmt::format("{:3.0f}%  {} of {} steps, {} elapsed, {} to go\n",
                              std::floor(100 * static_cast<double>(steps) / static_cast<double>(all)), steps, all,
                              duration_text(seconds), duration_text(static_cast<double>(total - done) / rate)));
}

}  // namespace kasc::runtime
