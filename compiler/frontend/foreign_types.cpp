#include "frontend/foreign_types.hpp"

#include "foundation/cell_type.hpp"
#include "frontend/foreign_table.hpp"

namespace kasc::frontend {

namespace {

constexpr std::array<Known, 46> foreign_types{{{"float32", "float"},      {"float32_t", "float"},
                                               {"single", "float"},       {"real", "float"},
                                               {"real32", "float"},       {"Float32", "float"},
                                               {"f32", "float"},          {"float64", "double"},
                                               {"float64_t", "double"},   {"real64", "double"},
                                               {"real8", "double"},       {"Float64", "double"},
                                               {"f64", "double"},         {"double precision", "double"},
                                               {"long double", "double"}, {"float16", "half"},
                                               {"Float16", "half"},       {"f16", "half"},
                                               {"__half", "half"},        {"integer", "int"},
                                               {"int32", "int"},          {"int32_t", "int"},
                                               {"Int32", "int"},          {"i32", "int"},
                                               {"signed", "int"},         {"unsigned", "int"},
                                               {"unsigned int", "int"},   {"uint", "int"},
                                               {"uint32", "int"},         {"uint32_t", "int"},
                                               {"long", "int64"},         {"long long", "int64"},
                                               {"long int", "int64"},     {"int64_t", "int64"},
                                               {"Int64", "int64"},        {"size_t", "int64"},
                                               {"short", "int"},          {"int16", "int"},
                                               {"char", "uint8"},         {"unsigned char", "uint8"},
                                               {"uint8_t", "uint8"},      {"bool", "uint8"},
                                               {"boolean", "uint8"},      {"logical", "uint8"},
                                               {"complex64", "complex"},  {"complex128", "double_complex"}}};

constexpr std::array<Known, 4> type_differences{{{"bool", ": 1 where it holds, else 0"},
                                                 {"boolean", ": 1 where it holds, else 0"},
                                                 {"logical", ": 1 where it holds, else 0"},
                                                 {"real", ", or 'double'"}}};

}  // namespace

bool is_type_here(std::string_view word) { return find_cell_type(word).has_value(); }

std::string_view type_here(std::string_view foreign_type) { return known_as(foreign_types, foreign_type); }

std::string_view parameter_type_here(std::string_view type) {
    const std::string_view here = type_here(type).empty() ? type : type_here(type);
    if (here == "uint8" || here == "int64") return "int";
    if (here == "half" || here == "bfloat16") return "float";
    return here == "int" || here == "float" || here == "double" ? here : std::string_view();
}

std::string_view parameter_differs(std::string_view type) {
    const std::string_view here = type_here(type).empty() ? type : type_here(type);
    return here == "int64" ? ": parameters have 32 bits" : type_differs(type);
}

std::string_view type_differs(std::string_view foreign_type) { return known_as(type_differences, foreign_type); }

}  // namespace kasc::frontend
