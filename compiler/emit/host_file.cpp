// The host side of a program: the host plan step by step as C++. What differs between targets stands in the support
// headers (kasc_memory); here only launches differ.
#include <algorithm>
#include <map>

#include "emit/files.hpp"
#include "emit/writer.hpp"
#include "kernel/text.hpp"

namespace kasc::emit {

namespace {

class HostPrinter {
public:
    HostPrinter(const Program& program, const Library& library, const HostPlan& plan, const InterfaceNames& names,
                std::string prefix, Target target)
        : program_(program),
          library_(library),
          plan_(plan),
          names_(names),
          prefix_(std::move(prefix)),
          target_(target),
          scope_(names.local.scope) {
        for (const Slot& s : plan.slots) slot_names_.push_back(scope_.fresh(s.name));
    }

    std::string run(const std::string& kernels_file) {
        out_.line("// Host side made by kasc.");
        out_.line("#include \"{}.h\"", program_.name);
        out_.blank();
        out_.line("#include <algorithm>");
        out_.line("#include <climits>");
        out_.line("#include <utility>");
        out_.blank();
        out_.line("#include \"{}\"", kernels_file);
        out_.blank();
        out_.line("namespace {{");
        out_.blank();
        launch_functions(plan_.steps, {});
        out_.line("}}  // namespace");
        out_.blank();
        if (!is_reference()) {
            out_.open("extern \"C\" const char *{}_message(void)", prefix_);
            out_.line("return kasc_message;");
            out_.close();
            out_.blank();
        }
        launch_all();
        compute();
        write_entry(out_, program_, names_, prefix_);
        return out_.take();
    }

private:
    const Program& program_;
    const Library& library_;
    const HostPlan& plan_;
    const InterfaceNames& names_;
    std::string prefix_;
    Target target_;
    kernel::Names scope_;                         ///< of an emitted function
    std::vector<std::string> slot_names_;         ///< by slot
    std::map<ValueId, std::string> array_names_;  ///< of a launch function's parameters
    Writer out_;

    [[nodiscard]] bool is_reference() const { return prefix_ != program_.name; }
    [[nodiscard]] const std::string& slot(SlotId id) const { return slot_names_.at(id.index); }
    [[nodiscard]] std::string words(VariableId v, const std::string& prefix = "args.") const {
        return words_text(program_, library_, names_, v, prefix);
    }

    // ---- one launch function a kernel --------------------------------------------------------------------------

    void launch_functions(const std::vector<HostStep>& steps, const std::vector<LoopId>& loops) {
        for (const HostStep& step : steps) {
            if (const auto* launch = std::get_if<LaunchStep>(&step.what)) launch_function(*launch, loops);
            if (const auto* loop = std::get_if<LoopStep>(&step.what)) {
                auto inner = loops;
                inner.push_back(loop->loop);
                launch_functions(loop->body, inner);
            }
        }
    }

    /// The parameter of the first alternative that stands for a value names it.
    [[nodiscard]] std::string array_name(const kernel::Kernel& k, ValueId value) const {
        for (const kernel::Parameter& p : k.parameters) {
            const auto* in = std::get_if<kernel::ArrayIn>(&p.source);
            const auto* out = std::get_if<kernel::ArrayOut>(&p.source);
            if ((in != nullptr && in->value == value) || (out != nullptr && out->value == value)) return p.name;
        }
        return "";
    }

    void launch_function(const LaunchStep& launch, const std::vector<LoopId>& loops) {
        const auto& alternatives = plan_.kernels[launch.kernel].alternatives;
        const kernel::Kernel& first = alternatives.front();
        std::string parameters =
            fmt::format("[[maybe_unused]] const {}_arguments &args, kasc_memory &memory", program_.name);
        for (const LoopId loop : loops)
            parameters += fmt::format(", [[maybe_unused]] int {}", names_.local.loops.at(loop.index));
        kernel::Names scope = names_.local.scope;
        array_names_.clear();
        for (const auto& entry : launch.arrays) {
            const std::string name = array_name(first, entry.first);
            if (name.empty()) continue;
            array_names_[entry.first] = scope.fresh("array_" + name);
            parameters += fmt::format(", kasc_memory::array {}", array_names_[entry.first]);
        }
        for (const std::string& c : first.comment) out_.line("// {}", c);
        out_.open("int launch_{}({})", first.name, parameters);
        out_.line("const kasc_range range(\"{}\");", first.name);
        parameter_constants();
        for (const kernel::PositionCheck& check : first.positions) position_check(check);
        for (const kernel::Kernel& k : alternatives) {
            if (k.requirement) {
                out_.open("if (args.{} % {} == 0)", names_.extents.at(k.requirement->axis.index),
                          k.requirement->multiple);
            } else {
                out_.open_block();
            }
            one_launch(k);
            out_.close();
        }
        out_.close();
        out_.blank();
    }

