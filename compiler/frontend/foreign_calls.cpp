#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "frontend/foreign_arrays.hpp"
#include "frontend/foreign_functions.hpp"
#include "frontend/foreign_parts.hpp"
#include "frontend/foreign_table.hpp"

// np.sqrt(T): functions have no modules. T.max(): values have no functions.

namespace kasc::frontend {

namespace {

bool is_module(std::string_view word) {
    static constexpr std::array<std::string_view, 20> modules{
        "random", "np", "numpy", "math", "cmath", "jnp",  "jax",    "torch", "cp",        "cupy",
        "scipy",  "sp", "tf",    "xp",   "std",   "Math", "linalg", "fft",   "itertools", "integrate"};
    return std::find(modules.begin(), modules.end(), word) != modules.end();
}

constexpr std::array<Known, 6> methods{{{"any", "any({a} > 0)"},
                                        {"all", "all({a} > 0)"},
                                        {"pow", "pow({a}, {b})"},
                                        {"at", "{a}[x = {b}]"},
                                        {"get", "{a}[x = {b}]"},
                                        {"conj", "conj({a})"}}};

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

/// How a function of another language is called here; `given` in front of what stands in the brackets at `open`.
std::string call_here(const SyntaxFault& fault, std::size_t open, std::string_view member,
                      const std::vector<std::string>& given, bool of_numpy) {
    ForeignCall call;
    call.name = member;
    call.of_numpy = of_numpy;
    call.target = text_of(fault.first);
    const std::size_t close = closing(fault.tokens, open);
    std::size_t begin = open;
    while (begin > fault.statement &&
           (is_word(word_at(fault.tokens, begin - 1)) || word_at(fault.tokens, begin - 1) == "."))
        --begin;
    call.alone = begin == fault.statement + 2 && word_at(fault.tokens, begin - 1) == "=" &&
                 word_at(fault.tokens, close + 1) == ";";
    call.axes_of = [&](const std::string& name) { return axes_in_text(fault.tokens, fault.statement, name); };
    call.target_axes = call.axes_of(call.target).value_or(std::vector<std::string>());
    for (const std::string& text : given) call.arguments.push_back({"", text});
    for (const TokenRange& part : in_brackets(fault.tokens, open)) {
        const bool named = word_at(fault.tokens, part.begin + 1) == "=" && part.end > part.begin + 2;
        call.arguments.push_back({named ? std::string(word_at(fault.tokens, part.begin)) : "",
                                  written(fault.tokens, {named ? part.begin + 2 : part.begin, part.end})});
    }
    std::vector<std::string> plain;
    for (const ForeignArgument& argument : call.arguments)
        if (argument.keyword.empty()) plain.push_back(argument.text);
    const std::size_t last = std::min(close, fault.tokens.size() - 1);
    const Span whole{fault.tokens[begin].source, fault.tokens[begin].begin, fault.tokens[last].end};
    if (std::string help = help_for_arrays(call); !help.empty()) return in_place_of(whole, std::move(help));
    const std::vector<std::string> places = with_axes(plain, call.target_axes);
    if (std::string help = sentence_here(
            member, with_axes(plain, call.axes_of(plain.empty() ? "" : plain.front()).value_or(call.target_axes)));
        !help.empty())
        return help;
    const std::string_view method = known_as(methods, member);
    std::string form = method.empty() ? form_here(member, places) : filled(method, places);
    if (form.empty()) {
        std::string all;
        for (const std::string& text : plain) all += (all.empty() ? "" : ", ") + (text.empty() ? "..." : text);
        form = fmt::format("{}({})", member, all);
    }
    return in_place_of(whole, fmt::format("write '{}'", form));
}

}  // namespace

bool report_foreign_call(const SyntaxFault& fault, Report& report) {
    if (text_of(fault.found) != "(" || fault.at < 3 || word_at(fault.tokens, fault.at - 2) != ".") return false;
    const std::string_view member = text_of(fault.previous), owner = word_at(fault.tokens, fault.at - 3);
    if (!is_word(member)) return false;
    // np.maximum.accumulate(T)
    const std::string of_function = fmt::format("{}.{}", owner, member);
    if (fault.at > 4 && word_at(fault.tokens, fault.at - 4) == "." && goes_along(of_function)) {
        report.error("K0101", "a function has no prefix", fault.previous).help =
            call_here(fault, fault.at, of_function, {}, true);
        return true;
    }
    if (is_module(owner)) {
        report.error("K0101", "a function has no prefix", fault.previous).help =
            call_here(fault, fault.at, member, {}, true);
        return true;
    }
    const std::string value = is_word(owner) ? std::string(owner) : "T";
    const std::string said = sentence(member, value);
    report.error("K0101", fmt::format("a value has no function '{}'", member), fault.previous).help =
        said.empty() ? call_here(fault, fault.at, member, {value}, true) : said;
    return true;
}

std::string help_for_keyword(const SyntaxFault& fault) {
    std::size_t depth = 0, open = fault.at;
    while (open-- > fault.statement) {
        const std::string_view text = word_at(fault.tokens, open);
        if (text == ")" || text == "]") ++depth;
        if ((text == "(" || text == "[") && depth-- == 0) break;
    }
    if (open < fault.statement + 1 || open >= fault.at || word_at(fault.tokens, open) != "(") return {};
    const std::string_view name = word_at(fault.tokens, open - 1);
    return is_word(name) ? call_here(fault, open, name, {}, false) : std::string();
}

}  // namespace kasc::frontend
