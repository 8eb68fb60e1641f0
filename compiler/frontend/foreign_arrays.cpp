#include "frontend/foreign_arrays.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "frontend/foreign_functions.hpp"
#include "frontend/foreign_table.hpp"
#include "frontend/token_words.hpp"

namespace kasc::frontend {

namespace {

using AxisNames = std::vector<std::string>;

/// {a} is what is folded, {k} the axes with a comma before each.
constexpr std::array<Known, 24> folds{{{"sum", "sum({a}{k})"},
                                       {"mean", "mean({a}{k})"},
                                       {"average", "mean({a}{k})"},
                                       {"prod", "product({a}{k})"},
                                       {"product", "product({a}{k})"},
                                       {"max", "maximum({a}{k})"},
                                       {"amax", "maximum({a}{k})"},
                                       {"nanmax", "maximum({a}{k})"},
                                       {"maximum", "maximum({a}{k})"},
                                       {"maxval", "maximum({a}{k})"},
                                       {"min", "minimum({a}{k})"},
                                       {"amin", "minimum({a}{k})"},
                                       {"nanmin", "minimum({a}{k})"},
                                       {"minimum", "minimum({a}{k})"},
                                       {"minval", "minimum({a}{k})"},
                                       {"argmax", "argmax({a}{k})"},
                                       {"argmin", "argmin({a}{k})"},
                                       {"norm", "norm({a}{k})"},
                                       {"count_nonzero", "count({a} != 0{k})"},
                                       {"std", "sqrt(mean(({a} - mean({a}{k}))*({a} - mean({a}{k})){k}))"},
                                       {"var", "mean(({a} - mean({a}{k}))*({a} - mean({a}{k})){k})"},
                                       {"nansum", "sum({a} == {a} ? {a} : 0{k})"},
                                       {"nanmean", "sum({a} == {a} ? {a} : 0{k})/count({a} == {a}{k})"},
                                       {"ptp", "maximum({a}{k}) - minimum({a}{k})"}}};

/// {k} is an axis.
constexpr std::array<Known, 14> along{
    {{"roll", "{a}[{k} = ({k} - {b} + extent({k})) % extent({k})]"},
     {"circshift", "{a}[{k} = ({k} - {b} + extent({k})) % extent({k})]"},
     {"cshift", "{a}[{k} = ({k} + {b} + extent({k})) % extent({k})]"},
     {"flip", "{a}[{k} = extent({k}) - 1 - {k}]"},
     {"reverse", "{a}[{k} = extent({k}) - 1 - {k}]"},
     {"diff", "{a}[{k} = {k} + 1] - {a}"},
     {"gradient", "({a}[{k} = {k} + 1] - {a}[{k} = {k} - 1])/({k} > 0 && {k} < extent({k}) - 1 ? 2 : 1)"},
     {"trapz", "sum({a}, {k}) - ({a}[{k} = 0] + {a}[{k} = extent({k}) - 1])/2"},
     {"trapezoid", "sum({a}, {k}) - ({a}[{k} = 0] + {a}[{k} = extent({k}) - 1])/2"},
     {"take", "{a}[{k} = {b}]"},
     {"fftshift", "{a}[{k} = ({k} + (extent({k}) + 1)/2) % extent({k})]"},
     {"ifftshift", "{a}[{k} = ({k} + extent({k})/2) % extent({k})]"},
     {"sort",
      "rank = count({a}[{k} = i] < {a} || ({a}[{k} = i] == {a} && i < {k}), i); {u} = {a}; {u}[{k} = rank] = {a};"},
     {"softmax", "exp({a} - maximum({a}, {k}))/sum(exp({a} - maximum({a}, {k})), {k})"}}};

/// {k} is an axis with a comma before it, {x} the axis alone. Those of the language stand here for numbers of axes.
constexpr std::array<Known, 25> running{{{"running_sum", "running_sum({a}{k})"},
                                         {"running_product", "running_product({a}{k})"},
                                         {"running_minimum", "running_minimum({a}{k})"},
                                         {"running_maximum", "running_maximum({a}{k})"},
                                         {"cumsum", "running_sum({a}{k})"},
                                         {"nancumsum", "running_sum({a} == {a} ? {a} : 0{k})"},
                                         {"cumulative_sum", "running_sum({a}{k})"},
                                         {"cumulative_prod", "running_product({a}{k})"},
                                         {"prefix_sum", "running_sum({a}{k})"},
                                         {"suffix_sum", "running_sum({a}, -{x})"},
                                         {"scan", "running_sum({a}{k})"},
                                         {"inclusive_scan", "running_sum({a}{k})"},
                                         {"exclusive_scan", "running_sum({a}{k}) - {a}"},
                                         {"partial_sum", "running_sum({a}{k})"},
                                         {"accumulate", "running_sum({a}{k})"},
                                         {"cumprod", "running_product({a}{k})"},
                                         {"nancumprod", "running_product({a} == {a} ? {a} : 1{k})"},
                                         {"cummax", "running_maximum({a}{k})"},
                                         {"cummin", "running_minimum({a}{k})"},
                                         {"add.accumulate", "running_sum({a}{k})"},
                                         {"multiply.accumulate", "running_product({a}{k})"},
                                         {"maximum.accumulate", "running_maximum({a}{k})"},
                                         {"minimum.accumulate", "running_minimum({a}{k})"},
                                         {"cumtrapz", "running_sum({a}{k}) - ({a} + {a}[{x} = 0])/2"},
                                         {"cumulative_trapezoid", "running_sum({a}{k}) - ({a} + {a}[{x} = 0])/2"}}};

/// As it is: nothing of it becomes a factor.
std::string with(std::string text, std::string_view place, const std::string& by) {
    for (std::size_t at = text.find(place); at != std::string::npos; at = text.find(place, at + by.size()))
        text.replace(at, place.size(), by);
    return text;
}

bool is_integer(const std::string& text) {
    const std::size_t digit = text.starts_with('-') ? 1 : 0;
    return text.size() > digit && text.size() < 6 &&
           std::all_of(text.begin() + static_cast<std::ptrdiff_t>(digit), text.end(),
                       [](unsigned char c) { return std::isdigit(c) != 0; });
}

/// The axes of the field in the text that has the most; none: there is no field, or two differ.
std::optional<AxisNames> axes_in(const ForeignCall& call, const std::string& text) {
    std::optional<AxisNames> most;
    for (std::size_t i = 0; i < text.size();) {
        std::size_t end = i;
        while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_'))
            ++end;
        const auto axes = end > i ? call.axes_of(text.substr(i, end - i)) : std::nullopt;
        if (axes && (!most || axes->size() > most->size())) most = axes;
        i = std::max(end, i + 1);
    }
    return most && !most->empty() ? most : std::nullopt;
}

/// The axes that a call names: with the keyword, or by the number at `place`.
struct Chosen {
    AxisNames axes;       ///< empty: none is named
    bool unsure = false;  ///< whose numbers they are is not known: any of the axes may be meant
};

std::vector<std::string> numbers_of(std::string text) {
    if (text.starts_with('(') && text.ends_with(')')) text = text.substr(1, text.size() - 2);
    std::vector<std::string> all(1);
    for (const char c : text) {
        if (c == ',')
            all.emplace_back();
        else if (c != ' ')
            all.back() += c;
    }
    if (all.back().empty()) all.pop_back();
    return all;
}

Chosen chosen_axes(const ForeignCall& call, std::size_t place, const AxisNames& axes) {
    std::string keyword, text;
    std::size_t plain = 0;
    for (const ForeignArgument& argument : call.arguments) {
        if (argument.keyword.empty() && plain++ == place) text = argument.text;
        if (argument.keyword == "axis" || argument.keyword == "axes" || argument.keyword.starts_with("dim"))
            keyword = argument.keyword, text = argument.text;
    }
    if (text.empty()) return {};
    Chosen chosen;
    const auto count = static_cast<int>(axes.size());
    const bool columns = call.name == "circshift" || call.name == "cshift" || keyword == "dims";
    for (const std::string& number : numbers_of(text)) {
        if (std::find(axes.begin(), axes.end(), number) != axes.end()) {
            chosen.axes.push_back(number);
            continue;
        }
        if (!is_integer(number)) return {{}, true};
        const int value = std::atoi(number.c_str());
        const bool numpy = !columns && (call.of_numpy || keyword.starts_with("ax") || value <= 0);
        if (!numpy && !columns && count > 1) return {{}, true};
        const int from_first = columns ? value - 1 : numpy ? (value < 0 ? -value - 1 : count - 1 - value) : 0;
        if (from_first < 0 || from_first >= count) return {{}, true};
        chosen.axes.push_back(axes[static_cast<std::size_t>(from_first)]);
    }
    return chosen;
}

std::string argument_text(const ForeignCall& call, std::size_t number) {
    std::size_t plain = 0;
    for (const ForeignArgument& argument : call.arguments)
        if (argument.keyword.empty() && plain++ == number) return argument.text;
    return {};
}

std::string keyword_of(const ForeignCall& call, std::string_view keyword) {
    for (const ForeignArgument& argument : call.arguments)
        if (argument.keyword == keyword) return argument.text;
    return {};
}

std::string fold_here(const ForeignCall& call, std::string_view form, const std::string& folded, const AxisNames& axes,
                      const Chosen& chosen) {
    const auto with_axes = [&](const AxisNames& named) {
        std::string list;
        for (const std::string& axis : named) list += ", " + axis;
        const std::string places = with(std::string(form), "{k}", list);
        return filled(with(places, "{x}", named.empty() ? "x" : named.front()), {folded});
    };
    const bool moments = form.find("- mean(") != std::string_view::npos;
    const std::string as = moments && !call.of_numpy ? "; of n cells, where others divide by n - 1" : "";
    if (!chosen.unsure) return fmt::format("write '{}'{}", with_axes(chosen.axes), as);
    std::string choices;
    for (std::size_t k = 0; k < axes.size(); ++k)
        choices += fmt::format("{}'{}'", k == 0 ? "" : k + 1 == axes.size() ? " or " : ", ", with_axes({axes[k]}));
    return choices.empty() ? fmt::format("axes have names: '{}'", with_axes({"x"}))
                           : fmt::format("axes have names: {}{}", choices, as);
}

/// The form of a product of matrices, or of one with vectors; empty: what is multiplied is no field.
std::string matrix_product(const ForeignCall& call) {
    constexpr const char* form = "'sum(A*B, k)' of 'A[i, k]' and 'B[k, j]'";
    const std::string left = argument_text(call, 0), right = argument_text(call, 1);
    const auto first = call.axes_of(left), second = call.axes_of(right);
    if (!first || !second || first->empty() || second->empty()) {
        const bool matrices = call.name == "matmul" || call.name == "mm";
        return matrices && (first || left.empty() || call.of_numpy)
                   ? fmt::format("a product of matrices is summed along the axis that both have: {}", form)
                   : std::string();
    }
    AxisNames common;
    for (const std::string& axis : *first)
        if (std::find(second->begin(), second->end(), axis) != second->end()) common.push_back(axis);
    if (common.size() == 1 && first->size() == 1 && second->size() == 1)
        return fmt::format("write 'sum({}*{})'", left, right);
    if (common.size() == 1)
        return fmt::format("write 'sum({}*{}, {})': it folds the axis that both have", left, right, common.front());
    return fmt::format("a product of matrices folds the one axis that both have, {}: '{}' and '{}' have {}", form, left,
                       right, common.empty() ? "none in common" : "the same axes, so declare one with others");
}

/// Along one axis: where there are several, and none is named, others go through all cells in a row.
std::string running_here(const ForeignCall& call, std::string_view form, const std::string& given,
                         const AxisNames& axes) {
    Chosen chosen = chosen_axes(call, 1, axes);
    if (chosen.axes.empty() && axes.size() > 1) chosen.unsure = true;
    if (chosen.axes.size() != 1 && !chosen.unsure) chosen.axes = {axes.empty() ? "x" : axes.front()};
    const bool trapezia = form.find("[{x} = 0]") != std::string_view::npos;
    const std::string subject = given.empty() ? "..." : !trapezia || call.axes_of(given) ? given : "S";
    const std::string step = trapezia ? keyword_of(call, "dx") : std::string();
    const std::string scaled = step.empty() ? std::string(form) : filled("{a}*(", {step}) + std::string(form) + ")";
    std::string help = fold_here(call, scaled, subject, axes, chosen);
    if (subject != given && !given.empty()) help += fmt::format(", of a field 'S = {};'", given);
    return help;
}

}  // namespace

bool goes_along(std::string_view name) { return !known_as(running, name).empty(); }

std::string help_for_arrays(const ForeignCall& call) {
    const std::string& name = call.name;
    const std::string first = argument_text(call, 0);
    const AxisNames axes = axes_in(call, first).value_or(AxisNames());
    const bool field = call.axes_of(first).has_value();
    if (name == "matmul" || name == "mm" || name == "dot" || name == "mul") return matrix_product(call);
    if (const std::string_view form = known_as(folds, name); !form.empty()) {
        const Chosen chosen = chosen_axes(call, 1, axes);
        const std::string second = argument_text(call, 1);
        const bool of_two = name == "maximum" || name == "minimum", extreme = of_two || name == "max" || name == "min";
        if (extreme && !second.empty() && (of_two || !is_integer(second))) {
            const std::string two = fmt::format("'{}({}, {})'", name.substr(0, 3), first, second);
            if (call.of_numpy || !is_integer(second)) return "write " + two;
            return fmt::format("of two numbers write {}; {}", two, fold_here(call, form, first, axes, {{}, true}));
        }
        return fold_here(call, form, first, axes, chosen);
    }
    std::string axis = axes.empty() ? "x" : axes.front();
    if (const std::string_view form = known_as(running, name); !form.empty())
        return running_here(call, form, first, axes);
    std::string form(known_as(along, name));
    if (form.empty()) return {};
    const bool moves = form.find("{b}") != std::string::npos;
    const Chosen chosen = chosen_axes(call, moves || name == "diff" ? 2 : 1, axes);
    // NumPy folds the last of its axes, which is the first here; MATLAB the first.
    if (chosen.axes.size() == 1) axis = chosen.axes.front();
    std::string moved = argument_text(call, 1);
    if (moved.starts_with('-')) form = with(form, "- {b}", "+ {b}"), moved = moved.substr(1);
    if (name == "flip" && chosen.axes.empty() && axes.size() > 1) {
        std::string places;
        for (const std::string& each : axes)
            places += fmt::format("{0}{1} = extent({1}) - 1 - {1}", places.empty() ? "" : ", ", each);
        return fmt::format("write '{}[{}]'", first, places);
    }
    const std::string subject = field || first.empty() ? first : "S";
    std::string text = with(with(form, "{k}", axis), "{u}", call.alone ? call.target : "R");
    text = filled(text, {subject, moved});
    const std::string step = keyword_of(call, "dx");
    if (name.starts_with("trap") && !step.empty()) text = filled("{a}*(", {step}) + text + ")";
    std::string help = fmt::format("write '{}'", text);
    if (name == "sort") help = fmt::format("with 'int rank[{0}]; axis i = extent({0});': '{1}'", axis, text);
    if (name == "diff") help += ", 0 at the last cell, which has no next";
    if (chosen.unsure || (axes.size() > 1 && chosen.axes.empty()))
        help += fmt::format(", along {} or another axis", axis);
    if (!field && !first.empty()) help += fmt::format(", of a field 'S = {};'", first);
    return help;
}

}  // namespace kasc::frontend
