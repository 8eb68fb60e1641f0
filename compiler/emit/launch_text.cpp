// One function a kernel that launches it: what its scalars are, which alternative fits the extents. Here targets
// differ.
#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "emit/cpu_launch.hpp"
#include "emit/files.hpp"
#include "emit/host_context.hpp"
#include "emit/kernel_text.hpp"
#include "emit/transform_text.hpp"
#include "kernel/c_spelling.hpp"
#include "kernel/dynamic_shared.hpp"
#include "kernel/text.hpp"

namespace kasc::emit {

namespace {

class LaunchPrinter {
public:
    LaunchPrinter(Writer& out, const HostContext& context, std::map<ValueId, std::string> array_names = {})
        : out_(out), context_(context), array_names_(std::move(array_names)) {}

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
        if (former)
            names.local.loops.at(former->index) =
                fmt::format("({} - {})", names.local.loops[former->index], context_.program.loops[*former].by);
        return names;
    }

    /// `storing`: the transform that computes the kernel as it stores; null: the kernel runs by itself.
    void launch_function(const LaunchStep& launch, const std::vector<LoopId>& loops, const TransformStep* storing) {
        const auto& alternatives = context_.plan.kernels[launch.kernel].alternatives;
        const kernel::Kernel& first = alternatives.front();
        std::string head, indices, arrays;
        if (storing != nullptr) {
            const TransformStatement& s = storing->statement;
            head += fmt::format(
                ", kasc_transforms &transforms, kasc_storing<{0}, {1}_arguments, {1}> &storing, {2} *result, {3} "
                "*source",
                transform_words(context_.program, s), first.name, word_text(context_.program, s.target),
                word_text(context_.program, s.source));
        }
        if (counts_blocks(context_.plan.kernels[launch.kernel])) head += ", kasc_memory::array<int> kasc_finished";
        if (carries_former_iteration(first)) arrays += ", bool riding";
        kernel::Names scope = context_.names.local.scope;
        array_names_.clear();
        for (const auto& entry : launch.arrays) {
            const std::string name = array_name(first, entry.first);
            if (name.empty() || (storing != nullptr && entry.first == first.at_store->given)) continue;
            array_names_[entry.first] = scope.fresh("array_" + name);
            arrays +=
                fmt::format(", kasc_memory::array<{}> {}", array_type(first, entry.first), array_names_[entry.first]);
        }
        Writer body(1);
        LaunchPrinter(body, context_, array_names_).launch_body(launch, storing);
        const std::string rest = body.take();
        Writer constants(1);
        write_parameters(constants, context_, rest);
        const std::string text = constants.take() + rest;
        const std::set<std::string> words = words_of(text);
        for (const LoopId loop : loops) {
            const std::string& name = context_.names.local.loops.at(loop.index);
            indices += fmt::format(", {}int {}", words.contains(name) ? "" : "[[maybe_unused]] ", name);
        }
        write_comment(out_, first);
        out_.open("int launch_{}({}const {} &args, kasc_memory &memory{}{}{})", first.name,
                  words.contains("args") ? "" : "[[maybe_unused]] ", run_arguments(context_), head, indices, arrays);
        out_.line("const kasc_range range(\"{}\");", first.name);
        out_.lines(text);
        out_.close();
        out_.blank();
    }

    void launch_body(const LaunchStep& launch, const TransformStep* storing) {
        const auto& alternatives = context_.plan.kernels[launch.kernel].alternatives;
        const kernel::Kernel& first = alternatives.front();
        for (const kernel::PositionCheck& check : first.positions) position_check(check);
        if (storing != nullptr) {
            stored(first, storing->statement);
            return;
        }
        for (const kernel::Kernel& k : alternatives) {
            // The requirement of the last one is looked at before anything is run (lengths_of), or with its blocks.
            const bool asks = k.requirement && &k != &alternatives.back();
            const bool apart = asks || names_again(k);
            if (asks) {
                out_.open("if ({})", requirement(*k.requirement));
            } else if (apart) {
                out_.open_block();
            }
            one_launch(k);
            if (apart) out_.close();
        }
    }

    /// A constant of the launch is called like one of the function's.
    [[nodiscard]] bool names_again(const kernel::Kernel& k) const {
        const kernel::HostNames& local = context_.names.local;
        return std::any_of(k.parameters.begin(), k.parameters.end(), [&](const kernel::Parameter& p) {
            const auto named = [&](const std::vector<std::string>& names) {
                return std::find(names.begin(), names.end(), p.name) != names.end();
            };
            return !p.is_array() && !p.is_count() && !constant_text(p).empty() &&
                   (named(local.parameters) || named(local.loops));
        });
    }

    [[nodiscard]] std::string requirement(const kernel::Kernel::Requirement& needs) const {
        std::string condition;
        const auto extent = [&](AxisId axis) { return "args." + context_.names.extents.at(axis.index); };
        const auto bound = [&](const std::vector<AxisId>& axes, std::int64_t most) {
            std::string product;
            for (const AxisId axis : axes) product += (product.empty() ? "" : " * ") + extent(axis);
            condition += fmt::format("{}{} <= {}", condition.empty() ? "" : " && ", product, most);
        };
        if (needs.multiple > 1) condition = fmt::format("{} % {} == 0", extent(needs.axes.front()), needs.multiple);
        if (needs.most) bound(needs.axes, *needs.most);
        for (const kernel::Kernel::Requirement::Product& other : needs.others) bound(other.axes, other.most);
        return condition;
    }

