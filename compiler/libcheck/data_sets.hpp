#pragma once
// The data that functions are run on, and what they should give.

#include <string>
#include <vector>

#include "libcheck/function_check.hpp"
#include "libcheck/traced_array.hpp"

namespace kasc::libcheck {

struct DataSet {
    std::vector<Words> arguments;  ///< of `elements` elements each
    int elements = 0;
    Words expected;          ///< results of the first elements, as far as they are known
    int expected_from = -1;  ///< the implementation that they are of; -1: of the reference, or not known yet
};

/// How many data sets there are, and what the user calls them.
[[nodiscard]] int data_set_count();
[[nodiscard]] std::string data_set_name(int data_set);

/// All data sets with `elements` elements, and with the reference's results where the function has one.
[[nodiscard]] std::vector<DataSet> make_data_sets(const FunctionTask& task, int elements, Findings& findings);

/// Equal bits, or no numbers both.
[[nodiscard]] bool same_value(float a, float b);

}  // namespace kasc::libcheck
