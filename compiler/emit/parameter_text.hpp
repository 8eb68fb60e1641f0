#pragma once
// A parameter of a kernel as the target declares it. Internal to this folder.

#include <fmt/format.h>

#include <string>

#include "emit/target.hpp"
#include "kernel/c_spelling.hpp"
#include "kernel/kernel.hpp"

namespace kasc::emit {

[[nodiscard]] inline std::string parameter_text(const kernel::Parameter& p, Target target) {
    if (!p.is_array() && !p.is_count()) return fmt::format("{} {}", kernel::c_spelling(p.type), p.name);
    const char* word = kernel::c_spelling(p.type);
    if (target == Target::cpu_checking) return fmt::format("kasc_pointer_to<{}> {}", word, p.name);
    const bool in = std::holds_alternative<kernel::ArrayIn>(p.source);
    return fmt::format("{}{} *__restrict__ {}", in ? "const " : "", word, p.name);
}

}  // namespace kasc::emit
