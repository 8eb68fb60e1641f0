#include "command/run/bound.hpp"

namespace kasc::command {

std::vector<long long> RunBinding::input_rows() const {
    std::vector<long long> of_inputs(face.inputs.size(), 0);
    for (std::size_t i = 0; i < series.size(); ++i) {
        if (series[i].input) of_inputs[series[i].position] = rows[i];
    }
    return of_inputs;
}

std::vector<bool> RunBinding::streamed_outputs() const {
    std::vector<bool> streamed(face.outputs.size(), false);
    for (std::size_t i = 0; i < series.size(); ++i) {
        if (rows[i] != 0 && !series[i].input) streamed[series[i].position] = true;
    }
    return streamed;
}

std::vector<bool> RunBinding::outputs_over_steps() const {
    std::vector<bool> over_steps(face.outputs.size(), false);
    for (const Series& s : series) {
        if (!s.input) over_steps[s.position] = true;
    }
    return over_steps;
}

runtime::EntryArguments RunBinding::arguments(std::vector<void*> outputs) const {
    runtime::EntryArguments a;
    a.extents = extents;
    a.parameters = parameters;
    for (const auto& array : inputs.arrays) a.inputs.push_back(array.values.data());
    a.outputs = results.empty() ? std::move(outputs) : results;
    a.inputs_held = parts.inputs_held;
    a.outputs_held = parts.outputs_held;
    return a;
}

}  // namespace kasc::command
