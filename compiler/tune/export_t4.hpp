#pragma once

#include <string>
#include <vector>

#include "tune/key.hpp"
#include "tune/measurement.hpp"

namespace kasc::tune {

/// Results in T4, the auto-tuning community's format, a result a plan, in the order given. Configuration values are
/// strings, as KTT wants them; times are in milliseconds and under both spellings that readers look for
/// (compilation_time and compilation, runtimes and benchmark).
[[nodiscard]] std::string export_t4(const TuningKey& key, const std::vector<Measurement>& all);

}  // namespace kasc::tune
