// Example: vector3 u[x, y] and T[x, y], inputs u_x, u_y, u_z and T. In a file with the datasets u (8, 16, 3) and T (8,
// 16) the program's u_y is word 1 of u; in one with u_x, u_y, u_z and T (8, 16) each input is a dataset.

#include "runtime/runs/inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "runtime/file_arrays.hpp"

namespace kasc::runtime {

namespace {

using State = DatasetFacts::State;

const ArrayView* find(const std::vector<ArrayView>& arrays, const std::string& name) {
    const auto at = std::find_if(arrays.begin(), arrays.end(), [&](const ArrayView& a) { return a.name == name; });
    return at == arrays.end() ? nullptr : &*at;
}

DatasetFacts facts_of(const ArrayView& array) {
    DatasetFacts facts;
    facts.state = is_complex(array.values.type()) ? State::complex : State::good;
    facts.rank = static_cast<int>(array.shape.size());
    std::copy(array.shape.begin(), array.shape.end(), facts.dimensions.begin());
    return facts;
}

Diagnostic stands_twice(const std::string& path, const std::string& field, const std::string& word) {
    Diagnostic d;
    d.code = "K0729";
    d.message = fmt::format("'{}' holds '{}' twice: whole cells, and words of theirs", path, field);
    d.span = dataset_place(path, field);
    d.notes.push_back({dataset_place(path, word), fmt::format("'{}' is a word of its cells", word)});
    d.help = "keep either the dataset of whole cells or those of their words";
    return d;
}

/// The inputs as the file has them, with their datasets.
struct Found {
    std::vector<FileArray> arrays;
    FileSurvey survey;  ///< datasets: by array
    Diagnostics faults;
};

/// `survey.datasets`: of the inputs, then of `arrays`. A field of which there is nothing comes from one dataset.
Found find_in_file(const std::string& path, const ProgramInterface& program, const std::vector<FileArray>& arrays,
                   const FileSurvey& survey) {
    Found found{{}, {{}, survey.names, survey.stamp}, {}};
    const auto add = [&](const FileArray& array, const DatasetFacts& facts) {
        found.arrays.push_back(array);
        found.survey.datasets.push_back(facts);
    };
    for (std::size_t k = 0; k < arrays.size(); ++k) {
        const FileArray& array = arrays[k];
        const DatasetFacts& whole = survey.datasets[program.inputs.size() + k];
        const auto word = std::find_if(array.words.begin(), array.words.end(), [&](std::size_t input) {
            return survey.datasets[input].state != State::missing;
        });
        const bool as_one = whole.state != State::missing && whole.state != State::not_a_dataset;
        if (!array.holds_cells() || word == array.words.end()) {
            add(array, array.holds_cells() ? whole : survey.datasets[array.words.front()]);
        } else if (as_one) {
            found.faults.push_back(stands_twice(path, array.array.name, program.inputs[*word].name));
        } else {
            for (const std::size_t input : array.words) add({program.inputs[input], {input}}, survey.datasets[input]);
        }
    }
    return found;
}

/// By input, what is read for it. Requires: all datasets fit the program.
std::vector<DatasetPart> parts_of(const ProgramInterface& program, const Found& found) {
    std::vector<DatasetPart> parts(program.inputs.size());
    for (std::size_t k = 0; k < found.arrays.size(); ++k) {
        const FileArray& array = found.arrays[k];
        DatasetPart part{array.array.name, found.survey.datasets[k].shape(), 0, 0, array.array.type};
        part.cell_dimensions = cell_dimensions(array, part.whole).value_or(0);
        part.form = form_of(array, found.survey.datasets[k]);
        for (std::size_t word = 0; word < array.words.size(); ++word) {
            if (array.words.size() > 1) part.word = word;
            parts[array.words[word]] = part;
        }
    }
    return parts;
}

/// Inputs that are read together: one, or all words of the cells of a dataset.
struct ReadTogether {
    DatasetPart part;
    std::vector<std::size_t> inputs;  ///< by array of the part
};

std::vector<ReadTogether> read_together(const std::vector<DatasetPart>& parts, const std::vector<bool>& wanted) {
    std::vector<ReadTogether> all;
    std::vector<bool> done(parts.size(), false);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (!wanted[i] || done[i]) continue;
        ReadTogether cells{parts[i], {}};
        cells.part.word.reset();
        for (std::uint64_t word = 0; parts[i].word && word < cells.part.arrays(); ++word) {
            for (std::size_t k = 0; k < parts.size(); ++k) {
                const bool same_rows = parts[k].first == parts[i].first && parts[k].rows == parts[i].rows;
                if (wanted[k] && same_rows && parts[k].name == parts[i].name && parts[k].word == word)
                    cells.inputs.push_back(k);
            }
        }
        if (cells.inputs.size() != cells.part.arrays()) cells = {parts[i], {i}};
        for (const std::size_t input : cells.inputs) done[input] = true;
        all.push_back(std::move(cells));
    }
    return all;
}

}  // namespace

