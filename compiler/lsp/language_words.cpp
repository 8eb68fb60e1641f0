#include "lsp/language_words.hpp"

#include <algorithm>
#include <string>

namespace kasc::lsp {

// tests/editor asks for each of them: a word of the grammar or a function that is missing here is noticed.
const std::vector<LanguageWord>& language_words() {
    static const std::vector<LanguageWord> words{
        {"input", "input T, beta;", "What the data have, in the order of a call."},
        {"return", "return T;", "What a run gives; in a function with a block, its value."},
        {"for", "for (n = 0; n < steps; n++) { … }",
         "A loop of the run; 'for a in (x, y) { … }' writes its items once an entry."},
        {"while", "while (residual > 1e-6) { … }", "A loop that ends by what it computes."},
        {"if", "if (condition) { … } else { … }",
         "Of options and numbers it is chosen when the program is compiled, else by the run."},
        {"else", "if (condition) { … } else { … }", "What stands where the condition does not hold."},
        {"in", "for a in (x, y) { … }", "The entries that take a name's place."},
        {"let", "let g = u[x + 1] - u;", "A name for an expression, in what follows in the block."},
        {"param", "param float dt = 0.1;", "A number that a call may give anew."},
        {"option", "option absorbing = 0;", "A number that is known when the program is compiled."},
        {"axis", "axis u = extent(x) / 2;", "The length of an axis that no input has."},
        {"type", "type populations = float[19];", "Cells of so many words."},
        {"list", "list space = (x, y, z if Nz > 1);", "Entries for 'for … in' and axis_sum."},
        {"function", "function lap(u) = u[x - 1] - 2*u + u[x + 1];", "A name for an expression of its arguments."},
        {"procedure", "procedure smooth(u, f) { … }", "Items that stand wherever 'smooth(T, q);' does."},
        {"import", "import \"waves.kas\";",
         "The functions, procedures, types and lists of another file, found from this one's folder."},
        {"require", "require(beta >= 0, dt > 0);", "What must hold at every cell of the inputs: checked before a run."},
        {"boundary", "float T[x, y] boundary (x: periodic, y: keep(2) / value(37))",
         "What a neighbour beyond the edge is; faces may differ, low / high."},
        {"keep", "boundary keep(n)",
         "The n outermost layers are never assigned; a neighbour beyond is the nearest of them."},
        {"value", "boundary value(v)", "A neighbour beyond the edge is v."},
        {"mirror", "boundary mirror",
         "A neighbour beyond the edge is the mirror image; -mirror has the opposite sign."},
        {"periodic", "boundary periodic", "A neighbour beyond the edge is the cell at the other end."},
        {"or", "float c0[x, y] or uniform", "A field, or one number where the data or a setting give one."},
        {"uniform", "float c0[x, y] or uniform", "A field, or one number where the data or a setting give one."},
        {"coloured", "T = … coloured(2);", "An update in place, cells of one colour after those of another."},
        {"float", "float T[x, y]", "float32; float(i) makes a real of an integer.", true},
        {"double", "double T[x, y]", "float64: statements with such fields are computed in it."},
        {"half", "half T[x, y]",
         "IEEE's 16 bits in memory, computed in float32; half(x) is the axis of a real field's spectrum."},
        {"bfloat16", "bfloat16 T[x, y]", "The upper half of a float32 in memory, computed in float32."},
        {"int", "int px[p]", "32-bit integers; int(e) cuts the fraction off.", true},
        {"int64", "int64 n[x]", "64-bit integers."},
        {"uint8", "uint8 tissue[x, y]", "Integers from 0 to 255."},
        {"complex", "complex P[kx, y]", "Two float32; complex(re, im) makes a number.", true},
        {"double_complex", "double_complex P[kx, y]", "Two float64."},
        {"extent", "extent(x)", "The length of an axis.", true},
        {"staggered", "axis xf = staggered(x);", "The faces between the cells of an axis, one more than cells.", true},
        {"distinct", "require(distinct(px, py));", "Entries of a list are different cells.", true},
        {"axis_sum", "axis_sum(a, T, T[a + 1] - T[a - 1])", "The sum over the axes of a field, or over a list.", true},
        {"fft", "fft(u)", "The discrete Fourier transform, along all axes or those named.", true},
        {"ifft", "ifft(P)", "The inverse transform, scaled.", true},
        {"sum", "sum(e, x)", "Over all cells, or along the axes that are named; of a cell with a shape over its words.",
         true},
        {"product", "product(e, x)", "Of all cells, or along the axes that are named.", true},
        {"minimum", "minimum(e, x)", "The smallest of all cells, or along the axes that are named.", true},
        {"maximum", "maximum(e, x)", "The largest of all cells, or along the axes that are named.", true},
        {"count", "count(condition, x)", "How many cells meet it.", true},
        {"any", "any(condition, x)", "1 where some cell meets it.", true},
        {"all", "all(condition, x)", "1 where all cells meet it.", true},
        {"argmin", "argmin(e, x)", "Where along the axis the smallest stands.", true},
        {"argmax", "argmax(e, x)", "Where along the axis the largest stands.", true},
        {"norm", "norm(e, x)", "The root of the sum of squares.", true},
        {"mean", "mean(e, x)", "The sum by the number of cells.", true},
        {"exp", "exp(a)", "e to the power of a.", true},
        {"exp2", "exp2(a)", "2 to the power of a.", true},
        {"expm1", "expm1(a)", "exp(a) - 1, exact for small a.", true},
        {"log", "log(a)", "The natural logarithm.", true},
        {"log2", "log2(a)", "The logarithm to the base 2.", true},
        {"log10", "log10(a)", "The logarithm to the base 10.", true},
        {"log1p", "log1p(a)", "log(1 + a), exact for small a.", true},
        {"sqrt", "sqrt(a)", "The square root.", true},
        {"cbrt", "cbrt(a)", "The cube root.", true},
        {"hypot", "hypot(a, b)", "sqrt(a*a + b*b).", true},
        {"pow", "pow(a, b)", "a to the power of b.", true},
        {"sin", "sin(a)", "The sine.", true},
        {"cos", "cos(a)", "The cosine.", true},
        {"tan", "tan(a)", "The tangent.", true},
        {"asin", "asin(a)", "The arc sine.", true},
        {"acos", "acos(a)", "The arc cosine.", true},
        {"atan", "atan(a)", "The arc tangent.", true},
        {"atan2", "atan2(a, b)", "The angle of the point (b, a).", true},
        {"sinh", "sinh(a)", "The hyperbolic sine.", true},
        {"cosh", "cosh(a)", "The hyperbolic cosine.", true},
        {"tanh", "tanh(a)", "The hyperbolic tangent.", true},
        {"erf", "erf(a)", "The error function.", true},
        {"erfc", "erfc(a)", "1 - erf(a).", true},
        {"abs", "abs(a)", "The absolute value; of a complex number its modulus.", true},
        {"floor", "floor(a)", "The largest whole number up to a.", true},
        {"ceil", "ceil(a)", "The smallest whole number from a on.", true},
        {"round", "round(a)", "The nearest whole number, halves away from 0.", true},
        {"min", "min(a, b)", "The smaller of two; minimum(T) is that of all cells.", true},
        {"max", "max(a, b)", "The larger of two; maximum(T) is that of all cells.", true},
        {"random", "random(seed, n)", "A number from 0 to 1 that is the same on every device and in every plan.", true},
        {"conj", "conj(z)", "The conjugate of a complex number.", true},
        {"real", "real(z)", "The real part.", true},
        {"imag", "imag(z)", "The imaginary part.", true},
        {"arg", "arg(z)", "The angle of a complex number.", true}};
    return words;
}

const LanguageWord* find_language_word(std::string_view word) {
    const auto& words = language_words();
    const auto found = std::find_if(words.begin(), words.end(), [&](const LanguageWord& w) { return w.word == word; });
    return found == words.end() ? nullptr : &*found;
}

bool is_number_type(std::string_view word) {
    static constexpr std::string_view types = " float double half bfloat16 int int64 uint8 complex double_complex ";
    return types.find(" " + std::string(word) + " ") != std::string_view::npos;
}

}  // namespace kasc::lsp
