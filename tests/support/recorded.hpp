#pragma once
// Datasets of a file by name, as numbers: what a run recorded, or should have.

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "runtime/read_datasets.hpp"
#include "runtime/survey.hpp"

namespace kasc::test {

using Recorded = std::map<std::string, std::vector<double>>;

/// Those of the names that the file has.
inline Recorded read_recorded(const std::string& path, const std::vector<std::string>& names) {
    const auto survey = runtime::survey_file(path, names);
    EXPECT_TRUE(survey) << render_text(survey.diagnostics);
    if (!survey) return {};
    std::vector<runtime::DatasetPart> parts;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (survey->datasets[i].state == runtime::DatasetFacts::State::good)
            parts.push_back({names[i], survey->datasets[i].shape()});
    }
    const auto read = runtime::read_datasets(path, survey->file_bytes, parts);
    EXPECT_TRUE(read) << render_text(read.diagnostics);
    if (!read) return {};
    Recorded arrays;
    for (const runtime::ArrayView& a : read->arrays) {
        for (std::size_t i = 0; i < a.values.size(); ++i) arrays[a.name].push_back(a.values[i]);
    }
    return arrays;
}

}  // namespace kasc::test
