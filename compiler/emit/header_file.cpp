#include <algorithm>

#include "emit/files.hpp"
#include "emit/writer.hpp"

namespace kasc::emit {

namespace {

std::string shape_text(const Program& program, const Library& library, const InterfaceNames& names,
                       VariableId variable) {
    const auto& shape = program.variables[variable].shape;
    std::string text;
    if (const auto* stream = std::get_if<StreamShape>(&shape)) {
        text = fmt::format("[{}]", names.elements);
        for (const int extent : library.types[stream->type].shape) text += fmt::format("[{}]", extent);
        return text;
    }
    const auto& axes = std::get<FieldShape>(shape).axes;
    for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis)
        text += fmt::format("[{}]", names.extents.at(axis->index));
    return text.empty() ? "one word" : text;
}

}  // namespace

std::string header_text(const Program& program, const Library& library, const InterfaceNames& names) {
    const std::string& p = program.name;
    Writer out;
    out.line("/* {}: made by kasc. Arrays are dense, float32, the last index contiguous. */", p);
    out.line("#pragma once");
    out.blank();
    out.raw_line("#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
    out.open("typedef struct {}_arguments", p);
    if (program.kind == ProgramKind::stream) out.line("long long {}; /* elements */", names.elements);
    for (const std::string& extent : names.extents) out.line("long long {}; /* extent */", extent);
    for (const ParameterId id : program.parameters.ids()) {
        out.line("{} {};", program.parameters[id].kind == ScalarKind::integer ? "int" : "float",
                 names.parameters[id.index]);
    }
    for (std::size_t i = 0; i < program.inputs.size(); ++i) {
        out.line("const float *{}; /* in:  {} */", names.inputs[i],
                 shape_text(program, library, names, program.inputs[i]));
    }
    for (std::size_t i = 0; i < program.outputs.size(); ++i) {
        out.line("float *{}; /* out: {} */", names.outputs[i], shape_text(program, library, names, program.outputs[i]));
    }
    out.close(fmt::format(" {}_arguments;", p));
    out.blank();
    out.line("/* Status of a call; the message of the last failure in this thread is {}_message(). */", p);
    out.open("enum");
    out.line("{}_ok = 0,", p);
    out.line("{}_bad_argument = 1,", p);
    out.line("{}_device_failed = 2,", p);
    out.line("{}_check_failed = 3,", p);
    out.line("{}_stopped = 4,", p);
    out.line("{}_no_reference = 5", p);
    out.close(";");
    out.blank();
    out.line("/* Called now and then with the iterations done of the outermost loop; nonzero asks to stop. */");
    out.line("typedef int (*{}_progress)(void *user, long long done, long long total);", p);
    out.blank();
    out.line("const char *{}_message(void);", p);
    out.blank();
    out.line(
        "/* Arrays in the target's memory (the device's for CUDA, where `stream` is a cudaStream_t). Inputs are not "
        "changed and");
    out.line(
        "   must not overlap outputs. kernel_seconds, if given, receives the kernels' time, and the call waits for "
        "them. */");
    out.line(
        "int {0}_launch(const {0}_arguments *arguments, void *stream, {0}_progress progress, void *user, double "
        "*kernel_seconds);",
        p);
    out.blank();
    out.line("/* Arrays in host memory: allocates, copies in, computes, copies out. */");
    out.line(
        "int {0}_compute(const {0}_arguments *arguments, {0}_progress progress, void *user, double *kernel_seconds);",
        p);
    out.blank();
    out.line("/* The same on the CPU, without fusion. */");
    out.line(
        "int {0}_reference_compute(const {0}_arguments *arguments, {0}_progress progress, void *user, double "
        "*kernel_seconds);",
        p);
    out.blank();
    out.raw_line("#ifdef __cplusplus\n}\n#endif");
    return out.take();
}

}  // namespace kasc::emit
