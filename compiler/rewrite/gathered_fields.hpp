#pragma once
// A field that is read at positions alone, as what makes a grid coarser reads it, need not lie in memory: what it is
// computed of is read there.
//
//   s = (a[x - 1] + 2*a + a[x + 1])/4        s_here = (a[x = 2*u - 1] + 2*a[x = 2*u] + a[x = 2*u + 1])/4
//   d = s[x = 2*u]                           d = s_here

#include <string>
#include <vector>

#include "foundation/verdict.hpp"
#include "frontend/program.hpp"

namespace kasc {

struct GatheredVerdict {
    std::string statement;  ///< that makes the field
    Verdict verdict;
};
struct GatheredFields {
    Program program;
    std::vector<GatheredVerdict> verdicts;  ///< of each statement whose field is read at computed positions alone
    bool changed = false;
};

/// Such fields are made where they are read, once for each position. Variables that are added have the last ids. The
/// results are the same words.
[[nodiscard]] GatheredFields gathered_fields(const Program& program);

}  // namespace kasc
