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
