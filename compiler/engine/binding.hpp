#pragma once
// A checked program's face towards the runtime, and the values of its parameters and extents for one run.

#include <map>
#include <string>
#include <vector>

#include "driver/compilation.hpp"
#include "runtime/runs/inputs.hpp"

namespace kasc {

[[nodiscard]] runtime::ArrayInterface array_of(const Program& program, const Library& library, VariableId variable);
[[nodiscard]] runtime::ProgramInterface interface_of(const Program& program, const Library& library);

/// What --set says of axes, by name; of a stream's elements as "n".
[[nodiscard]] std::map<std::string, long long> set_extents(const Program& program,
                                                           const std::map<std::string, double>& settings);

/// Parameters in order; fallbacks are computed in double precision and rounded once. K0715 for one without a value,
/// K0716 for a value that is no number or does not fit its type. `given`: in place of fallbacks, by name.
[[nodiscard]] Outcome<std::vector<double>> parameter_values(const Program& program,
                                                            const std::map<std::string, double>& given = {});

/// Extents for the entry: {elements} of a stream, all axes of a field; an axis that no input has takes its
/// declared length or its loop's bound. K0714 for one that nothing binds.
[[nodiscard]] Outcome<std::vector<long long>> extent_values(const Program& program, const runtime::BoundExtents& bound,
                                                            const std::vector<double>& parameters);

/// Makes these extents the sizes that the program is planned for.
void set_sizes(CheckedProgram& checked, const std::vector<long long>& extents);
/// The same of a call that is of these sizes alone: on a GPU kernels may transform lines of one length.
void fix_sizes(CheckedProgram& checked, const std::vector<long long>& extents);

/// Plans what ranks can share: no block waits for those of other ranks, none goes on when all have finished.
void share_launches(CompileRequest& request);
/// Plans what processes can share: no loops in kernels, no launches that carry another's cells, and kernels whose
/// blocks store cells of their own.
void share_kernels(CompileRequest& request);
/// Makes what one of so many ranks has of these the sizes that the program is planned for: the outermost axis of its
/// largest field is shared. With transforms, which one rank computes, they stay.
void share_sizes(CheckedProgram& checked, int ranks);

}  // namespace kasc
