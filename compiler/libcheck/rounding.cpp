// r = a b - c d with a b = 3.0000001, c d = 3: an error of half a unit in the last place of 3 is as large as r itself.
// Disturbed by one part in a thousand up or down, r changes by up to 0.006, so that 6 is the magnitude, and the error
// 2e-8 of it: a rounding.

#include "libcheck/rounding.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace kasc::libcheck {

namespace {

/// The largest of so many changes in random directions is some two thirds of the largest that there is for three terms,
/// and a third for thirty, whose errors do not add up either.
constexpr int disturbances = 32;
/// Small enough that functions are straight lines, large enough that roundings do not count.
constexpr float disturbance = 0x1p-10F;

}  // namespace

Magnitudes::Magnitudes(const Words& result) : result_(result) {
    for (const float word : result) values_.push_back(std::abs(static_cast<double>(word)));
}

Words Magnitudes::disturbed(const Words& argument) {
    Words words = argument;
    for (float& word : words) {
        const bool up = (random_() & 1U) != 0 && !is_extreme(word);
        word *= up ? 1 + disturbance : 1 - disturbance;
    }
    return words;
}

void Magnitudes::take(const Words& result_of_disturbed) {
    for (std::size_t w = 0; w < values_.size(); ++w) {
        const double word = result_[w];
        const double change = std::abs(static_cast<double>(result_of_disturbed[w]) - word) / disturbance;
        if (std::isfinite(change)) values_[w] = std::max(values_[w], std::abs(word) + change);
    }
    ++taken_;
}

bool Magnitudes::complete() const { return taken_ >= disturbances; }

Likeness compare_words(float value, float expected, double magnitude, double accuracy, bool extreme) {
    if (!std::isfinite(value) || !std::isfinite(expected))
        return !extreme ? Likeness::unlike : accuracy > 0 ? Likeness::stated : Likeness::rounding;
    const double difference = std::abs(static_cast<double>(value) - static_cast<double>(expected));
    // Below the smallest normal number roundings have a size of their own.
    const double least = 4.0 * std::numeric_limits<float>::denorm_min();
    if (accuracy > 0 && difference <= accuracy * magnitude + least) return Likeness::stated;
    return difference <= few_roundings * magnitude + least ? Likeness::rounding : Likeness::unlike;
}

bool is_extreme(float argument) {
    using Limits = std::numeric_limits<float>;
    const float size = std::abs(argument);
    return std::isfinite(argument) && (size > 0.25F * Limits::max() || (size > 0 && size < Limits::min()));
}

std::string share_text(float value, float expected, double magnitude) {
    const double share = std::abs(static_cast<double>(value) - static_cast<double>(expected)) / magnitude;
    return std::isfinite(share) && share > 0 ? fmt::format(": {:.1e} of what is summed", share) : "";
}

}  // namespace kasc::libcheck
