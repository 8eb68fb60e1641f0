#include "command/tune/key.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "driver/plan_rounding.hpp"
#include "driver/plan_text.hpp"
#include "engine/binding.hpp"
#include "frontend/rounding.hpp"
#include "library/identity.hpp"
#include "runtime/building/build.hpp"
#include "runtime/building/cuda_compiler.hpp"
#include "tune/database.hpp"
#include "tune/plan_text.hpp"

namespace kasc::command {

namespace {

Diagnostic warning(const char* code, std::string message, std::string help) {
    Diagnostic d = placeless(code, std::move(message), std::move(help));
    d.severity = Severity::warning;
    return d;
}

std::string note_of(const tune::BestMeasured& best) {
    const tune::Measurement& m = best.measurement;
    return fmt::format("plan {} of the model's, the best of {} measured on {} with {}: {:.2f} us\n", m.position,
                       best.measured, best.key.device, best.key.sizes, m.median_ns() / 1e3);
}

}  // namespace

tune::TuningKey tuning_key(const CheckedProgram& checked, const CompileRequest& request, const Machine& machine) {
    const bool cuda = machine.target == emit::Target::cuda;
    // Read again, since settings have changed the parameters' values in the checked one.
    const auto program = read_program(request.source, checked.library, request.settings);
    tune::TuningKey key;
    key.program = hash_of(tune::canonical_text(program ? *program : checked.program, checked.library) +
                          left_out_text(request.no_rewrite) + asked_text(request.rewrite) +
                          (request.steps ? fmt::format("{} steps", *request.steps) : ""));
    key.library = hash_of(tune::used_library_text(checked.program, checked.library));
    key.sizes = tune::sizes_text(checked.program, checked.problem);
    if (const auto parameters = parameter_values(checked.program))
        key.parameters = tune::parameters_text(checked.program, *parameters);
    key.target = cuda ? "cuda" : "cpu";
    key.device = machine.name;
    key.model = checked.device.name;
    key.driver = machine.driver;
    key.compiler =
        cuda ? "NVRTC " + runtime::cuda_compiler_version() : runtime::compiler_version(runtime::BuildTarget::cpu);
    key.kasc = KASC_VERSION;
    return key;
}

float result_tolerance(const Compilation& c, emit::Target target) {
    const double of_target = target == emit::Target::cuda ? rounding_tolerance(c.program, c.library)
                                                          : stated_tolerance(c.program, c.library);
    double tolerance = std::max(of_target, c.rewriting_tolerance);
    for (std::size_t plan = 0; plan < c.plans.size(); ++plan)
        tolerance = std::max(tolerance, rounding_of_plan(c, plan));
    return static_cast<float>(tolerance);
}

Outcome<TunedCompilation> plan_tuned(const CheckedProgram& checked, CompileRequest request, const TunedOptions& options,
                                     const Machine& machine) {
    const auto database = tune::TuningDatabase::open(
        options.database.empty() ? tune::default_database() : std::filesystem::path(options.database));
    if (!database) return failure<TunedCompilation>(database.diagnostics);
    tune::TuningKey key = tuning_key(checked, request, machine);
    const auto best = database->best(key);
    if (!best) return failure<TunedCompilation>(best.diagnostics);
    if (*best) request.plan.count = static_cast<std::size_t>((*best)->measurement.asked);
    auto plans = plan_program(checked, request);
    if (!plans) return failure<TunedCompilation>(plans.diagnostics);
    TunedCompilation tuned{std::move(*plans.value), ""};
    Diagnostics said = plans.diagnostics;
    std::size_t taken = 0;
    if (!*best) {
        said.push_back(warning("K0832",
                               "no plan of this program was measured for this device: the model's first is taken",
                               "measure with kasc tune"));
    } else {
        auto& all = tuned.compilation.plans;
        while (taken < all.size() && plan_text(tuned.compilation, all[taken]) != (*best)->measurement.plan) ++taken;
        if (taken < all.size()) tuned.note = note_of(**best);
        if (taken == all.size())
            said.push_back(warning("K0833",
                                   "the plan that was measured best is not made any more: the model's first is taken",
                                   "measure again with kasc tune"));
        taken %= all.size();
    }
    tuned.compilation.plans = {tuned.compilation.plans[taken]};
    return success(std::move(tuned), said);
}

}  // namespace kasc::command
