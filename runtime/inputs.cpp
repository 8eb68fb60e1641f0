#include "runtime/inputs.hpp"

namespace kasc::runtime {

Outcome<Inputs> open_inputs(const std::string& path, const ProgramInterface& program,
                            const std::map<std::string, long long>& explicit_extents) {
    std::vector<std::string> names;
    for (const ArrayInterface& input : program.inputs) names.push_back(input.name);
    FileSurvey survey;
    if (!names.empty()) {
        Outcome<FileSurvey> surveyed = survey_file(path, names);
        if (!surveyed) return failure<Inputs>(std::move(surveyed.diagnostics));
        survey = *std::move(surveyed.value);
    }
    // Here: each input is there, missing or of a wrong kind.
    Outcome<BoundExtents> extents = bind_extents(program, survey, path, explicit_extents);
    if (!extents) return failure<Inputs>(std::move(extents.diagnostics));
    // Here: every shape fits the program.
    if (names.empty()) return success(Inputs{*std::move(extents.value), {}}, std::move(extents.diagnostics));
    std::vector<ArrayView> wanted;
    for (std::size_t i = 0; i < names.size(); ++i) wanted.push_back({names[i], survey.datasets[i].shape(), {}});
    Outcome<LoadedArrays> loaded = read_datasets(path, survey.file_bytes, wanted);
    if (!loaded) return failure<Inputs>(std::move(loaded.diagnostics));
    return success(Inputs{*std::move(extents.value), *std::move(loaded.value)}, std::move(loaded.diagnostics));
}

}  // namespace kasc::runtime
