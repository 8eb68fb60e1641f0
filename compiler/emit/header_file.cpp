#include <algorithm>

#include "contract/contract.hpp"
#include "emit/files.hpp"
#include "emit/writer.hpp"
#include "plan/capture.hpp"

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

/// Lines as they are, with the program's name in place of @.
class Declarations {
public:
    Declarations(Writer& out, std::string program) : out_(out), program_(std::move(program)) {}
    void operator()(std::string text) const {
        for (std::size_t at = 0; (at = text.find('@', at)) != std::string::npos;) text.replace(at, 1, program_);
        out_.raw_line(text);
    }

private:
    Writer& out_;
    std::string program_;
};

void declare_arguments(Writer& out, const Program& program, const Library& library, const InterfaceNames& names) {
    const std::string& p = program.name;
    out.open("typedef struct {}_arguments", p);
    if (program.kind == ProgramKind::stream) out.line("long long {}; /* elements, 1 or more */", names.elements);
    for (const AxisId axis : program.axes.ids()) {
        if (!program.axes[axis].parts) out.line("long long {}; /* extent */", names.extents.at(axis.index));
    }
    for (const ParameterId id : program.parameters.ids())
        out.line("{} {};", type_text(program.parameters[id]), names.parameters[id.index]);
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
}

void declare_status(const Declarations& declare) {
    declare(
        "/* Status of a call: 0, or what went wrong, with a message. */\n"
        "enum {\n"
        "    @_ok = 0,\n"
        "    @_bad_argument = 1,  /* NULL, an extent, a position, an array that starts where none may */\n"
        "    @_device_failed = 2, /* CUDA, a library, memory */\n"
        "    @_check_failed = 3,  /* of a program that checks its accesses */\n"
        "    @_stopped = 4,       /* the caller asked for it */\n"
        "    @_no_reference = 5\n"
        "};\n"
        "/* Of the last failure in this thread. */\n"
        "const char *@_message(void);\n");
}

/// What a launch asks of the caller, where targets differ.
void declare_prepared(const Declarations& declare, const Program& program, Target target, bool graphs) {
    const bool pieces = has_pieces(program);
    declare(
        "/* ---- prepared once, launched any number of times ---- */\n"
        "typedef struct @_prepared @_prepared;\n");
    if (target == Target::cuda) {
        declare(
            "/* For the extents of `arguments`, the current device and `stream`, a cudaStream_t: allocates, plans "
            "transforms,\n"
            "   loads kernels, and waits. Arrays and parameters may be others at each launch; arrays may be NULL here. "
            "The\n"
            "   stream must outlast what is prepared, and not be under capture meanwhile." +
            std::string(graphs ? "\n   Its loops are CUDA graphs, made here of the arrays and parameters in "
                                 "`arguments`, where no array is NULL.\n"
                                 "   They serve launches on the same; on others the loops are launched kernel by "
                                 "kernel. */"
                               : " */"));
    } else {
        declare(
            "/* For the extents of `arguments`: allocates, plans transforms. Arrays and parameters may be others at "
            "each launch;\n"
            "   arrays may be NULL here. `stream` is not used. */");
    }
    declare("int @_prepare(const @_arguments *arguments, void *stream, @_prepared **prepared);\n");
    if (target == Target::cuda) {
        declare(
            "/* On arrays in the device's memory, in the order of the stream: allocates nothing, plans nothing and "
            "does "
            "not wait,\n"
            "   so that a stream given to @_prepare may be under capture into a CUDA graph. Arrays start at multiples "
            "of 16\n"
            "   bytes; inputs are not changed and must not overlap outputs. One launch at a time: what is prepared has "
            "arrays\n"
            "   of its own. kernel_seconds, unless NULL, receives the kernels' time, and the call waits for them. */");
    } else {
        declare(
            "/* Inputs are not changed and must not overlap outputs. One launch at a time: what is prepared has arrays "
            "of its\n"
            "   own. kernel_seconds, unless NULL, receives the time taken. */");
    }
    declare("int @_launch(@_prepared *prepared, const @_arguments *arguments, double *kernel_seconds);\n");
    declare(
        target == Target::cuda
            ? "/* Frees all, in the order of the stream; NULL: nothing. No CUDA graph that was captured of a launch "
              "may run any more. */"
            : "/* Frees all; NULL: nothing. */");
    declare("int @_release(@_prepared *prepared);\n");
    declare(
        "/* Called now and then with how many iterations of the outermost loops are done; nonzero asks to stop. */\n"
        "typedef int (*@_progress)(void *user, long long done, long long total);\n"
        "/* On arrays in host memory, all at once: prepares, copies in, launches, copies out, releases. All but "
        "`arguments` may\n"
        "   be NULL. */\n"
        "int @_compute(const @_arguments *arguments, @_progress progress, void *user, double *kernel_seconds);\n");
    if (pieces) {
        declare(
            "/* ---- a prepared program in pieces: begin, advance as often as needed, finish ---- */\n"
            "/* Begins a run on these arrays, which must stay until it has ended; another that has not ended is given "
            "up. */\n"
            "int @_begin(@_prepared *prepared, const @_arguments *arguments);\n"
            "/* Runs so many more iterations of the outermost loops, and what stands between loops; all that are left, "
            "if\n"
            "   negative. 0: what stands before the first iteration. kernel_seconds, unless NULL, receives the "
            "kernels' "
            "time,\n"
            "   and the call waits for them; else it need not. */\n"
            "int @_advance(@_prepared *prepared, long long iterations, double *kernel_seconds);\n"
            "/* Waits for what was launched. */\n"
            "int @_wait(@_prepared *prepared);\n"
            "/* Iterations of the outermost loops: how many are done, how many there are. -1: prepared is NULL. */\n"
            "long long @_done(const @_prepared *prepared);\n"
            "long long @_total(const @_prepared *prepared);\n"
            "/* Runs what is left and ends the run: the outputs are complete. */\n"
            "int @_finish(@_prepared *prepared);\n"
            "\n"
            "/* ---- its state: what the next iteration needs of those before it ----\n"
            "   To go on elsewhere, begin a run with equal arguments there, advance it by 0, seek the iteration that "
            "the other\n"
            "   was about to run, and write every array of its state. The results are the same, bit for bit. */\n"
            "enum { @_float32 = 0, @_float64 = 1, @_int32 = 2, @_uint8 = 3 };\n"
            "typedef struct @_array {\n"
            "    const char *name; /* of a variable: the same in every plan of the program */\n"
            "    int type;         /* of a word: @_float32 … */\n"
            "    long long words;\n"
            "} @_array;\n"
            "/* The array; its name is NULL where there are no more. At the start of an iteration alone there are any. "
            "*/\n"
            "int @_state(@_prepared *prepared, int index, @_array *array);\n"
            "/* Between an array of the state and host memory. */\n"
            "int @_read_state(@_prepared *prepared, int index, void *values);\n"
            "int @_write_state(@_prepared *prepared, int index, const void *values);\n"
            "/* The iteration comes next, whatever was run. */\n"
            "int @_seek(@_prepared *prepared, long long iteration);\n");
    }
}