DatasetPart SurveyedInputs::rows(std::size_t input, std::uint64_t first, std::uint64_t rows) const {
    DatasetPart part = parts.at(input);
    part.first = first;
    part.rows = rows;
    return part;
}

Outcome<SurveyedInputs> survey_inputs(const std::string& path, const ProgramInterface& program,
                                      const std::map<std::string, long long>& explicit_extents,
                                      std::vector<ArrayView> given) {
    const std::vector<FileArray> arrays = file_arrays(program.inputs);
    std::vector<std::string> names;
    for (const ArrayInterface& input : program.inputs) names.push_back(input.name);
    for (const FileArray& array : arrays) names.push_back(array.array.name);
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
    const Found found = find_in_file(path, program, arrays, survey);
    Outcome<BoundExtents> extents = bind_extents(program, found.arrays, found.survey, path, explicit_extents);
    extents.diagnostics.insert(extents.diagnostics.begin(), found.faults.begin(), found.faults.end());
    if (!extents || has_errors(found.faults)) return failure<SurveyedInputs>(std::move(extents.diagnostics));
    // Here: every shape fits the program.
    return success(
        SurveyedInputs{path, *std::move(extents.value), parts_of(program, found), survey.stamp, std::move(given)},
        std::move(extents.diagnostics));
}

Outcome<LoadedArrays> load_inputs(const SurveyedInputs& surveyed, const ProgramInterface& program,
                                  const std::vector<bool>& wanted, const HeldArrays& held) {
    std::vector<bool> from_file = wanted;
    for (std::size_t i = 0; i < from_file.size(); ++i)
        from_file[i] = wanted[i] && find(surveyed.given, program.inputs[i].name) == nullptr;
    std::vector<DatasetPart> own = surveyed.parts;
    for (std::size_t i = 0; i < held.size(); ++i) {
        if (!held[i]) continue;
        own[i].rows = std::max<std::uint64_t>(1, held[i]->rows);
        own[i].first = std::min(held[i]->first, own[i].whole.at(0) - own[i].rows);
        own[i].at_its_place = true;
    }
    const std::vector<ReadTogether> reads = read_together(own, from_file);
    std::vector<DatasetPart> parts;
    for (const ReadTogether& read : reads) parts.push_back(read.part);
    LoadedArrays loaded, read;
    Diagnostics said;
    if (!parts.empty()) {
        auto outcome = read_datasets(surveyed.path, surveyed.stamp, parts);
        if (!outcome) return failure<LoadedArrays>(std::move(outcome.diagnostics));
        read = *std::move(outcome.value);
        said = std::move(outcome.diagnostics);
    }
    for (std::size_t i = 0; i < program.inputs.size(); ++i) {
        const std::string& name = program.inputs[i].name;
        const ArrayView* array = find(surveyed.given, name);
        loaded.arrays.push_back(array != nullptr ? *array : ArrayView{name, surveyed.parts[i].array_shape(), {}});
    }
    std::size_t next = 0;
    for (const ReadTogether& together : reads) {
        for (const std::size_t input : together.inputs) loaded.arrays[input].values = read.arrays[next++].values;
    }
    loaded.storage = std::move(read.storage);
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
