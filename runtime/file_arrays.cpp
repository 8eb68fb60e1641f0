#include "runtime/file_arrays.hpp"

#include <algorithm>

namespace kasc::runtime {

namespace {

/// The places of a field's words; empty: some are not there.
std::vector<std::size_t> words_of(const std::vector<ArrayInterface>& arrays, const CellWord& cell) {
    std::size_t count = 1;
    for (const int extent : cell.extents) count *= static_cast<std::size_t>(extent);
    std::vector<std::size_t> words;
    for (std::size_t word = 0; word < count; ++word) {
        const auto at = std::find_if(arrays.begin(), arrays.end(), [&](const ArrayInterface& array) {
            return array.of_cell && array.of_cell->field == cell.field && array.of_cell->word == word;
        });
        if (at == arrays.end()) return {};
        words.push_back(static_cast<std::size_t>(at - arrays.begin()));
    }
    return words;
}

template <class Joins>
std::vector<FileArray> joined(const std::vector<ArrayInterface>& arrays, const Joins& joins) {
    std::vector<FileArray> all;
    std::vector<bool> held(arrays.size(), false);
    for (std::size_t i = 0; i < arrays.size(); ++i) {
        if (held[i]) continue;
        const auto& cell = arrays[i].of_cell;
        std::vector<std::size_t> words = cell && joins(*cell) ? words_of(arrays, *cell) : std::vector<std::size_t>{};
        FileArray& array = all.emplace_back(FileArray{arrays[i], {i}});
        if (words.empty()) continue;
        array.array.name = cell->field;
        array.array.element_shape = cell->extents;
        array.words = std::move(words);
        for (const std::size_t word : array.words) held[word] = true;
    }
    return all;
}

}  // namespace

std::vector<FileArray> file_arrays(const std::vector<ArrayInterface>& inputs) {
    return joined(inputs, [](const CellWord&) { return true; });
}

std::vector<FileArray> written_arrays(const std::vector<ArrayInterface>& outputs) {
    return joined(outputs, [](const CellWord& cell) { return cell.layout == CellLayout::structures; });
}

}  // namespace kasc::runtime
