#pragma once
// Which parts of statements pay as tables, and what they save at most, before a program with them is planned whole.

#include "driver/compilation.hpp"
#include "rewrite/axis_tables.hpp"

namespace kasc {

struct PricedTables {
    AxisTables tables;
    double saved_ns = 0;  ///< at most: as if all that the device does were to issue instructions
};
[[nodiscard]] PricedTables tables_that_pay(const CheckedProgram& checked);

}  // namespace kasc
