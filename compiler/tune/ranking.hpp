#pragma once
// How well predictions order what was measured.

#include <vector>

#include "tune/measurement.hpp"

namespace kasc::tune {

/// Spearman's rank correlation, ties with their mean rank; 0 where fewer than two pairs or all equal on a side.
[[nodiscard]] double spearman(const std::vector<double>& a, const std::vector<double>& b);

/// Valid ones by their median, then by position; after them the others by position.
[[nodiscard]] std::vector<Measurement> ranked(std::vector<Measurement> all);

struct Quality {
    bool known = false;          ///< false: nothing valid was measured
    double first_over_best = 0;  ///< time of the valid plan that was predicted first over the least time
    int position_of_best = 0;    ///< of the best measured in the predicted order, from 1
    double correlation = 0;      ///< of predicted and measured times
    int valid = 0, invalid = 0;
};
[[nodiscard]] Quality quality_of(const std::vector<Measurement>& all);

}  // namespace kasc::tune
