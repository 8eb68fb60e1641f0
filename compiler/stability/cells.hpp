#pragma once
// The cells at which a scheme is tested.

#include <set>

#include "stability/derivative.hpp"

namespace kasc::stability {

/// The cells of which the fields are computed, by axis of the program: without the layers that a field keeps. Empty
/// ranges where it keeps all.
[[nodiscard]] std::vector<Range> computed_ranges(const Program& program, const std::vector<VariableId>& fields,
                                                 const std::vector<long long>& extents);

/// What of them is known of all inputs.
[[nodiscard]] std::vector<Range> known_ranges(const Program& program, const Data& data, std::vector<Range> ranges);

/// By number among the program's inputs.
struct SampledInputs {
    std::set<std::size_t> extremes;  ///< where these are largest and smallest
    std::set<std::size_t> labels;    ///< where each value of these is: they choose among values that differ
};

/// First the cells where one of the inputs is largest and smallest and where each label is (the first such cell; the
/// middle along axes that the input lacks), then up to `most` cells spread evenly. None where a range is empty. No more
/// than `most` labels are looked for.
[[nodiscard]] std::vector<Cell> sample_cells(const Program& program, const SampledInputs& inputs, const Data& data,
                                             const std::vector<Range>& ranges, std::size_t most);

}  // namespace kasc::stability
