#pragma once
// Readers of metadata values: integers, extents, lists and patterns. Each puts the caret under the part at fault.

#include <optional>
#include <string>
#include <vector>

#include "library/library.hpp"
#include "library/metadata.hpp"

namespace kasc::library {

/// A word of a value and where it stands.
struct Word {
    std::string text;
    Span span;
};

/// An integer in [least, most], nothing else in the value (K0308).
[[nodiscard]] std::optional<int> read_integer(const Word& value, int least, int most, Faults& faults);

/// `32`, `size` or `size (recommended 32)` (K0308).
[[nodiscard]] std::optional<Extent> read_extent(const Entry& entry, int most, Faults& faults);

/// The parts of `a, b, c`, trimmed; none of an empty value. An empty part is a fault (K0308).
[[nodiscard]] std::vector<Word> read_list(const Entry& entry, Faults& faults);

/// `start "<expr>", block "<expr>", stride "<expr>", count <n>, noreg <0|1>` (K0309). Expressions are kept as text.
[[nodiscard]] std::optional<Pattern> read_pattern(const Entry& entry, Faults& faults);

}  // namespace kasc::library
