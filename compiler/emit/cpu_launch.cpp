#include "emit/cpu_launch.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "kernel/c_spelling.hpp"
#include "kernel/text.hpp"

namespace kasc::emit {

namespace {

using kernel::ArrayIn;
using kernel::ArrayOut;
using kernel::BlockSpan;
using kernel::Kernel;
using kernel::Parameter;

/// kasc_where of an array's parameter.
std::string where_of(const BlockSpan& span, ValueId value) {
    if (span.is_near(value)) return "near";
    if (span.is_around(value)) return "ends";
    return span.is_at_first(value) ? "first" : "far";
}

std::string count_text(const kernel::ExprRef& expression) {
    kernel::Spelling spelling = kernel::plain_spelling();
    spelling.function = kernel::host_function;
    return kernel::text(expression, spelling);
}

/// What a launch says of itself so that others can be computed together with it.
struct Touched {
    std::string planes;
    std::vector<std::string> arrays;
};
/// None: its blocks may store anywhere.
std::optional<Touched> touched_by(const Kernel& k, const std::function<std::string(const Parameter&)>& array) {
    if (!k.span || k.span->numbered || k.span->block_cells == 0) return std::nullopt;
    const BlockSpan& span = *k.span;
    Touched touched;
    std::string extent;
    for (const Parameter& p : k.parameters) {
        const auto* of_axis = std::get_if<kernel::AxisExtent>(&p.source);
        if (of_axis != nullptr && of_axis->axis == span.axis && extent.empty()) extent = p.name;
        if (!p.is_array()) continue;
        const auto* in = std::get_if<ArrayIn>(&p.source);
        const std::string where = where_of(span, in != nullptr ? in->value : std::get<ArrayOut>(p.source).value);
        if (in == nullptr && where == "far") return std::nullopt;
        touched.arrays.push_back(
            fmt::format("kasc_{}({}, kasc_where::{})", in != nullptr ? "reads" : "stores", array(p), where));
    }
    if (extent.empty()) return std::nullopt;
    touched.planes = fmt::format("kasc_planes{{{}, {}, {}, {}, {}, {}, {}}}", span.axis.index, span.along, extent,
                                 count_text(span.cells), count_text(span.blocks), span.reach, span.block_cells);
    return touched;
}

}  // namespace

void write_run(Writer& out, const Kernel& kernel, const std::string& launches, const CpuLaunch& launch) {
    const std::optional<Touched> touched = touched_by(kernel, launch.array);
    const std::string head =
        fmt::format("{}run(crew, {}, {}, {}, ", launches, launch.grid[0], launch.grid[1], launch.grid[2]);
    const std::string blocks = "(long long block_x, long long block_y, long long block_z) {";
    out.line("static thread_local kasc_crew crew;");
    if (touched) {
        out.line("{}{},", head, touched->planes);
        out.line("    {{{}}},", fmt::join(touched->arrays, ", "));
        out.line("    [=]{}", blocks);
    } else {
        out.line("{}[&]{}", head, blocks);
    }
    out.line("    {}{}", touched ? "    " : "", launch.call);
    out.line("{}}});", touched ? "    " : "");
}

void write_cpu_launch(Writer& out, const Kernel& kernel) {
    out.open(
        "extern \"C\" void {}_launch([[maybe_unused]] void *const *kasc_arguments, const long long *kasc_first, const "
        "long long *kasc_grid, void *kasc_given)",
        kernel.name);
    std::string values;
    for (std::size_t k = 0; k < kernel.parameters.size(); ++k) {
        const Parameter& p = kernel.parameters[k];
        const std::string type = std::string(kernel::c_spelling(p.type));
        const bool address = p.is_array() || p.is_count();
        const std::string word = !address                                    ? type
                                 : std::holds_alternative<ArrayIn>(p.source) ? "const " + type + " *"
                                                                             : type + " *";
        out.line("{0}{1}const {2} = *({0}{1}const *)kasc_arguments[{3}];", word, address ? "" : " ", p.name, k);
        values += ", " + p.name;
    }
    out.line("const long long kasc_x = kasc_first[0], kasc_y = kasc_first[1], kasc_z = kasc_first[2];");
    out.line("kasc_launches kasc_own;");
    out.line("kasc_launches &launches = kasc_given != nullptr ? *(kasc_launches *)kasc_given : kasc_own;");
    const CpuLaunch launch{
        {"kasc_grid[0]", "kasc_grid[1]", "kasc_grid[2]"},
        fmt::format("{}((int)(kasc_x + block_x), (int)(kasc_y + block_y), (int)(kasc_z + block_z){});", kernel.name,
                    values),
        [](const Parameter& p) { return p.name; }};
    write_run(out, kernel, "launches.", launch);
    out.close();
    out.blank();
}

void write_cpu_launches(Writer& out) {
    out.line("extern \"C\" void *kasc_make_launches() {{ return new kasc_launches; }}");
    out.line("extern \"C\" void kasc_finish_launches(void *launches) {{ ((kasc_launches *)launches)->finish(); }}");
    out.line("extern \"C\" void kasc_release_launches(void *launches) {{ delete (kasc_launches *)launches; }}");
    out.blank();
}

}  // namespace kasc::emit
