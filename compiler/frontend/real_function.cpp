#include "frontend/real_function.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "kasc_quotients.hpp"

namespace kasc {

namespace {

constexpr std::size_t of_intrinsics = static_cast<std::size_t>(Intrinsic::inverse_rest) + 1;

double over_number(double x, double c) { return kasc_over(x, c); }
float over_number(float x, float c) { return kasc_overf(x, c); }

// In the order of Intrinsic; behind them operators of the language, quotients by numbers and fmod.
const std::array<RealFunction, of_intrinsics + 2>& functions() {
    static const std::array<RealFunction, of_intrinsics + 2> table{
        {{"exp", ::exp, ::expf},
         {"exp2", ::exp2, ::exp2f},
         {"expm1", ::expm1, ::expm1f},
         {"log", ::log, ::logf},
         {"log2", ::log2, ::log2f},
         {"log10", ::log10, ::log10f},
         {"log1p", ::log1p, ::log1pf},
         {"sqrt", ::sqrt, ::sqrtf},
         {"cbrt", ::cbrt, ::cbrtf},
         {"hypot", nullptr, nullptr, ::hypot, ::hypotf},
         {"pow", nullptr, nullptr, ::pow, ::powf},
         {"sin", ::sin, ::sinf},
         {"cos", ::cos, ::cosf},
         {"tan", ::tan, ::tanf},
         {"asin", ::asin, ::asinf},
         {"acos", ::acos, ::acosf},
         {"atan", ::atan, ::atanf},
         {"atan2", nullptr, nullptr, ::atan2, ::atan2f},
         {"sinh", ::sinh, ::sinhf},
         {"cosh", ::cosh, ::coshf},
         {"tanh", ::tanh, ::tanhf},
         {"erf", ::erf, ::erff},
         {"erfc", ::erfc, ::erfcf},
         {"fabs", ::fabs, ::fabsf},
         {"floor", ::floor, ::floorf},
         {"ceil", ::ceil, ::ceilf},
         {"round", ::round, ::roundf},
         {"fmin", nullptr, nullptr, ::fmin, ::fminf},
         {"fmax", nullptr, nullptr, ::fmax, ::fmaxf},
         {"kasc_inverse", kasc_inverse, kasc_inversef},
         {"kasc_inverse_rest", kasc_inverse_rest, kasc_inverse_restf},
         {"kasc_over", nullptr, nullptr, over_number, over_number},
         {"fmod", nullptr, nullptr, ::fmod, ::fmodf}}};
    return table;
}

}  // namespace

const RealFunction* real_function(Intrinsic intrinsic) {
    const auto k = static_cast<std::size_t>(intrinsic);
    return k < of_intrinsics ? &functions().at(k) : nullptr;
}

const RealFunction* real_function(std::string_view name) {
    const auto found =
        std::find_if(functions().begin(), functions().end(), [&](const RealFunction& f) { return name == f.name; });
    return found == functions().end() ? nullptr : &*found;
}

std::int32_t cut_to_integer(double value) {
    using Limits = std::numeric_limits<std::int32_t>;
    if (std::isnan(value)) return 0;
    if (value >= static_cast<double>(Limits::max())) return Limits::max();
    if (value <= static_cast<double>(Limits::min())) return Limits::min();
    return static_cast<std::int32_t>(value);
}

}  // namespace kasc