    /// What serves all other extents has a bound of its own: it counts cells of several axes.
    [[nodiscard]] bool counts_beyond(const kernel::Kernel& k) const {
        const bool last =
            std::any_of(context_.plan.kernels.begin(), context_.plan.kernels.end(),
                        [&](const kernel::Lowered& lowered) { return &lowered.alternatives.back() == &k; });
        return last && k.requirement && k.requirement->axes.size() > 1;
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

    /// The argument for a kernel's parameter; a number is declared as a constant before the launch.
    std::string argument(const kernel::Parameter& p) {
        if (p.is_count()) return "kasc_finished";
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
            if ((p.is_array() || p.is_count()) && context_.target == Target::cpu_checking)
                argument += fmt::format("->pointer<{}>()", kernel::c_spelling(p.type));
            arguments += (arguments.empty() ? "" : ", ") + argument;
        }
        const std::array<std::string, 3> grid = write_grid(k);
        if (context_.target == Target::cuda) {
            const auto unsigned_text = [](const std::string& blocks) {
                return blocks.starts_with("grid_") ? "(unsigned)" + blocks : blocks;
            };
            const int shared = kernel::dynamic_shared(k).bytes;
            if (shared > 0)
                out_.line(
                    "if (const int status = kasc_check(cudaFuncSetAttribute({0}, "
                    "cudaFuncAttributeMaxDynamicSharedMemorySize, {1}), \"{0}\"); status != 0) return status;",
                    k.name, shared);
            out_.line("{}<<<dim3({}, {}, {}), dim3({}, {}, {}), {}, memory.stream()>>>({});", k.name,
                      unsigned_text(grid[0]), unsigned_text(grid[1]), unsigned_text(grid[2]), k.block[0], k.block[1],
                      k.block[2], shared, arguments);
            out_.line("return kasc_check(cudaGetLastError(), \"{}\");", k.name);
            return;
        }
        const std::string call = fmt::format("{}((int)block_x, (int)block_y, (int)block_z{}{});", k.name,
                                             arguments.empty() ? "" : ", ", arguments);
        if (context_.target == Target::cpu) {
            write_run(out_, k, "memory.launches().", {grid, call, [this](const auto& p) { return argument(p); }});
        } else {
            out_.line("++kasc_state().launch;");
            out_.line("for (long long block_z = 0; block_z < {}; ++block_z)", grid[2]);
            out_.line("    for (long long block_y = 0; block_y < {}; ++block_y)", grid[1]);
            out_.line("        for (long long block_x = 0; block_x < {}; ++block_x)", grid[0]);
            out_.line("            {}", call);
        }
        out_.line("return memory.{}();", context_.target == Target::cpu ? "status" : "check");
    }

    /// Constants of what depends on extents, within bounds; the grid's text.
    std::array<std::string, 3> write_grid(const kernel::Kernel& k) {
        const kernel::Spelling spelling = grid_spelling();
        const bool cuda = context_.target == Target::cuda;
        std::array<std::string, 3> grid;
        std::string none, many;
        for (std::size_t d = 0; d < 3; ++d) {
            const std::string blocks = kernel::text(k.grid[d], spelling);
            if (blocks == "1") {
                grid[d] = blocks;
                continue;
            }
            grid[d] = fmt::format("grid_{}", "xyz"[d]);
            out_.line("const long long {} = {};", grid[d], blocks);
            none += fmt::format("{}{} <= 0", none.empty() ? "" : " || ", grid[d]);
            many += fmt::format("{}{} > {}", many.empty() ? "" : " || ", grid[d], cuda && d > 0 ? "65535" : "INT_MAX");
        }
        if (!many.empty() && counts_beyond(k)) many += fmt::format(" || !({})", requirement(*k.requirement));
        if (none.empty() || !context_.names.elements.empty()) return grid;  // as many as fit are taken
        out_.line("if ({}) return 0;", none);
        out_.line("if ({}) return kasc_fail(1, \"the arrays are too large for {}\");", many, k.name);
        return grid;
    }

    static kernel::Spelling grid_spelling() {
        kernel::Spelling s = kernel::plain_spelling();
        s.function = [](const std::string& f) { return f == "min" || f == "max" ? "std::" + f + "<long long>" : f; };
        return s;
    }

    void scalar_constant(const kernel::Parameter& p) {
        if (const std::string value = constant_text(p); !value.empty())
            out_.line("const {} {} = {};", kernel::c_spelling(p.type), p.name, value);
    }
    /// What a scalar is computed from; empty: the launch function has it under its name.
    [[nodiscard]] std::string constant_text(const kernel::Parameter& p) const {
        const char* type = kernel::c_spelling(p.type);
        const auto& extents = context_.names.extents;
        if (std::holds_alternative<kernel::ElementCount>(p.source))
            return fmt::format("({})args.{}", type, context_.names.elements);
        if (const auto* extent = std::get_if<kernel::AxisExtent>(&p.source))
            return fmt::format("({})args.{}", type, extents.at(extent->axis.index));
        if (const auto* cells = std::get_if<kernel::RiderCells>(&p.source)) {
            const std::string all = cells->axis ? fmt::format("(int)args.{}", extents.at(cells->axis->index)) : "1";
            return fmt::format("riding ? {} : 0", all);
        }
        const Precision precision = p.type == kernel::Type::f64 ? Precision::dual : Precision::single;
        std::string value =
            host_text(*std::get<kernel::HostExpression>(p.source).expression, names_at(p.former), precision);
        return value == p.name ? "" : value;
    }
};

}  // namespace

void write_launch_functions(Writer& out, const HostContext& context) {
    LaunchPrinter(out, context).launch_functions(context.plan.steps, {});
}

}  // namespace kasc::emit