void declare_series(Writer& out, const Declarations& declare, const std::string& p, const InterfaceNames& names) {
    if (names.series.empty()) return;
    std::string numbers;
    for (std::size_t i = 0; i < names.series.size(); ++i) {
        const Series& s = names.series[i].series;
        numbers += fmt::format("{}{}_series_{} = {}", i == 0 ? "" : ", ", p,
                               (s.input ? names.inputs : names.outputs).at(s.position), i);
    }
    declare(
        "/* ---- series that do not lie in memory whole ----\n"
        "   Row r of a series is what iteration r of its loop reads or assigns. Prepared with @_arguments::…_rows set, "
        "only so\n"
        "   many rows lie in memory, the array's pointer may be NULL, and before the iterations that need rows are "
        "run, "
        "they\n"
        "   are loaded: values of an input from host memory, NULL for an output, which starts as zeros. Rows of an "
        "output are\n"
        "   saved to host memory before others are loaded; those that are assigned before the loop are loaded before "
        "the\n"
        "   first advance. An iteration whose rows are not there fails. */");
    out.line("enum {{ {} }};", numbers);
    declare(
        "int @_load(@_prepared *prepared, int series, long long first, long long rows, const void *values);\n"
        "int @_save(@_prepared *prepared, int series, long long first, long long rows, void *values);\n");
}

}  // namespace

std::string header_text(const Program& program, const Library& library, const HostPlan& plan,
                        const InterfaceNames& names, Target target) {
    const std::string& p = program.name;
    Writer out;
    const Declarations declare(out, p);
    out.line("/* {}: made by kasc. Arrays are dense, the last index contiguous. */", p);
    out.line("#pragma once");
    out.blank();
    out.raw_line("#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
    declare_arguments(out, program, library, names);
    contract_comment(out, program);
    out.blank();
    declare_status(declare);
    declare_prepared(declare, program, target, target == Target::cuda && has_graphs(plan));
    declare_series(out, declare, p, names);
    declare(
        "/* The same as @_compute on the CPU, without fusion; of another library than the other functions. */\n"
        "int @_reference_compute(const @_arguments *arguments, @_progress progress, void *user, double "
        "*kernel_seconds);\n"
        "const char *@_reference_message(void);\n");
    out.raw_line("#ifdef __cplusplus\n}\n#endif");
    return out.take();
}

}  // namespace kasc::emit
