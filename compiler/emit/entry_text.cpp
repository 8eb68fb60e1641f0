// <prefix>_entry.cpp: the program behind one signature for all programs (runtime/runs/entry.hpp), for kasc itself. It
// knows nothing but the header.
#include "emit/files.hpp"

namespace kasc::emit {

namespace {

void write_arguments_of_call(Writer& out, const Program& program, const InterfaceNames& names) {
    out.open("static {0}_arguments arguments_of(const kasc_entry_call *call)", program.name);
    out.line("{}_arguments args = {{}};", program.name);
    if (program.kind == ProgramKind::stream) out.line("args.{} = call->extents[0];", names.elements);
    for (const AxisId axis : program.axes.ids()) {
        if (program.axes[axis].parts) continue;
        out.line("args.{} = call->extents[{}];", names.extents[axis.index], axis.index);
    }
    for (const ParameterId id : program.parameters.ids()) {
        out.line("args.{} = ({})call->parameters[{}];", names.parameters[id.index], type_text(program.parameters[id]),
                 id.index);
    }
    for (std::size_t i = 0; i < names.inputs.size(); ++i)
        out.line("args.{} = static_cast<const {} *>(call->inputs[{}]);", names.inputs[i],
                 word_text(program, program.inputs[i]), i);
    for (std::size_t i = 0; i < names.outputs.size(); ++i)
        out.line("args.{} = static_cast<{} *>(call->outputs[{}]);", names.outputs[i],
                 word_text(program, program.outputs[i]), i);
    if (!names.series.empty()) out.open("if (call->rows != nullptr)");
    for (std::size_t i = 0; i < names.series.size(); ++i)
        out.line("args.{} = call->rows[{}];", names.series[i].rows, i);
    if (!names.series.empty()) out.close();
    out.line("return args;");
    out.close();
    out.blank();
}

/// Entries that take arrays in the target's memory.
void write_prepared_entries(Writer& out, const std::string& p, bool pieces) {
    out.open("extern \"C\" int {0}_prepare_entry(const kasc_entry_call *call, {0}_prepared **prepared)", p);
    out.line("const {}_arguments args = arguments_of(call);", p);
    out.line("return {}_prepare(&args, nullptr, prepared);", p);
    out.close();
    out.blank();
    out.open("extern \"C\" int {0}_{1}_entry(const kasc_entry_call *call, {0}_prepared *prepared)", p,
             pieces ? "begin" : "launch");
    out.line("const {}_arguments args = arguments_of(call);", p);
    if (pieces) {
        out.line("return {}_begin(prepared, &args);", p);
    } else {
        out.line("return {}_launch(prepared, &args, call->kernel_seconds);", p);
    }
    out.close();
    out.blank();
}

}  // namespace

std::string entry_text(const Program& program, const InterfaceNames& names, const std::string& prefix) {
    Writer out;
    out.line("// What kasc calls; made by kasc.");
    out.line("#include \"{}.h\"", program.name);
    out.blank();
    out.line("#include <cstdio>");
    out.blank();
    out.raw_line(
        "// The program behind one signature for all programs: extents, parameters and arrays by position.\n"
        "struct kasc_entry_call {\n"
        "    const long long *extents;\n"
        "    const double *parameters;\n"
        "    const void *const *inputs;\n"
        "    void *const *outputs;\n"
        "    int (*progress)(void *user, long long done, long long total);\n"
        "    void *user;\n"
        "    double *kernel_seconds;\n"
        "    char *message;\n"
        "    long long message_bytes;\n"
        "    const long long *rows;\n"
        "};\n");
    write_arguments_of_call(out, program, names);
    if (prefix == program.name) write_prepared_entries(out, program.name, has_pieces(program));
    out.open("extern \"C\" int {}_entry(const kasc_entry_call *call)", prefix);
    out.line("const {}_arguments args = arguments_of(call);", program.name);
    out.line("const int status = {}_compute(&args, call->progress, call->user, call->kernel_seconds);", prefix);
    out.open("if (call->message != nullptr && call->message_bytes > 0)");
    out.line(
        "std::snprintf(call->message, (std::size_t)call->message_bytes, \"%s\", status == 0 ? \"\" : {}_message());",
        prefix);
    out.close();
    out.line("return status;");
    out.close();
    return out.take();
}

}  // namespace kasc::emit
