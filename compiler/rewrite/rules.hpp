#pragma once
// One function a rule: it writes the program anew where it can, and says so.

#include "rewrite/rewrite.hpp"

namespace kasc::rewriting {

void uniform_fields(Rewriting& r);
void equal_values(Rewriting& r);
void inverse_transforms(Rewriting& r);
void linear_transforms(Rewriting& r);
void unroll_loops(Rewriting& r);

}  // namespace kasc::rewriting
