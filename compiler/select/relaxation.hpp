#pragma once
// Set partitioning with fractions of columns allowed: linear programs that grow by a few columns at a time, solved by
// Clp, each from where the one before ended.

#include <memory>
#include <vector>

#include "select/partition.hpp"

namespace kasc {

/// Reduced costs: what a whole column adds at least to the value.
struct Relaxation {
    double value = 0;                   ///< 0 where it has no solution
    std::vector<double> reduced_costs;  ///< by column; at least 0 but for rounding
    std::vector<double> worth;  ///< by row: what covering it takes, the dual; their sum, with cuts', is the value
    std::vector<double> taken;  ///< by column: the fraction of it that the solution takes
};

class Relaxer {
public:
    Relaxer();
    Relaxer(Relaxer&&) noexcept;
    Relaxer& operator=(Relaxer&&) noexcept;
    ~Relaxer();

    /// Requires: since the call before, columns were added behind the others and costs changed, nothing else; or
    /// start_anew() came in between.
    [[nodiscard]] Relaxation relax(const PartitionProblem& problem);
    /// The next problem is another.
    void start_anew();

private:
    struct State;
    std::unique_ptr<State> state_;  ///< none before the first problem
};

[[nodiscard]] Relaxation relax_partition(const PartitionProblem& problem);

}  // namespace kasc
