#pragma once
// What the parts of an emitted host file share: the names of its arrays, and where they come from.

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "emit/interface_names.hpp"
#include "emit/target.hpp"
#include "emit/writer.hpp"
#include "plan/host_plan.hpp"

namespace kasc::emit {

/// A launch takes these numbers of elements where they lie: from `fewest` on, multiples of `multiple`.
struct ElementsInPlace {
    int fewest, multiple;
};
[[nodiscard]] inline ElementsInPlace elements_in_place(const HostPlan& plan) {
    return {std::max(1, plan.minimum_elements), plan.element_multiple};
}
/// Elements of a stream may be left over, and lie in arrays of their own.
[[nodiscard]] inline bool has_rest(const HostPlan& plan) {
    const auto [fewest, multiple] = elements_in_place(plan);
    return fewest > 1 || multiple > 1;
}

struct HostContext {
    const Program& program;
    const Library& library;
    const HostPlan& plan;
    const InterfaceNames& names;
    std::string prefix;  ///< the program's name, or <program>_reference
    Target target;
    kernel::Names scope = names.local.scope;  ///< of an emitted function
    std::vector<std::string> slots;           ///< names, by slot

    HostContext(const Program& p, const Library& l, const HostPlan& h, const InterfaceNames& n, std::string prefix_of,
                Target t)
        : program(p), library(l), plan(h), names(n), prefix(std::move(prefix_of)), target(t) {
        for (const Slot& s : plan.slots) slots.push_back(scope.fresh(s.name));
    }

    [[nodiscard]] bool has_rest() const { return emit::has_rest(plan); }
    /// Its host plan has loops, or its program has, which someone may run in pieces.
    [[nodiscard]] bool has_parts() const {
        const bool loops = std::any_of(plan.steps.begin(), plan.steps.end(),
                                       [](const HostStep& s) { return std::holds_alternative<LoopStep>(s.what); });
        return loops || (has_pieces(program) && !is_reference());
    }
    /// A line of a call on this memory. A GPU's stream goes on by itself; launches of a CPU wait for each other, in the
    /// thread that has made them and on arrays that the caller may take away.
    [[nodiscard]] std::string whole_call(const std::string& memory) const {
        return target == Target::cpu ? "const kasc_whole_call whole(" + memory + ");" : "";
    }
    [[nodiscard]] bool is_reference() const { return prefix != program.name; }
    [[nodiscard]] const std::string& slot(SlotId id) const { return slots.at(id.index); }
    [[nodiscard]] std::string words(VariableId v, const std::string& of = "args.") const {
        return words_text(program, library, names, v, of);
    }
    struct RowsApart {
        std::string words, apart;  ///< of a row, and from one row to the next
    };
    /// None: nothing lies between the rows of the array.
    [[nodiscard]] std::optional<RowsApart> rows_apart(SlotId id) const {
        const Slot& slot = plan.slots[id];
        if (slot.row_multiple == 1) return std::nullopt;
        const std::string row = "args." + names.extents.at(field_shape(program, slot.variable).axes.front().index);
        return RowsApart{row, fmt::format("({0} + {1}) / {2} * {2}", row, slot.row_multiple - 1, slot.row_multiple)};
    }
    /// The words of an array of the run's own.
    [[nodiscard]] std::string words_of_slot(SlotId id) const {
        const VariableId variable = plan.slots[id].variable;
        const auto rows = rows_apart(id);
        if (!rows) return words(variable);
        std::string product = rows->apart;
        const std::vector<AxisId>& axes = field_shape(program, variable).axes;
        for (std::size_t k = 1; k < axes.size(); ++k) product += " * args." + names.extents.at(axes[k].index);
        return product;
    }
};

/// The parameter of a kernel's first alternative that stands for a value; empty where none does.
[[nodiscard]] std::string array_name(const kernel::Kernel& k, ValueId value);
/// Its launch function has to be told whether a former iteration has left a rider cells.
[[nodiscard]] bool carries_former_iteration(const kernel::Kernel& k);
/// Blocks of its launches count themselves, in a word of their own.
[[nodiscard]] bool counts_blocks(const kernel::Lowered& lowered);
/// Constants of an emitted function that hold the program's parameters, as far as its body names them.
void write_parameters(Writer& out, const HostContext& context, const std::string& body);

/// The type that holds the arguments of a run: the caller's, and where the program folds cells how many parts there
/// are.
[[nodiscard]] std::string run_arguments(const HostContext& context);

/// One launch function a kernel.
void write_launch_functions(Writer& out, const HostContext& context);
/// struct <prefix>_run: the host plan step by step, in pieces.
void write_run(Writer& out, const HostContext& context);
/// struct <prefix>_elements: a stream of any number of elements, by two such runs.
void write_elements(Writer& out, const HostContext& context);
/// struct <prefix>_prepared, and what the header's functions do with it.
void write_prepared(Writer& out, const HostContext& context);
/// The header's functions: <prefix>_compute and, but for a reference, those on a prepared program.
void write_calls(Writer& out, const HostContext& context);
/// The header's functions that run a prepared program in pieces.
void write_piece_calls(Writer& out, const HostContext& context);

}  // namespace kasc::emit
