#pragma once

#include "runtime/interface.hpp"

namespace kasc::runtime {

/// T[x,y,z], beta[x,y,z], on[t]; returns T.
inline ProgramInterface heat_program() {
    ProgramInterface program;
    program.name = "heat";
    program.stream = false;
    program.axes = {"x", "y", "z", "t"};
    program.inputs = {{"T", {}, {0, 1, 2}}, {"beta", {}, {0, 1, 2}}, {"on", {}, {3}}};
    program.outputs = {{"T", {}, {0, 1, 2}}};
    return program;
}

/// The words of a field whose cells have a shape, as inputs or outputs.
inline std::vector<ArrayInterface> cell_words(const std::string& field, const std::vector<int>& extents,
                                              const std::vector<std::string>& words, const std::vector<int>& axes,
                                              WordType type = WordType::float32) {
    std::vector<ArrayInterface> all;
    for (std::size_t word = 0; word < words.size(); ++word)
        all.push_back({field + "_" + words[word], {}, axes, type, CellWord{field, extents, word}});
    return all;
}

/// vector3 u[x,y], double T[x,y], matrix22 F[y]; returns u, T.
inline ProgramInterface flow_program() {
    ProgramInterface program;
    program.name = "flow";
    program.stream = false;
    program.axes = {"x", "y"};
    program.inputs = cell_words("u", {3}, {"x", "y", "z"}, {0, 1});
    program.inputs.push_back({"T", {}, {0, 1}, WordType::float64});
    program.outputs = program.inputs;
    for (const ArrayInterface& word : cell_words("F", {2, 2}, {"xx", "xy", "yx", "yy"}, {1}))
        program.inputs.push_back(word);
    return program;
}

/// Matrices A, a vector v and a scalar c an element; returns F (3, 3) and n (scalar).
inline ProgramInterface matrix_program() {
    ProgramInterface program;
    program.name = "matrix";
    program.stream = true;
    program.inputs = {{"A", {3, 3}, {}}, {"v", {3}, {}}, {"c", {1}, {}}};
    program.outputs = {{"F", {3, 3}, {}}, {"n", {1}, {}}};
    return program;
}

}  // namespace kasc::runtime
