// The host side of a program: the launches of its kernels, a run of them, what is prepared, and the calls of the C API
// that stand on it. What differs between targets stands in the support headers (kasc_memory); here only launches
// differ.
#include "emit/files.hpp"
#include "emit/host_context.hpp"
#include "emit/transform_text.hpp"
#include "plan/capture.hpp"

namespace kasc::emit {

std::string array_name(const kernel::Kernel& k, ValueId value) {
    for (const kernel::Parameter& p : k.parameters) {
        const auto* in = std::get_if<kernel::ArrayIn>(&p.source);
        const auto* out = std::get_if<kernel::ArrayOut>(&p.source);
        if ((in != nullptr && in->value == value) || (out != nullptr && out->value == value)) return p.name;
    }
    return "";
}

bool carries_former_iteration(const kernel::Kernel& k) {
    return std::any_of(k.parameters.begin(), k.parameters.end(),
                       [](const kernel::Parameter& p) { return std::holds_alternative<kernel::RiderCells>(p.source); });
}

void write_parameters(Writer& out, const HostContext& context) {
    for (const ParameterId id : context.program.parameters.ids()) {
        out.line("[[maybe_unused]] const {} {} = args.{};", type_text(context.program.parameters[id]),
                 context.names.local.parameters[id.index], context.names.parameters[id.index]);
    }
}

std::string run_arguments(const HostContext& context) {
    const auto& axes = context.program.axes;
    const bool parts = std::any_of(axes.begin(), axes.end(), [](const Axis& axis) { return axis.parts.has_value(); });
    return parts ? context.prefix + "_run_arguments" : context.program.name + "_arguments";
}

namespace {

void write_run_arguments(Writer& out, const HostContext& context) {
    const std::string own = run_arguments(context), base = context.program.name + "_arguments";
    if (own == base) return;
    out.line("// The caller's arguments, and in how many parts reductions go over their cells.");
    out.open("struct {} : {}", own, base);
    for (const AxisId axis : context.program.axes.ids()) {
        if (context.program.axes[axis].parts) out.line("long long {} = 1;", context.names.extents.at(axis.index));
    }
    out.blank();
    out.line("{}() : {}() {{}}", own, base);
    out.line("{}(const {} &arguments) : {}(arguments) {{}}", own, base, base);
    out.close(";");
    out.blank();
}

}  // namespace

std::string host_side_text(const Program& program, const Library& library, const HostPlan& plan,
                           const InterfaceNames& names, const std::string& prefix, const std::string& kernels_file,
                           Target target) {
    const HostContext context(program, library, plan, names, prefix, target);
    Writer out;
    out.line("// Host side made by kasc.");
    out.line("#include \"{}.h\"", program.name);
    out.blank();
    for (const char* header : {"algorithm", "climits", "memory", "utility", "vector"})
        out.line("#include <{}>", header);
    out.blank();
    out.line("#include \"{}\"", kernels_file);
    if (target == Target::cuda && has_graphs(plan)) out.line("#include \"kasc_graphs.cuh\"");
    out.line("#include \"kasc_calls.hpp\"");
    if (has_pieces(program)) out.line("#include \"kasc_pieces.hpp\"");
    if (context.has_rest() && target == Target::cuda) out.line("#include \"kasc_few.cuh\"");
    const std::vector<Precision> transforms = transform_precisions(program);
    if (!transforms.empty() && target == Target::cuda) out.line("#include \"kasc_transforms.cuh\"");
    if (!transforms.empty() && target != Target::cuda) {
        for (const Precision p : transforms)
            out.line("#define KASC_FFTW_{}", p == Precision::dual ? "DOUBLE" : "SINGLE");
        out.line("#include \"kasc_transforms.hpp\"");
    }
    out.blank();
    out.line("namespace {{");
    out.blank();
    write_run_arguments(out, context);
    write_launch_functions(out, context);
    write_run(out, context);
    write_elements(out, context);
    write_prepared(out, context);
    write_calls(out, context);
    return out.take();
}

}  // namespace kasc::emit
