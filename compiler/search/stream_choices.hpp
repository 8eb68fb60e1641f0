#pragma once
// The choices of a stream fusion: implementations of its calls × elements a block × how tiles move.

#include <string>
#include <vector>

#include "search/choice.hpp"
#include "search/fusion_space.hpp"

namespace kasc {

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
