#include "command/run/data.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

#include "command/step_report.hpp"
#include "contract/check_data.hpp"
#include "stability/stability.hpp"

namespace kasc::command {

namespace {

using Pointers = std::vector<const void*>;

/// Those of which there is all.
Pointers pointers(const BoundRun& run) {
    Pointers all;
    for (const auto& array : run.inputs.arrays) {
        const bool known = !array.values.empty() && run.is_whole(all.size());
        all.push_back(known ? array.values.data() : nullptr);
    }
    return all;
}

/// What is asked of inputs of which this process has rows, by the axis of these.
Diagnostics check_own_rows(const BoundRun& run, const Contract& contract) {
    const Program& program = run.checked.program;
    std::map<AxisId, std::vector<std::size_t>> by_axis;
    for (std::size_t input = 0; input < run.held.size(); ++input) {
        const auto* field = std::get_if<FieldShape>(&program.variables[program.inputs[input]].shape);
        if (run.is_whole(input) || field == nullptr || run.held[input]->rows == 0) continue;
        by_axis[field->axes.back()].push_back(input);
    }
    Diagnostics found;
    for (const auto& [axis, inputs] : by_axis) {
        const runtime::HeldRows& rows = *run.held[inputs.front()];
        const contract::RowWindow window{axis, static_cast<long long>(rows.first), static_cast<long long>(rows.rows)};
        contract::BoundData data{run.parameters, run.extents, pointers(run), window,
                                 std::vector<bool>(run.held.size(), false)};
        for (const std::size_t input : inputs) {
            const runtime::Words& all = run.inputs.arrays[input].values;
            const std::size_t row = all.size() / run.inputs.arrays[input].shape.at(0);
            data.inputs[input] = all.subspan(rows.first * row, rows.rows * row).data();
            data.windowed[input] = true;
        }
        const Diagnostics more = check_data(program, contract, data);
        found.insert(found.end(), more.begin(), more.end());
    }
    return found;
}

/// Inputs whose rows are of one axis, read window by window until something is found.
Diagnostics check_rows(const BoundRun& run, const Contract& contract, AxisId axis,
                       const std::vector<std::size_t>& inputs) {
    const Program& program = run.checked.program;
    const long long extent = run.extents.at(axis.index);
    long long most = extent;
    for (const std::size_t input : inputs) most = std::min(most, run.rows[input]);
    contract::BoundData data{run.parameters, run.extents, {}, std::nullopt, std::vector<bool>(run.rows.size(), false)};
    for (const std::size_t input : inputs) data.windowed[input] = true;
    for (long long first = 0; first < extent; first += most) {
        const contract::RowWindow window{axis, first, std::min(most, extent - first)};
        std::vector<runtime::DatasetPart> parts;
        for (const std::size_t input : inputs) {
            parts.push_back(
                run.surveyed.rows(input, static_cast<std::uint64_t>(first), static_cast<std::uint64_t>(window.rows)));
        }
        const auto read = runtime::read_datasets(run.surveyed.path, run.surveyed.stamp, parts);
        if (!read) return read.diagnostics;
        data.inputs = pointers(run);
        for (std::size_t k = 0; k < inputs.size(); ++k) data.inputs[inputs[k]] = read->arrays[k].values.data();
        data.window = window;
        if (Diagnostics found = check_data(program, contract, data); !found.empty()) return found;
    }
    return {};
}

Diagnostics check_windows(const BoundRun& run, const Contract& contract) {
    const Program& program = run.checked.program;
    std::vector<bool> windowed;
    for (const long long rows : run.rows) windowed.push_back(rows != 0);
    const auto asked = asked_in_windows(program, contract, windowed);
    if (!asked) return asked.diagnostics;
    std::map<AxisId, std::vector<std::size_t>> by_axis;
    for (std::size_t input = 0; input < run.rows.size(); ++input) {
        if ((*asked.value)[input]) by_axis[field_shape(program, program.inputs[input]).axes.back()].push_back(input);
    }
    Diagnostics found;
    for (const auto& [axis, inputs] : by_axis) {
        const Diagnostics more = check_rows(run, contract, axis, inputs);
        found.insert(found.end(), more.begin(), more.end());
    }
    return found;
}

/// What the stability of the time step is.
struct StepFound {
    Diagnostics unstable{};
    double largest = INFINITY;  ///< that is stable; 0: none is
    std::string text{};         ///< which, where the step is stable
};

/// By the rows that this process has.
StepFound examine_step(const BoundRun& run) {
    const CheckedProgram& checked = run.checked;
    Pointers arrays;
    KnownRows rows;
    for (const auto& array : run.inputs.arrays) {
        const std::size_t input = arrays.size();
        arrays.push_back(array.values.empty() ? nullptr : array.values.data());
        rows.emplace_back();
        if (run.is_whole(input)) continue;
        const auto first = static_cast<long long>(run.held[input]->first);
        rows.back() = std::pair(first, first + static_cast<long long>(run.held[input]->rows));
    }
    StepFound found;
    found.unstable = check_stability(checked.program, checked.graph, run.parameters, run.extents, arrays, rows);
    if (!found.unstable.empty()) found.largest = 0;
    if (!found.unstable.empty() && run.processes == nullptr) return found;  // which says the largest step itself
    const auto step = step_report(checked, run.parameters, run.extents, arrays, rows);
    if (!step || !step->largest) return found;
    found.largest = *step->largest;
    if (found.unstable.empty()) found.text = step_text(*step);
    return found;
}

/// By all processes: what the one says whose rows allow the least.
StepFound least_step(const BoundRun& run, StepFound own) {
    std::vector<std::byte> bytes(sizeof(own.largest));
    std::memcpy(bytes.data(), &own.largest, bytes.size());
    double least = INFINITY;
    int says = 0, rank = 0;
    for (const auto& of_rank : run.processes->gather(bytes)) {
        double largest = 0;
        std::memcpy(&largest, of_rank.data(), sizeof(largest));
        if (largest < least) least = largest, says = rank;
        ++rank;
    }
    own.text = gather_texts(*run.processes, own.text).at(static_cast<std::size_t>(says));
    if (run.processes->rank() != says) own.unstable.clear();
    return own;
}

}  // namespace

Examination examine_data(const BoundRun& run) {
    const Program& program = run.checked.program;
    const Pointers arrays = pointers(run);
    const Contract contract = contract_of(program);
    Examination examined;
    // What all have, one looks at.
    if (run.leads())
        examined.found = check_data(program, contract, {run.parameters, run.extents, arrays, std::nullopt, {}});
    const auto add = [&](const Diagnostics& more) {
        examined.found.insert(examined.found.end(), more.begin(), more.end());
    };
    if (run.leads()) add(check_windows(run, contract));
    add(check_own_rows(run, contract));
    const StepFound step = run.processes == nullptr ? examine_step(run) : least_step(run, examine_step(run));
    add(step.unstable);
    examined.stable_step = step.text;
    return examined;
}

}  // namespace kasc::command
