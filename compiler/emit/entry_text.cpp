// <prefix>_entry.cpp: the program behind one signature for all programs (runtime/runs/entry.hpp), for kasc itself. It
// knows nothing but the header.
#include "emit/files.hpp"
#include "emit/skeleton.hpp"

namespace kasc::emit {

namespace {

constexpr std::string_view entry_skeleton = R"(
// What kasc calls; made by kasc.
#include "${p}.h"

#include <cstdio>

// The program behind one signature for all programs: extents, parameters and arrays by position.
struct kasc_entry_call {
    const long long *extents;
    const double *parameters;
    const void *const *inputs;
    void *const *outputs;
    int (*progress)(void *user, long long done, long long total);
    void *user;
    double *kernel_seconds;
    char *message;
    long long message_bytes;
    const long long *rows;
};

static ${p}_arguments arguments_of(const kasc_entry_call *call) {
    ${p}_arguments args = {};
    ${arguments}
    return args;
}

${prepared_entries}
extern "C" int ${prefix}_entry(const kasc_entry_call *call) {
    const ${p}_arguments args = arguments_of(call);
    const int status = ${prefix}_compute(&args, call->progress, call->user, call->kernel_seconds);
    if (call->message != nullptr && call->message_bytes > 0) {
        std::snprintf(call->message, (std::size_t)call->message_bytes, "%s", status == 0 ? "" : ${prefix}_message());
    }
    return status;
}
)";

/// Entries that take arrays in the target's memory. A run in pieces is begun, any other launched.
constexpr std::string_view prepared_entries_skeleton = R"(
extern "C" int ${p}_prepare_entry(const kasc_entry_call *call, ${p}_prepared **prepared) {
    const ${p}_arguments args = arguments_of(call);
    return ${p}_prepare(&args, nullptr, prepared);
}

extern "C" int ${p}_${run}_entry(const kasc_entry_call *call, ${p}_prepared *prepared) {
    const ${p}_arguments args = arguments_of(call);
    return ${p}_${run}(prepared, &args${seconds});
}
)";

std::string arguments_by_position(const Program& program, const InterfaceNames& names) {
    Lines all;
    if (!names.elements.empty()) all.add("args.{} = call->extents[0];", names.elements);
    for (const AxisId axis : program.axes.ids()) {
        if (program.axes[axis].own) continue;
        all.add("args.{} = call->extents[{}];", names.extents[axis.index], axis.index);
    }
    for (const ParameterId id : program.parameters.ids()) {
        all.add("args.{} = ({})call->parameters[{}];", names.parameters[id.index], type_text(program.parameters[id]),
                id.index);
    }
    for (std::size_t i = 0; i < names.inputs.size(); ++i)
        all.add("args.{} = static_cast<const {} *>(call->inputs[{}]);", names.inputs[i],
                callers_word_text(program, program.inputs[i]), i);
    for (std::size_t i = 0; i < names.outputs.size(); ++i)
        all.add("args.{} = static_cast<{} *>(call->outputs[{}]);", names.outputs[i],
                callers_word_text(program, program.outputs[i]), i);
    if (names.series.empty()) return all.take();
    all.add("if (call->rows != nullptr) {{");
    for (std::size_t i = 0; i < names.series.size(); ++i)
        all.add("    args.{} = call->rows[{}];", names.series[i].rows, i);
    all.add("}}");
    return all.take();
}

std::string prepared_entries(const Program& program) {
    const bool pieces = has_pieces(program);
    return filled(prepared_entries_skeleton, {{"p", program.name},
                                              {"run", pieces ? "begin" : "launch"},
                                              {"seconds", pieces ? "" : ", call->kernel_seconds"}});
}

}  // namespace

std::string entry_text(const Program& program, const InterfaceNames& names, const std::string& prefix) {
    return filled(entry_skeleton, {{"p", program.name},
                                   {"prefix", prefix},
                                   {"arguments", arguments_by_position(program, names)},
                                   {"prepared_entries", prefix == program.name ? prepared_entries(program) : ""}});
}

}  // namespace kasc::emit
