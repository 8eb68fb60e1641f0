#include "frontend/foreign_functions.hpp"

#include <algorithm>
#include <cctype>

#include "frontend/foreign_table.hpp"

namespace kasc::frontend {

namespace {

constexpr std::array<Known, 109> forms{
    {{"absolute", "abs({a})"},
     {"fabs", "abs({a})"},
     {"arcsin", "asin({a})"},
     {"arccos", "acos({a})"},
     {"arctan", "atan({a})"},
     {"arctan2", "atan2({a}, {b})"},
     {"asinh", "log({a} + sqrt({a}*{a} + 1))"},
     {"arcsinh", "log({a} + sqrt({a}*{a} + 1))"},
     {"acosh", "log({a} + sqrt({a}*{a} - 1))"},
     {"arccosh", "log({a} + sqrt({a}*{a} - 1))"},
     {"atanh", "log((1 + {a})/(1 - {a}))/2"},
     {"arctanh", "log((1 + {a})/(1 - {a}))/2"},
     {"clip", "min(max({a}, {b}), {c})"},
     {"clamp", "min(max({a}, {b}), {c})"},
     {"where", "{a} ? {b} : {c}"},
     {"select", "{a} ? {b} : {c}"},
     {"trunc", "float(int({a}))"},
     {"fix", "float(int({a}))"},
     {"rint", "round({a})"},
     {"nearbyint", "round({a})"},
     {"power", "pow({a}, {b})"},
     {"powf", "pow({a}, {b})"},
     {"square", "{a}*{a}"},
     {"rsqrt", "1/sqrt({a})"},
     {"mod", "{a} % {b}"},
     {"fmod", "{a} % {b}"},
     {"remainder", "{a} - {b}*floor({a}/{b})"},
     {"fma", "{a}*{b} + {c}"},
     {"lerp", "{a} + {c}*({b} - {a})"},
     {"ln", "log({a})"},
     {"lg", "log10({a})"},
     {"fmin", "min({a}, {b})"},
     {"fmax", "max({a}, {b})"},
     {"sign", "{a} > 0 ? 1 : {a} < 0 ? -1 : 0"},
     {"sgn", "{a} > 0 ? 1 : {a} < 0 ? -1 : 0"},
     {"heaviside", "{a} > 0 ? 1 : 0"},
     {"isnan", "{a} != {a}"},
     {"isfinite", "{a} - {a} == 0"},
     {"logical_and", "{a} && {b}"},
     {"logical_or", "{a} || {b}"},
     {"logical_not", "!{a}"},
     {"bitwise_and", "{a} & {b}"},
     {"bitwise_or", "{a} | {b}"},
     {"bitwise_xor", "{a} ^ {b}"},
     {"bitwise_not", "~{a}"},
     {"invert", "~{a}"},
     {"left_shift", "{a} << {b}"},
     {"right_shift", "{a} >> {b}"},
     {"int32", "int({a})"},
     {"uint8", "int({a}) & 255"},
     {"float32", "float({a})"},
     {"float64", "float({a})"},
     {"double", "float({a})"},
     {"len", "extent(x)"},
     {"size", "extent(x)"},
     {"shape", "extent(x)"},
     {"roll", "{a}[x - {b}]"},
     {"shift", "{a}[x - {b}]"},
     {"zeros", "0"},
     {"zeros_like", "0"},
     {"ones", "1"},
     {"ones_like", "1"},
     {"amax", "maximum({a})"},
     {"amin", "minimum({a})"},
     {"prod", "product({a})"},
     {"average", "mean({a})"},
     {"fft2", "fft({a})"},
     {"fftn", "fft({a})"},
     {"rfft", "fft({a})"},
     {"ifft2", "ifft({a})"},
     {"ifftn", "ifft({a})"},
     {"irfft", "ifft({a})"},
     {"conjugate", "conj({a})"},
     {"laplace", "laplace2({a}, h)"},
     {"laplacian", "laplace2({a}, h)"},
     {"dot", "sum({a}*{b})"},
     {"vdot", "sum({a}*{b})"},
     {"inner", "sum({a}*{b})"},
     {"dot_product", "sum({a}*{b})"},
     {"std", "sqrt(mean({a}*{a}) - mean({a})*mean({a}))"},
     {"var", "mean({a}*{a}) - mean({a})*mean({a})"},
     {"diff", "{a}[x + 1] - {a}"},
     {"gradient", "({a}[x + 1] - {a}[x - 1])/2"},
     {"maxval", "maximum({a})"},
     {"minval", "minimum({a})"},
     {"nanmax", "maximum({a})"},
     {"nanmin", "minimum({a})"},
     {"rand", "random(seed, x)"},
     {"randn", "sqrt(-2*log(1 - random(seed, x, 0)))*cos(6.2831853*random(seed, x, 1))"},
     {"arange", "x"},
     {"full", "{b}"},
     {"full_like", "{b}"},
     {"fill", "{b}"},
     {"copy", "{a}"},
     {"ifelse", "{a} ? {b} : {c}"},
     {"merge", "{c} ? {a} : {b}"},
     {"sqr", "{a}*{a}"},
     {"dble", "float({a})"},
     {"real32", "float({a})"},
     {"nint", "int(round({a}))"},
     {"aint", "float(int({a}))"},
     {"fabsf", "abs({a})"},
     {"sqrtf", "sqrt({a})"},
     {"expf", "exp({a})"},
     {"fmaxf", "max({a}, {b})"},
     {"fminf", "min({a}, {b})"},
     {"count_nonzero", "count({a} != 0)"},
     {"relu", "max({a}, 0)"},
     {"sigmoid", "1/(1 + exp(-{a}))"}}};

constexpr std::array<Known, 14> foreign_names{{{"pi", "write '3.14159265358979'"},
                                               {"PI", "write '3.14159265358979'"},
                                               {"M_PI", "write '3.14159265358979'"},
                                               {"np", "names have no prefix: 'exp(a)', '3.14159265358979'"},
                                               {"numpy", "names have no prefix: 'exp(a)', '3.14159265358979'"},
                                               {"math", "names have no prefix: 'exp(a)', '3.14159265358979'"},
                                               {"inf", "write '3e38', nearly the largest number of float"},
                                               {"INFINITY", "write '3e38', nearly the largest number of float"},
                                               {"nan", "what is no number is found by 'a != a'"},
                                               {"NAN", "what is no number is found by 'a != a'"},
                                               {"True", "a condition is a comparison, 'n > 0', a number is 1"},
                                               {"true", "a condition is a comparison, 'n > 0', a number is 1"},
                                               {"False", "a condition is a comparison, 'n > 0', a number is 0"},
                                               {"false", "a condition is a comparison, 'n > 0', a number is 0"}}};

/// A name, a number, a call: what an operator beside it leaves whole.
bool is_atom(std::string_view text) {
    const auto is_of_name = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
    };
    const auto bracket = std::find_if_not(text.begin(), text.end(), is_of_name);
    if (bracket == text.end()) return true;
    std::size_t depth = 0;
    for (auto c = bracket; c != text.end(); ++c) {
        if (*c == '(' || *c == '[') ++depth;
        if (depth == 0) return false;
        if ((*c == ')' || *c == ']') && --depth == 0) return c + 1 == text.end();
    }
    return false;
}

}  // namespace

std::string filled(std::string_view form, const std::vector<std::string>& arguments) {
    std::string text;
    for (std::size_t i = 0; i < form.size(); ++i) {
        const bool place = form[i] == '{' && i + 2 < form.size() && form[i + 2] == '}';
        if (!place) {
            text += form[i];
            continue;
        }
        const auto number = static_cast<std::size_t>(form[i + 1] - 'a');
        const std::string given = number < arguments.size() ? arguments[number] : std::string();
        const char before = i == 0 ? '(' : form[i - 1], after = i + 3 < form.size() ? form[i + 3] : ')';
        const bool first = before == '(' || (before == ' ' && form[i - 2] == ',');
        const bool alone = first && (after == ')' || after == ',');
        if (given.empty()) {
            text += form[i + 1];
        } else {
            text += alone || is_atom(given) ? given : "(" + given + ")";
        }
        i += 2;
    }
    return text;
}

std::string form_here(std::string_view name, const std::vector<std::string>& arguments) {
    return filled(known_as(forms, name), arguments);
}

std::string name_here(std::string_view name) { return std::string(known_as(foreign_names, name)); }

}  // namespace kasc::frontend
