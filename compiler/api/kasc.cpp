#include "kasc/kasc.hpp"

#include "api/request.hpp"
#include "driver/report.hpp"
#include "select/strategies.hpp"

namespace kasc::api {

Result compile(const std::string& source, const std::string& name, const Options& options) {
    Result result;
    const auto request = request_of(source, name, options);
    if (!request) {
        say(result, request.diagnostics);
        return result;
    }
    const auto compilation = kasc::compile(*request);
    Diagnostics said = compilation.diagnostics;
    result.ok = compilation.value.has_value();
    for (std::size_t i = 0; result.ok && i < compilation->plans.size(); ++i) {
        const auto code = emit_plan(*compilation, *request, i, emission(options.target));
        said.insert(said.end(), code.diagnostics.begin(), code.diagnostics.end());
        result.ok = code.value.has_value();
        if (!result.ok) break;
        result.plans.push_back({compilation->plans[i].time_ns, short_report(*compilation, i), files_of(*code)});
    }
    if (!result.ok) result.plans.clear();
    say(result, std::move(said));
    return result;
}

std::vector<StrategyInfo> strategies() {
    std::vector<StrategyInfo> all;
    for (const kasc::StrategyInfo& s : kasc::strategies()) all.push_back({s.name, s.description, !s.seeded.empty()});
    return all;
}

std::string version() { return KASC_VERSION; }

}  // namespace kasc::api
