#pragma once
// What one of several processes reads of the input file, and writes of the output's and of checkpoints.

#include "execute/plan_run.hpp"
#include "frontend/program.hpp"
#include "runtime/runs/checkpoint.hpp"
#include "runtime/runs/inputs.hpp"

namespace kasc::command {

struct FileParts {
    int rank = 0;
    std::map<VariableId, std::vector<long long>> ends{};  ///< execute::ProcessArrays
    std::vector<runtime::HeldBy> inputs_held{}, outputs_held{};
    runtime::HeldArrays inputs{}, outputs{};  ///< rows of those that are in parts

    /// The words of an input that this process counts as its own: of what each has whole rank 0 all, others none.
    [[nodiscard]] runtime::Words own_words(std::size_t input, const runtime::ArrayView& array) const;
};

/// Inputs are in parts where their arrays are cut, but for those that each process needs whole. `rows`: by input, of
/// its window on a series; 0: it has none. A pure function of what all processes know.
[[nodiscard]] FileParts file_parts(const Program& program, const execute::ProcessArrays& arrays, int rank,
                                   const runtime::SurveyedInputs& surveyed, const std::vector<long long>& rows);

/// What this process reads of a checkpoint's arrays.
[[nodiscard]] runtime::HeldArrays state_parts(const Program& program, const FileParts& parts,
                                              const runtime::CheckpointHead& head);

}  // namespace kasc::command
