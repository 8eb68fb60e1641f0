#include "command/run/transform_sizes.hpp"

#include <fmt/format.h>

#include <set>

namespace kasc::command {

namespace {

/// A line of the compiler's own that is as long as another is that one.
AxisId told_axis(const Program& program, AxisId axis) {
    const AxisId whole = program.axes[axis].half_of.value_or(axis);
    const Axis& own = program.axes[whole];
    const auto* same = own.own && own.fallback_extent ? std::get_if<ExtentUse>(&own.fallback_extent->node) : nullptr;
    return same ? same->axis : whole;
}

/// "'x'", or of an axis of the compiler's "2 * (extent(x) + 1) cells".
std::string axis_text(const Program& program, AxisId axis) {
    const Axis& a = program.axes[axis];
    if (!a.own || !a.fallback_extent) return fmt::format("along '{}'", a.name);
    return fmt::format("of {} cells", to_text(*a.fallback_extent, program, {}));
}

/// cuFFT's and FFTW's own factors end there; what is left goes by slower ways. 272 = 16·17 takes 1.3 times as long as
/// 288 (measured with cuFFT).
constexpr long long largest_good_factor = 7;
constexpr long long too_short_to_count = 16;

long long largest_factor(long long n) {
    long long largest = 1;
    for (long long f = 2; f * f <= n; ++f) {
        for (; n % f == 0; n /= f) largest = f;
    }
    return n > 1 ? n : largest;
}

long long next_good(long long n, long long step) {
    do n += step;
    while (n > 1 && largest_factor(n) > largest_good_factor);
    return n;
}

void collect(const Program& program, const std::vector<Statement>& statements, std::set<AxisId>& axes) {
    for (const Statement& s : statements) {
        if (const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&s))
            collect(program, (*loop)->body, axes);
        const auto* transform = std::get_if<TransformStatement>(&s);
        if (transform == nullptr || !transforms(transform->direction)) continue;
        for (const std::size_t k : transform->axes) {
            const AxisId axis = field_shape(program, transform->source).axes.at(k);
            axes.insert(told_axis(program, axis));
        }
    }
}

}  // namespace

Diagnostics check_transform_sizes(const Program& program, const std::vector<long long>& extents) {
    std::set<AxisId> axes;
    collect(program, program.statements, axes);
    Diagnostics found;
    for (const AxisId axis : axes) {
        const long long extent = extents.at(axis.index), factor = largest_factor(extent);
        if (factor <= largest_good_factor || extent <= too_short_to_count) continue;
        Diagnostic d;
        d.severity = Severity::warning;
        d.code = "K0747";
        d.message = fmt::format("transforms {} are slow: {}{} {} the prime factor {}", axis_text(program, axis),
                                program.axes[axis].own ? "" : "its ", extent,
                                program.axes[axis].own ? "has" : "cells have", factor);
        d.help = fmt::format("{} or {} cells have factors up to {} alone", next_good(extent, -1), next_good(extent, 1),
                             largest_good_factor);
        found.push_back(std::move(d));
    }
    return found;
}

}  // namespace kasc::command
