#pragma once
// Block programs that no search finds yet, made by hand, each with a program that says what its kernel computes:
//
//   two_steps   a tile with a halo of two cells; a step of it with a halo of one; a step of that
//   sum_of_rows values that are stored and folded by the block that computes them
//   transform   a line of 16 points by four threads: four points each, an exchange, four points each
#include <string>

#include "block/block_program.hpp"
#include "kernel/kernel.hpp"

namespace kasc::test {

struct HandMadeBlock {
    std::string name, text;           ///< the program: fields in and out in the order of the arrays
    std::vector<std::string> arrays;  ///< names of the kernel's parameters: inputs, then outputs
    std::vector<std::pair<std::string, int>> extents;
    int barriers = 0;
    block::BlockProgram block;
    kernel::Kernel kernel;  ///< without its arrays' parameters
};

HandMadeBlock two_steps();
HandMadeBlock sum_of_rows();
HandMadeBlock transform();

}  // namespace kasc::test
