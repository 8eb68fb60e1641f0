#pragma once
// Gives a kernel of fields what the host gives it, and runs it in the interpreter.

#include <functional>

#include "graph/field_target.hpp"
#include "support/field_host.hpp"
#include "support/ir_interpreter.hpp"

namespace kasc::test {

/// The first alternative of a kernel that serves these extents, as the host chooses.
[[nodiscard]] inline std::size_t alternative_for(const kernel::Lowered& lowered, const Problem& problem) {
    for (std::size_t i = 0; i < lowered.alternatives.size(); ++i) {
        const auto& needs = lowered.alternatives[i].requirement;
        if (!needs || needs->holds(problem.extents)) return i;
    }
    throw std::logic_error("no alternative serves");
}

/// The problem as it was in the former iteration of a loop, where one is meant.
[[nodiscard]] inline Problem problem_at(const Program& program, Problem problem, std::optional<LoopId> former) {
    if (former) problem.loops.at(former->index) -= program.loops[*former].by;
    return problem;
}

/// Every position that the program fixes lies where it may. `riding`: a former iteration has left something.
[[nodiscard]] inline bool positions_hold(const kernel::Kernel& kernel, const Program& program, const Problem& problem,
                                         bool riding = false) {
    return std::all_of(kernel.positions.begin(), kernel.positions.end(), [&](const kernel::PositionCheck& p) {
        if (p.former && !riding) return true;
        const Problem then = problem_at(program, problem, p.former);
        const long long at = Host(program, then).integer(*p.position);
        return at >= p.low && at < problem.extents.at(p.axis.index) - p.high;
    });
}

/// How the kernel that computes the value uses its array.
using UseOfOutput = std::function<ArrayUse(ValueId)>;
[[nodiscard]] inline ArrayUse use_of_output(const Program& program, const Graph& graph, ValueId value) {
    const auto& update = std::get<FieldUpdate>(graph.nodes[*graph.values[value].producer].what);
    const bool in_place = updates_some_cells(update.statement) && !reads_what_it_assigns(program, update.statement);
    return in_place ? ArrayUse::in_place : ArrayUse::output;
}

/// `cells`: the array of a value that the kernel reads or writes. Throws KernelFault.
inline void run_kernel(Interpreter& interpreter, const kernel::Kernel& kernel, const Program& program,
                       const Problem& problem, const std::function<Cells&(ValueId)>& cells, const UseOfOutput& use,
                       bool riding = false) {
    for (const kernel::Parameter& p : kernel.parameters) {
        const Problem then = problem_at(program, problem, p.former);
        const Host host(program, then);
        if (const auto* in = std::get_if<kernel::ArrayIn>(&p.source)) {
            interpreter.array(p, cells(in->value), ArrayUse::input);
        } else if (const auto* out = std::get_if<kernel::ArrayOut>(&p.source)) {
            interpreter.array(p, cells(out->value), use(out->value));
        } else if (const auto* extent = std::get_if<kernel::AxisExtent>(&p.source)) {
            interpreter.scalar(p.name, Scalar::whole(problem.extents.at(extent->axis.index)));
        } else if (const auto* rider = std::get_if<kernel::RiderCells>(&p.source)) {
            const long long all = rider->axis ? problem.extents.at(rider->axis->index) : 1;
            interpreter.scalar(p.name, Scalar::whole(riding ? all : 0));
        } else if (const auto* e = std::get_if<kernel::HostExpression>(&p.source)) {
            const Expression& x = *e->expression;
            interpreter.scalar(p.name, p.type == kernel::Type::f32   ? Scalar::single(host.real<float>(x))
                                       : p.type == kernel::Type::f64 ? Scalar::dual(host.real<double>(x))
                                                                     : Scalar::whole(host.integer(x)));
        }
    }
    interpreter.run();
}

}  // namespace kasc::test
