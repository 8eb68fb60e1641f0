// The entry that kasc itself calls: one signature for all programs (see runtime/entry.hpp).
#include "emit/files.hpp"

namespace kasc::emit {

namespace {

void write_arguments(Writer& out, const Program& program, const InterfaceNames& names, const std::string& prefix) {
    out.open("static {}_arguments {}_entry_arguments(const kasc_entry_call *call)", program.name, prefix);
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

}  // namespace

void write_entry(Writer& out, const Program& program, const InterfaceNames& names, const std::string& prefix) {
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
        "    int resident;\n"
        "    const long long *rows;\n"
        "};\n");
    write_arguments(out, program, names, prefix);
    const bool reference = prefix != program.name;  // its own memory is the host's: nothing to choose
    if (!reference) {
        out.open("extern \"C\" int {0}_begin_entry(const kasc_entry_call *call, {0}_run **run)", prefix);
        out.line("const {0}_arguments args = {0}_entry_arguments(call);", prefix);
        out.line("return call->resident != 0 ? {0}_begin(&args, nullptr, run) : {0}_begin_on_host(&args, run);",
                 prefix);
        out.close();
        out.blank();
    }
    out.open("extern \"C\" int {}_entry(const kasc_entry_call *call)", prefix);
    out.line("const {}_arguments args = {}_entry_arguments(call);", program.name, prefix);
    if (!reference) {
        out.open("const auto run = [&]");
        out.line(
            "if (call->resident != 0) return {}_launch(&args, nullptr, call->progress, call->user, "
            "call->kernel_seconds);",
            prefix);
        out.line("return {}_compute(&args, call->progress, call->user, call->kernel_seconds);", prefix);
        out.close(";");
        out.line("const int status = run();");
    } else {
        out.line("const int status = {}_compute(&args, call->progress, call->user, call->kernel_seconds);", prefix);
    }
    out.line(
        "if (call->message != nullptr && call->message_bytes > 0) std::snprintf(call->message, "
        "(size_t)call->message_bytes, \"%s\", status == 0 ? \"\" : kasc_message);");
    out.line("return status;");
    out.close();
}

}  // namespace kasc::emit
