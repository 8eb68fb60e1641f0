#pragma once
// Random programs as emitted code with a main program, for a compiler and a machine of their own.

#include <filesystem>

#include "emit/emit.hpp"

namespace kasc::random {

/// Into `folder`: of every seed's program its unfused plan and its most fused one, and group_0, group_1 … (.cu or
/// .cpp), each one translation unit that runs `plans_a_group` of them and ends with status 0 where all are right.
/// Returns the number of groups.
int emit_programs(const std::filesystem::path& folder, unsigned first, unsigned count, emit::Target target);

/// The same of programs over fields, with the numbers that each is run on and what it must give.
int emit_field_programs(const std::filesystem::path& folder, unsigned first, unsigned count, emit::Target target);

/// What stands in front of emitted files that are included in namespaces: all that they include themselves.
[[nodiscard]] std::string included_headers(const std::filesystem::path& folder, emit::Target target);

}  // namespace kasc::random
