#pragma once
// A dataset of the file that is shown.

#include <string>

#include "command/view/contents.hpp"
#include "runtime/hdf5/read_datasets.hpp"

namespace kasc::command {

/// A dataset, or a word of the cells that one holds.
struct Dataset {
    std::string name;
    runtime::DatasetFacts facts;
    Shown shown;
    runtime::DatasetPart part;  ///< what is read for it
    std::string picture{};      ///< a path; empty: none

    /// What is read for a picture or a number: complex numbers as they are.
    [[nodiscard]] runtime::WordType word_type() const {
        if (facts.state == runtime::DatasetFacts::State::complex) return runtime::WordType::complex64;
        return shown.as == Showing::number ? runtime::WordType::float64 : runtime::WordType::float32;
    }
};

}  // namespace kasc::command
