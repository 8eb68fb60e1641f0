#pragma once
// What cuFFT's callbacks cost: a function that it calls in place of the stores of its last pass.

namespace kasc::model {

/// Beside the transform alone: max(m, passes * p + share * m + waits * a), where p is the time of one of its passes, m
/// that of the callback's own traffic at the copy rate, a that of its arithmetic with the device full.
struct StoreCallbackCost {
    double passes = 0;  ///< for a complex result: for each array that is stored
    double share = 1;
};
/// A callback computes one word after the other. A step of k-Wave at 512³: 0.65 to 0.83 ms where the arithmetic of a
/// kernel would take 0.18 to 0.30.
constexpr double callback_waits = 2.5;

/// `length`: of the axis that the last pass runs along, for a real result the first axis, else the last.
[[nodiscard]] StoreCallbackCost store_callback_cost(long long length, bool real_result);

}  // namespace kasc::model
