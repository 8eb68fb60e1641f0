#pragma once
// The choices of a stream fusion: implementations of its calls × elements a block × how tiles move.

#include <string>
#include <vector>

#include "search/choice.hpp"
#include "search/element_numbers.hpp"
#include "search/fusion_space.hpp"

namespace kasc {

struct StreamChoices {
    std::vector<StreamChoice> choices;
    std::string cut;   ///< what was left out; empty: all choices
    std::string none;  ///< why there is no choice at all
};

/// At most `max_choices`; `graph` is expanded where the fusion holds a loop. Combinations of implementations whose
/// calls use the same number of threads an element come first (such values may stay in registers), then all others,
/// each in the order of the implementations' numbers. Implementations with fixed blocks meet in one choice only where
/// these serve one number of elements.
[[nodiscard]] StreamChoices stream_choices(const Graph& graph, ElementNumbers& numbers, const Fusion& fusion,
                                           std::size_t max_choices);

}  // namespace kasc
