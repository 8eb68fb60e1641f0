#include "tune/export_t4.hpp"

#include <nlohmann/json.hpp>
#include <numeric>

namespace kasc::tune {

namespace {

// Keys in the order in which they are written: people read these files.
using nlohmann::ordered_json;

constexpr double ns_per_ms = 1e6;

ordered_json measurement_of(const char* name, double value, const char* unit) {
    return {{"name", name}, {"value", value}, {"unit", unit}};
}

ordered_json result_of(const Measurement& m) {
    std::vector<double> runtimes;
    for (const double ns : m.times_ns) runtimes.push_back(ns / ns_per_ms);
    const double compilation_ms = m.compilation_s * 1e3;
    ordered_json result;
    result["configuration"] = {{"plan", m.plan}, {"kernels", m.parts}, {"position", std::to_string(m.position)}};
    result["times"] = {{"compilation_time", compilation_ms},
                       {"compilation", compilation_ms},
                       {"runtimes", runtimes},
                       {"benchmark", std::accumulate(runtimes.begin(), runtimes.end(), 0.0)},
                       {"framework", 0.0},
                       {"search_algorithm", 0.0},
                       {"validation", 0.0}};
    result["invalidity"] = m.invalidity;
    result["correctness"] = m.invalidity == correct && m.checked ? 1 : 0;
    ordered_json values = ordered_json::array({measurement_of("predicted", m.predicted_ns / ns_per_ms, "ms")});
    if (m.valid()) {
        values.insert(values.begin(), measurement_of("time", m.median_ns() / ns_per_ms, "ms"));
        values.push_back(measurement_of("low_quartile", m.quantile_ns(0.25) / ns_per_ms, "ms"));
        values.push_back(measurement_of("high_quartile", m.quantile_ns(0.75) / ns_per_ms, "ms"));
        values.push_back(measurement_of("copy_rate", m.copy_gb_s, "GB/s"));
    }
    result["measurements"] = values;
    result["objectives"] = {"time"};
    return result;
}

}  // namespace

std::string export_t4(const TuningKey& key, const std::vector<Measurement>& all) {
    ordered_json file;
    file["schema_version"] = "1.0.0";
    file["metadata"] = {{"program", key.program},       {"library", key.library},   {"sizes", key.sizes},
                        {"parameters", key.parameters}, {"target", key.target},     {"device", key.device},
                        {"driver", key.driver},         {"compiler", key.compiler}, {"kasc", key.kasc}};
    file["results"] = ordered_json::array();
    for (const Measurement& m : all) file["results"].push_back(result_of(m));
    return file.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace kasc::tune
