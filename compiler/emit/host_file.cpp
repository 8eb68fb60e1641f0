// The host side of a program: the launches of its kernels, a run of them, what is prepared, and the calls of the C API
// that stand on it. What differs between targets stands in the support headers (kasc_memory); here only launches
// differ.
#include <cctype>
#include <set>

#include "emit/files.hpp"
#include "emit/host_context.hpp"
#include "emit/order_text.hpp"
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

bool counts_blocks(const kernel::Lowered& lowered) {
    return std::any_of(lowered.alternatives.begin(), lowered.alternatives.end(),
                       [](const kernel::Kernel& k) { return k.counts_blocks(); });
}

namespace {

/// "nx" in "f(nx)", not in "args.nx" and "nx_2".
bool names_variable(const std::string& body, const std::string& name) {
    const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    for (std::size_t at = body.find(name); at != std::string::npos; at = body.find(name, at + 1)) {
        const char before = at == 0 ? ' ' : body[at - 1],
                   after = at + name.size() < body.size() ? body[at + name.size()] : ' ';
        if (!is_word(before) && before != '.' && !is_word(after)) return true;
    }
    return false;
}

}  // namespace

void write_parameters(Writer& out, const HostContext& context, const std::string& body) {
    for (const ParameterId id : context.program.parameters.ids()) {
        const std::string& name = context.names.local.parameters[id.index];
        if (!names_variable(body, name)) continue;
        // What is named may be a launch's own constant.
        const bool hidden = body.find(" " + name + " = ") != std::string::npos;
        out.line("{}const {} {} = args.{};", hidden ? "[[maybe_unused]] " : "",
                 type_text(context.program.parameters[id]), name, context.names.parameters[id.index]);
    }
}

std::string run_arguments(const HostContext& context) {
    const auto& axes = context.program.axes;
    const bool own = std::any_of(axes.begin(), axes.end(), [](const Axis& axis) { return axis.own; });
    return own ? context.prefix + "_run_arguments" : context.program.name + "_arguments";
}

namespace {

void write_run_arguments(Writer& out, const HostContext& context) {
    const std::string own = run_arguments(context), base = context.program.name + "_arguments";
    if (own == base) return;
    out.line(
        "// The caller's arguments, and lengths of axes that are the run's own: in how many parts reductions go over "
        "their cells.");
    out.open("struct {} : {}", own, base);
    for (const AxisId axis : context.program.axes.ids()) {
        if (context.program.axes[axis].own) out.line("long long {} = 1;", context.names.extents.at(axis.index));
    }
    out.blank();
    out.line("{}() : {}() {{}}", own, base);
    out.line("{}(const {} &arguments) : {}(arguments) {{}}", own, base, base);
    out.close(";");
    out.blank();
}

void write_includes(Writer& out, const HostContext& context, const std::string& body, const std::string& kernels_file) {
    const bool cuda = context.target == Target::cuda;
    const std::set<std::string> words = words_of(body);
    const auto standard = [&](const char* header, std::initializer_list<const char*> names) {
        if (std::any_of(names.begin(), names.end(), [&](const char* name) { return words.contains(name); }))
            out.line("#include <{}>", header);
    };
    standard("algorithm", {"min", "max"});
    standard("climits", {"INT_MAX"});
    standard("memory", {"make_unique", "unique_ptr"});
    standard("utility", {"swap"});
    standard("vector", {"vector"});
    out.blank();
    out.line("#include \"{}\"", kernels_file);
    out.line("#include \"kasc_calls.hpp\"");
    if (context.has_rest() && cuda) out.line("#include \"kasc_few.cuh\"");
    if (cuda && has_graphs(context.plan)) out.line("#include \"kasc_graphs.cuh\"");
    if (has_pieces(context.program)) out.line("#include \"kasc_pieces.hpp\"");
    if (orders_lists(context.program)) out.line("#include \"kasc_orders.{}\"", cuda ? "cuh" : "hpp");
    const std::vector<Precision> transforms = transform_precisions(context.program);
    if (transforms.empty()) return;
    for (const Precision p : transforms) {
        if (!cuda) out.line("#define KASC_FFTW_{}", p == Precision::dual ? "DOUBLE" : "SINGLE");
    }
    out.line("#include \"kasc_transforms.{}\"", cuda ? "cuh" : "hpp");
}

}  // namespace

std::string host_side_text(const Program& program, const Library& library, const HostPlan& plan,
                           const InterfaceNames& names, const std::string& prefix, const std::string& kernels_file,
                           Target target) {
    const HostContext context(program, library, plan, names, prefix, target);
    Writer body;
    body.line("namespace {{");
    body.blank();
    write_run_arguments(body, context);
    write_launch_functions(body, context);
    write_run(body, context);
    write_elements(body, context);
    write_prepared(body, context);
    write_calls(body, context);
    const std::string text = body.take();
    Writer out;
    out.line("// Host side made by kasc.");
    out.line("#include \"{}.h\"", program.name);
    out.blank();
    write_includes(out, context, text, kernels_file);
    out.blank();
    out.lines(text);
    return out.take();
}

}  // namespace kasc::emit
