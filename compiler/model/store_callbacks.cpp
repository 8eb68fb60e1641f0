// cuFFT compiles its last pass anew around a callback, by another kernel than it takes without: threads hold more
// words, have fewer others beside them, and wait for what the callback loads and computes, word by word. How much that
// costs depends on the length of its lines; no rule is visible: for real results, lines of 512 cost little, of 384 two
// passes.
#include "model/store_callbacks.hpp"

#include <algorithm>
#include <array>

namespace kasc::model {

namespace {

struct Measured {
    long long length;
    double real_passes, real_share, complex_passes;
};
/// cuFFT 12.0 on an H100, grids of n³ (benchmarks/gpu/callback_lengths.cu): from callbacks with two and with seven
/// words of traffic a cell for real results, with none for complex ones.
constexpr auto measured = std::to_array<Measured>(
    {{192, 1.1, 0.8, 0.6}, {200, 1.0, 0.7, 0.3}, {216, 1.8, 0.8, 0.5}, {240, 1.1, 0.7, 0.2}, {243, 1.2, 0.7, 0.3},
     {250, 0.9, 0.7, 0.1}, {256, 1.8, 0.8, 0.1}, {270, 1.5, 0.7, 0.1}, {288, 1.1, 0.7, 0.1}, {300, 1.4, 0.6, 0.1},
     {320, 1.1, 0.7, 0.1}, {324, 1.8, 0.6, 0.1}, {350, 1.7, 0.5, 0.2}, {360, 1.9, 0.6, 0.2}, {384, 2.2, 0.6, 0.2},
     {400, 0.5, 0.6, 0.1}, {432, 1.6, 0.7, 0.1}, {448, 0.8, 0.6, 0.0}, {480, 1.5, 0.6, 0.2}, {486, 0.5, 0.5, 0.1},
     {500, 0.5, 0.7, 0.7}, {512, 0.4, 0.7, 0.0}, {540, 3.3, 0.5, 0.5}, {576, 1.5, 0.6, 0.1}, {600, 2.0, 0.6, 0.1},
     {625, 1.2, 0.7, 0.5}, {640, 1.6, 0.6, 0.1}});
/// The worst that was measured: what is not known is not chosen.
constexpr Measured worst{0, 3.3, 0.8, 0.7};
/// Complex results come from lines that threads hold apart in memory: loads wait longer. A step of k-Wave at 512³,
/// where callbacks that read half a word a cell took 0.30 to 0.33 ms.
constexpr double complex_share = 3;

}  // namespace

StoreCallbackCost store_callback_cost(long long length, bool real_result) {
    const auto* found =
        std::find_if(measured.begin(), measured.end(), [&](const Measured& m) { return m.length == length; });
    const Measured& cost = found == measured.end() ? worst : *found;
    if (real_result) return {cost.real_passes, cost.real_share};
    return {cost.complex_passes, complex_share};
}

}  // namespace kasc::model
