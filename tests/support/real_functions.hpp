#pragma once
// Functions of reals by the names that kernels call them, without an f for those of floats.

#include <cmath>
#include <map>
#include <string>

namespace kasc::test {

template <class Real>
[[nodiscard]] const std::map<std::string, Real (*)(Real)>& functions_of_one() {
    static const std::map<std::string, Real (*)(Real)> all{
        {"exp", [](Real x) { return std::exp(x); }},     {"exp2", [](Real x) { return std::exp2(x); }},
        {"log", [](Real x) { return std::log(x); }},     {"sqrt", [](Real x) { return std::sqrt(x); }},
        {"sin", [](Real x) { return std::sin(x); }},     {"cos", [](Real x) { return std::cos(x); }},
        {"tan", [](Real x) { return std::tan(x); }},     {"tanh", [](Real x) { return std::tanh(x); }},
        {"fabs", [](Real x) { return std::fabs(x); }},   {"floor", [](Real x) { return std::floor(x); }},
        {"ceil", [](Real x) { return std::ceil(x); }},   {"round", [](Real x) { return std::round(x); }},
        {"asin", [](Real x) { return std::asin(x); }},   {"acos", [](Real x) { return std::acos(x); }},
        {"atan", [](Real x) { return std::atan(x); }},   {"sinh", [](Real x) { return std::sinh(x); }},
        {"cosh", [](Real x) { return std::cosh(x); }},   {"expm1", [](Real x) { return std::expm1(x); }},
        {"log2", [](Real x) { return std::log2(x); }},   {"log10", [](Real x) { return std::log10(x); }},
        {"log1p", [](Real x) { return std::log1p(x); }}, {"cbrt", [](Real x) { return std::cbrt(x); }},
        {"erf", [](Real x) { return std::erf(x); }},     {"erfc", [](Real x) { return std::erfc(x); }}};
    return all;
}

template <class Real>
[[nodiscard]] const std::map<std::string, Real (*)(Real, Real)>& functions_of_two() {
    static const std::map<std::string, Real (*)(Real, Real)> all{{"pow", [](Real x, Real y) { return std::pow(x, y); }},
                                                                 {"atan2", [](Real x, Real y) { return std::atan2(x, y); }},
                                                                 {"hypot", [](Real x, Real y) { return std::hypot(x, y); }},
                                                                 {"fmod", [](Real x, Real y) { return std::fmod(x, y); }},
                                                                 {"fmin", [](Real x, Real y) { return std::fmin(x, y); }},
                                                                 {"fmax", [](Real x, Real y) { return std::fmax(x, y); }}};
    return all;
}

}  // namespace kasc::test
