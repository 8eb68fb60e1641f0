#include "frontend/foreign_functions.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace kasc::frontend {

namespace {

using Form = std::pair<std::string_view, std::string_view>;
constexpr std::array<Form, 75> forms{{{"absolute", "abs(a)"},
                                      {"fabs", "abs(a)"},
                                      {"arcsin", "asin(a)"},
                                      {"arccos", "acos(a)"},
                                      {"arctan", "atan(a)"},
                                      {"arctan2", "atan2(a, b)"},
                                      {"asinh", "log(a + sqrt(a*a + 1))"},
                                      {"arcsinh", "log(a + sqrt(a*a + 1))"},
                                      {"acosh", "log(a + sqrt(a*a - 1))"},
                                      {"arccosh", "log(a + sqrt(a*a - 1))"},
                                      {"atanh", "log((1 + a)/(1 - a))/2"},
                                      {"arctanh", "log((1 + a)/(1 - a))/2"},
                                      {"clip", "min(max(a, low), high)"},
                                      {"clamp", "min(max(a, low), high)"},
                                      {"where", "condition ? a : b"},
                                      {"select", "condition ? a : b"},
                                      {"trunc", "float(int(a))"},
                                      {"fix", "float(int(a))"},
                                      {"rint", "round(a)"},
                                      {"nearbyint", "round(a)"},
                                      {"power", "pow(a, b)"},
                                      {"powf", "pow(a, b)"},
                                      {"square", "a*a"},
                                      {"rsqrt", "1/sqrt(a)"},
                                      {"mod", "a % b"},
                                      {"fmod", "a % b"},
                                      {"remainder", "a - b*floor(a/b)"},
                                      {"fma", "a*b + c"},
                                      {"lerp", "a + t*(b - a)"},
                                      {"ln", "log(a)"},
                                      {"lg", "log10(a)"},
                                      {"fmin", "min(a, b)"},
                                      {"fmax", "max(a, b)"},
                                      {"sign", "a > 0 ? 1 : a < 0 ? -1 : 0"},
                                      {"sgn", "a > 0 ? 1 : a < 0 ? -1 : 0"},
                                      {"heaviside", "a > 0 ? 1 : 0"},
                                      {"isnan", "a != a"},
                                      {"isfinite", "a - a == 0"},
                                      {"logical_and", "c && d"},
                                      {"logical_or", "c || d"},
                                      {"logical_not", "!c"},
                                      {"bitwise_and", "a & b"},
                                      {"bitwise_or", "a | b"},
                                      {"bitwise_xor", "a ^ b"},
                                      {"bitwise_not", "~a"},
                                      {"invert", "~a"},
                                      {"left_shift", "a << b"},
                                      {"right_shift", "a >> b"},
                                      {"int32", "int(a)"},
                                      {"uint8", "int(a) & 255"},
                                      {"float32", "float(i)"},
                                      {"float64", "float(i)"},
                                      {"double", "float(i)"},
                                      {"len", "extent(x)"},
                                      {"size", "extent(x)"},
                                      {"shape", "extent(x)"},
                                      {"roll", "T[x - 1]"},
                                      {"shift", "T[x - 1]"},
                                      {"zeros", "0"},
                                      {"zeros_like", "0"},
                                      {"ones", "1"},
                                      {"ones_like", "1"},
                                      {"amax", "maximum(a)"},
                                      {"amin", "minimum(a)"},
                                      {"prod", "product(a)"},
                                      {"average", "mean(a)"},
                                      {"fft2", "fft(a)"},
                                      {"fftn", "fft(a)"},
                                      {"rfft", "fft(a)"},
                                      {"ifft2", "ifft(a)"},
                                      {"ifftn", "ifft(a)"},
                                      {"irfft", "ifft(a)"},
                                      {"conjugate", "conj(z)"},
                                      {"laplace", "laplace2(u, h)"},
                                      {"laplacian", "laplace2(u, h)"}}};

constexpr std::array<Form, 14> foreign_names{{{"pi", "write '3.14159265358979'"},
                                              {"PI", "write '3.14159265358979'"},
                                              {"M_PI", "write '3.14159265358979'"},
                                              {"np", "functions have no prefix: 'exp(a)'"},
                                              {"numpy", "functions have no prefix: 'exp(a)'"},
                                              {"math", "functions have no prefix: 'exp(a)'"},
                                              {"inf", "write '3e38', nearly the largest number of float"},
                                              {"INFINITY", "write '3e38', nearly the largest number of float"},
                                              {"nan", "what is no number is found by 'a != a'"},
                                              {"NAN", "what is no number is found by 'a != a'"},
                                              {"True", "a condition is a comparison, 'n > 0'; an option is 1 or 0"},
                                              {"true", "a condition is a comparison, 'n > 0'; an option is 1 or 0"},
                                              {"False", "a condition is a comparison, 'n > 0'; an option is 1 or 0"},
                                              {"false", "a condition is a comparison, 'n > 0'; an option is 1 or 0"}}};

template <std::size_t Size>
std::string found_in(const std::array<Form, Size>& all, std::string_view name) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const Form& form) { return form.first == name; });
    return found == all.end() ? "" : std::string(found->second);
}

}  // namespace

std::string form_here(std::string_view name) { return found_in(forms, name); }

std::string name_here(std::string_view name) { return found_in(foreign_names, name); }

}  // namespace kasc::frontend