    void parameter_constants() {
        for (const ParameterId id : program_.parameters.ids()) {
            out_.line("[[maybe_unused]] const {} {} = args.{};",
                      program_.parameters[id].kind == ScalarKind::integer ? "int" : "float",
                      names_.local.parameters[id.index], names_.parameters[id.index]);
        }
    }

    void position_check(const kernel::PositionCheck& check) {
        const std::string position = host_text(*check.position, names_), extent = names_.extents.at(check.axis.index);
        out_.open("if (const long long at = {}; at < 0 || at >= args.{})", position, extent);
        out_.line("return kasc_fail(1, \"position %lld lies outside of axis {}, which has %lld cells\", at, args.{});",
                  program_.axes[check.axis].name, extent);
        out_.close();
    }

    void one_launch(const kernel::Kernel& k) {
        std::string arguments;
        for (const kernel::Parameter& p : k.parameters) {
            std::string argument = p.name;
            if (p.is_array()) {
                const auto* in = std::get_if<kernel::ArrayIn>(&p.source);
                const ValueId value = in != nullptr ? in->value : std::get<kernel::ArrayOut>(p.source).value;
                argument = array_names_.at(value);
                if (target_ == Target::cpu_checking) argument += "->pointer()";
            } else {
                scalar_constant(p);
            }
            arguments += (arguments.empty() ? "" : ", ") + argument;
        }
        const kernel::Spelling spelling = grid_spelling();
        const char* axes = "xyz";
        for (std::size_t d = 0; d < 3; ++d)
            out_.line("const long long grid_{} = {};", axes[d], kernel::text(k.grid[d], spelling));
        out_.line("if (grid_x <= 0 || grid_y <= 0 || grid_z <= 0) return 0;");
        if (target_ == Target::cuda) {
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
            if (target_ == Target::cpu) {
                out_.line("#pragma omp parallel for collapse(3) schedule(static)");
            } else {
                out_.line("++kasc_state().launch;");
            }
            out_.line("for (int block_z = 0; block_z < (int)grid_z; ++block_z)");
            out_.line("    for (int block_y = 0; block_y < (int)grid_y; ++block_y)");
            out_.line("        for (int block_x = 0; block_x < (int)grid_x; ++block_x)");
            out_.line("            {}(block_x, block_y, block_z{}{});", k.name, arguments.empty() ? "" : ", ",
                      arguments);
            out_.line("return memory.{}();", target_ == Target::cpu ? "status" : "check");
        }
    }

    static kernel::Spelling grid_spelling() {
        kernel::Spelling s = kernel::plain_spelling();
        s.function = [](const std::string& f) { return f == "min" || f == "max" ? "std::" + f + "<long long>" : f; };
        return s;
    }

    void scalar_constant(const kernel::Parameter& p) {
        const char* type = p.type == kernel::Type::f32 ? "float" : p.type == kernel::Type::i64 ? "long long" : "int";
        if (std::holds_alternative<kernel::ElementCount>(p.source)) {
            out_.line("const {} {} = ({})args.{};", type, p.name, type, names_.elements);
        } else if (const auto* extent = std::get_if<kernel::AxisExtent>(&p.source)) {
            out_.line("const {} {} = ({})args.{};", type, p.name, type, names_.extents.at(extent->axis.index));
        } else {
            const std::string value = host_text(*std::get<kernel::HostExpression>(p.source).expression, names_);
            if (value != p.name) out_.line("const {} {} = {};", type, p.name, value);
        }
    }

    // ---- the whole program -------------------------------------------------------------------------------------

