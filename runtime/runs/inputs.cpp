#include "runtime/runs/inputs.hpp"

#include <algorithm>

namespace kasc::runtime {

namespace {

const ArrayView* find(const std::vector<ArrayView>& arrays, const std::string& name) {
    const auto at = std::find_if(arrays.begin(), arrays.end(), [&](const ArrayView& a) { return a.name == name; });
    return at == arrays.end() ? nullptr : &*at;
}

DatasetFacts facts_of(const ArrayView& array) {
    DatasetFacts facts;
    facts.state = DatasetFacts::State::good;
    facts.rank = static_cast<int>(array.shape.size());
    std::copy(array.shape.begin(), array.shape.end(), facts.dimensions.begin());
    return facts;
}

}  // namespace

Outcome<SurveyedInputs> survey_inputs(const std::string& path, const ProgramInterface& program,
                                      const std::map<std::string, long long>& explicit_extents,
                                      std::vector<ArrayView> given) {
    std::vector<std::string> names;
    for (const ArrayInterface& input : program.inputs) names.push_back(input.name);
    FileSurvey survey;
    if (!names.empty()) {
        Outcome<FileSurvey> surveyed = survey_file(path, names);
        if (!surveyed) return failure<SurveyedInputs>(std::move(surveyed.diagnostics));
        survey = *std::move(surveyed.value);
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (const ArrayView* array = find(given, names[i])) survey.datasets[i] = facts_of(*array);
    }
    // Here: each input is there, missing or of a wrong kind.
    Outcome<BoundExtents> extents = bind_extents(program, survey, path, explicit_extents);
    if (!extents) return failure<SurveyedInputs>(std::move(extents.diagnostics));
    // Here: every shape fits the program.
    SurveyedInputs inputs{path, *std::move(extents.value), {}, survey.stamp, std::move(given)};
    for (const DatasetFacts& facts : survey.datasets) inputs.shapes.push_back(facts.shape());
    return success(std::move(inputs), std::move(extents.diagnostics));
}

Outcome<LoadedArrays> load_inputs(const SurveyedInputs& surveyed, const ProgramInterface& program,
                                  const std::vector<bool>& wanted) {
    std::vector<DatasetPart> parts;
    const auto from_file = [&](std::size_t i) {
        return wanted.at(i) && find(surveyed.given, program.inputs[i].name) == nullptr;
    };
    for (std::size_t i = 0; i < program.inputs.size(); ++i) {
        if (from_file(i)) parts.push_back({program.inputs[i].name, surveyed.shapes[i], 0, 0, program.inputs[i].type});
    }
    LoadedArrays loaded;
    Diagnostics said;
    if (!parts.empty()) {
        auto read = read_datasets(surveyed.path, surveyed.stamp, parts);
        if (!read) return failure<LoadedArrays>(std::move(read.diagnostics));
        loaded = *std::move(read.value);
        said = std::move(read.diagnostics);
    }
    for (std::size_t i = 0; i < program.inputs.size(); ++i) {
        if (from_file(i)) continue;
        const ArrayView* array = find(surveyed.given, program.inputs[i].name);
        loaded.arrays.insert(loaded.arrays.begin() + static_cast<std::ptrdiff_t>(i),
                             array != nullptr ? *array : ArrayView{program.inputs[i].name, surveyed.shapes[i], {}});
    }
    return success(std::move(loaded), std::move(said));
}

Outcome<Inputs> open_inputs(const std::string& path, const ProgramInterface& program,
                            const std::map<std::string, long long>& explicit_extents) {
    auto surveyed = survey_inputs(path, program, explicit_extents);
    if (!surveyed) return failure<Inputs>(std::move(surveyed.diagnostics));
    auto loaded = load_inputs(*surveyed.value, program, std::vector<bool>(program.inputs.size(), true));
    if (!loaded) return failure<Inputs>(std::move(loaded.diagnostics));
    return success(Inputs{std::move(surveyed.value->extents), *std::move(loaded.value)}, std::move(loaded.diagnostics));
}

}  // namespace kasc::runtime
