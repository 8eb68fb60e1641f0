#pragma once
// What tuning found, for people and for programs.

#include <string>
#include <vector>

#include "tune/key.hpp"
#include "tune/ranking.hpp"

namespace kasc::tune {

/// A table, best measured first, and how well the predictions did.
[[nodiscard]] std::string report_text(const TuningKey& key, const std::string& program,
                                      const std::vector<Measurement>& all);
[[nodiscard]] std::string report_json(const TuningKey& key, const std::string& program,
                                      const std::vector<Measurement>& all);

}  // namespace kasc::tune
