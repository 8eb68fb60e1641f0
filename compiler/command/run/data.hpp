#pragma once
// The data of a run, examined before anything is computed or written.

#include <string>
#include <vector>

#include "driver/compilation.hpp"
#include "runtime/processes/communicator.hpp"
#include "runtime/runs/inputs.hpp"

namespace kasc::command {

/// What a run is bound to.
struct BoundRun {
    const CheckedProgram& checked;
    const std::vector<double>& parameters;
    const std::vector<long long>& extents;
    const runtime::SurveyedInputs& surveyed;
    const runtime::LoadedArrays& inputs;  ///< without values: a series that passes through memory in windows
    std::vector<long long> rows;          ///< by input, of its window; 0: it is whole
    /// Processes that have the inputs together, each its rows of some (FileParts); all examine what they have.
    runtime::Communicator* processes = nullptr;
    runtime::HeldArrays held{};  ///< by input, the rows that this one has; none: all

    [[nodiscard]] bool leads() const { return processes == nullptr || processes->rank() == 0; }
    /// By input: this process has all of it.
    [[nodiscard]] bool is_whole(std::size_t input) const { return held.empty() || !held.at(input); }
};

struct Examination {
    Diagnostics found;        ///< K0740 (a warning) to K0745; of series in windows also K0703 and K0711
    std::string stable_step;  ///< a line for the report: up to which step the scheme is stable
};

/// The contract of the program and the stability of its time step. Series in windows are read once for that, if the
/// contract asks something of them. Of several processes each looks at its rows of inputs, and all know the least of
/// their largest steps.
[[nodiscard]] Examination examine_data(const BoundRun& run);

}  // namespace kasc::command
