#pragma once
// Fields that a loop may make anew where it reads them, in place of reading them from memory.

#include <string>
#include <vector>

#include "foundation/verdict.hpp"
#include "frontend/program.hpp"

namespace kasc {

/// Whether a field that is assigned before a loop and read in it is made anew there.
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

/// The statements of a loop that share what is made anew: those that may stand in one kernel, or those alone that one
/// transform may compute as it stores.
enum class MadeFor { kernel, transform };

[[nodiscard]] RemadeFields remake_fields(const Program& program, MadeFor shared_by = MadeFor::kernel);

}  // namespace kasc
