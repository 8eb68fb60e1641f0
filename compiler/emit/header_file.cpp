#include <algorithm>

#include "contract/contract.hpp"
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

/// What the caller answers for: kasc run checks it.
void contract_comment(Writer& out, const Program& program) {
    const std::vector<std::string> lines = contract_text(program);
    if (lines.empty()) return;
    out.blank();
    out.line("/* Requires of the inputs and parameters, which is not checked here:");
    for (std::size_t i = 0; i < lines.size(); ++i) {
        out.line("     {}{}", lines[i], i + 1 == lines.size() ? " */" : ",");
    }
}

void pieces_text(Writer& out, const std::string& p, const InterfaceNames& names) {
    const auto declare = [&](std::string_view text) {
        std::string named(text);
        for (std::size_t at = 0; (at = named.find('@', at)) != std::string::npos;) named.replace(at, 1, p);
        out.raw_line(named);
    };
    declare(
        "/* ---- a run in pieces: begin, advance as often as needed, finish, end ---- */\n"
        "typedef struct @_run @_run;\n"
        "\n"
        "/* Allocates. Arrays in the target's memory, as for @_launch; they must stay until the end. */\n"
        "int @_begin(const @_arguments *arguments, void *stream, @_run **run);\n"
        "/* Arrays in host memory, as for @_compute; they must stay until the end. */\n"
        "int @_begin_on_host(const @_arguments *arguments, @_run **run);\n"
        "/* Runs so many more iterations of the outermost loops, and what stands between loops; all that are left, if\n"
        "   negative. 0: what stands before the first iteration. kernel_seconds, if given, receives the kernels' time, "
        "and\n"
        "   the call waits for them; else it need not. */\n"
        "int @_advance(@_run *run, long long iterations, double *kernel_seconds);\n"
        "/* Waits for what was begun. */\n"
        "int @_wait(@_run *run);\n"
        "/* Iterations of the outermost loops: how many are done, how many there are. */\n"
        "long long @_done(const @_run *run);\n"
        "long long @_total(const @_run *run);\n"
        "/* Runs what is left and delivers the outputs. */\n"
        "int @_finish(@_run *run);\n"
        "/* Frees the run, finished or not. */\n"
        "void @_end(@_run *run);\n"
        "\n"
        "/* ---- its state: what the next iteration needs of those before it ----\n"
        "   To go on elsewhere, begin a run with equal arguments there, advance it by 0, seek the iteration that the "
        "other\n"
        "   was about to run, and write every array of its state. The results are the same, bit for bit. */\n"
        "enum { @_float32 = 0, @_float64 = 1, @_int32 = 2, @_uint8 = 3 };\n"
        "typedef struct @_array {\n"
        "    const char *name; /* of a variable: the same in every plan of the program */\n"
        "    int type;         /* of a word: @_float32 … */\n"
        "    long long words;\n"
        "} @_array;\n"
        "/* 1, and the array; 0: there are no more. At the start of an iteration alone there are any. */\n"
        "int @_state(const @_run *run, int index, @_array *array);\n"
        "/* Between an array of the state and host memory. */\n"
        "int @_read_state(@_run *run, int index, void *values);\n"
        "int @_write_state(@_run *run, int index, const void *values);\n"
        "/* The iteration comes next, whatever was run. */\n"
        "int @_seek(@_run *run, long long iteration);\n");
    if (names.series.empty()) return;
    std::string numbers;
    for (std::size_t i = 0; i < names.series.size(); ++i) {
        const Series& s = names.series[i].series;
        numbers += fmt::format("{}{}_series_{} = {}", i == 0 ? "" : ", ", p,
                               (s.input ? names.inputs : names.outputs).at(s.position), i);
    }
    out.line("/* ---- series that do not lie in memory whole ----");
    declare(
        "   Row r of a series is what iteration r of its loop reads or assigns. With @_arguments::…_rows set, only so "
        "many\n"
        "   rows lie in memory, the array's pointer may be null, and before the iterations that need rows are run, "
        "they are\n"
        "   loaded: values of an input from host memory, NULL for an output, which starts as zeros. Rows of an output "
        "are\n"
        "   saved to host memory before others are loaded; those that are assigned before the loop are loaded before "
        "the\n"
        "   first advance. An iteration whose rows are not there fails. */");
    out.line("enum {{ {} }};", numbers);
    declare(
        "int @_load(@_run *run, int series, long long first, long long rows, const void *values);\n"
        "int @_save(@_run *run, int series, long long first, long long rows, void *values);\n");
}

}  // namespace

std::string header_text(const Program& program, const Library& library, const InterfaceNames& names) {
    const std::string& p = program.name;
    Writer out;
    out.line("/* {}: made by kasc. Arrays are dense, the last index contiguous. */", p);
    out.line("#pragma once");
    out.blank();
    out.raw_line("#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
    out.open("typedef struct {}_arguments", p);
    if (program.kind == ProgramKind::stream) out.line("long long {}; /* elements */", names.elements);
    for (const AxisId axis : program.axes.ids()) {
        if (!program.axes[axis].parts) out.line("long long {}; /* extent */", names.extents.at(axis.index));
    }
    for (const ParameterId id : program.parameters.ids()) {
        out.line("{} {};", type_text(program.parameters[id]), names.parameters[id.index]);
    }
    for (std::size_t i = 0; i < program.inputs.size(); ++i) {
        out.line("const {} *{}; /* in:  {} */", word_text(program, program.inputs[i]), names.inputs[i],
                 shape_text(program, library, names, program.inputs[i]));
    }
    for (std::size_t i = 0; i < program.outputs.size(); ++i) {
        out.line("{} *{}; /* out: {} */", word_text(program, program.outputs[i]), names.outputs[i],
                 shape_text(program, library, names, program.outputs[i]));
    }
    for (const SeriesNames& s : names.series)
        out.line("long long {}; /* of a run in pieces: rows in memory at a time; 0: all (see {}_load) */", s.rows, p);
    out.close(fmt::format(" {}_arguments;", p));
    contract_comment(out, program);
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
    pieces_text(out, p, names);
    out.line("/* The same as {0}_compute on the CPU, without fusion. */", p);
    out.line(
        "int {0}_reference_compute(const {0}_arguments *arguments, {0}_progress progress, void *user, double "
        "*kernel_seconds);",
        p);
    out.blank();
    out.raw_line("#ifdef __cplusplus\n}\n#endif");
    return out.take();
}

}  // namespace kasc::emit
