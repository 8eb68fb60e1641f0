// <program>.h: the C API of a program.
#include <fmt/ranges.h>

#include <algorithm>

#include "contract/contract.hpp"
#include "emit/files.hpp"
#include "emit/skeleton.hpp"
#include "plan/capture.hpp"

namespace kasc::emit {

namespace {

constexpr std::string_view header_skeleton = R"(
/* ${p}: made by kasc. Arrays are dense, the last index contiguous. */
#pragma once
${half}

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ${p}_arguments {
    ${members}
} ${p}_arguments;
${contract}

/* Status of a call: 0, or what went wrong, with a message. */
enum {
    ${p}_ok = 0,
    ${p}_bad_argument = 1,  /* NULL, an extent, a position, an array that starts where none may */
    ${p}_device_failed = 2, /* CUDA, a library, memory */
    ${p}_check_failed = 3,  /* of a program that checks its accesses */
    ${p}_stopped = 4,       /* the caller asked for it */
    ${p}_no_reference = 5
};
/* Of the last failure in this thread. */
const char *${p}_message(void);

/* ---- prepared once, launched any number of times ---- */
typedef struct ${p}_prepared ${p}_prepared;

${about_prepare}
int ${p}_prepare(const ${p}_arguments *arguments, void *stream, ${p}_prepared **prepared);

${about_launch}
int ${p}_launch(${p}_prepared *prepared, const ${p}_arguments *arguments, double *kernel_seconds);

${about_release}
int ${p}_release(${p}_prepared *prepared);

/* Called now and then with how many iterations of the outermost loops are done; nonzero asks to stop. */
typedef int (*${p}_progress)(void *user, long long done, long long total);
/* On arrays in host memory, all at once: prepares, copies in, launches, copies out, releases. All but `arguments` may
   be NULL. */
int ${p}_compute(const ${p}_arguments *arguments, ${p}_progress progress, void *user, double *kernel_seconds);

${pieces}
${series}
/* The same as ${p}_compute on the CPU, without fusion; of another library than the other functions. */
int ${p}_reference_compute(const ${p}_arguments *arguments, ${p}_progress progress, void *user, double *kernel_seconds);
const char *${p}_reference_message(void);

#ifdef __cplusplus
}
#endif
)";

/// What calls ask of the caller, where targets differ.
struct Asked {
    std::string_view prepare, launch, release;
};

constexpr Asked asked_on_cuda{R"(
/* For the extents of `arguments`, the current device and `stream`, a cudaStream_t: allocates, plans transforms,
   loads kernels, and waits. Arrays and parameters may be others at each launch; arrays may be NULL here. The
   stream must outlast what is prepared, and not be under capture meanwhile.${graphs} */)",
                              R"(
/* On arrays in the device's memory, in the order of the stream: allocates nothing, plans nothing and does not wait,
   so that a stream given to ${p}_prepare may be under capture into a CUDA graph. Arrays start at multiples of 16
   bytes; inputs are not changed and must not overlap outputs. One launch at a time: what is prepared has arrays
   of its own. kernel_seconds, unless NULL, receives the kernels' time, and the call waits for them. */)",
                              R"(
/* Frees all, in the order of the stream; NULL: nothing. No CUDA graph that was captured of a launch may run any more. */)"};

constexpr std::string_view about_graphs = R"(
   Its loops are CUDA graphs, made here of the arrays and parameters in `arguments`, where no array is NULL.
   They serve launches on the same; on others the loops are launched kernel by kernel.)";

constexpr Asked asked_on_cpu{R"(
/* For the extents of `arguments`: allocates, plans transforms. Arrays and parameters may be others at each launch;
   arrays may be NULL here. `stream` is not used.${graphs} */)",
                             R"(
/* Inputs are not changed and must not overlap outputs. One launch at a time: what is prepared has arrays of its
   own. kernel_seconds, unless NULL, receives the time taken. */)",
                             R"(
/* Frees all; NULL: nothing. */)"};

constexpr std::string_view pieces_in_header = R"(
/* ---- a prepared program in pieces: begin, advance as often as needed, finish ---- */
/* Begins a run on these arrays, which must stay until it has ended; another that has not ended is given up. */
int ${p}_begin(${p}_prepared *prepared, const ${p}_arguments *arguments);
/* Runs so many more iterations of the outermost loops, and what stands between loops; all that are left, if
   negative. 0: what stands before the first iteration. kernel_seconds, unless NULL, receives the kernels' time,
   and the call waits for them; else it need not. */
int ${p}_advance(${p}_prepared *prepared, long long iterations, double *kernel_seconds);
/* Waits for what was launched. */
int ${p}_wait(${p}_prepared *prepared);
/* Iterations of the outermost loops: how many are done, how many there are. -1: prepared is NULL. */
long long ${p}_done(const ${p}_prepared *prepared);
long long ${p}_total(const ${p}_prepared *prepared);
/* Runs what is left and ends the run: the outputs are complete. */
int ${p}_finish(${p}_prepared *prepared);

/* ---- its state: what the next iteration needs of those before it ----
   To go on elsewhere, begin a run with equal arguments there, advance it by 0, seek the iteration that the other
   was about to run, and write every array of its state. The results are the same, bit for bit. */
enum { ${p}_float32 = 0, ${p}_float64 = 1, ${p}_int32 = 2, ${p}_uint8 = 3, ${p}_complex64 = 4, ${p}_complex128 = 5,
       ${p}_float16 = 6, ${p}_bfloat16 = 7, ${p}_int64 = 8 };
