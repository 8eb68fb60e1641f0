#pragma once
// Set partitioning: columns cover rows, each row exactly once, at the least cost. Solved by lp_solve.

#include <cstdint>
#include <optional>
#include <vector>

namespace kasc {

struct Column {
    std::vector<int> rows;  ///< from 0, distinct
    std::int64_t cost = 0;  ///< not negative
};
/// At most `most` of the columns.
struct ColumnCut {
    std::vector<int> columns;
    int most = 0;
};

struct PartitionProblem {
    int rows = 0;
    std::vector<Column> columns;
    std::vector<ColumnCut> cuts;
};

struct PartitionSolution {
    std::vector<int> columns;  ///< sorted
    std::int64_t cost = 0;
    bool optimal = true;  ///< false: the best found when time was up
};

/// None: no partition exists, or none was found in time (`out_of_time`).
struct PartitionResult {
    std::optional<PartitionSolution> solution;
    bool out_of_time = false;
};
[[nodiscard]] PartitionResult solve_partition(const PartitionProblem& problem, int seconds);

/// The problem with fractions of columns allowed. Reduced costs: what a whole column adds at least to the value.
struct Relaxation {
    double value = 0;                   ///< 0 where it has no solution
    std::vector<double> reduced_costs;  ///< by column; at least 0 but for rounding
};
[[nodiscard]] Relaxation relax_partition(const PartitionProblem& problem);

}  // namespace kasc
