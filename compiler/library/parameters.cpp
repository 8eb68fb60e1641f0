// d_svmul3_1_load_1(vector3 v, float *s_v, int tx, int ty, int bx): two arrays, then the coordinates tx, ty, bx.

#include "library/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "library/definitions.hpp"

namespace kasc::library {

namespace {

constexpr std::array<std::string_view, 6> coordinate_names{"tx", "ty", "tz", "bx", "by", "bz"};

std::optional<Coordinate> coordinate(std::string_view name) {
    const auto found = std::find(coordinate_names.begin(), coordinate_names.end(), name);
    if (found == coordinate_names.end()) return std::nullopt;
    return static_cast<Coordinate>(found - coordinate_names.begin());
}

std::string_view name_of(Coordinate c) { return coordinate_names[static_cast<std::size_t>(c)]; }

bool is_coordinate(const CodeParameter& parameter) {
    return !parameter.pointer && coordinate(parameter.words.back()) &&
           std::find(parameter.words.begin(), parameter.words.end(), "int") != parameter.words.end();
}

std::string list(const std::vector<Coordinate>& coordinates) {
    std::string text;
    for (const Coordinate c : coordinates) text += (text.empty() ? "" : ", ") + std::string(name_of(c));
    return text.empty() ? "none" : text;
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

bool same_name(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

std::vector<Coordinate> coordinates_of(const CodeFunction& function) {
    std::vector<Coordinate> coordinates;
    for (auto p = function.parameters.rbegin(); p != function.parameters.rend() && is_coordinate(*p); ++p) {
        coordinates.insert(coordinates.begin(), *coordinate(p->words.back()));
        if (coordinates.size() == coordinate_names.size()) break;
    }
    return coordinates;
}

void check_parameters(const CodeFunction& function, std::size_t arrays, Faults& faults) {
    const std::size_t others = function.parameters.size() - coordinates_of(function).size();
    if (others == arrays) return;
    faults.add("K0317", function.name_span,
               fmt::format("'{}' takes {}, it should take {}", function.name, counted(others, "array"), arrays), "",
               "a load takes the global and the shared array, a save the shared and the global one, a compute one an "
               "argument and one for the result; then thread coordinates: int tx, int ty, …");
}

void check_coordinates(const CodeFunction& function, const Entry& others, Faults& faults) {
    std::vector<Coordinate> named;
    for (const Word& word : read_list(others, faults)) {
        const auto c = coordinate(word.text);
        if (!c && !word.text.empty()) {
            faults.add("K0308", word.span, "this is no thread coordinate", "",
                       "the coordinates are tx, ty, tz, bx, by, bz");
        }
        if (!c) return;
        named.push_back(*c);
    }
    const std::vector<Coordinate> taken = coordinates_of(function);
    if (named == taken) return;
    faults.add(
        "K0317", others.value_span, fmt::format("'{}' takes the coordinates: {}", function.name, list(taken)),
        "does not agree",
        fmt::format("write 'Other parameters ={}{}'", taken.empty() ? "" : " ", taken.empty() ? "" : list(taken)),
        Note{function.name_span, "the function is here"});
}

std::optional<Diagnostic> global_parameter_fault(const CodeParameter& parameter, const Word& type) {
    if (parameter.words.empty()) return std::nullopt;  // check_parameters has said so
    const bool typed = std::any_of(parameter.words.begin(), parameter.words.end() - 1, [&](const std::string& word) {
        return same_name(word, type.text) || (word == "float" && parameter.pointer);
    });
    if (typed) return std::nullopt;
    Diagnostic d = fault("K0317", parameter.span, fmt::format("this parameter should have the type '{}'", type.text),
                         "", "the type of a global array is the 'Data type' of its metadata");
    d.notes.push_back({type.span, "the data type is named here"});
    return d;
}

DeviceFunction device_function(const CodeFunction& code) {
    return {code.name, std::string(text_of(code.span)), code.span, coordinates_of(code)};
}

}  // namespace kasc::library
