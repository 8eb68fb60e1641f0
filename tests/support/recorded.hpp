#pragma once
// Datasets of a file by name, as numbers: what a run recorded, or should have.

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "runtime/hdf5/read_datasets.hpp"
#include "runtime/hdf5/survey.hpp"

namespace kasc::test {

struct RecordedArray {
    runtime::Shape shape;
    std::vector<double> values;
};
using RecordedArrays = std::map<std::string, RecordedArray>;

/// Reads the arrays of those names that the file has; one in a group as "p/1".
inline RecordedArrays read_arrays(const std::string& path, const std::vector<std::string>& names) {
    const auto survey = runtime::survey_file(path, names);
    EXPECT_TRUE(survey) << render_text(survey.diagnostics);
    if (!survey) return {};
    std::vector<runtime::DatasetPart> parts;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (survey->datasets[i].state == runtime::DatasetFacts::State::good)
            parts.push_back({names[i], survey->datasets[i].shape(), 0, 0, runtime::WordType::float64});
    }
    const auto read = runtime::read_datasets(path, survey->stamp, parts);
    EXPECT_TRUE(read) << render_text(read.diagnostics);
    if (!read) return {};
    RecordedArrays arrays;
    for (const runtime::ArrayView& a : read->arrays) {
        RecordedArray& array = arrays[a.name];
        array.shape = a.shape;
        for (std::size_t i = 0; i < a.values.size(); ++i) array.values.push_back(a.values[i]);
    }
    return arrays;
}

/// The same without their shapes.
using Recorded = std::map<std::string, std::vector<double>>;
inline Recorded read_recorded(const std::string& path, const std::vector<std::string>& names) {
    Recorded values;
    for (const auto& [name, array] : read_arrays(path, names)) values[name] = array.values;
    return values;
}

}  // namespace kasc::test
