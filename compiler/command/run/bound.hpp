#pragma once
// A run between its compilation and its results: all that it is bound to.

#include <optional>
#include <string>
#include <vector>

#include "command/run/pieces.hpp"
#include "runtime/runs/checkpoint.hpp"
#include "runtime/runs/entry_library.hpp"
#include "runtime/runs/inputs.hpp"

namespace kasc::command {

struct RunBinding {
    std::vector<double> parameters;
    std::vector<long long> extents;
    runtime::ProgramInterface face;
    runtime::SurveyedInputs surveyed;
    runtime::LoadedArrays inputs;
    std::vector<Series> series;
    std::vector<long long> rows;  ///< by series, of its window; 0: whole
    std::vector<OutermostLoop> loops;
    runtime::Identity identity;  ///< of a run with checkpoints
    FileParts parts;             ///< of several processes
    std::vector<void*> results;  ///< of a block, whose outputs are no one's yet; empty: the outputs' own arrays are

    /// By input, the rows of its window; 0: it is whole.
    [[nodiscard]] std::vector<long long> input_rows() const;
    /// By output: it passes through memory in windows.
    [[nodiscard]] std::vector<bool> streamed_outputs() const;
    /// By output: the last of its axes counts the steps of a loop.
    [[nodiscard]] std::vector<bool> outputs_over_steps() const;
    [[nodiscard]] runtime::EntryArguments arguments(std::vector<void*> outputs) const;
};

}  // namespace kasc::command
