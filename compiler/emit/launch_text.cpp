// One function a kernel that launches it: what its scalars are, which alternative fits the extents. Here targets
// differ.
#include "emit/files.hpp"
#include "emit/host_context.hpp"
#include "emit/kernel_text.hpp"
#include "emit/transform_text.hpp"
#include "kernel/c_spelling.hpp"
#include "kernel/text.hpp"

namespace kasc::emit {

namespace {

class LaunchPrinter {
public:
    LaunchPrinter(Writer& out, const HostContext& context) : out_(out), context_(context) {}

    void launch_functions(const std::vector<HostStep>& steps, const std::vector<LoopId>& loops) {
        for (const HostStep& step : steps) {
            if (const auto* launch = std::get_if<LaunchStep>(&step.what)) launch_function(*launch, loops, nullptr);
            if (const auto* transform = std::get_if<TransformStep>(&step.what); transform && transform->stores)
                launch_function(*transform->stores, loops,
                                is_storing(*transform, context_.target) ? transform : nullptr);
            if (const auto* loop = std::get_if<LoopStep>(&step.what)) {
                auto inner = loops;
                inner.push_back(loop->loop);
                launch_functions(loop->body, inner);
                launch_functions(loop->after, inner);
            }
        }
    }

private:
    Writer& out_;
    const HostContext& context_;
    std::map<ValueId, std::string> array_names_;  ///< of a launch function's parameters

    /// Names for what the former iteration of a loop has left.
    [[nodiscard]] InterfaceNames names_at(std::optional<LoopId> former) const {
        InterfaceNames names = context_.names;
        if (former) names.local.loops.at(former->index) = fmt::format("({} - 1)", names.local.loops[former->index]);
        return names;
    }

    /// `storing`: the transform that computes the kernel as it stores; null: the kernel runs by itself.
    void launch_function(const LaunchStep& launch, const std::vector<LoopId>& loops, const TransformStep* storing) {
        const auto& alternatives = context_.plan.kernels[launch.kernel].alternatives;
        const kernel::Kernel& first = alternatives.front();
        std::string parameters =
            fmt::format("[[maybe_unused]] const {} &args, kasc_memory &memory", run_arguments(context_));
        if (storing != nullptr) {
            const TransformStatement& s = storing->statement;
            parameters += fmt::format(
                ", kasc_transforms &transforms, kasc_storing<{0}, {1}_arguments, {1}> &storing, {2} *result, {3} "
                "*source",
                transform_words(context_.program, s), first.name, word_text(context_.program, s.target),
                word_text(context_.program, s.source));
        }
        for (const LoopId loop : loops)
            parameters += fmt::format(", [[maybe_unused]] int {}", context_.names.local.loops.at(loop.index));
        if (carries_former_iteration(first)) parameters += ", bool riding";
        kernel::Names scope = context_.names.local.scope;
        array_names_.clear();
        for (const auto& entry : launch.arrays) {
            const std::string name = array_name(first, entry.first);
            if (name.empty() || (storing != nullptr && entry.first == first.at_store->given)) continue;
            array_names_[entry.first] = scope.fresh("array_" + name);
            parameters +=
                fmt::format(", kasc_memory::array<{}> {}", array_type(first, entry.first), array_names_[entry.first]);
        }
        for (const std::string& c : first.comment) out_.line("// {}", c);
        out_.open("int launch_{}({})", first.name, parameters);
        out_.line("const kasc_range range(\"{}\");", first.name);
        write_parameters(out_, context_);
        for (const kernel::PositionCheck& check : first.positions) position_check(check);
        if (storing != nullptr) {
            stored(first, storing->statement);
            out_.close();
            out_.blank();
            return;
        }
        for (const kernel::Kernel& k : alternatives) {
            if (k.requirement) {
                out_.open("if ({})", requirement(*k.requirement));
            } else {
                out_.open_block();
            }
            one_launch(k);
            out_.close();
        }
        out_.close();
        out_.blank();
    }

    [[nodiscard]] std::string requirement(const kernel::Kernel::Requirement& needs) const {
        std::string product, condition;
        for (const AxisId axis : needs.axes)
            product += (product.empty() ? "args." : " * args.") + context_.names.extents.at(axis.index);
        if (needs.multiple > 1 && needs.axes.size() > 1) product = "(" + product + ")";
        if (needs.multiple > 1) condition = fmt::format("{} % {} == 0", product, needs.multiple);
        if (needs.most) condition += fmt::format("{}{} <= {}", condition.empty() ? "" : " && ", product, *needs.most);
        return condition;
    }

    static const char* array_type(const kernel::Kernel& k, ValueId value) {
        for (const kernel::Parameter& p : k.parameters) {
            const auto* in = std::get_if<kernel::ArrayIn>(&p.source);
            const auto* out = std::get_if<kernel::ArrayOut>(&p.source);
            if ((in != nullptr && in->value == value) || (out != nullptr && out->value == value))
                return kernel::c_spelling(p.type);
        }
        return "float";
    }

