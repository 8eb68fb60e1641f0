#include "command/run/file_parts.hpp"

#include "contract/check_data.hpp"

namespace kasc::command {

namespace {

runtime::HeldRows rows_of(const std::vector<long long>& ends, int rank) {
    const auto r = static_cast<std::size_t>(rank);
    const long long first = r == 0 ? 0 : ends.at(r - 1);
    return {static_cast<std::uint64_t>(first), static_cast<std::uint64_t>(ends.at(r) - first)};
}

/// The rows of the dataset are the planes of the arrays.
bool has_rows(const runtime::DatasetPart& part, const std::vector<long long>& ends) {
    const runtime::Shape shape = part.array_shape();
    const auto planes = static_cast<std::uint64_t>(ends.back());
    const bool numbers_in_turn = part.form == runtime::ComplexForm::in_turn && shape.size() == 1;
    return !shape.empty() && shape.front() == planes && !numbers_in_turn;
}

}  // namespace

FileParts file_parts(const Program& program, const execute::ProcessArrays& arrays, int rank,
                     const runtime::SurveyedInputs& surveyed, const std::vector<long long>& rows) {
    FileParts parts{rank, arrays.ends};
    const std::size_t inputs = program.inputs.size();
    std::vector<bool> in_rows(inputs, false), asked_of(inputs, false);
    for (std::size_t i = 0; i < inputs; ++i) {
        const auto ends = arrays.ends.find(program.inputs[i]);
        in_rows[i] = rows.at(i) == 0 && ends != arrays.ends.end() && has_rows(surveyed.parts.at(i), ends->second);
        asked_of[i] = in_rows[i] || rows.at(i) != 0;
    }
    const std::vector<bool> whole =
        has_streams(program) ? std::vector<bool>(inputs, false) : asked_whole(program, contract_of(program), asked_of);
    for (std::size_t i = 0; i < inputs; ++i) {
        const bool split = in_rows[i] && !whole[i];
        parts.inputs_held.push_back(split ? runtime::HeldBy::parts : runtime::HeldBy::each);
        parts.inputs.push_back(split ? std::optional(rows_of(arrays.ends.at(program.inputs[i]), rank)) : std::nullopt);
    }
    for (const VariableId output : program.outputs) {
        const auto ends = arrays.ends.find(output);
        const bool split = ends != arrays.ends.end();
        parts.outputs_held.push_back(split ? runtime::HeldBy::parts : runtime::HeldBy::first);
        parts.outputs.push_back(split ? std::optional(rows_of(ends->second, rank)) : std::nullopt);
    }
    return parts;
}

runtime::HeldArrays state_parts(const Program& program, const FileParts& parts, const runtime::CheckpointHead& head) {
    runtime::HeldArrays held;
    for (const auto& array : head.state) {
        held.emplace_back();
        const std::string name = array.name.substr(0, array.name.find('.'));
        for (const auto& [variable, ends] : parts.ends) {
            if (program.variables[variable].name != name || array.shape.empty()) continue;
            // Flat, of so many words a plane, where it is longer than the variable.
            const auto planes = static_cast<std::uint64_t>(ends.back());
            if (array.shape.front() == planes) held.back() = rows_of(ends, parts.rank);
        }
    }
    return held;
}

runtime::Words FileParts::own_words(std::size_t input, const runtime::ArrayView& array) const {
    if (inputs.empty() || !inputs.at(input)) return rank == 0 ? array.values : array.values.subspan(0, 0);
    const std::size_t row = array.values.size() / array.shape.at(0);
    return array.values.subspan(inputs[input]->first * row, inputs[input]->rows * row);
}

}  // namespace kasc::command
