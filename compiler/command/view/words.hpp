#pragma once
// Words of a dataset that holds whole cells: pictures show one of them. kasc run says of its results which of their
// dimensions are the cell's; of other files the name of a word does, as a program says it: "F_xy" of F (Y, X, 3, 3).

#include <optional>
#include <string>
#include <vector>

#include "runtime/hdf5/read_datasets.hpp"
#include "runtime/hdf5/survey.hpp"

namespace kasc::command {

struct ViewWord {
    std::string name;             ///< "u_y"
    runtime::DatasetFacts facts;  ///< without the cell's dimensions
    std::size_t cell_dimensions = 0;
    std::uint64_t word = 0;
};

/// In their order; none: the dataset does not say that it holds cells, or cells of more words than a program's have.
[[nodiscard]] std::vector<ViewWord> words_of(const std::string& dataset, const runtime::DatasetFacts& facts);

/// The word that `name` is of the dataset, whose cells have one dimension or two.
[[nodiscard]] std::optional<ViewWord> find_word(const std::string& name, const std::string& dataset,
                                                const runtime::DatasetFacts& facts);

}  // namespace kasc::command
