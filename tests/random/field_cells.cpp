#include "random/field_cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <stdexcept>

namespace kasc::random {

namespace {

// No text of a program has these.
constexpr char opens = '\x01', divides = '\x02', closes = '\x03';

/// The text with one way for each part that is said in several: the one that `which` takes of so many.
template <class Which>
std::string chosen(const std::string& text, const Which& which) {
    std::string made;
    for (std::size_t at = 0; at < text.size();) {
        if (text[at] != opens) {
            made += text[at++];
            continue;
        }
        const std::size_t end = text.find(closes, at);
        std::vector<std::string> ways{""};
        for (std::size_t k = at + 1; k < end; ++k) {
            if (text[k] == divides) {
                ways.emplace_back();
            } else {
                ways.back() += text[k];
            }
        }
        made += ways.at(which(ways.size()));
        at = end + 1;
    }
    return made;
}

}  // namespace

std::size_t RandomCell::words() const {
    return std::accumulate(extents.begin(), extents.end(), std::size_t{1},
                           [](std::size_t all, int extent) { return all * static_cast<std::size_t>(extent); });
}

std::string word_of(const RandomCell& cell, std::size_t word) {
    if (cell.type == "symmetric3x3") return std::array{"xx", "yy", "zz", "yz", "xz", "xy"}.at(word);
    const bool letters = std::all_of(cell.extents.begin(), cell.extents.end(), [](int extent) { return extent <= 4; });
    std::vector<std::string> along;
    std::size_t before = cell.words();
    for (const int extent : cell.extents) {
        before /= static_cast<std::size_t>(extent);
        const std::size_t at = word / before % static_cast<std::size_t>(extent);
        along.push_back(letters ? std::string(1, "xyzw"[at]) : std::to_string(at));
    }
    std::string name = along.front();
    for (std::size_t k = 1; k < along.size(); ++k) name += (letters ? "" : "_") + along[k];
    return name;
}

std::string either(const std::string& of_cells, const std::vector<std::string>& by_words) {
    std::string text = opens + of_cells;
    for (const std::string& word : by_words) text += divides + word;
    if (std::count(text.begin(), text.end(), opens) > 1) throw std::logic_error("said in several ways: " + text);
    return text + closes;
}

std::string of_cells(const std::string& text) {
    return chosen(text, [](std::size_t) { return std::size_t{0}; });
}

std::string by_word(const std::string& text, std::size_t word) {
    return chosen(text, [&](std::size_t ways) { return ways == 2 ? 1 : 1 + word; });
}

std::vector<std::string> by_words(const std::string& text, const RandomCell& cell) {
    std::vector<std::string> all;
    for (std::size_t word = 0; word < cell.words(); ++word) all.push_back(by_word(text, word));
    return all;
}

std::string named(const std::string& field, const RandomCell& cell) {
    if (cell.is_number()) return field;
    std::vector<std::string> words;
    for (std::size_t word = 0; word < cell.words(); ++word)
        words.push_back(fmt::format("{}_{}", field, word_of(cell, word)));
    return either(field, words);
}

}  // namespace kasc::random