typedef struct ${p}_array {
    const char *name; /* of a variable: the same in every plan of the program */
    int type;         /* of a word: ${p}_float32 … */
    long long words;
} ${p}_array;
/* The array; its name is NULL where there are no more. At the start of an iteration alone there are any. */
int ${p}_state(${p}_prepared *prepared, int index, ${p}_array *array);
/* Between an array of the state and host memory. */
int ${p}_read_state(${p}_prepared *prepared, int index, void *values);
int ${p}_write_state(${p}_prepared *prepared, int index, const void *values);
/* The iteration comes next, whatever was run. */
int ${p}_seek(${p}_prepared *prepared, long long iteration);
)";

constexpr std::string_view series_in_header = R"(
/* ---- series that do not lie in memory whole ----
   Row r of a series is what iteration r of its loop reads or assigns. Prepared with ${p}_arguments::…_rows set, only so
   many rows lie in memory, the array's pointer may be NULL, and before the iterations that need rows are run, they
   are loaded: values of an input from host memory, NULL for an output, which starts as zeros. Rows of an output are
   saved to host memory before others are loaded; those that are assigned before the loop are loaded before the
   first advance. An iteration whose rows are not there fails. */
enum { ${numbers} };
int ${p}_load(${p}_prepared *prepared, int series, long long first, long long rows, const void *values);
int ${p}_save(${p}_prepared *prepared, int series, long long first, long long rows, void *values);
)";

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
    if (is_complex(std::get<FieldShape>(shape).type)) return text + "[2], real and imaginary part";
    return text.empty() ? "one word" : text;
}

std::string members(const Program& program, const Library& library, const InterfaceNames& names) {
    Lines all;
    if (!names.elements.empty()) all.add("long long {}; /* elements, 1 or more */", names.elements);
    for (const AxisId axis : program.axes.ids()) {
        if (program.axes[axis].own) continue;
        // Not which: the code serves programs that differ in it, and they share what is built of it.
        all.add("long long {}; /* extent{} */", names.extents.at(axis.index),
                declared_length(program.axes[axis]) ? ", declared in the program" : "");
    }
    for (const ParameterId id : program.parameters.ids())
        all.add("{} {};", type_text(program.parameters[id]), names.parameters[id.index]);
    for (std::size_t i = 0; i < program.inputs.size(); ++i) {
        all.add("const {} *{}; /* in:  {} */", callers_word_text(program, program.inputs[i]), names.inputs[i],
                shape_text(program, library, names, program.inputs[i]));
    }
    for (std::size_t i = 0; i < program.outputs.size(); ++i) {
        all.add("{} *{}; /* out: {} */", callers_word_text(program, program.outputs[i]), names.outputs[i],
                shape_text(program, library, names, program.outputs[i]));
    }
    for (const SeriesNames& s : names.series)
        all.add("long long {}; /* of a run in pieces: rows in memory at a time; 0: all (see {}_load) */", s.rows,
                program.name);
    return all.take();
}

/// Arrays of 16 bits have types of their own. Behind a blank line.
std::string half_header(const Program& program) {
    const auto is_half = [&](VariableId variable) { return is_short(cell_type_of(program, variable)); };
    const bool any = std::any_of(program.inputs.begin(), program.inputs.end(), is_half) ||
                     std::any_of(program.outputs.begin(), program.outputs.end(), is_half);
    return any ? "\n#include \"kasc_half.h\"" : "";
}

/// What the caller answers for: kasc run checks it. Behind a blank line.
std::string contract_comment(const Program& program) {
    const std::vector<std::string> lines = contract_text(program);
    if (lines.empty()) return "";
    return fmt::format("\n/* Requires of the inputs and parameters, which is not checked here:\n     {} */",
                       fmt::join(lines, ",\n     "));
}

std::string series_numbers(const std::string& p, const InterfaceNames& names) {
    std::string numbers;
    for (std::size_t i = 0; i < names.series.size(); ++i) {
        const Series& s = names.series[i].series;
        numbers += fmt::format("{}{}_series_{} = {}", i == 0 ? "" : ", ", p,
                               (s.input ? names.inputs : names.outputs).at(s.position), i);
    }
    return numbers;
}

}  // namespace

std::string header_text(const Program& program, const Library& library, const HostPlan& plan,
                        const InterfaceNames& names, Target target) {
    const std::string& p = program.name;
    const bool cuda = target == Target::cuda;
    const Asked& asked = cuda ? asked_on_cuda : asked_on_cpu;
    const Holes name{{"p", p}};
    const std::string graphs(cuda && has_graphs(plan) ? about_graphs : "");
    return filled(
        header_skeleton,
        {{"p", p},
         {"half", half_header(program)},
         {"members", members(program, library, names)},
         {"contract", contract_comment(program)},
         {"about_prepare", filled_part(asked.prepare, {{"graphs", graphs}})},
         {"about_launch", filled_part(asked.launch, cuda ? name : Holes{})},
         {"about_release", filled_part(asked.release, {})},
         {"pieces", has_pieces(program) ? filled(pieces_in_header, name) : ""},
         {"series",
          names.series.empty() ? "" : filled(series_in_header, {{"p", p}, {"numbers", series_numbers(p, names)}})}});
}

}  // namespace kasc::emit
