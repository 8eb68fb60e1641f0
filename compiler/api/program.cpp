#include "kasc/program.hpp"

#include <algorithm>
#include <mutex>

#include "api/request.hpp"
#include "contract/check_data.hpp"
#include "contract/contract.hpp"
#include "contract/uniform_positions.hpp"
#include "driver/explain_html.hpp"
#include "driver/plan_text.hpp"
#include "driver/report.hpp"
#include "engine/binding.hpp"
#include "engine/run_engine.hpp"
#include "runtime/building/cache_place.hpp"
#include "runtime/files/temporary_folder.hpp"
#include "tune/fused_minimum.hpp"

namespace kasc::api {

namespace {

template <class T>
Made<T> made(std::optional<T> value, Diagnostics said) {
    Made<T> result{std::move(value), {}, {}};
    say(result, std::move(said));
    return result;
}
template <class T>
Made<T> none(Diagnostics said) {
    return made<T>(std::nullopt, std::move(said));
}

Array array_of(const runtime::ArrayInterface& array) {
    Array result;
    result.name = array.name;
    for (const int axis : array.axes) result.axes.push_back(static_cast<std::size_t>(axis));
    result.element = array.element_shape;
    result.type = static_cast<Word>(array.type);
    if (array.of_cell) {
        result.field = array.of_cell->field;
        result.cell = array.of_cell->extents;
        result.word = array.of_cell->word;
        result.soa = array.of_cell->layout == CellLayout::arrays;
    }
    return result;
}

Interface face_of(const CheckedProgram& checked) {
    const runtime::ProgramInterface own = interface_of(checked.program, checked.library);
    Interface face;
    face.name = own.name;
    face.stream = own.stream;
    face.axes = own.axes;
    for (const kasc::Parameter& p : checked.program.parameters)
        face.parameters.push_back({p.name, p.kind == ScalarKind::integer, p.fallback != nullptr});
    for (const auto& input : own.inputs) face.inputs.push_back(array_of(input));
    for (const auto& output : own.outputs) face.outputs.push_back(array_of(output));
    return face;
}

kasc::Machine engines(const Machine& machine) {
    return {emission(machine.target), machine.device, machine.compute_capability, machine.name, {}};
}

}  // namespace

Made<Machine> find_machine(const std::string& target) {
    auto found = choose_machine(target, GpuCompiler::nvrtc);
    if (!found) return none<Machine>(std::move(found.diagnostics));
    const Target to = found->target == emit::Target::cuda ? Target::cuda : Target::cpu;
    return made<Machine>(Machine{to, found->device, found->compute_capability, found->name},
                         std::move(found.diagnostics));
}

// ---- a program

struct Program::State {
    CompileRequest request;
    CheckedProgram checked;
    Interface face;
    Contract contract;
};

Made<Program> Program::read(const std::string& source, const std::string& name, const Options& options) {
    auto request = request_of(source, name, options);
    if (!request) return none<Program>(std::move(request.diagnostics));
    auto checked = check_program(*request);
    if (!checked) return none<Program>(std::move(checked.diagnostics));
    auto state = std::make_shared<State>(State{std::move(*request.value), std::move(*checked.value), {}, {}});
    state->face = face_of(state->checked);
    state->contract = contract_of(state->checked.program);
    return made<Program>(Program(std::move(state)), std::move(checked.diagnostics));
}

const Interface& Program::interface() const { return state_->face; }

Made<Sizes> Program::sizes(const std::map<std::string, double>& parameters,
                           const std::map<std::string, long long>& extents) const {
    const kasc::Program& program = state_->checked.program;
    auto values = parameter_values(program, parameters);
    if (!values) return none<Sizes>(std::move(values.diagnostics));
    if (Diagnostics bad = check_numbers(program, *values); !bad.empty()) return none<Sizes>(std::move(bad));
    const auto fixed = set_extents(program, state_->request.settings);
    const std::vector<std::string> axes = state_->face.stream ? std::vector<std::string>{"n"} : state_->face.axes;
    runtime::BoundExtents bound;
    for (const std::string& axis : axes) {
        const auto given = extents.find(axis), own = fixed.find(axis);
        bound.push_back(given != extents.end() ? std::optional(given->second)
                        : own != fixed.end()   ? std::optional(own->second)
                                               : std::nullopt);
    }
    auto all = extent_values(program, bound, *values);
    if (!all) return none<Sizes>(std::move(all.diagnostics));
    if (Diagnostics bad = check_uniform_positions(program, *values, *all); !bad.empty())
        return none<Sizes>(std::move(bad));
    return made<Sizes>(Sizes{std::move(*all.value), std::move(*values.value)}, {});
}

// ---- its plans

struct Plans::State {
    std::shared_ptr<const Program::State> program;
    CompileRequest request;
    kasc::Machine machine;
    std::vector<long long> extents;  ///< as calls have them
    Compilation compilation;
};

Made<Plans> Program::plan(const Machine& machine, const Sizes& sizes, bool keep_all) const {
    CompileRequest request = state_->request;
    request.device = machine.device;
    request.plan.count = std::max<std::size_t>(2, request.plan.count);
    request.plan.keep_all = keep_all;
    CheckedProgram checked = state_->checked;
    set_sizes(checked, sizes.extents);
    checked.problem.parameters = sizes.parameters;
    auto compilation = plan_program(checked, request);
    if (!compilation) return none<Plans>(std::move(compilation.diagnostics));
    return made<Plans>(
        Plans(std::make_shared<const Plans::State>(
            Plans::State{state_, std::move(request), engines(machine), sizes.extents, std::move(*compilation.value)})),
        std::move(compilation.diagnostics));
}

std::size_t Plans::size() const { return state_->compilation.plans.size(); }
double Plans::predicted_ns(std::size_t plan) const { return state_->compilation.plans.at(plan).time_ns; }
std::string Plans::text(std::size_t plan) const {
    return plan_text(state_->compilation, state_->compilation.plans.at(plan));
}
std::string Plans::report(std::size_t plan) const { return short_report(state_->compilation, plan); }
Made<std::vector<File>> Plans::files(std::size_t plan) const {
    auto code = emit_plan(state_->compilation, state_->request, plan, state_->machine.target);
    if (!code) return none<std::vector<File>>(std::move(code.diagnostics));
    return made<std::vector<File>>(files_of(*code), std::move(code.diagnostics));
}
std::string Plans::explanation() const { return explain_text(state_->compilation, std::nullopt); }
std::string Plans::explanation_json() const { return explain_json(state_->compilation, std::nullopt); }
Made<std::string> Plans::page(const std::vector<Timed>& timed) const {
    const Compilation& compilation = state_->compilation;
    PageFacts facts;
    facts.version = KASC_VERSION;
    facts.least_bytes =
        tune::fused_minimum_bytes(compilation, compilation.problem.parameters, &compilation.plans.front());
    if (!timed.empty()) facts.measured = MeasuredPlans{state_->machine.name, "", "", "", {}};
    for (const Timed& t : timed) {
        const ProgramPlan& plan = compilation.plans.at(t.plan);
        facts.measured->plans.push_back({plan_text(compilation, plan), static_cast<int>(t.plan) + 1, plan.time_ns,
                                         t.median_ns, t.low_ns, t.high_ns, ""});
    }
    auto page = explain_html(compilation, state_->request, facts);
    return made<std::string>(std::move(page.value), std::move(page.diagnostics));
}
std::string Plans::space_json() const { return kasc::space_json(state_->compilation); }

// ---- what was built of one

struct Code::State {
    std::shared_ptr<const Plans::State> plans;
    runtime::TemporaryFolder folder;
    RunEngine engine;
    std::mutex one_at_a_time{};
    std::unique_ptr<runtime::RepeatedRun> run{};  ///< null: it was not called yet
};

Made<Code> Plans::build(std::size_t plan) const {
    auto folder = runtime::TemporaryFolder::create();
    if (!folder) return none<Code>(std::move(folder.diagnostics));
    EngineRequest wanted;
    wanted.scratch = folder->path();
    wanted.plan = plan;
    auto cache = runtime::users_cache();
    Diagnostics said = std::move(cache.diagnostics);
    if (cache) wanted.cache = std::move(*cache.value);
    runtime::PhaseTimes times;
    auto engine = RunEngine::start(state_->compilation, state_->request, state_->machine, std::move(wanted), times);
    said.insert(said.end(), engine.diagnostics.begin(), engine.diagnostics.end());
    if (!engine) return none<Code>(std::move(said));
    const Diagnostics built = engine.value->finish();
    said.insert(said.end(), built.begin(), built.end());
    if (has_errors(built)) return none<Code>(std::move(said));
    auto state = std::make_shared<Code::State>(state_, std::move(*folder.value), std::move(*engine.value));
    return made<Code>(Code(std::move(state)), std::move(said));
}

Made<double> Code::call(const Call& call) const {
    State& s = *state_;
    if (call.checked && !call.on_device) {
        const Program::State& program = *s.plans->program;
        Diagnostics found = check_data(program.checked.program, program.contract,
                                       {call.parameters, s.plans->extents, call.inputs, std::nullopt, {}});
        if (has_errors(found)) return none<double>(std::move(found));
    }
    runtime::EntryArguments arguments{
        s.plans->extents, call.parameters, call.inputs, call.outputs, {}, call.on_device, {}, call.stream};
    const std::lock_guard lock(s.one_at_a_time);
    if (!s.run) {
        auto run = s.engine.repeat(arguments, nullptr);
        if (!run) return none<double>(std::move(run.diagnostics));
        s.run = std::move(*run.value);
    }
    auto seconds = s.run->compute(arguments);
    if (!seconds) return none<double>(std::move(seconds.diagnostics));
    return made<double>(*seconds, {});
}

}  // namespace kasc::api
