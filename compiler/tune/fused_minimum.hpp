#pragma once
// The least that any fusion must move: every input of the program read once and every output written once. A loop is
// not looked through: each of its iterations reads what enters its body once and writes what leaves it once.

#include "driver/compilation.hpp"

namespace kasc::tune {

/// Bytes for the problem's sizes; `parameters` give loops their bounds, and where one that a bound needs is NaN, as
/// many iterations are taken as plans are made for. 0: a loop ends by what it computes, so that
/// they are not known.
/// `plan`: of the program; a loop that its kernels run moves what it reads and what it leaves once.
[[nodiscard]] double fused_minimum_bytes(const CheckedProgram& checked, const std::vector<double>& parameters,
                                         const PlannedGraph* plan = nullptr);

}  // namespace kasc::tune
