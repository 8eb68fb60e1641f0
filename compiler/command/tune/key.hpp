#pragma once
// A compilation's key in the tuning database, and the best plan found there.

#include "command/options.hpp"
#include "driver/compilation.hpp"
#include "engine/machine.hpp"
#include "tune/key.hpp"

namespace kasc::command {

/// Requires: the program was checked of this request; its problem has the sizes. Without the parameters where one has
/// no value.
[[nodiscard]] tune::TuningKey tuning_key(const CheckedProgram& checked, const CompileRequest& request,
                                         const Machine& machine);

/// How far a result may lie from the reference's, of the largest value: a GPU rounds functions such as exp otherwise
/// than the CPU's library, by a few units in the last place a step, and a program that was written anew rounds
/// otherwise on either; all else gives the same bits.
[[nodiscard]] float result_tolerance(const Compilation& compilation, emit::Target target);

struct TunedCompilation {
    Compilation compilation;  ///< with one plan
    std::string note;         ///< which plan it is and why; empty: the model's first
};

/// Plans a checked program and keeps the plan that was measured best for it, its library and device, at the sizes
/// nearest to its problem's. Where none was, or it is not among the plans any more, the model's first, with a warning:
/// K0832, K0833. The database's K0820 to K0822.
[[nodiscard]] Outcome<TunedCompilation> plan_tuned(const CheckedProgram& checked, CompileRequest request,
                                                   const TunedOptions& options, const Machine& machine);

}  // namespace kasc::command
