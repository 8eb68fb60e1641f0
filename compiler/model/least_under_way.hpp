#pragma once
// What waiting for memory adds at least to any kernel over a program's fields: where fields are small, too few reads
// are under way.

#include "model/prediction.hpp"

namespace kasc::model {

/// A kernel of calls that compute fields cell by cell takes at least launch + latency + with_under_way(memory time,
/// this). 0 where nothing is certain.
[[nodiscard]] double least_under_way_ns(const Program& program, const Graph& graph, const Graph& expanded,
                                        const Device& device, const Problem& problem);
/// All calls that compute fields cell by cell do so over the same axes, and so does any kernel of them.
[[nodiscard]] bool have_same_axes(const Program& program, const Graph& graph);
/// Memory at the rate of a copy, and with so few bytes under way (predict.cpp).
[[nodiscard]] double with_under_way(double memory_ns, double under_way_ns);

}  // namespace kasc::model
