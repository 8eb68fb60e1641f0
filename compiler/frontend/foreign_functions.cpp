#include "frontend/foreign_functions.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace kasc::frontend {

namespace {

using Form = std::pair<std::string_view, std::string_view>;
constexpr std::array<Form, 54> forms{{{"absolute", "abs(a)"},
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
                                      {"len", "extent(x)"}}};

}  // namespace

std::string form_here(std::string_view name) {
    const auto found = std::find_if(forms.begin(), forms.end(), [&](const Form& form) { return form.first == name; });
    return found == forms.end() ? "" : std::string(found->second);
}

}  // namespace kasc::frontend
