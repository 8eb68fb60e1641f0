#pragma once
// Choices as text, and what a plan says of one: any of the words, in any order; what it leaves out is open.
//
//   column 32x8 vector 4 rows 2 chunk 8 unroll 1 neighbours registers borders cell
//   grid 8x8x8 vector 1 rows 1 neighbours shared borders uniform
//   grid 256x1 vector 1 rows 1 neighbours registers borders cell launch last
//   row 1024x16
//   implementations 1-3 elements 96 rounds 2 transfer staged padding 4
//   storing

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "foundation/diagnostic.hpp"
#include "foundation/outcome.hpp"
#include "search/choice.hpp"

namespace kasc {

/// A choice of which some words may be open.
struct ChoiceWish {
    std::optional<Walk> walk;
    std::optional<std::array<int, 3>> block;
    std::optional<int> vector, rows, chunk, unroll, ahead;
    std::optional<Neighbours> neighbours;
    std::optional<Borders> borders;
    std::optional<KernelLaunch> launch;  ///< own, where a walk is said and this is not
    std::optional<std::vector<int>> implementations;
    std::optional<int> elements, rounds, padding;
    std::optional<TileTransfer> transfer;
    bool storing = false;  ///< of a transform and calls behind it: TransformCall::storing

    [[nodiscard]] bool of_fields() const;
    [[nodiscard]] bool of_streams() const;
};

/// Reads a piece of a source: words between blanks. K0920 for what is no word of a choice, or no value of its word.
[[nodiscard]] Outcome<ChoiceWish> parse_choice(const Span& text);

/// The choice with what the wish says in place of its own.
[[nodiscard]] FieldChoice wished(FieldChoice choice, const ChoiceWish& wish);
[[nodiscard]] StreamChoice wished(StreamChoice choice, const ChoiceWish& wish);

}  // namespace kasc
