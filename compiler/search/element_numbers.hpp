#pragma once
// How many elements of a stream a block serves: numbers that the search tries, by implementation.

#include <array>
#include <map>
#include <string>
#include <vector>

#include "patterns/enumerations.hpp"

namespace kasc {

/// Elements a block and round: one to eight warps where a thread serves an element. Multiples of 32 keep tiles on 16
/// bytes and warps full. The middle comes first: where few choices are allowed, the extremes are left out.
inline constexpr std::array elements_tried{128, 64, 96, 256, 32, 192};

/// Whether the author left no block dimension free, so that the number of elements is the implementation's own.
[[nodiscard]] bool has_fixed_block(const Implementation& implementation);

/// Lasts as long as the enumerations that it asks.
class ElementNumbers {
public:
    explicit ElementNumbers(Enumerations& enumerations) : enumerations_(enumerations) {}
    [[nodiscard]] const Library& library() const { return enumerations_.library(); }

    /// At least one. For a fixed block, the one number that it serves; for others elements_tried; where no block serves
    /// any of these, because a thread serves several elements or an element needs many threads, numbers that blocks of
    /// usual sizes serve. Where patterns are at fault: elements_tried, for which scheduling tells the reason.
    [[nodiscard]] const std::vector<int>& of(const Implementation& implementation);

private:
    Enumerations& enumerations_;
    std::map<std::string, std::vector<int>> found_;  ///< by the implementation's name
};

}  // namespace kasc
