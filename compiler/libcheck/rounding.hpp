#pragma once
// Whether two values of a function differ by their roundings alone.

#include <random>
#include <string>
#include <vector>

#include "libcheck/traced_array.hpp"

namespace kasc::libcheck {

/// Four units in the last place of what is summed: a sum of up to some ten products that is added in another order,
/// with or without fused multiply-adds, stays within it, as do a division and the product with a reciprocal. A wrong
/// index or sign is some hundred thousand times as large.
constexpr double few_roundings = 4 * 0x1p-23;

/// The magnitude of what is summed on the way to each word of a result, whatever cancels: how much the word changes,
/// relative to the change, when all arguments change by a little up or down; and the word itself. For a b + c d it is
/// near |a b| + |c d|, for a / b near |a / b|. An implementation is right to its roundings where its error is a few
/// units in the last place of that: it is the exact result of arguments that are as near as that.
class Magnitudes {
public:
    explicit Magnitudes(const Words& result);

    /// Another disturbance of an argument. Each disturbance of all arguments is followed by take().
    [[nodiscard]] Words disturbed(const Words& argument);
    void take(const Words& result_of_disturbed);
    [[nodiscard]] bool complete() const;
    [[nodiscard]] const std::vector<double>& values() const { return values_; }

private:
    const Words& result_;
    std::vector<double> values_;
    std::mt19937 random_{1};
    int taken_ = 0;
};

enum class Likeness {
    stated,    ///< within the Accuracy that the function states
    rounding,  ///< within a few roundings
    unlike,
};

/// `accuracy`: 0: none is stated. `extreme`: an argument is, so that one way to compute overflows and another does not.
[[nodiscard]] Likeness compare_words(float value, float expected, double magnitude, double accuracy, bool extreme);
/// Near the largest float32, which sums exceed in one order and not in another, or so small that the reciprocal does.
[[nodiscard]] bool is_extreme(float argument);

/// ": 1.3e-07 of what is summed"; empty where that is no number.
[[nodiscard]] std::string share_text(float value, float expected, double magnitude);

}  // namespace kasc::libcheck
