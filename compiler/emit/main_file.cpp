// <program>_main.cpp: a program that runs both sides on random data and reports the first word that differs.
#include <fmt/format.h>

#include <algorithm>

#include "emit/files.hpp"
#include "emit/skeleton.hpp"
#include "frontend/axis_lengths.hpp"
#include "frontend/expression_parts.hpp"
#include "frontend/rounding.hpp"

namespace kasc::emit {

namespace {

/// Integer-valued data in -2 … 2 for streams make every product and sum exact, so that any order of operations must
/// give the same bits; fields take values near 1, which keep iterations tame.
const char* random_value(bool stream) {
    return stream ? "(float)((int)((random_state >> 16) % 5u) - 2)"
                  : "0.5f + (float)(random_state >> 8) * (1.0f / 16777216.0f)";
}

std::string arguments_by_name(const Program& program, const InterfaceNames& names) {
    Lines all;
    const auto entry = [&](const std::string& name, const char* type) {
        all.add("if (name == \"{0}\") return a->{0} = ({1})value, 1;", name, type);
    };
    if (!names.elements.empty()) entry(names.elements, "long long");
    for (const AxisId axis : program.axes.ids()) {
        if (!program.axes[axis].own) entry(names.extents.at(axis.index), "long long");
    }
    for (const ParameterId id : program.parameters.ids())
        entry(names.parameters[id.index], type_text(program.parameters[id]));
    return all.take();
}

/// Axes whose declarations compute their lengths from parameters and other axes, in an order in which that can be done.
std::vector<AxisId> computed_axes(const Program& program) {
    std::vector<AxisId> axes = axes_by_length(program);
    std::erase_if(axes, [&](AxisId id) {
        const Axis& axis = program.axes[id];
        return !axis.declared || axis.half_of || axis.own || declared_length(axis);
    });
    return axes;
}

std::string defaults(const Program& program, const InterfaceNames& names) {
    Lines all;
    if (!names.elements.empty()) all.add("args.{} = 100003;", names.elements);
    const std::vector<AxisId> computed = computed_axes(program);
    const auto declared =
        std::count_if(program.axes.begin(), program.axes.end(), [](const Axis& axis) { return !axis.own; });
    for (const AxisId axis : program.axes.ids()) {
        if (program.axes[axis].half_of) continue;  // once the axis has its length
        if (program.axes[axis].own) continue;      // the run's own
        if (std::find(computed.begin(), computed.end(), axis) != computed.end()) continue;  // as these
        const long long any = declared > 2 ? 65 : 259;
        all.add("args.{} = {};", names.extents.at(axis.index), declared_length(program.axes[axis]).value_or(any));
    }
    for (const ParameterId id : program.parameters.ids()) {
        const kasc::Parameter& p = program.parameters[id];
        const std::string& name = names.local.parameters[id.index];
        const std::string value = p.fallback                      ? host_text(*p.fallback, names, p.precision)
                                  : p.kind == ScalarKind::integer ? "5"
                                                                  : "0.01f";
        all.add("{} {} = {};", type_text(p), name, value);
        all.add("args.{} = {};", names.parameters[id.index], name);
    }
    return all.take();
}

/// A block that gives the axis its length, in terms of what was given.
std::string computed_length(const Program& program, const InterfaceNames& names, AxisId axis) {
    const Expression& length = *program.axes[axis].fallback_extent;
    std::string given;
    for (const ParameterId id : program.parameters.ids()) {
        const bool used = any_part(length, [&](const Expression& part) {
            const auto* use = std::get_if<ParameterUse>(&part.node);
            return use != nullptr && use->parameter == id;
        });
        if (used)
            given += fmt::format("const {} {} = args.{}; ", type_text(program.parameters[id]),
                                 names.local.parameters[id.index], names.parameters[id.index]);
    }
    return fmt::format("if (args.{0} == 0) {{ {1}args.{0} = {2}; }}", names.extents.at(axis.index), given,
                       host_text(length, names));
}

/// Lengths that are not given and follow from what is.
std::string lengths(const Program& program, const InterfaceNames& names) {
    Lines all;
    for (const AxisId axis : computed_axes(program)) all.add("{}", computed_length(program, names, axis));
    for (const AxisId axis : program.axes.ids()) {
        const auto& whole = program.axes[axis].half_of;
        if (!whole || program.axes[axis].own) continue;
        const std::string& half = names.extents.at(axis.index);
        all.add("if (args.{0} == 0) args.{0} = args.{1} / 2 + 1;", half, names.extents.at(whole->index));
    }
    return all.take();
}

/// What the host calls in the values of parameters.
std::string integers(const std::string& defaults) {
    return defaults.find("kasc_") == std::string::npos ? "" : "#include \"kasc_integers.hpp\"";
}

std::string inputs(const Program& program, const Library& library, const InterfaceNames& names) {
    Lines all;
    for (std::size_t i = 0; i < program.inputs.size(); ++i) {
        const char* word = callers_word_text(program, program.inputs[i]);
        all.add("std::vector<{}> in_{}((size_t)({}));", word, i,
                callers_words_text(program, library, names, program.inputs[i], "args."));
        // Counting up: the positions of a list are different cells.
        if (is_integer(cell_type_of(program, program.inputs[i]))) {
            all.add("for (size_t k = 0; k < in_{1}.size(); ++k) in_{1}[k] = ({0})k;", word, i);
        } else {
            all.add("for ({0} &word : in_{1}) word = random_word();", word, i);
        }
        all.add("args.{} = in_{}.data();", names.inputs[i], i);
    }
    return all.take();
}

std::string outputs(const Program& program, const Library& library, const InterfaceNames& names) {
    Lines all;
    for (std::size_t i = 0; i < program.outputs.size(); ++i) {
        const std::string_view word = callers_word_text(program, program.outputs[i]);
        all.add("std::vector<{2}> out_{0}((size_t)({1}), ({2}){3}), expected_{0}(out_{0});", i,
                callers_words_text(program, library, names, program.outputs[i], "args."), word,
                is_integer(cell_type_of(program, program.outputs[i])) ? "255" : "NAN");
        all.add("args.{0} = out_{1}.data(), b.{0} = expected_{1}.data();", names.outputs[i], i);
    }
    return all.take();
}

std::string comparisons(const Program& program, const InterfaceNames& names, double tolerance) {
    Lines all;
    for (std::size_t i = 0; i < names.outputs.size(); ++i) {
        const double digit = last_digit(cell_type_of(program, program.outputs[i]));
        const bool rounds = tolerance > 0 && digit > tolerance;
        all.add("faults += differs(\"{}\", out_{}, expected_{}{});", names.outputs[i], i, i,
                rounds ? fmt::format(", {:.3e}", digit) : "");
    }
    return all.take();
}

std::string about_tolerance(double tolerance) {
    if (tolerance <= 0) return "";
    return fmt::format(
        "// Functions such as exp are rounded otherwise on a GPU, those of the library to their Accuracy, and\n"
        "// rewrites (kasc explain) order operations anew: {:g} of the largest value is allowed.",
        tolerance);
}

constexpr std::string_view random_skeleton = R"(
static unsigned random_state = 20111u;
static float random_word(void)
{
    random_state = random_state * 1664525u + 1013904223u;
    return ${random};
}

)";

/// Inputs of integers count up: a program of those alone draws nothing.
std::string random_words(const Program& program) {
    const bool draws = std::any_of(program.inputs.begin(), program.inputs.end(),
                                   [&](VariableId input) { return !is_integer(cell_type_of(program, input)); });
    return draws ? filled(random_skeleton, {{"random", random_value(has_streams(program))}}) : "";
}

constexpr std::string_view main_skeleton = R"(
// Runs ${p}_compute and ${p}_reference_compute on random data; made by kasc.
#include "${p}.h"
${integers}

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

${random_words}
// Arguments are name=value: the number of elements, extents, parameters.
static int set_argument(${p}_arguments *a, const char *text) {
    const char *equals = std::strchr(text, '=');
    if (equals == nullptr) return 0;
    const std::string name(text, equals);
    const double value = std::atof(equals + 1);
    ${arguments}
    return 0;
}

static void set_defaults(${p}_arguments &args) {
    ${defaults}
}

${about_tolerance}
template <class T>
static int differs(const char *name, const std::vector<T> &x, const std::vector<T> &y, double relative = ${tolerance}) {
    double largest = 0;
    for (const T v : y) largest = std::fmax(largest, std::isfinite((double)v) ? std::fabs((double)v) : 0.0);
    const double allowed = relative * largest;
    for (size_t i = 0; i < x.size(); ++i) {
        const double a = (double)x[i], b = (double)y[i];
        if (std::memcmp(&x[i], &y[i], sizeof(T)) == 0 || (std::isnan(a) && std::isnan(b))) continue;
        if (std::fabs(a - b) <= allowed && allowed > 0) continue;
        std::printf("%s: word %zu is %.9g, the reference says %.9g\n", name, i, a, b);
        return 1;
    }
    return 0;
}

int main(int argc, char **argv) {
    ${p}_arguments args = {};
    set_defaults(args);
    for (int i = 1; i < argc; ++i) {
        if (!set_argument(&args, argv[i])) return std::printf("unknown argument %s\n", argv[i]), 2;
    }
    ${lengths}
    ${inputs}
    ${p}_arguments b = args;
    ${outputs}
    double seconds = 0;
    if (${p}_compute(&args, nullptr, nullptr, &seconds) != ${p}_ok) {
        return std::printf("${p}: %s\n", ${p}_message()), 1;
    }
    std::printf("${p}: kernels took %.3f ms\n", seconds * 1e3);
    const int status = ${p}_reference_compute(&b, nullptr, nullptr, nullptr);
    if (status == ${p}_no_reference) return std::printf("no reference function: nothing was compared\n"), 0;
    if (status != ${p}_ok) {
        return std::printf("the reference: %s\n", ${p}_reference_message()), 1;
    }
    int faults = 0;
    ${comparisons}
    if (faults == 0) std::printf("all words equal the reference\n");
    return faults == 0 ? 0 : 1;
}
)";

}  // namespace

std::string main_text(const EmitRequest& request, const InterfaceNames& names) {
    const Program& program = request.program;
    const Library& library = request.library;
    const double of_machine =
        request.target == Target::cuda ? rounding_tolerance(program, library) : stated_tolerance(program, library);
    const double tolerance = std::max(of_machine, request.tolerance);
    const std::string values = defaults(program, names);
    return filled(main_skeleton, {{"p", program.name},
                                  {"random_words", random_words(program)},
                                  {"arguments", arguments_by_name(program, names)},
                                  {"integers", integers(values + lengths(program, names))},
                                  {"defaults", values},
                                  {"about_tolerance", about_tolerance(tolerance)},
                                  {"tolerance", tolerance > 0 ? fmt::format("{:.3e}", tolerance) : "0.0"},
                                  {"lengths", lengths(program, names)},
                                  {"inputs", inputs(program, library, names)},
                                  {"outputs", outputs(program, library, names)},
                                  {"comparisons", comparisons(program, names, tolerance)}});
}

}  // namespace kasc::emit
