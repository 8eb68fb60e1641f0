#include "command/view/words.hpp"

#include <algorithm>

#include "frontend/cell_shape.hpp"

namespace kasc::command {

namespace {

/// The last `dimensions` as those of a cell; none: they are not of a cell that a program has.
std::optional<frontend::CellShape> cell_of(const runtime::DatasetFacts& facts, std::size_t dimensions) {
    const runtime::Shape shape = facts.shape();
    if (facts.state != runtime::DatasetFacts::State::good || dimensions == 0 || dimensions > shape.size())
        return std::nullopt;
    const auto first = shape.end() - static_cast<std::ptrdiff_t>(dimensions);
    const auto words = runtime::cell_count({first, shape.end()});
    if (!words || *words == 0 || *words > frontend::most_cell_words) return std::nullopt;
    frontend::CellShape cell;
    for (auto extent = first; extent != shape.end(); ++extent) cell.extents.push_back(static_cast<int>(*extent));
    return cell;
}

ViewWord word_of(const std::string& dataset, runtime::DatasetFacts facts, const frontend::CellShape& cell,
                 std::size_t word) {
    facts.rank -= static_cast<int>(cell.extents.size());
    facts.cell_dimensions = 0;
    return {dataset + "_" + frontend::word_name(cell, word), facts, cell.extents.size(), word};
}

}  // namespace

std::vector<ViewWord> words_of(const std::string& dataset, const runtime::DatasetFacts& facts) {
    std::vector<ViewWord> words;
    const auto cell = cell_of(facts, static_cast<std::size_t>(facts.cell_dimensions));
    for (std::size_t word = 0; cell && word < cell->words(); ++word)
        words.push_back(word_of(dataset, facts, *cell, word));
    return words;
}

std::optional<ViewWord> find_word(const std::string& name, const std::string& dataset,
                                  const runtime::DatasetFacts& facts) {
    if (!name.starts_with(dataset + "_")) return std::nullopt;
    const std::string of_word = name.substr(dataset.size() + 1);
    std::vector<std::size_t> tried{1, 2};
    if (facts.cell_dimensions > 0) tried = {static_cast<std::size_t>(facts.cell_dimensions)};
    for (const std::size_t dimensions : tried) {
        const auto cell = cell_of(facts, dimensions);
        const auto word = cell ? frontend::find_word(*cell, of_word) : std::nullopt;
        if (word) return word_of(dataset, facts, *cell, *word);
    }
    return std::nullopt;
}

}  // namespace kasc::command
