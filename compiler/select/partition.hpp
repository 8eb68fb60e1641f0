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
    bool optimal = true;  ///< false: the best found when the work was used up
};

/// None: no partition exists, or none was found with so much work (`gave_up`).
struct PartitionResult {
    std::optional<PartitionSolution> solution;
    bool gave_up = false;
};
/// `work`: steps of lp_solve, which it counts down. A step takes 20 to 100 us; that steps are counted and not seconds
/// makes results the same on any machine.
[[nodiscard]] PartitionResult solve_partition(const PartitionProblem& problem, long& work);

}  // namespace kasc
