#pragma once
// What a field program is run on, and what it gives as the language defines it.

#include <vector>

#include "frontend/program.hpp"
#include "random/field_terms.hpp"
#include "support/field_values.hpp"

namespace kasc::random {

struct FieldRunCase {
    test::Problem problem;
    std::vector<test::Cells> inputs;  ///< by position
};

[[nodiscard]] bool has_transforms(const Program& program);

/// Small grids: each program meets extents below and above its reach, multiples of four among them; where there are
/// transforms also axes of one cell. Axes and inputs
/// have the names that random programs give them, or any other.
[[nodiscard]] FieldRunCase draw_field_case(const Program& program, Draw& draw);

/// The outputs by position. `disturbance`: of what every transform gives (ProgramReference).
[[nodiscard]] std::vector<test::Cells> run_field_reference(const Program& program, const FieldRunCase& run,
                                                           double disturbance = 0);

/// The outputs of the first program by position, as the other computes them: it has all fields of the first by their
/// names, and perhaps some in addition.
[[nodiscard]] std::vector<test::Cells> run_of_names(const Program& program, const FieldRunCase& run,
                                                    const Program& other);

}  // namespace kasc::random
