#pragma once
// What tuning found, for people and for programs.

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "tune/key.hpp"
#include "tune/ranking.hpp"

namespace kasc::tune {

/// A table, best measured first, and how well the predictions did.
[[nodiscard]] std::string report_text(const TuningKey& key, const std::string& program,
                                      const std::vector<Measurement>& all);
/// `kernels`: of each plan, by its position from 1, what a cost model may look at.
[[nodiscard]] std::string report_json(const TuningKey& key, const std::string& program,
                                      const std::vector<Measurement>& all,
                                      const std::vector<nlohmann::ordered_json>& kernels);

}  // namespace kasc::tune