    void launch_all() {
        out_.line(
            "extern \"C\" int {0}_launch(const {1}_arguments *arguments, void *stream, {1}_progress progress, void "
            "*user,",
            prefix_, program_.name);
        out_.open("{}double *kernel_seconds)", std::string(22 + prefix_.size(), ' '));
        out_.line("const {}_arguments &args = *arguments;", program_.name);
        out_.line("const kasc_range range(\"{}\");", prefix_);
        check_extents();
        out_.line("kasc_memory memory(stream);");
        parameter_constants();
        declare_slots();
        out_.line("if (memory.status() != 0) return memory.status();");
        out_.line("(void)progress, (void)user;");
        out_.line("bool timing = false;");
        steps(plan_.steps, 0);
        out_.line("if (kernel_seconds != nullptr) memory.synchronise();");
        out_.line("return memory.status();");
        out_.close();
        out_.blank();
    }

    void check_extents() {
        if (program_.kind == ProgramKind::stream) {
            out_.open("if (args.{0} < {1} || args.{0} > INT_MAX - {1})", names_.elements,
                      std::max(1, plan_.minimum_elements));
            out_.line("return kasc_fail(1, \"%lld elements: this call takes from {} to 2^31 of them\", args.{});",
                      std::max(1, plan_.minimum_elements), names_.elements);
            out_.close();
            if (plan_.element_multiple > 1) {
                out_.open("if (args.{} % {} != 0)", names_.elements, plan_.element_multiple);
                out_.line(
                    "return kasc_fail(1, \"%lld elements: this call takes multiples of {}, {}_compute any number\", "
                    "args.{});",
                    plan_.element_multiple, prefix_, names_.elements);
                out_.close();
            }
            return;
        }
        for (const std::string& extent : names_.extents) {
            out_.open("if (args.{0} < 1 || args.{0} > INT_MAX - 1024)", extent);
            out_.line("return kasc_fail(1, \"extent {0} is %lld\", args.{0});", extent);
            out_.close();
        }
    }

    void declare_slots() {
        for (const SlotId id : plan_.slots.ids()) {
            const Slot& s = plan_.slots[id];
            if (const auto* in = std::get_if<InputStorage>(&s.storage)) {
                out_.line("[[maybe_unused]] kasc_memory::array {0} = memory.input(\"{0}\", args.{1}, {2});", slot(id),
                          names_.inputs.at(in->position), words(s.variable));
            } else if (const auto* o = std::get_if<OutputStorage>(&s.storage)) {
                out_.line("kasc_memory::array {0} = memory.output(\"{0}\", args.{1}, {2});", slot(id),
                          names_.outputs.at(o->position), words(s.variable));
            } else {
                out_.line("kasc_memory::array {0} = memory.take(\"{0}\", {1});", slot(id), words(s.variable));
            }
        }
    }

    void steps(const std::vector<HostStep>& all, int depth) {
        bool timing_begun = depth > 0;
        for (const HostStep& s : all) {
            const bool computes =
                std::holds_alternative<LaunchStep>(s.what) || std::holds_alternative<LoopStep>(s.what);
            if (computes && !timing_begun) {
                out_.line("if (kernel_seconds != nullptr) memory.begin_timing();");
                out_.line("timing = kernel_seconds != nullptr;");
                timing_begun = true;
            }
            if (std::holds_alternative<DeliverStep>(s.what) && depth == 0 && !std::exchange(timing_ended_, true)) {
                out_.line("if (timing) *kernel_seconds = memory.end_timing();");
            }
            std::visit([&](const auto& step) { print(step, depth); }, s.what);
        }
    }
    bool timing_ended_ = false;
    std::vector<LoopId> loops_;

