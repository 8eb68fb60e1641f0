#pragma once
// What kasc explain says of a run in blocks: the plan is that of a block's program.

#include <string>

#include "command/options.hpp"
#include "driver/compilation.hpp"

namespace kasc::command {

struct ExplainedBlocks {
    CheckedProgram checked;  ///< to be planned in place of the grid's
    std::string text;        ///< the blocks, what is known of their error, what each renewal sends
};

/// `extents`: of the grid. K0818, K0927, K0928.
[[nodiscard]] Outcome<ExplainedBlocks> explain_blocks(const ExplainOptions& options, const CheckedProgram& grid,
                                                      const std::vector<long long>& extents);

}  // namespace kasc::command
