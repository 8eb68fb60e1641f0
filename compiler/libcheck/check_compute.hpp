#pragma once
// The compute function of an implementation: what it touches, and what it gives, with values in shared memory and in
// registers.

#include "libcheck/data_sets.hpp"
#include "libcheck/part_run.hpp"

namespace kasc::libcheck {

/// On every data set. Where there is no reference, the results of the first implementation
/// become those that are expected.
void check_compute(const FunctionTask& task, std::size_t implementation, std::size_t block, int elements,
                   std::vector<DataSet>& data_sets, Findings& findings);

}  // namespace kasc::libcheck
