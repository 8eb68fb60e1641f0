#include "engine/binding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "emit/transform_text.hpp"
#include "frontend/axis_lengths.hpp"
#include "frontend/evaluate.hpp"
#include "frontend/setting_names.hpp"
#include "plan/series.hpp"

namespace kasc {

namespace {

Diagnostic about(const char* code, std::string message, const Span& span, std::string label, std::string help) {
    Diagnostic d;
    d.code = code;
    d.message = std::move(message);
    d.span = span;
    d.label = std::move(label);
    d.help = std::move(help);
    return d;
}

std::optional<runtime::CellWord> cell_word(const Program& program, VariableId id) {
    for (const ShapedField& field : program.shaped) {
        const auto at = std::find(field.words.begin(), field.words.end(), id);
        if (at == field.words.end()) continue;
        return runtime::CellWord{field.name, field.extents, static_cast<std::size_t>(at - field.words.begin()),
                                 field.layout};
    }
    return std::nullopt;
}

bool fits(double value, const Parameter& parameter) {
    if (!std::isfinite(value)) return false;
    if (parameter.precision == Precision::dual) return true;
    if (parameter.kind == ScalarKind::integer) return value == std::trunc(value) && std::abs(value) <= 2147483647.0;
    return std::isfinite(static_cast<float>(value));
}

}  // namespace

runtime::ArrayInterface array_of(const Program& program, const Library& library, VariableId id) {
    const Variable& variable = program.variables[id];
    runtime::ArrayInterface array;
    array.name = variable.name;
    if (const auto* stream = std::get_if<StreamShape>(&variable.shape)) {
        array.element_shape = library.types[stream->type].shape;
    } else {
        for (const AxisId axis : std::get<FieldShape>(variable.shape).axes)
            array.axes.push_back(static_cast<int>(axis.index));
        array.type = std::get<FieldShape>(variable.shape).type;
        array.of_cell = cell_word(program, id);
    }
    return array;
}

runtime::ProgramInterface interface_of(const Program& program, const Library& library) {
    runtime::ProgramInterface face;
    face.name = program.name;
    face.stream = has_streams(program);
    for (const Axis& axis : program.axes) face.axes.push_back(axis.name);
    for (const Parameter& p : program.parameters) face.parameters.push_back({p.name, p.kind == ScalarKind::integer});
    for (const VariableId v : program.inputs) face.inputs.push_back(array_of(program, library, v));
    for (const VariableId v : program.outputs) face.outputs.push_back(array_of(program, library, v));
    return face;
}

std::map<std::string, long long> set_extents(const Program& program, const std::map<std::string, double>& settings) {
    std::map<std::string, long long> extents;
    for (const auto& [setting, value] : settings) {
        const std::string name = own_name(program, setting);
        const bool is_axis = std::any_of(program.axes.begin(), program.axes.end(),
                                         [&](const Axis& axis) { return !axis.own && axis.name == name; });
        if (is_axis || (has_streams(program) && name == "n")) extents[name] = static_cast<long long>(value);
    }
    return extents;
}

Outcome<std::vector<double>> parameter_values(const Program& program, const std::map<std::string, double>& given) {
    std::vector<double> values;
    Diagnostics faults;
    for (const Parameter& p : program.parameters) {
        double value = 0;
        const auto own = given.find(p.name);
        if (own == given.end() && !p.fallback) {
            faults.push_back(
                about("K0715", fmt::format("parameter '{}' has no value", p.name), p.span, "declared here", ""));
            faults.back().flag_helps = {
                {{"--set"}, fmt::format("pass {{}} {}=…, or give it a value in the program", p.name)}};
        } else {
            value = own != given.end()              ? own->second
                    : p.kind == ScalarKind::integer ? evaluate_integer(*p.fallback, program, values)
                                                    : evaluate(*p.fallback, values);
            if (!fits(value, p)) {
                faults.push_back(about(
                    "K0716", fmt::format("parameter '{}' would be {}", p.name, value), p.span,
                    p.kind == ScalarKind::integer ? "must be a whole number of 32 bits" : "must be a finite float32",
                    ""));
            }
        }
        values.push_back(value);
    }
    if (!faults.empty()) return failure<std::vector<double>>(faults);
    return success(std::move(values));
}

Outcome<std::vector<long long>> extent_values(const Program& program, const runtime::BoundExtents& bound,
                                              const std::vector<double>& parameters) {
    const bool stream = has_streams(program);
    std::vector<long long> extents;
    for (const auto& extent : bound) extents.push_back(extent.value_or(0));
    for (const AxisId id : axes_by_length(program)) {
        if (bound.at(id.index)) continue;
        const double length = evaluate_integer(*program.axes[id].fallback_extent, program, parameters, {}, extents);
        extents.at(id.index) = std::isfinite(length) ? static_cast<long long>(length) : 0;
    }
    Diagnostics faults;
    for (const AxisId id : program.axes.ids()) {
        const Axis& axis = program.axes[id];
        if (!axis.declared || !bound.at(id.index) || !axis.fallback_extent) continue;
        const double length = evaluate_integer(*axis.fallback_extent, program, parameters, {}, extents);
        if (length == static_cast<double>(*bound[id.index])) continue;
        const auto input = std::find_if(program.inputs.begin(), program.inputs.end(), [&](VariableId v) {
            const auto& axes = field_shape(program, v).axes;
            return std::find(axes.begin(), axes.end(), id) != axes.end();
        });
        const bool is_set = input == program.inputs.end();
        const auto cell = is_set ? std::nullopt : cell_word(program, *input);
        const std::string other = is_set ? fmt::format("was set to {}", *bound[id.index])
                                         : fmt::format("is {} in '{}'", *bound[id.index],
                                                       cell ? cell->field : program.variables[*input].name);
        faults.push_back(about("K0718",
                               fmt::format("axis '{}' {}, and {:.0f} by its declaration", axis.name, other, length),
                               axis.fallback_extent->span.source ? axis.fallback_extent->span : axis.span,
                               fmt::format("makes {:.0f}", length),
                               is_set ? "leave the setting out, or give what the length is made of another value"
                                      : "give the input, or what the length is made of, another value"));
    }
    for (std::size_t i = 0; i < bound.size(); ++i) {
        const Axis* axis = stream ? nullptr : &program.axes[AxisId{static_cast<std::uint32_t>(i)}];
        const long long extent = extents[i];
        if (extent < 1) {
            const std::string name = stream ? "n" : axis->name;
            const std::string what = stream ? "the number of elements" : fmt::format("the extent of axis '{}'", name);
            const bool computed = axis != nullptr && axis->fallback_extent;
            if (computed && axis->declared && axis->fallback_extent->span.source) {
                faults.push_back(about("K0714", fmt::format("{} would be {}", what, extent),
                                       axis->fallback_extent->span, fmt::format("makes {}", extent),
                                       "give what the length is made of another value"));
                continue;
            }
            faults.push_back(
                about("K0714", computed ? fmt::format("{} would be {}", what, extent) : what + " is not known",
                      axis == nullptr ? Span{program.source, 0, 0} : axis->span,
                      computed ? "no input has it: its declared length, or the end of the loop that writes it"
                               : "no input has it",
                      ""));
            faults.back().flag_helps = {{{"--set"}, fmt::format("pass {{}} {}=…", name)}};
        }
    }
    if (!faults.empty()) return failure<std::vector<long long>>(faults);
    return success(std::move(extents));
}

void set_sizes(CheckedProgram& checked, const std::vector<long long>& extents) {
    if (has_streams(checked.program)) {
        checked.problem.elements = extents.front();
    } else {
        checked.problem.extents = extents;
    }
}

void fix_sizes(CheckedProgram& checked, const std::vector<long long>& extents) {
    set_sizes(checked, extents);
    const bool fields = !has_streams(checked.program);
    if (fields && checked.device.kind == DeviceKind::gpu) checked.problem.given.assign(extents.size(), true);
}

void share_launches(CompileRequest& request) { request.plan.bounds.last_blocks = false; }

void share_kernels(CompileRequest& request) {
    share_launches(request);
    request.inner_loops = false;
    request.riding = Riding::never;
    request.plan.bounds.own_cells = true;
}

void share_sizes(CheckedProgram& checked, int ranks) {
    const auto share = [&](long long cells) { return (cells + ranks - 1) / ranks; };
    const Program& program = checked.program;
    if (has_streams(program)) {
        checked.problem.elements = share(checked.problem.elements);
        return;
    }
    if (!emit::transform_precisions(program).empty()) return;
    const std::vector<Series> series = series_of(program);
    double most = 0;
    std::optional<AxisId> outermost;
    for (const VariableId v : program.variables.ids()) {
        const auto* field = std::get_if<FieldShape>(&program.variables[v].shape);
        if (field == nullptr || field->axes.empty() || program.axes[field->axes.back()].parts ||
            std::any_of(series.begin(), series.end(), [&](const Series& s) { return s.variable == v; }))
            continue;
        double bytes = static_cast<double>(cell_bytes(field->type));
        for (const AxisId axis : field->axes) bytes *= static_cast<double>(checked.problem.extents.at(axis.index));
        if (bytes > most) most = bytes, outermost = field->axes.back();
    }
    if (!outermost) return;
    long long& cells = checked.problem.extents.at(outermost->index);
    cells = share(cells);
}

}  // namespace kasc