    void position_check(const kernel::PositionCheck& check) {
        const std::string position = host_text(*check.position, names_at(check.former)),
                          extent = "args." + context_.names.extents.at(check.axis.index);
        const std::string& axis = context_.program.axes[check.axis].name;
        const bool kept = check.low > 0 || check.high > 0;
        const std::string end = check.high > 0 ? fmt::format("{} - {}", extent, check.high) : extent;
        if (check.former) out_.open("if (riding)");
        out_.open("if (const long long at = {}; at < {} || at >= {})", position, check.low, end);
        if (kept) {
            out_.line(
                "return kasc_fail(1, \"position %lld along axis {} is none where {} is assigned, cells {} to %lld\", "
                "at, "
                "{} - 1);",
                axis, context_.program.variables[check.field].name, check.low, end);
        } else {
            out_.line("return kasc_fail(1, \"position %lld lies outside of axis {}, which has %lld cells\", at, {});",
                      axis, extent);
        }
        out_.close();
        if (check.former) out_.close();
    }

    /// The transform, with the kernel's arguments for each cell that it stores.
    void stored(const kernel::Kernel& k, const TransformStatement& statement) {
        std::string arguments;
        for (const kernel::Parameter& p : k.parameters) {
            if (is_given(k, p)) continue;
            arguments += (arguments.empty() ? "" : ", ") + argument(p);
        }
        out_.line("return storing.run(memory, transforms, result, source, {}, {{{}}});",
                  statement.direction == Direction::forward ? "true" : "false", arguments);
    }

    /// Of a parameter, declared before where it is a number.
    std::string argument(const kernel::Parameter& p) {
        if (!p.is_array()) {
            scalar_constant(p);
            return p.name;
        }
        const auto* in = std::get_if<kernel::ArrayIn>(&p.source);
        const ValueId value = in != nullptr ? in->value : std::get<kernel::ArrayOut>(p.source).value;
        return array_names_.at(value);
    }

    void one_launch(const kernel::Kernel& k) {
        std::string arguments;
        for (const kernel::Parameter& p : k.parameters) {
            std::string argument = this->argument(p);
            if (p.is_array() && context_.target == Target::cpu_checking)
                argument += fmt::format("->pointer<{}>()", kernel::c_spelling(p.type));
            arguments += (arguments.empty() ? "" : ", ") + argument;
        }
        const kernel::Spelling spelling = grid_spelling();
        const char* axes = "xyz";
        for (std::size_t d = 0; d < 3; ++d)
            out_.line("const long long grid_{} = {};", axes[d], kernel::text(k.grid[d], spelling));
        out_.line("if (grid_x <= 0 || grid_y <= 0 || grid_z <= 0) return 0;");
        if (context_.target == Target::cuda) {
            out_.line(
                "if (grid_x > INT_MAX || grid_y > 65535 || grid_z > 65535) return kasc_fail(1, \"the arrays are too "
                "large for {}\");",
                k.name);
            out_.line(
                "{}<<<dim3((unsigned)grid_x, (unsigned)grid_y, (unsigned)grid_z), dim3({}, {}, {}), 0, "
                "memory.stream()>>>({});",
                k.name, k.block[0], k.block[1], k.block[2], arguments);
            out_.line("return kasc_check(cudaGetLastError(), \"{}\");", k.name);
        } else {
            out_.line(
                "if (grid_x > INT_MAX || grid_y > INT_MAX || grid_z > INT_MAX) return kasc_fail(1, \"the arrays are "
                "too large for {}\");",
                k.name);
            const std::string call = fmt::format("{}((int)block_x, (int)block_y, (int)block_z{}{});", k.name,
                                                 arguments.empty() ? "" : ", ", arguments);
            if (context_.target == Target::cpu) {
                out_.line("static thread_local kasc_crew crew;");
                out_.line(
                    "crew.run(grid_x, grid_y, grid_z, [&](long long block_x, long long block_y, long long block_z) {{");
                out_.line("    {}", call);
                out_.line("}});");
            } else {
                out_.line("++kasc_state().launch;");
                out_.line("for (long long block_z = 0; block_z < grid_z; ++block_z)");
                out_.line("    for (long long block_y = 0; block_y < grid_y; ++block_y)");
                out_.line("        for (long long block_x = 0; block_x < grid_x; ++block_x)");
                out_.line("            {}", call);
            }
            out_.line("return memory.{}();", context_.target == Target::cpu ? "status" : "check");
        }
    }

    static kernel::Spelling grid_spelling() {
        kernel::Spelling s = kernel::plain_spelling();
        s.function = [](const std::string& f) { return f == "min" || f == "max" ? "std::" + f + "<long long>" : f; };
        return s;
    }

    void scalar_constant(const kernel::Parameter& p) {
        const char* type = kernel::c_spelling(p.type);
        if (std::holds_alternative<kernel::ElementCount>(p.source)) {
            out_.line("const {} {} = ({})args.{};", type, p.name, type, context_.names.elements);
        } else if (const auto* extent = std::get_if<kernel::AxisExtent>(&p.source)) {
            out_.line("const {} {} = ({})args.{};", type, p.name, type, context_.names.extents.at(extent->axis.index));
        } else if (const auto* cells = std::get_if<kernel::RiderCells>(&p.source)) {
            const std::string all =
                cells->axis ? fmt::format("(int)args.{}", context_.names.extents.at(cells->axis->index)) : "1";
            out_.line("const int {} = riding ? {} : 0;", p.name, all);
        } else {
            const Precision precision = p.type == kernel::Type::f64 ? Precision::dual : Precision::single;
            const std::string value =
                host_text(*std::get<kernel::HostExpression>(p.source).expression, names_at(p.former), precision);
            if (value != p.name) out_.line("const {} {} = {};", type, p.name, value);
        }
    }
};

}  // namespace

void write_launch_functions(Writer& out, const HostContext& context) {
    LaunchPrinter(out, context).launch_functions(context.plan.steps, {});
}

}  // namespace kasc::emit
