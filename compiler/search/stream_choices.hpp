#pragma once
// The choices of a stream fusion: implementations of its calls × elements a block × how tiles move.

#include <array>
#include <string>
#include <vector>

#include "search/choice.hpp"
#include "search/fusion_space.hpp"

namespace kasc {

/// Elements a block and round: one to eight warps where a thread serves an element. Multiples of 32 keep tiles on 16
/// bytes and warps full. The middle comes first: where few choices are allowed, the extremes are left out.
inline constexpr std::array elements_tried{128, 64, 96, 256, 32, 192};

struct StreamChoices {
    std::vector<StreamChoice> choices;
    std::string cut;  ///< what was left out; empty: all choices
};

/// At most `max_choices`; `graph` is expanded where the fusion holds a loop. Combinations of implementations whose
/// calls use the same number of threads an element come first (such values may stay in registers), then all others,
/// each in the order of the implementations' numbers.
[[nodiscard]] StreamChoices stream_choices(const Graph& graph, const Library& library, const Fusion& fusion,
                                           std::size_t max_choices);

}  // namespace kasc
