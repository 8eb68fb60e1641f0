#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "frontend/foreign_functions.hpp"
#include "frontend/foreign_parts.hpp"
#include "frontend/foreign_table.hpp"

// np.sqrt(T): functions have no modules. T.max(): values have no functions.

namespace kasc::frontend {

namespace {

bool is_module(std::string_view word) {
    static constexpr std::array<std::string_view, 18> modules{"random", "np",    "numpy", "math", "cmath",  "jnp",
                                                              "jax",    "torch", "cp",    "cupy", "scipy",  "sp",
                                                              "tf",     "xp",    "std",   "Math", "linalg", "fft"};
    return std::find(modules.begin(), modules.end(), word) != modules.end();
}

constexpr std::array<Known, 12> methods{{{"max", "maximum({a})"},
                                         {"min", "minimum({a})"},
                                         {"sum", "sum({a})"},
                                         {"prod", "product({a})"},
                                         {"mean", "mean({a})"},
                                         {"any", "any({a} > 0)"},
                                         {"all", "all({a} > 0)"},
                                         {"pow", "pow({a}, {b})"},
                                         {"at", "{a}[x = {b}]"},
                                         {"get", "{a}[x = {b}]"},
                                         {"conj", "conj({a})"},
                                         {"norm", "norm({a})"}}};

/// What no function says: the help is a sentence.
std::string sentence(std::string_view member, const std::string& owner) {
    if (member == "copy" || member == "clone") return fmt::format("an assignment copies: 'S = {};'", owner);
    if (member == "astype" || member == "to" || member == "type")
        return fmt::format("values are converted where they are assigned; 'int({0})' cuts, 'float({0})' makes reals",
                           owner);
    if (member == "append" || member == "push" || member == "push_back")
        return fmt::format("a place of a series is assigned by its number: '{}[t = n] = ...;'", owner);
    if (member == "transpose") return "axes have names: 'S = T;' with 'float S[y, x]' is the transpose of 'T[x, y]'";
    if (member == "reshape" || member == "flatten" || member == "ravel")
        return fmt::format("cells are found by their positions, as in '{}[x = i/4, y = i % 4]'", owner);
    return {};
}

bool folds(std::string_view form) {
    return form.starts_with("maximum(") || form.starts_with("minimum(") || form.starts_with("sum(") ||
           form.starts_with("product(") || form.starts_with("mean(");
}

/// How a function of another language is called here; `given` in front of what stands in its brackets.
std::string call_here(const SyntaxFault& fault, std::string_view member, std::vector<std::string> given) {
    bool along = false;
    for (const TokenRange& part : in_brackets(fault.tokens, fault.at)) {
        const std::string_view word = word_at(fault.tokens, part.begin);
        const bool axis = word_at(fault.tokens, part.begin + 1) == "=" && (word == "axis" || word.starts_with("dim"));
        along = along || axis;
        if (!axis) given.push_back(written(fault.tokens, part));
    }
    // Of two values it is that of each cell.
    if ((member == "maximum" || member == "minimum") && given.size() == 2) member = member.substr(0, 3);
    const bool of_two = (member == "max" || member == "min") && given.size() == 2;
    const std::string_view method = known_as(methods, member);
    std::string form = method.empty() || of_two ? form_here(member, given) : filled(method, given);
    if (form.empty()) {
        std::string all;
        for (const std::string& text : given) all += (all.empty() ? "" : ", ") + (text.empty() ? "..." : text);
        form = fmt::format("{}({})", member, all);
    }
    if (!along || !folds(form)) return fmt::format("write '{}'", form);
    const auto axes = axes_in_text(fault.tokens, fault.at, given.empty() ? "" : given.front());
    const std::string axis = axes && !axes->empty() ? axes->front() : "x";
    form.pop_back();
    return fmt::format("axes are named by themselves: '{}, {})'", form, axis);
}

}  // namespace

bool report_foreign_call(const SyntaxFault& fault, Report& report) {
    if (text_of(fault.found) != "(" || fault.at < 3 || word_at(fault.tokens, fault.at - 2) != ".") return false;
    const std::string_view member = text_of(fault.previous), owner = word_at(fault.tokens, fault.at - 3);
    if (!is_word(member)) return false;
    if (is_module(owner)) {
        report.error("K0101", "a function has no prefix", fault.previous).help = call_here(fault, member, {});
        return true;
    }
    const std::string value = is_word(owner) ? std::string(owner) : "T";
    const std::string said = sentence(member, value);
    report.error("K0101", fmt::format("a value has no function '{}'", member), fault.previous).help =
        said.empty() ? call_here(fault, member, {value}) : said;
    return true;
}

}  // namespace kasc::frontend
