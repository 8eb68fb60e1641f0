#include "frontend/foreign_functions.hpp"

#include <algorithm>
#include <cctype>

#include "frontend/foreign_table.hpp"

namespace kasc::frontend {

namespace {

constexpr std::array<Known, 139> forms{
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
     {"mod", "({a} % {b} + {b}) % {b}"},
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
     {"bitwise_xor", "int({a} ^ {b})"},
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
     {"zeros", "0"},
     {"zeros_like", "0"},
     {"ones", "1"},
     {"ones_like", "1"},
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
     {"rand", "random(seed, {w})"},
     {"randn", "sqrt(-2*log(1 - random(seed, {w}, 0)))*cos(6.2831853*random(seed, {w}, 1))"},
     {"randi", "1 + int({a}*random(seed, {w}))"},
     {"randint", "{a} + int(({b} - {a})*random(seed, {w}))"},
     {"arange", "{x}"},
     {"range", "{x}"},
     {"linspace", "{a} + ({b} - {a})*{x}/({c} - 1)"},
     {"identity", "{x} == {y} ? 1 : 0"},
     {"eye", "{x} == {y} ? 1 : 0"},
     {"radians", "{a}*0.0174532925199433"},
     {"deg2rad", "{a}*0.0174532925199433"},
     {"degrees", "{a}*57.2957795130823"},
     {"rad2deg", "{a}*57.2957795130823"},
     {"isinf", "{a} == {a} && {a} - {a} != 0"},
     {"rem", "{a} % {b}"},
     {"modulo", "({a} % {b} + {b}) % {b}"},
     {"bitand", "{a} & {b}"},
     {"iand", "{a} & {b}"},
     {"bitor", "{a} | {b}"},
     {"ior", "{a} | {b}"},
     {"bitxor", "int({a} ^ {b})"},
     {"ieor", "int({a} ^ {b})"},
     {"not", "!({a})"},
     {"mix", "{a} + {c}*({b} - {a})"},
     {"step", "{b} < {a} ? 0 : 1"},
     {"fract", "{a} - floor({a})"},
     {"frac", "{a} - floor({a})"},
     {"exp10", "pow(10, {a})"},
     {"pow2", "exp2({a})"},
     {"sinc", "{a} == 0 ? 1 : sin(3.14159265358979*{a})/(3.14159265358979*{a})"},
     {"cot", "1/tan({a})"},
     {"sec", "1/cos({a})"},
     {"csc", "1/sin({a})"},
     {"ceiling", "ceil({a})"},
     {"cbrtf", "cbrt({a})"},
     {"norm2", "norm({a})"},
     {"sumsq", "sum({a}*{a})"},
     {"isclose", "abs({a} - {b}) < 1e-5"},
     {"allclose", "all(abs({a} - {b}) < 1e-5)"},
     {"floor_divide", "floor({a}/{b})"},
     {"div", "floor({a}/{b})"},
     {"rfft2", "fft({a})"},
     {"irfft2", "ifft({a})"},
     {"dct", "dct2({a})"},
     {"idct", "idct2({a})"},
     {"dst", "dst2({a})"},
     {"idst", "idst2({a})"},
     {"del2", "laplace2({a}, h)/4"},
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
     {"relu", "max({a}, 0)"},
     {"sigmoid", "1/(1 + exp(-{a}))"}}};

/// What no expression says.
constexpr std::array<Known, 64> sentences{
    {{"interp",
      "between cells: 'between(T, p)' with 'function between(u, p) = u[{x} = int(floor(p))] + (p - "
      "floor(p))*(u[{x} = int(floor(p)) + 1] - u[{x} = int(floor(p))]);'"},
     {"interp1",
      "between cells: 'between(T, p)' with 'function between(u, p) = u[{x} = int(floor(p))] + (p - "
      "floor(p))*(u[{x} = int(floor(p)) + 1] - u[{x} = int(floor(p))]);'"},
     {"interp1d",
      "between cells: 'between(T, p)' with 'function between(u, p) = u[{x} = int(floor(p))] + (p - "
      "floor(p))*(u[{x} = int(floor(p)) + 1] - u[{x} = int(floor(p))]);'"},
     {"interp2",
      "between cells: 'between(T, p)' with 'function between(u, p) = u[{x} = int(floor(p))] + (p - "
      "floor(p))*(u[{x} = int(floor(p)) + 1] - u[{x} = int(floor(p))]);'"},
     {"convolve", "weights have an axis of their own, 'float w[k];': 'sum(k <= {x} ? w*{a}[{x} = {x} - k] : 0, k)'"},
     {"conv", "weights have an axis of their own, 'float w[k];': 'sum(k <= {x} ? w*{a}[{x} = {x} - k] : 0, k)'"},
     {"conv2",
      "weights have axes of their own, 'float w[k, l];': 'sum(k <= {x} && l <= {y} ? w*{a}[{x} = {x} - k, {y} = {y} - "
      "l] : 0, k, l)'"},
     {"convolve2d",
      "weights have axes of their own, 'float w[k, l];': 'sum(k <= {x} && l <= {y} ? w*{a}[{x} = {x} - k, {y} = {y} - "
      "l] : 0, k, l)'"},
     {"histogram", "with 'int cells[b]; axis b = 10;': 'cells = 0; cells[b = int(floor({a}/width))] += 1;'"},
     {"hist", "with 'int cells[b]; axis b = 10;': 'cells = 0; cells[b = int(floor({a}/width))] += 1;'"},
     {"histcounts", "with 'int cells[b]; axis b = 10;': 'cells = 0; cells[b = int(floor({a}/width))] += 1;'"},
     {"bincount", "with 'int cells[b]; axis b = 10;': 'cells = 0; cells[b = {a}] += 1;'"},
     {"accumarray", "with 'float sums[b]; axis b = 10;': 'sums = 0; sums[b = {a}] += {b};'"},
     {"median",
      "there is none; how many cells are less counts 'count({a}[{x} = i] < {a}, i)' with 'axis i = extent({x});'"},
     {"percentile",
      "there is none; how many cells are less counts 'count({a}[{x} = i] < {a}, i)' with 'axis i = extent({x});'"},
     {"quantile",
      "there is none; how many cells are less counts 'count({a}[{x} = i] < {a}, i)' with 'axis i = extent({x});'"},
     {"argsort",
      "there is none; how many cells are less counts 'count({a}[{x} = i] < {a}, i)' with 'axis i = extent({x});'"},
     {"unique", "there is none: values are counted, 'cells[b = {a}] += 1;', and chosen by 'cells > 0'"},
     {"meshgrid", "coordinates are the names of axes: '{x}' and '{y}' in any expression"},
     {"ndgrid", "coordinates are the names of axes: '{x}' and '{y}' in any expression"},
     {"fliplr", "along an axis: '{a}[{x} = extent({x}) - 1 - {x}]' or '{a}[{y} = extent({y}) - 1 - {y}]'"},
     {"flipud", "along an axis: '{a}[{x} = extent({x}) - 1 - {x}]' or '{a}[{y} = extent({y}) - 1 - {y}]'"},
     {"xor", "of bits write 'int({a} ^ {b})', of conditions '({a} ? 1 : 0) != ({b} ? 1 : 0)'"},
     {"logical_xor", "write '({a} ? 1 : 0) != ({b} ? 1 : 0)'"},
     {"gamma", "there is none: its values are an input or a table, 'float g[k] = {1, 1, 2, 6};'"},
     {"lgamma", "there is none: its values are an input or a table, 'float g[k] = {1, 1, 2, 6};'"},
     {"tgamma", "there is none: its values are an input or a table, 'float g[k] = {1, 1, 2, 6};'"},
     {"factorial", "there is none: its values are an input or a table, 'float g[k] = {1, 1, 2, 6};'"},
     {"inv", "of cells there is 'inverse33'; a field's equations are solved by iterations, as by conjugate gradients"},
     {"pinv", "of cells there is 'inverse33'; a field's equations are solved by iterations, as by conjugate gradients"},
     {"solve",
      "a field's equations are solved by iterations, as by conjugate gradients; of cells there is 'inverse33'"},
     {"mldivide",
      "a field's equations are solved by iterations, as by conjugate gradients; of cells there is 'inverse33'"},
     {"transpose",
      "where both axes are as long: '{a}[{x} = {y}, {y} = {x}]'; 'S = {a};' with 'float S[{y}, {x}]' has the other "
      "order in files"},
     {"swapaxes",
      "where both axes are as long: '{a}[{x} = {y}, {y} = {x}]'; 'S = {a};' with 'float S[{y}, {x}]' has the other "
      "order in files"},
     {"permute", "axes have names: 'S = {a};' with 'float S[{y}, {x}]' has the other order"},
     {"uint16",
      "values are converted where they are assigned, and types are of fields: 'float', 'double', 'half', 'bfloat16', "
      "'int', 'int64' and 'uint8'; 'int({a})' cuts"},
     {"uint32",
      "values are converted where they are assigned, and types are of fields: 'float', 'double', 'half', 'bfloat16', "
      "'int', 'int64' and 'uint8'; 'int({a})' cuts"},
     {"uint64",
      "values are converted where they are assigned, and types are of fields: 'float', 'double', 'half', 'bfloat16', "
      "'int', 'int64' and 'uint8'; 'int({a})' cuts"},
     {"int16",
      "values are converted where they are assigned, and types are of fields: 'float', 'double', 'half', 'bfloat16', "
      "'int', 'int64' and 'uint8'; 'int({a})' cuts"},
     {"int64",
      "values are converted where they are assigned, and types are of fields: 'float', 'double', 'half', 'bfloat16', "
      "'int', 'int64' and 'uint8'; 'int({a})' cuts"},
     {"int8",
      "values are converted where they are assigned, and types are of fields: 'float', 'double', 'half', 'bfloat16', "
      "'int', 'int64' and 'uint8'; 'int({a})' cuts"},
     {"half",
      "values are converted where they are assigned, and types are of fields: 'float', 'double', 'half', 'bfloat16', "
      "'int', 'int64' and 'uint8'; 'int({a})' cuts"},
     {"float16",
      "values are converted where they are assigned, and types are of fields: 'float', 'double', 'half', 'bfloat16', "
      "'int', 'int64' and 'uint8'; 'int({a})' cuts"},
     {"bfloat16",
      "values are converted where they are assigned, and types are of fields: 'float', 'double', 'half', 'bfloat16', "
      "'int', 'int64' and 'uint8'; 'int({a})' cuts"},
     {"bool", "a condition is a number by 'c ? 1 : 0'"},
     {"logical", "a condition is a number by 'c ? 1 : 0'"},
     {"complex64", "write 'complex({a}, 0)'"},
     {"complex128", "write 'complex({a}, 0)'"},
     {"outer", "fields over axes of their own multiply: 'a*b' with 'float a[{x}], b[{y}];'"},
     {"kron", "fields over axes of their own multiply: 'a*b' with 'float a[{x}], b[{y}];'"},
     {"pad", "what lies beyond a face says the boundary: 'float T[{x}] boundary value(0);'"},
     {"concatenate", "a condition chooses: '{x} < n ? a : b[{x} = {x} - n]'"},
     {"hstack", "a condition chooses: '{x} < n ? a : b[{x} = {x} - n]'"},
     {"vstack", "a condition chooses: '{x} < n ? a : b[{x} = {x} - n]'"},
     {"reshape", "cells are found by their positions, as in '{a}[x = i/4, y = i % 4]'"},
     {"diag", "write '{a}[{x} = i, {y} = i]' in a statement over i"},
     {"einsum", "products are summed along the axes that are named: 'sum(A*B, k)'"},
     {"tensordot", "products are summed along the axes that are named: 'sum(A*B, k)'"},
     {"map", "a statement computes every cell: 'u = exp(T);'"},
     {"apply", "a statement computes every cell: 'u = exp(T);'"},
     {"vectorize", "a statement computes every cell: 'u = exp(T);'"},
     {"grad", "along each axis write 'first2({a}, {x}, h)'"},
     {"curl", "write 'first2(v, x, h) - first2(u, y, h)'"},
     {"nan", "write '0/0.0', which is no number; it is found by 'a != a'"}}};

constexpr std::array<Known, 19> foreign_names{
    {{"pi", "write '3.14159265358979'"},
     {"PI", "write '3.14159265358979'"},
     {"M_PI", "write '3.14159265358979'"},
     {"np", "names have no prefix: 'exp(a)', '3.14159265358979'"},
     {"numpy", "names have no prefix: 'exp(a)', '3.14159265358979'"},
     {"math", "names have no prefix: 'exp(a)', '3.14159265358979'"},
     {"inf", "write '3e38', nearly the largest number of float"},
     {"INFINITY", "write '3e38', nearly the largest number of float"},
     {"Inf", "write '3e38', nearly the largest number of float"},
     {"Infinity", "write '3e38', nearly the largest number of float"},
     {"nan", "write '0/0.0', which is no number; it is found by 'a != a'"},
     {"NAN", "write '0/0.0', which is no number; it is found by 'a != a'"},
     {"NaN", "write '0/0.0', which is no number; it is found by 'a != a'"},
     {"None", "every field has numbers: '0/0.0' is none, and found by 'a != a'"},
     {"j", "the imaginary unit is 'complex(0, 1)'"},
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

std::vector<std::string> with_axes(std::vector<std::string> arguments, const std::vector<std::string>& axes) {
    std::string all;
    for (const std::string& axis : axes) all += (all.empty() ? "" : ", ") + axis;
    arguments.resize('z' - 'a');
    arguments['w' - 'a'] = all.empty() ? "x" : all;
    arguments['x' - 'a'] = axes.empty() ? "x" : axes.front();
    arguments['y' - 'a'] = axes.size() < 2 ? "y" : axes[1];
    return arguments;
}

std::string form_here(std::string_view name, const std::vector<std::string>& arguments) {
    const std::string form(known_as(forms, name));
    constexpr std::size_t count = 2;
    // A linspace without a count has as many numbers as there are cells.
    if (name == "linspace" && (arguments.size() <= count || arguments[count].empty())) {
        std::vector<std::string> all = arguments;
        all.resize(std::max(all.size(), count + 1));
        all[count] = filled("extent({x})", arguments);
        return filled(form, all);
    }
    return filled(form, arguments);
}

std::string in_place_of(const Span& call, std::string help) {
    constexpr std::string_view write = "write '";
    const std::size_t begin = write.size(), end = help.find('\'', begin);
    if (!help.starts_with(write) || end == std::string::npos || !call.source) return help;
    const std::string form = help.substr(begin, end - begin);
    if (is_atom(form) || form.find(';') != std::string::npos) return help;
    const std::string_view text = call.source->text;
    std::size_t before = call.begin, behind = call.end;
    while (before > 0 && std::isspace(static_cast<unsigned char>(text[before - 1])) != 0) --before;
    while (behind < text.size() && std::isspace(static_cast<unsigned char>(text[behind])) != 0) ++behind;
    const std::string_view opens = "(,[", closes = ");,]";
    const bool compared = before > 1 && std::string_view("=!<>").find(text[before - 2]) != std::string_view::npos;
    const bool first =
        before == 0 || opens.find(text[before - 1]) != std::string_view::npos || (text[before - 1] == '=' && !compared);
    const bool last = behind == text.size() || closes.find(text[behind]) != std::string_view::npos;
    if (first && last) return help;
    return help.replace(begin, end - begin, "(" + form + ")");
}

std::string sentence_here(std::string_view name, const std::vector<std::string>& arguments) {
    return filled(known_as(sentences, name), arguments);
}

std::string name_here(std::string_view name) { return std::string(known_as(foreign_names, name)); }

}  // namespace kasc::frontend
