#include "frontend/foreign_words.hpp"

#include <fmt/format.h>

#include "frontend/foreign_functions.hpp"
#include "frontend/foreign_table.hpp"

namespace kasc::frontend {

namespace {

/// {a} is the field.
constexpr std::array<Known, 22> members{
    {{"gt", "write '{a} > ...'"},
     {"ge", "write '{a} >= ...'"},
     {"lt", "write '{a} < ...'"},
     {"le", "write '{a} <= ...'"},
     {"eq", "write '{a} == ...'"},
     {"ne", "write '{a} != ...'"},
     {"and", "conditions are joined by '&&'"},
     {"or", "conditions are joined by '||'"},
     {"real", "write 'real({a})'"},
     {"re", "write 'real({a})'"},
     {"imag", "write 'imag({a})'"},
     {"im", "write 'imag({a})'"},
     {"laplace", "write 'laplace2({a}, h)'"},
     {"laplacian", "write 'laplace2({a}, h)'"},
     {"grad", "along each axis write 'first2({a}, x, h)'"},
     {"div", "add 'first2(u, x, h)' and 'first2(v, y, h)', of a field along each axis"},
     {"forward", "a statement assigns the next values: '{a} = ...;'"},
     {"backward", "keep former values in a field of their own: 'before = {a};'"},
     {"dt", "a step is '{a} = {a} + dt*(...);'"},
     {"dt2", "a step is 'next = 2*{a} - before + dt*dt*(...); before = {a}; {a} = next;'"},
     {"T", "axes have names: a field over the same axes in another order takes 'S = {a};'"},
     {"dtype", "the type of a field is that of its declaration, 'double {a}[x];'"}}};

/// {a} is what follows.
constexpr std::array<Known, 20> statement_words{
    {{"axis", "an axis has a length, 'axis {a} = 10;', or is declared by the fields that have it"},
     {"output", "results are returned: 'return {a};'"},
     {"outputs", "results are returned: 'return {a};'"},
     {"export", "results are returned: 'return {a};'"},
     {"save", "results are returned, 'return {a};', and written by 'kasc run --out'"},
     {"write", "results are returned, 'return {a};', and written by 'kasc run --out'"},
     {"print", "results are returned, 'return {a};', and looked at with 'kasc view'"},
     {"display", "results are returned, 'return {a};', and looked at with 'kasc view'"},
     {"disp", "results are returned, 'return {a};', and looked at with 'kasc view'"},
     {"show", "results are returned, 'return {a};', and looked at with 'kasc view'"},
     {"plot", "results are returned, 'return {a};', and looked at with 'kasc view'"},
     {"inputs", "write 'input {a};'"},
     {"read", "write 'input {a};'"},
     {"load", "write 'input {a};'"},
     {"goto", "loops are 'for (n = 0; n < steps; n++) { ... }' and 'while (error > least) { ... }'"},
     {"call", "a procedure is called by its name: '{a}();'"},
     {"using", "'import \"waves.kas\";' is of a file; 'exp', 'sum' and 'fft' are there without"},
     {"use", "'import \"waves.kas\";' is of a file; 'exp', 'sum' and 'fft' are there without"},
     {"implicit", "leave it out: every field is declared, 'float T[x];'"},
     {"program", "leave it out: a program has no head, and its name is that of its file"}}};

/// With `name`, which may be several, as it is: nothing of it becomes a factor (filled).
std::string with_name(std::string_view phrase, const std::string& name) {
    std::string text(phrase);
    for (std::size_t at = text.find("{a}"); at != std::string::npos; at = text.find("{a}", at + name.size()))
        text.replace(at, 3, name);
    return text;
}

/// u.dx and u.dx2, as symbolic languages write derivatives.
std::string derivative(std::string_view word, const std::string& owner, const std::vector<std::string>& axes) {
    for (const std::string& axis : axes) {
        const std::string first = "d" + axis;
        if (word == first) return fmt::format("write 'first2({}, {}, h)'", owner, axis);
        if (word == first + "2" || word == first + axis) return fmt::format("write 'second2({}, {}, h)'", owner, axis);
    }
    return {};
}

}  // namespace

std::string lengths_here(const std::vector<std::string>& axes) {
    if (axes.empty()) return "the length along an axis is 'extent(x)'";
    std::string list, product;
    for (std::size_t k = 0; k < axes.size(); ++k) {
        list += fmt::format("{}'extent({})'", k == 0 ? "" : k + 1 == axes.size() ? " and " : ", ", axes[k]);
        product += fmt::format("{}extent({})", k == 0 ? "" : "*", axes[k]);
    }
    if (axes.size() == 1) return fmt::format("write {}", list);
    return fmt::format("the lengths are {}, the number of cells '{}'", list, product);
}

std::string word_here(std::string_view word, const std::string& owner, const std::vector<std::string>& axes) {
    if (word == "shape" || word == "size" || word == "length" || word == "len") return lengths_here(axes);
    if (std::string help = derivative(word, owner, axes); !help.empty()) return help;
    if (std::string help = with_name(known_as(members, word), owner); !help.empty()) return help;
    const std::string form = form_here(word, {owner});
    return form.empty() ? std::string() : fmt::format("write '{}'", form);
}

std::string statement_here(std::string_view word, const std::string& names) {
    return with_name(known_as(statement_words, word), names);
}

bool gives_results(std::string_view word) { return statement_here(word, "").starts_with("results"); }

}  // namespace kasc::frontend
