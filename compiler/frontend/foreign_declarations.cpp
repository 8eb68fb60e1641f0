#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "frontend/foreign_blocks.hpp"
#include "frontend/foreign_parts.hpp"
#include "frontend/foreign_table.hpp"
#include "frontend/foreign_types.hpp"

// Declarations as C, Fortran and Python write them: types of two words, values of fields, boundaries without their
// word.

namespace kasc::frontend {

namespace {

bool is_qualifier(std::string_view word) {
    static constexpr std::array<std::string_view, 9> words{"const", "static",   "auto", "var",   "constexpr",
                                                           "final", "constant", "val",  "extern"};
    return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_face(std::string_view word) {
    return word == "periodic" || word == "mirror" || word == "keep" || word == "value";
}

/// The '[' of the statement before; its first token: there is none.
std::size_t opening(const SyntaxFault& fault, std::size_t bracket) {
    while (bracket > fault.statement && word_at(fault.tokens, bracket) != "[") --bracket;
    return bracket;
}

/// Some statement below assigns to the name.
bool is_assigned_below(const SyntaxFault& fault, std::string_view name) {
    for (std::size_t i = fault.at; i + 2 < fault.tokens.size(); ++i) {
        const std::string_view before = word_at(fault.tokens, i), sign = word_at(fault.tokens, i + 2);
        const bool begins = before == ";" || before == "{" || before == "}";
        if (begins && word_at(fault.tokens, i + 1) == name && (sign == "=" || sign == "+=")) return true;
    }
    return false;
}

/// float k = 3;    const float k = 3;    double T = 0;
std::string help_for_number(const SyntaxFault& fault, std::size_t name) {
    const std::string_view called = word_at(fault.tokens, name);
    const std::string_view type = name > fault.statement ? word_at(fault.tokens, name - 1) : std::string_view();
    const std::string value = shown(fault, {name + 2, next_sign(fault, name + 2, ",")}, "3");
    const std::string_view of_field = is_type_here(type) ? type : type_here(type);
    if (!of_field.empty() && is_assigned_below(fault, called))
        return fmt::format("what statements compute is a field, '{} {}[];', and begins among them: '{} = {};'",
                           of_field, called, called, value);
    const std::string_view of_parameter = parameter_type_here(type);
    bool number = true;  // of what a parameter may be computed of is known to no text
    const std::size_t end = next_sign(fault, name + 2, ",");
    for (std::size_t i = name + 2; i < end; ++i) number = number && !is_word(word_at(fault.tokens, i));
    if (!number) return fmt::format("a name for an expression is 'let {} = {};'", called, value);
    const std::string entries = shown(fault, {name, next_sign(fault, name)}, fmt::format("{} = {}", called, value));
    if (!of_field.empty() && of_parameter.empty())
        return fmt::format("a constant is a name: 'let {} = {};'", called, value);
    return fmt::format("a number that a run may set is 'param {} {};', a name for one 'let {} = {};'",
                       of_parameter.empty() ? "float" : of_parameter, entries, called, value);
}

/// float T[x] periodic;    float T[x] = mirror;    float T[x] (x: mirror);
std::string help_for_face(const SyntaxFault& fault) {
    const bool equals = text_of(fault.previous) == "=";
    const std::size_t bracket = fault.at - (equals ? 2 : 1);
    const std::string_view found = text_of(fault.found);
    const bool sign = found == "-" && word_at(fault.tokens, fault.at + 1) == "mirror";
    const bool faces =
        found == "(" && (is_face(word_at(fault.tokens, fault.at + 1)) || word_at(fault.tokens, fault.at + 2) == ":");
    if (word_at(fault.tokens, bracket) != "]" || !(is_face(found) || sign || faces)) return {};
    const std::size_t open = opening(fault, bracket);
    std::string field = open > fault.statement ? written(fault.tokens, {open - 1, bracket + 1}) : std::string();
    if (field.empty()) field = "T[x]";
    std::size_t end = fault.at + (sign ? 2 : 1);
    if (faces || word_at(fault.tokens, end) == "(")
        end = std::min(closing(fault.tokens, faces ? fault.at : end) + 1, fault.tokens.size());
    return fmt::format("write '{} boundary {}'", field, shown(fault, {fault.at, end}, "mirror"));
}

/// param dt = 0.1;    param float T[x];
std::string help_for_parameter(const SyntaxFault& fault) {
    const std::string_view type = word_at(fault.tokens, fault.statement + 1);
    if (text_of(fault.found) == "[" && fault.at == fault.statement + 3)
        return fmt::format("a parameter is one number; a field is declared '{0} {1};' and given by 'input {2};'", type,
                           shown(fault, {fault.at - 1, closing(fault.tokens, fault.at) + 1}, "T[x]"),
                           text_of(fault.previous));
    const bool typed = is_type_here(type) || !type_here(type).empty();
    if (typed || !is_word(type)) return {};
    const std::string rest = shown(fault, {fault.statement + 1, next_sign(fault, fault.statement + 1)}, "dt = 0.1");
    return fmt::format("a parameter has a type: 'param float {0};' or 'param int {0};'", rest);
}

/// boundary dirichlet(0)    boundary = mirror
std::string help_for_boundary(const SyntaxFault& fault) {
    static constexpr std::array<Known, 16> faces{{{"dirichlet", "value(0)"},
                                                  {"zero", "value(0)"},
                                                  {"zeros", "value(0)"},
                                                  {"constant", "value(0)"},
                                                  {"fixed", "keep(1)"},
                                                  {"neumann", "mirror"},
                                                  {"reflect", "mirror"},
                                                  {"reflecting", "mirror"},
                                                  {"symmetric", "mirror"},
                                                  {"insulated", "mirror"},
                                                  {"antisymmetric", "-mirror"},
                                                  {"wrap", "periodic"},
                                                  {"cyclic", "periodic"},
                                                  {"edge", "keep(0)"},
                                                  {"nearest", "keep(0)"},
                                                  {"clamp", "keep(0)"}}};
    const std::string_view found = text_of(fault.found);
    if (found == "=")
        return fmt::format("write 'boundary {}'",
                           shown(fault, {fault.at + 1, next_sign(fault, fault.at + 1, ",")}, "mirror"));
    const std::string_view face = known_as(faces, found);
    if (face.empty()) return {};
    const bool given = face == "value(0)" && word_at(fault.tokens, fault.at + 1) == "(";
    const std::string value = given ? shown(fault, {fault.at + 2, closing(fault.tokens, fault.at + 1)}, "0") : "0";
    return given ? fmt::format("write 'value({})'", value) : fmt::format("write '{}'", face);
}

/// real, dimension(100) :: T    integer :: n
std::string help_for_colons(const SyntaxFault& fault) {
    const std::string_view first = text_of(fault.first);
    const std::string_view type = is_type_here(first) ? first : type_here(first);
    for (std::size_t i = fault.statement; !type.empty() && i + 2 < line_end(fault.tokens, fault.statement); ++i) {
        if (word_at(fault.tokens, i) != ":" || word_at(fault.tokens, i + 1) != ":") continue;
        return fmt::format("a field is '{0} {1}[x];', a number of a run 'param {2} {1};'", type,
                           word_at(fault.tokens, i + 2),
                           parameter_type_here(type).empty() ? "float" : parameter_type_here(type));
    }
    return {};
}

/// unsigned int T[x];    double precision T[x];    real, dimension(100) :: T
std::string help_for_type(const SyntaxFault& fault) {
    const std::string two = shown(fault, {fault.statement, fault.statement + 2}, "");
    const std::string_view first = text_of(fault.first);
    std::string_view type = type_here(two);
    if (type.empty() && fault.at > fault.statement && (is_qualifier(first) || !type_here(first).empty())) {
        const std::string_view second = word_at(fault.tokens, fault.statement + 1);
        type = is_type_here(second) ? second : !type_here(second).empty() ? type_here(second) : type_here(first);
    }
    if (type.empty() && is_type_here(first) && fault.at == fault.statement + 1) type = first;
    if (type.empty()) return {};
    const bool named = fault.at == fault.statement + 2 && is_word(text_of(fault.found));
    const std::string name = named ? shown(fault, {fault.at, next_sign(fault, fault.at, ",")}, "T[x]") : "T[x]";
    return fmt::format("write '{} {}{}'", type, name, name.find('[') == std::string::npos ? "[x]" : "");
}

/// The type of a field that the text declares.
std::string_view type_in_text(const SyntaxFault& fault, std::string_view field) {
    for (std::size_t i = 1; i + 1 < fault.statement; ++i) {
        if (word_at(fault.tokens, i) != field || word_at(fault.tokens, i + 1) != "[") continue;
        while (i > 0 && word_at(fault.tokens, i - 1) != ";") --i;
        return word_at(fault.tokens, i);
    }
    return {};
}

/// u min= T;    hist[b = m] min= T;
std::string help_for_extreme(const SyntaxFault& fault) {
    const bool behind = text_of(fault.found) == "=";
    const std::size_t at = behind ? fault.at - 1 : fault.at;  // of 'min'
    const std::string_view word = word_at(fault.tokens, at);
    if (at < fault.statement + 1 || (word != "min" && word != "max") || word_at(fault.tokens, at + 1) != "=") return {};
    const std::string target = shown(fault, {fault.statement, at}, "T");
    const std::string value = shown(fault, {at + 2, next_sign(fault, at + 2)}, "...");
    const std::string plain = fmt::format("write '{0} = {1}({0}, {2});'", target, word, value);
    if (word_at(fault.tokens, fault.statement + 1) != "[") return plain;
    const std::string name(text_of(fault.first));
    const std::vector<TokenRange> places = in_brackets(fault.tokens, fault.statement + 1);
    std::string condition, axes;
    for (const TokenRange& place : places) {
        if (word_at(fault.tokens, place.begin + 1) != "=") return plain;
        const std::string position = written(fault.tokens, {place.begin + 2, place.end});
        const auto entries = axes_in_text(fault.tokens, fault.statement, position);
        if (!entries || entries->empty()) return plain;
        condition +=
            fmt::format("{}{} == {}", condition.empty() ? "" : " && ", position, word_at(fault.tokens, place.begin));
        axes.clear();
        for (const std::string& axis : *entries) axes += ", " + axis;
    }
    const std::string_view type = type_in_text(fault, name);
    const std::string most = type == "int" || type == "int64" ? "2147483647" : type == "uint8" ? "255" : "3e38";
    return fmt::format("write '{0} = {1}({0}, {1}imum({2} ? {3} : {4}{5}));'", name, word, condition, value,
                       word == "max" ? type == "uint8" ? "0" : "-" + most : most, axes);
}

}  // namespace

std::string help_for_declaration(const SyntaxFault& fault) {
    if (std::string help = help_for_extreme(fault); !help.empty()) return help;
    if (text_of(fault.first) == "axis" && text_of(fault.found) == ":" && fault.at > fault.statement + 3) {
        const std::string axis(word_at(fault.tokens, fault.statement + 1));
        const std::string_view low = text_of(fault.previous), high = word_at(fault.tokens, fault.at + 1);
        const bool from_one = low == "1", from_none = low == "0";
        return fmt::format("the cells of an axis are numbered from 0: 'axis {0} = {1}{2};'{3}", axis, high,
                           from_one    ? ""
                           : from_none ? " + 1"
                                       : fmt::format(" - {} + 1", low),
                           from_none ? "" : fmt::format(", and '{} + {}' counts from there", axis, low));
    }
    if (text_of(fault.previous) == "in" && text_of(fault.found) == "(" && text_of(fault.first) != "for") {
        const std::string all = shown(fault, {fault.statement, closing(fault.tokens, fault.at) + 1}, "a in (x, y)");
        return fmt::format("a block for each entry is written 'for {} {{ ... }}'", all);
    }
    if (std::string help = help_for_colons(fault); !help.empty()) return help;
    if (text_of(fault.first) == "param") return help_for_parameter(fault);
    if (fault.rule == SyntaxRule::boundary) return help_for_boundary(fault);
    if (fault.rule == SyntaxRule::item && text_of(fault.found) == "*" && is_type_here(text_of(fault.first)))
        return fmt::format("a field has axes: '{} {}[x];'", text_of(fault.first),
                           is_word(word_at(fault.tokens, fault.at + 1)) ? word_at(fault.tokens, fault.at + 1) : "T");
    if (fault.rule != SyntaxRule::declaration && fault.rule != SyntaxRule::table && fault.rule != SyntaxRule::indices)
        return {};
    const std::string_view first = text_of(fault.first), found = text_of(fault.found),
                           previous = text_of(fault.previous);
    if (found == "]" || fault.at < fault.statement + 1) return {};
    if (std::string help = help_for_face(fault); !help.empty()) return help;
    if (fault.rule == SyntaxRule::indices) return {};
    if (fault.rule == SyntaxRule::table) {
        if (previous != "=" || word_at(fault.tokens, fault.at - 2) != "]") return {};
        const std::size_t open = opening(fault, fault.at - 2);
        const std::string_view sign = text_of(fault.found);
        const std::size_t close = sign == "[" || sign == "(" ? closing(fault.tokens, fault.at) : fault.at;
        if (close > fault.at + 1)
            return fmt::format("a table is in braces: '{} = {{{}}};'", shown(fault, {open - 1, fault.at - 1}, "w[q]"),
                               shown(fault, {fault.at + 1, close}, "1, 4, 1"));
        return fmt::format(
            "cells are assigned by a statement, '{} = {};'; a table of constants is in braces, '{{1, 4, 1}}'",
            word_at(fault.tokens, open - 1), shown(fault, {fault.at, next_sign(fault, fault.at, ",")}, "0"));
    }
    const std::size_t after_type = fault.statement + 2;
    if (found == "=" && fault.at == after_type &&
        (is_type_here(first) || !type_here(first).empty() || is_qualifier(first)))
        return help_for_number(fault, fault.at - 1);
    if (is_qualifier(first) && is_word(found) && word_at(fault.tokens, fault.at + 1) == "=")
        return help_for_number(fault, fault.at);
    const std::size_t close = found == "(" ? closing(fault.tokens, fault.at) : fault.at;
    const std::string_view behind = word_at(fault.tokens, close + 1);
    if (found == "(" && fault.at == after_type && is_type_here(first) && (behind == ";" || behind == ",")) {
        std::string axes;
        for (const TokenRange& part : in_brackets(fault.tokens, fault.at))
            axes +=
                (axes.empty() ? "" : ", ") + (part.end == part.begin + 1 && is_word(word_at(fault.tokens, part.begin))
                                                  ? written(fault.tokens, part)
                                                  : "x");
        return fmt::format(
            "the axes of a field stand in brackets: '{0} {1}[{2}];'; a function is written 'function {1}(u) = u*u;'",
            first, previous, axes);
    }
    if (found == "(" && fault.at == after_type && (is_type_here(first) || first == "void" || first == "def"))
        return function_here(fault.tokens, fault.at - 1);
    return help_for_type(fault);
}

}  // namespace kasc::frontend
