// <program>_main.cpp: a program that runs both sides on random data and reports the first word that differs.
#include <algorithm>

#include "emit/files.hpp"
#include "emit/writer.hpp"
#include "frontend/rounding.hpp"

namespace kasc::emit {

namespace {

/// Integer-valued data in -2 … 2 for streams make every product and sum exact, so that any order of operations must
/// give the same bits; fields take values near 1, which keep iterations tame.
void write_random(Writer& out, bool stream) {
    out.raw_line(
        "static unsigned random_state = 20111u;\n"
        "static float random_word(void)\n"
        "{\n"
        "    random_state = random_state * 1664525u + 1013904223u;");
    if (stream) {
        out.raw_line("    return (float)((int)((random_state >> 16) % 5u) - 2);");
    } else {
        out.raw_line("    return 0.5f + (float)(random_state >> 8) * (1.0f / 16777216.0f);");
    }
    out.raw_line("}\n");
}

void write_arguments(Writer& out, const Program& program, const InterfaceNames& names) {
    out.line("// Arguments are name=value: the number of elements, extents, parameters.");
    out.open("static int set_argument({0}_arguments *a, const char *text)", program.name);
    out.line("const char *equals = std::strchr(text, '=');");
    out.line("if (equals == nullptr) return 0;");
    out.line("const std::string name(text, equals);");
    out.line("const double value = std::atof(equals + 1);");
    const auto entry = [&](const std::string& name, const char* type) {
        out.line("if (name == \"{0}\") return a->{0} = ({1})value, 1;", name, type);
    };
    if (program.kind == ProgramKind::stream) entry(names.elements, "long long");
    for (const AxisId axis : program.axes.ids()) {
        if (!program.axes[axis].parts) entry(names.extents.at(axis.index), "long long");
    }
    for (const ParameterId id : program.parameters.ids()) {
        entry(names.parameters[id.index], type_text(program.parameters[id]));
    }
    out.line("return 0;");
    out.close();
    out.blank();
}

void write_defaults(Writer& out, const Program& program, const InterfaceNames& names) {
    out.open("static void set_defaults({}_arguments &args)", program.name);
    if (program.kind == ProgramKind::stream) out.line("args.{} = 100003;", names.elements);
    const auto declared =
        std::count_if(program.axes.begin(), program.axes.end(), [](const Axis& axis) { return !axis.parts; });
    for (const AxisId axis : program.axes.ids()) {
        if (program.axes[axis].half_of) continue;  // once the axis has its length
        if (program.axes[axis].parts) continue;    // the run's own
        out.line("args.{} = {};", names.extents.at(axis.index), declared > 2 ? 65 : 259);
    }
    for (const ParameterId id : program.parameters.ids()) {
        const kasc::Parameter& p = program.parameters[id];
        const std::string& name = names.local.parameters[id.index];
        if (p.fallback) {
            out.line("{} {} = {};", type_text(p), name, host_text(*p.fallback, names, p.precision));
        } else {
            out.line("{} {} = {};", type_text(p), name, p.kind == ScalarKind::integer ? "5" : "0.01f");
        }
        out.line("args.{} = {};", names.parameters[id.index], name);
    }
    out.close();
    out.blank();
}

void write_comparison(Writer& out, double tolerance) {
    if (tolerance > 0) {
        out.line(
            "// Functions such as exp are rounded otherwise on a GPU, those of the library to their Accuracy, and");
        out.line("// rewrites (kasc explain) order operations anew: {:g} of the largest value is allowed.", tolerance);
    }
    out.line("template <class T>");
    out.open("static int differs(const char *name, const std::vector<T> &x, const std::vector<T> &y)");
    out.line("double largest = 0;");
    out.line(
        "for (const T v : y) largest = std::fmax(largest, std::isfinite((double)v) ? std::fabs((double)v) : 0.0);");
    out.line("const double allowed = {} * largest;", tolerance > 0 ? fmt::format("{:.3e}", tolerance) : "0.0");
    out.open("for (size_t i = 0; i < x.size(); ++i)");
    out.line("const double a = (double)x[i], b = (double)y[i];");
    out.line("if (std::memcmp(&x[i], &y[i], sizeof(T)) == 0 || (std::isnan(a) && std::isnan(b))) continue;");
    out.line("if (std::fabs(a - b) <= allowed && allowed > 0) continue;");
    out.line("std::printf(\"%s: word %zu is %.9g, the reference says %.9g\\n\", name, i, a, b);");
    out.line("return 1;");
    out.close();
    out.line("return 0;");
    out.close();
    out.blank();
}

}  // namespace

std::string main_text(const EmitRequest& request, const InterfaceNames& names) {
    const Program& program = request.program;
    const Library& library = request.library;
    Writer out;
    out.line("// Runs {0}_compute and {0}_reference_compute on random data; made by kasc.", program.name);
    out.line("#include \"{}.h\"", program.name);
    out.blank();
    for (const char* header : {"cmath", "cstdio", "cstdlib", "cstring", "string", "vector"})
        out.line("#include <{}>", header);
    out.blank();
    write_random(out, program.kind == ProgramKind::stream);
    write_arguments(out, program, names);
    write_defaults(out, program, names);
    const double of_machine =
        request.target == Target::cuda ? rounding_tolerance(program, library) : stated_tolerance(program, library);
    write_comparison(out, std::max(of_machine, request.tolerance));
    out.open("int main(int argc, char **argv)");
    out.line("{}_arguments args = {{}};", program.name);
    out.line("set_defaults(args);");
    out.open("for (int i = 1; i < argc; ++i)");
    out.line("if (!set_argument(&args, argv[i])) return std::printf(\"unknown argument %s\\n\", argv[i]), 2;");
    out.close();
    for (const AxisId axis : program.axes.ids()) {
        const auto& whole = program.axes[axis].half_of;
        if (!whole) continue;
        const std::string& half = names.extents.at(axis.index);
        out.line("if (args.{0} == 0) args.{0} = args.{1} / 2 + 1;", half, names.extents.at(whole->index));
    }
    for (std::size_t i = 0; i < program.inputs.size(); ++i) {
        const char* word = word_text(program, program.inputs[i]);
        out.line("std::vector<{}> in_{}((size_t)({}));", word, i,
                 words_text(program, library, names, program.inputs[i], "args."));
        const auto* field = std::get_if<FieldShape>(&program.variables[program.inputs[i]].shape);
        const bool whole = field != nullptr && is_integer(field->type);
        // Counting up: the positions of a list are different cells.
        if (whole) {
            out.line("for (size_t k = 0; k < in_{1}.size(); ++k) in_{1}[k] = ({0})k;", word, i);
        } else {
            out.line("for ({0} &word : in_{1}) word = random_word();", word, i);
        }
        out.line("args.{} = in_{}.data();", names.inputs[i], i);
    }
    out.line("{}_arguments b = args;", program.name);
    for (std::size_t i = 0; i < program.outputs.size(); ++i) {
        const char* word = word_text(program, program.outputs[i]);
        out.line("std::vector<{2}> out_{0}((size_t)({1}), ({2}){3}), expected_{0}(out_{0});", i,
                 words_text(program, library, names, program.outputs[i], "args."), word,
                 std::string_view(word) == "float" || std::string_view(word) == "double" ? "NAN" : "255");
        out.line("args.{0} = out_{1}.data(), b.{0} = expected_{1}.data();", names.outputs[i], i);
    }
    out.line("double seconds = 0;");
    out.open("if ({}_compute(&args, nullptr, nullptr, &seconds) != {}_ok)", program.name, program.name);
    out.line("return std::printf(\"{0}: %s\\n\", {0}_message()), 1;", program.name);
    out.close();
    out.line("std::printf(\"{}: kernels took %.3f ms\\n\", seconds * 1e3);", program.name);
    out.line("const int status = {}_reference_compute(&b, nullptr, nullptr, nullptr);", program.name);
    out.line(
        "if (status == {}_no_reference) return std::printf(\"no reference function: nothing was compared\\n\"), 0;",
        program.name);
    out.open("if (status != {}_ok)", program.name);
    out.line("return std::printf(\"the reference: %s\\n\", {}_reference_message()), 1;", program.name);
    out.close();
    out.line("int faults = 0;");
    for (std::size_t i = 0; i < program.outputs.size(); ++i)
        out.line("faults += differs(\"{}\", out_{}, expected_{});", names.outputs[i], i, i);
    out.line("if (faults == 0) std::printf(\"all words equal the reference\\n\");");
    out.line("return faults == 0 ? 0 : 1;");
    out.close();
    return out.take();
}

std::string build_file_text(const EmitRequest& request, const EmittedCode& code) {
    const Target target = request.target;
    const std::string& p = request.program.name;
    Writer out;
    out.line("# Made by kasc.");
    out.line("cmake_minimum_required(VERSION 3.20)");
    if (target == Target::cuda) {
        out.line("if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)");
        out.line("  set(CMAKE_CUDA_ARCHITECTURES 80 90)");
        out.line("endif()");
    }
    out.line("project({} LANGUAGES CXX{})", p, target == Target::cuda ? " CUDA" : "");
    out.line("set(CMAKE_CXX_STANDARD 17)");
    out.line("if(NOT CMAKE_BUILD_TYPE)");
    out.line("  set(CMAKE_BUILD_TYPE Release)");
    out.line("endif()");
    out.line("find_package(OpenMP)");
    if (!code.libraries.empty() && target == Target::cuda) out.line("find_package(CUDAToolkit REQUIRED)");
    out.line("# Contraction is written out as fmaf: compilers must add none, so that both sides give the same bits.");
    out.line("add_library({0} {0}.{1})", p, target == Target::cuda ? "cu" : "cpp");
    out.line("add_library({0}_reference {0}_reference.cpp)", p);
    out.line("target_compile_options({}_reference PRIVATE -march=native -ffp-contract=off -fno-math-errno)", p);
    if (target == Target::cuda) {
        out.line("set_target_properties({} PROPERTIES CUDA_STANDARD 17)", p);
        out.line("target_compile_options({} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:--fmad=false>)", p);
    } else {
        out.line("target_compile_options({} PRIVATE -march=native -ffp-contract=off -fno-math-errno)", p);
    }
    out.line("if(OpenMP_CXX_FOUND)");
    if (target != Target::cuda) out.line("  target_link_libraries({} PRIVATE OpenMP::OpenMP_CXX)", p);
    out.line("  target_link_libraries({}_reference PRIVATE OpenMP::OpenMP_CXX)", p);
    out.line("endif()");
    // Transforms: cuFFT, FFTW.
    std::string libraries;
    for (const std::string& name : code.libraries) libraries += (target == Target::cuda ? " CUDA::" : " ") + name;
    const std::string of_reference = fmt::format("{}", fmt::join(code.reference_libraries, " "));
    if (!libraries.empty()) out.line("target_link_libraries({} PRIVATE{})", p, libraries);
    if (!of_reference.empty()) out.line("target_link_libraries({}_reference PRIVATE {})", p, of_reference);
    out.line("add_executable({0}_main {0}_main.cpp)", p);
    out.line("target_link_libraries({0}_main PRIVATE {0} {0}_reference)", p);
    return out.take();
}

}  // namespace kasc::emit
