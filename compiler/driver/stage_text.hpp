#pragma once
// A stage's value as text, of a compilation's first plan.

#include <string>

#include "driver/compilation.hpp"

namespace kasc {

/// `stage`: program, graph, space, plan, dot, kernel or cuda, as --emit has it; the last for `target`.
[[nodiscard]] Outcome<std::string> stage_text(const std::string& stage, const Compilation& compilation,
                                              const CompileRequest& request, emit::Target target);

}  // namespace kasc
