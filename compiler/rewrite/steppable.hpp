#pragma once
// The program whose loops may have several steps (rewrite/several_steps): with what is assigned at positions, and its
// lists, cell by cell, where they need that, and loops within others that do something in every few steps as blocks of
// those between (rewrite/loop_blocks).

#include <vector>

#include "rewrite/number_lists.hpp"

namespace kasc {

struct Steppable {
    Program program;
    std::vector<ListVerdict> lists;  ///< none: lists stay
    bool is_written_anew = false;
};

/// `may_number`: lists may be computed cell by cell. As it was where that would give no loop several steps.
[[nodiscard]] Steppable steppable(const Program& program, bool may_number);

}  // namespace kasc
