#pragma once
// Fields that a loop may make anew where it reads them, in place of reading them from memory.

#include <string>
#include <vector>

#include "foundation/verdict.hpp"
#include "frontend/program.hpp"

namespace kasc {

/// Of a field that is assigned before a loop and read in it.
struct RemadeVerdict {
    std::string field;
    Verdict verdict;
};

struct RemadeFields {
    /// The program with such fields made in the loop, of the same words. Ids of the program stay, new variables have
    /// the last; inputs, outputs, parameters, axes and loops are the same.
    Program program;
    std::vector<RemadeVerdict> verdicts;
    bool changed = false;
};

[[nodiscard]] RemadeFields remake_fields(const Program& program);

}  // namespace kasc
