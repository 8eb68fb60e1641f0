#pragma once
// What is known of one plan after it was tried.

#include <string>
#include <vector>

namespace kasc::tune {

/// Words of the auto-tuning community's result format (T4).
constexpr const char* correct = "correct";
constexpr const char* invalid_compile = "compile";
constexpr const char* invalid_runtime = "runtime";
constexpr const char* invalid_timeout = "timeout";

struct Measurement {
    std::string plan;  ///< plan_text
    std::string parts;
    int position = 0;  ///< in the predicted order, from 1
    int asked = 0;     ///< plans that were made then: as many must be made again to meet this one
    double predicted_ns = 0;
    std::string invalidity = correct;  ///< correct, compile, runtime, correctness, timeout, constraints
    std::string message;               ///< why it is invalid
    bool checked = true;               ///< against a reference
    double compilation_s = 0;
    std::vector<double> times_ns;  ///< of every repeat, in the order they were taken
    double copy_gb_s = 0;          ///< the device's copy rate, taken by the same process
    double minimum_bytes = 0;      ///< of the fused minimum

    [[nodiscard]] bool valid() const { return invalidity == correct && !times_ns.empty(); }
    /// Requires: valid. The quantile of the times: 0.5 the median; between two times their weighted mean.
    [[nodiscard]] double quantile_ns(double share) const;
    [[nodiscard]] double median_ns() const { return quantile_ns(0.5); }
};

}  // namespace kasc::tune
