#include "frontend/cell_shape.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/number_value.hpp"

namespace kasc::frontend {

namespace {

constexpr std::string_view letters = "xyzw";

bool has_letters(const CellShape& shape) {
    return std::all_of(shape.extents.begin(), shape.extents.end(),
                       [](int extent) { return extent <= static_cast<int>(letters.size()); });
}

/// "4_0": a number along each extent.
std::string numbered_word(const CellShape& shape, std::size_t word) {
    std::string name;
    for (std::size_t k = shape.extents.size(); k-- > 0;) {
        const auto extent = static_cast<std::size_t>(shape.extents[k]);
        name = fmt::format("{}{}{}", word % extent, name.empty() ? "" : "_", name);
        word /= extent;
    }
    return name;
}

}  // namespace

std::size_t CellShape::words() const {
    std::size_t words = 1;
    for (const int extent : extents) words *= static_cast<std::size_t>(extent);
    return words;
}

CellShape cell_shape(const StreamType& type) { return {type.shape, type.word_names}; }

std::string word_name(const CellShape& shape, std::size_t word) {
    if (!shape.word_names.empty()) return shape.word_names.at(word);
    if (!has_letters(shape)) return numbered_word(shape, word);
    std::string name;
    for (std::size_t k = shape.extents.size(); k-- > 0;) {
        const auto extent = static_cast<std::size_t>(shape.extents[k]);
        name.insert(name.begin(), letters[word % extent]);
        word /= extent;
    }
    return name;
}

std::optional<std::size_t> find_word(const CellShape& shape, std::string_view name) {
    if (shape.is_number()) return std::nullopt;
    for (std::size_t word = 0; word < shape.words(); ++word)
        if (word_name(shape, word) == name) return word;
    // Six words of a symmetric matrix have names and one number each.
    if (shape.word_names.empty() && shape.extents.size() > 1)
        for (std::size_t word = 0; word < shape.words(); ++word)
            if (numbered_word(shape, word) == name) return word;
    const bool digits =
        !name.empty() && std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
    // F.01 would be word 1 of all, where one of row 0 and column 1 is meant.
    const bool leads_with_zero = name.size() > 1 && name.front() == '0';
    const auto number = digits && !leads_with_zero ? integer_value(name) : std::nullopt;
    if (!number || static_cast<std::size_t>(*number) >= shape.words()) return std::nullopt;
    return static_cast<std::size_t>(*number);
}

std::string text_of(const CellShape& shape) {
    return fmt::format("{} word{}", shape.is_number() ? "1" : fmt::format("{}", fmt::join(shape.extents, " x ")),
                       shape.words() == 1 ? "" : "s");
}

}  // namespace kasc::frontend
