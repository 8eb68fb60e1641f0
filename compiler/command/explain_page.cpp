#include "command/explain_page.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <limits>

#include "command/request.hpp"
#include "command/tune/key.hpp"
#include "driver/explain_html.hpp"
#include "model/settled_value.hpp"
#include "runtime/files/check_places.hpp"
#include "runtime/files/replacement.hpp"
#include "tune/database.hpp"
#include "tune/fused_minimum.hpp"

namespace kasc::command {

namespace {

MeasuredPlan measured_plan(const tune::Measurement& m) {
    MeasuredPlan plan{m.plan, m.position, m.predicted_ns, 0, 0, 0, ""};
    if (m.valid()) {
        plan.median_ns = m.median_ns();
        plan.low_ns = m.quantile_ns(0.25);
        plan.high_ns = m.quantile_ns(0.75);
    } else {
        plan.fault = m.message.empty() ? m.invalidity : m.invalidity + ": " + m.message;
    }
    return plan;
}

/// All plans of the call of kasc tune that has the best one of the sizes nearest to the program's.
Outcome<std::optional<MeasuredPlans>> measured_plans(const std::filesystem::path& file, const CheckedProgram& checked,
                                                     const CompileRequest& request) {
    using Found = std::optional<MeasuredPlans>;
    const auto database = tune::TuningDatabase::open(file);
    if (!database) return failure<Found>(database.diagnostics);
    Machine machine;  // any of the device that plans are made for
    machine.target = checked.device.kind == DeviceKind::gpu ? emit::Target::cuda : emit::Target::cpu;
    machine.name = "";
    const auto best = database->best(tuning_key(checked, request, machine));
    if (!best) return failure<Found>(best.diagnostics);
    if (!*best) return success(Found{});
    const tune::TuningKey& key = (*best)->key;
    const auto all = database->load(key);
    if (!all) return failure<Found>(all.diagnostics);
    MeasuredPlans measured{key.device, key.sizes, key.parameters, key.compiler, {}};
    for (const tune::Measurement& m : *all) measured.plans.push_back(measured_plan(m));
    return success(Found{std::move(measured)});
}

}  // namespace

std::vector<double> known_parameters(const Program& program) {
    Problem known;
    for (const Parameter& p : program.parameters) {
        const auto value = p.fallback ? settled_value(*p.fallback, known) : std::nullopt;
        known.parameters.push_back(value.value_or(std::numeric_limits<double>::quiet_NaN()));
    }
    return std::move(known.parameters);
}

Diagnostics page_faults(const ExplainOptions& options) {
    if (options.page.empty()) return {};
    std::vector<runtime::CallFile> others = read_files(options.common);
    others.push_back({options.input, "the input file"});
    others.push_back({options.database, "the tuning database"});
    Diagnostics faults = runtime::check_places({{options.page, "the page"}}, others);
    std::error_code error;
    if (!options.database.empty() && !std::filesystem::exists(options.database, error)) {
        Diagnostic d = placeless("K0820", "there is no such tuning database",
                                 "measure with kasc tune --db FILE, or leave --db out");
        d.span.source = make_source(options.database);
        faults.push_back(d);
    }
    return faults;
}

Diagnostics write_page(const ExplainOptions& options, const CheckedProgram& checked, const CompileRequest& request,
                       const Compilation& compilation, const std::optional<StepReport>& step) {
    PageFacts facts;
    facts.version = KASC_VERSION;
    facts.step = step;
    facts.least_bytes =
        tune::fused_minimum_bytes(compilation, known_parameters(compilation.program), &compilation.plans.front());
    Diagnostics said;
    const bool named = !options.database.empty();
    const std::filesystem::path file = named ? std::filesystem::path(options.database) : tune::default_database();
    std::error_code error;
    if (std::filesystem::exists(file, error)) {
        auto measured = measured_plans(file, checked, request);
        for (Diagnostic& d : measured.diagnostics) {
            if (!named) d.severity = Severity::warning;
            said.push_back(std::move(d));
        }
        if (measured) facts.measured = std::move(*measured.value);
    }
    const auto page = explain_html(compilation, request, facts);
    said.insert(said.end(), page.diagnostics.begin(), page.diagnostics.end());
    if (has_errors(said)) return said;
    const Diagnostics faults = runtime::replace_file(options.page, *page);
    said.insert(said.end(), faults.begin(), faults.end());
    return said;
}

}  // namespace kasc::command