    void print(const LaunchStep& s, int) {
        const kernel::Kernel& first = plan_.kernels[s.kernel].alternatives.front();
        std::string arguments = "args, memory";
        for (const LoopId loop : loops_) arguments += ", " + names_.local.loops.at(loop.index);
        for (const auto& [value, array] : s.arrays) {
            if (!array_name(first, value).empty()) arguments += ", " + slot(array);
        }
        out_.line("if (const int status = launch_{}({}); status != 0) return status;", first.name, arguments);
    }
    void print(const LoopStep& s, int depth) {
        const std::string& i = names_.local.loops.at(s.loop.index);
        const std::string from = scope_.fresh(i + "_from"), to = scope_.fresh(i + "_to");
        out_.line("const int {} = {}, {} = {};", from, host_text(*s.from, names_), to, host_text(*s.to, names_));
        out_.open("for (int {0} = {1}; {0} < {2}; ++{0})", i, from, to);
        loops_.push_back(s.loop);
        steps(s.body, depth + 1);
        for (const auto& [a, b] : s.swaps) out_.line("std::swap({}, {});", slot(a), slot(b));
        if (depth == 0) {
            out_.open("if (progress != nullptr)");
            // Waiting now and then keeps the report true and lets a request to stop be heard.
            if (target_ == Target::cuda) out_.line("if (({} - {}) % 16 == 15) memory.synchronise();", i, from);
            out_.line(
                "if (progress(user, (long long){0} - {1} + 1, (long long){2} - {1}) != 0) return "
                "kasc_fail(4, \"stopped\");",
                i, from, to);
            out_.close();
        }
        loops_.pop_back();
        out_.close();
    }
    void print(const CopyStep& s, int) {
        out_.line("memory.copy({}, {}, {});", slot(s.to), slot(s.from), words(plan_.slots[s.to].variable));
    }
    void print(const ZeroStep& s, int) {
        out_.line("memory.zero({}, {});", slot(s.slot), words(plan_.slots[s.slot].variable));
    }
    void print(const DeliverStep& s, int) {
        out_.line("memory.deliver(args.{}, {}, {});", names_.outputs.at(s.position), slot(s.slot),
                  words(plan_.slots[s.slot].variable));
    }

    void compute() {
        out_.line(
            "extern \"C\" int {0}_compute(const {1}_arguments *arguments, {1}_progress progress, void *user, double "
            "*kernel_seconds)",
            prefix_, program_.name);
        out_.open_block();
        out_.line("const {}_arguments &args = *arguments;", program_.name);
        out_.line("{}_arguments b = args;", program_.name);
        const bool stream = program_.kind == ProgramKind::stream;
        if (stream) {
            out_.line("if (args.{} < 1) return kasc_fail(1, \"no elements\");", names_.elements);
            out_.line("// Blocks work on whole tiles: a stream shorter than one is padded with zeros.");
            out_.line("b.{0} = std::max(args.{0}, {1}LL);", names_.elements, std::max(1, plan_.minimum_elements));
            if (plan_.element_multiple > 1)
                out_.line("b.{0} = (b.{0} + {1}) / {2} * {2};", names_.elements, plan_.element_multiple - 1,
                          plan_.element_multiple);
        }
        out_.line("kasc_memory memory(nullptr);");
        for (std::size_t i = 0; i < program_.inputs.size(); ++i) {
            out_.line("b.{0} = memory.upload(\"{0}\", args.{0}, {1}, {2});", names_.inputs[i],
                      words(program_.inputs[i]), words(program_.inputs[i], "b."));
        }
        for (std::size_t i = 0; i < program_.outputs.size(); ++i) {
            out_.line("b.{0} = memory.result(\"{0}\", args.{0}, {1}, {2});", names_.outputs[i],
                      words(program_.outputs[i]), words(program_.outputs[i], "b."));
        }
        out_.line("if (memory.status() != 0) return memory.status();");
        out_.line(
            "if (const int status = {}_launch(&b, nullptr, progress, user, kernel_seconds); status != 0) return "
            "status;",
            prefix_);
        for (std::size_t i = 0; i < program_.outputs.size(); ++i) {
            out_.line("memory.download(args.{0}, b.{0}, {1});", names_.outputs[i], words(program_.outputs[i]));
        }
        out_.line("memory.synchronise();");
        out_.line("return memory.status();");
        out_.close();
        out_.blank();
    }
};

}  // namespace

std::string host_side_text(const Program& program, const Library& library, const HostPlan& plan,
                           const InterfaceNames& names, const std::string& prefix, const std::string& kernels_file,
                           Target target) {
    return HostPrinter(program, library, plan, names, prefix, target).run(kernels_file);
}

}  // namespace kasc::emit
