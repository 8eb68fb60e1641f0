#include "driver/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "frontend/setting_names.hpp"

namespace kasc {

namespace {

bool set_size(const Program& program, GivenSizes& given, const std::string& name, double value) {
    if (has_streams(program) && name == "n") {
        given.elements = static_cast<long long>(value);
        return true;
    }
    for (const AxisId axis : program.axes.ids()) {
        if (program.axes[axis].name != name || program.axes[axis].own) continue;
        given.extents[axis] = static_cast<long long>(value);
        return true;
    }
    return false;
}

/// The name is an option, which was heeded when the program was read, or of a field that is not there.
bool is_option(const Program& program, const std::string& name) {
    const auto has = [&](const std::vector<std::string>& names) {
        return std::find(names.begin(), names.end(), name) != names.end();
    };
    return has(program.options) || has(program.left_out);
}

/// A setting that no parameter of its type can hold.
bool fits_parameter(const Parameter& p, double value) {
    if (p.kind == ScalarKind::integer) return value == std::floor(value) && std::abs(value) <= 2147483647.0;
    return std::isfinite(p.precision == Precision::dual ? value : static_cast<float>(value));
}

bool set_parameter(Program& program, const std::string& name, double value) {
    for (Parameter& p : program.parameters) {
        if (p.name != name) continue;
        p.fallback = std::make_shared<const Expression>(Expression{Literal{value}, p.kind, p.span});
        return true;
    }
    return false;
}

Diagnostic bad_setting(const std::string& name, std::string message, std::string help) {
    Diagnostic d;
    d.code = "K0901";
    d.message = std::move(message);
    d.span.source = make_source("--set " + name);
    d.help = std::move(help);
    return d;
}

/// The value fits no parameter of this type. What a dataset says is no fault of the call.
Diagnostic bad_value(const Parameter& parameter, double value, const SettingDatasets& datasets) {
    const bool whole = parameter.kind == ScalarKind::integer;
    const std::string& name = parameter.name;
    const char* kind = whole                                    ? "an integer of 32 bits"
                       : parameter.precision == Precision::dual ? "a finite double"
                                                                : "a finite float32";
    const auto dataset = datasets.find(name);
    if (dataset == datasets.end())
        return bad_setting(name, fmt::format("parameter '{}' is {}, not {}", name, kind, value), "");
    Diagnostic d = placeless(whole ? "K0717" : "K0713",
                             fmt::format("dataset '{}' is {}, and the parameter of its name {}", name, value, kind));
    d.span.source = make_source(dataset->second.place);
    d.notes.push_back({parameter.span, "the parameter is declared here"});
    return d;
}

/// Parameters whose dataset is there and of no use.
Diagnostics not_one_number(const Program& program, const SettingDatasets& datasets) {
    Diagnostics faults;
    for (const Parameter& p : program.parameters) {
        const auto dataset = datasets.find(p.name);
        if (p.fallback || dataset == datasets.end() || dataset->second.shape.empty()) continue;
        Diagnostic d = placeless("K0715", fmt::format("parameter '{}' has no value", p.name));
        d.span = p.span;
        d.label = "declared here";
        d.notes.push_back(
            {Span{make_source(dataset->second.place), 0, 0},
             fmt::format("the dataset '{}' has shape {}: a parameter is one number", p.name, dataset->second.shape)});
        d.flag_helps = {{{"--set"}, fmt::format("store one number, or pass {{}} {}=…", p.name)}};
        faults.push_back(std::move(d));
    }
    return faults;
}

}  // namespace

Diagnostics apply_settings(Program& program, GivenSizes& given, const std::map<std::string, double>& settings,
                           const SettingDatasets& datasets) {
    Diagnostics faults;
    for (const auto& setting : settings) {
        const std::string name = own_name(program, setting.first);
        const double value = setting.second;
        const bool is_extent =
            std::any_of(program.axes.begin(), program.axes.end(), [&](const Axis& a) { return a.name == name; }) ||
            (has_streams(program) && name == "n");
        const auto parameter = std::find_if(program.parameters.begin(), program.parameters.end(),
                                            [&](const Parameter& p) { return p.name == name; });
        if (!is_extent && parameter != program.parameters.end() && !fits_parameter(*parameter, value)) {
            faults.push_back(bad_value(*parameter, value, datasets));
        } else if (is_extent && (value < 1 || value > 2e9 || value != std::floor(value))) {
            faults.push_back(
                bad_setting(name, fmt::format("an extent is a whole number of at least 1, not {}", value), ""));
        } else if (!is_option(program, name) && !set_size(program, given, name, value) &&
                   !set_parameter(program, name, value)) {
            std::string all;
            for (const std::string& known : setting_names(program)) all += (all.empty() ? "" : ", ") + known;
            const auto near = nearest_name(name, setting_names(program));
            faults.push_back(bad_setting(name, fmt::format("the program has no axis or parameter '{}'", name),
                                         near ? fmt::format("did you mean '{}'?", *near) : "it has " + all));
        }
    }
    const Diagnostics unused = not_one_number(program, datasets);
    faults.insert(faults.end(), unused.begin(), unused.end());
    return faults;
}

}  // namespace kasc
