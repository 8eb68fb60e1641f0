#include "random/field_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>

#include "frontend/axis_lengths.hpp"
#include "support/field_kernel.hpp"
#include "support/field_reference.hpp"

namespace kasc::random {

using namespace testing;
using testing::Problem;  // not the model's

namespace {

/// Positions that are literals lie on every axis: it has two cells or more.
int draw_extent(const std::string& axis, Draw& draw) {
    if (axis == "m") return draw.between(2, 4);
    if (axis == "p") return draw.between(2, 5);
    if (axis == "j") return draw.between(2, 3);
    if (axis == "t") return 3;
    return draw.of<int>({3, 4, 4, 5, 6, 7, 8, 8, 12});
}

class Inputs {
public:
    Inputs(const Program& program, const Problem& problem, Draw& draw)
        : program_(program), problem_(problem), draw_(draw) {
        std::vector<int> all(static_cast<std::size_t>(cells_around()));
        std::iota(all.begin(), all.end(), 0);
        draw_.shuffle(all);
        around_ = std::move(all);
    }

    Cells cells(VariableId variable) {
        const std::string& name = program_.variables[variable].name;
        const FieldShape& shape = field_shape(program_, variable);
        const Role role = role_of(name);
        Cells cells(cell_count(problem_, shape));
        if (role == Role::distinct) return distinct(cells.size(), extent(listed_axis(name)));
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const double value = role == Role::list     ? listed(i, listed_axis(name))
                                 : role == Role::labels ? draw_.between(0, 4)
                                                        : plain(shape.type);
            cells[i] = stored(shape.type, value);
        }
        return cells;
    }

private:
    const Program& program_;
    const Problem& problem_;
    Draw& draw_;
    std::vector<int> around_;  ///< numbers of cells of the grid and one layer around it, in random order

    [[nodiscard]] long long extent(const std::string& axis) const {
        for (const AxisId a : program_.axes.ids()) {
            if (program_.axes[a].name == axis) return problem_.extents[a.index];
        }
        return 1;
    }
    [[nodiscard]] long long cells_around() const {
        long long n = 1;
        for (const Axis& axis : program_.axes) n *= is_grid(axis.name) ? extent(axis.name) + 2 : 1;
        return n;
    }
    [[nodiscard]] static bool is_grid(const std::string& axis) { return axis == "x" || axis == "y" || axis == "z"; }
    /// The coordinate of the list's cell, -1 and the extent among them.
    [[nodiscard]] double listed(std::size_t entry, const std::string& along) const {
        long long rest = around_.at(entry);
        for (const Axis& axis : program_.axes) {
            if (!is_grid(axis.name)) continue;
            const long long n = extent(axis.name) + 2;
            if (axis.name == along) return static_cast<double>(rest % n - 1);
            rest /= n;
        }
        throw std::logic_error("a list of an axis that is not the grid's");
    }
    Cells distinct(std::size_t count, long long n) {
        std::vector<int> all(static_cast<std::size_t>(n + 2));
        std::iota(all.begin(), all.end(), -1);
        draw_.shuffle(all);
        return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count)};
    }
    double plain(CellType type) {
        if (type == CellType::uint8) return draw_.between(0, 255);
        if (type == CellType::int32) return draw_.between(-9, 40);
        return draw_.between(-1000, 2000) / 1000.0;
    }
};

class PlanMachine {
public:
    PlanMachine(const Program& program, const TestedFieldPlan& plan, const FieldRunCase& run, bool backwards)
        : program_(program), plan_(plan), run_(run), problem_(run.problem), backwards_(backwards) {
        for (const Slot& slot : plan.host.slots) {
            const FieldShape& shape = field_shape(program, slot.variable);
            // What nothing writes must not be read: it spoils what comes of it.
            const double garbage = is_integer(shape.type) ? 77 : std::numeric_limits<double>::quiet_NaN();
            const auto* in = std::get_if<InputStorage>(&slot.storage);
            arrays_.push_back(in ? run.inputs[in->position] : Cells(cell_count(problem_, shape), garbage));
        }
        result_.outputs.resize(program.outputs.size());
    }

    FieldPlanRun run() {
        try {
            steps(plan_.host.steps);
        } catch (const KernelFault& e) {
            result_.fault = e.what();
        }
        for (const SlotId slot : plan_.host.slots.ids()) {
            const auto* in = std::get_if<InputStorage>(&plan_.host.slots[slot].storage);
            if (in && result_.fault.empty() && !same(arrays_[slot.index], run_.inputs[in->position]))
                result_.fault = "an input was written";
        }
        return std::move(result_);
    }

private:
    const Program& program_;
    const TestedFieldPlan& plan_;
    const FieldRunCase& run_;
    Problem problem_;
    bool backwards_;
    bool in_loop_ = false, riding_ = false;  ///< riding: a former iteration of the piece has left something
    std::vector<Cells> arrays_;              ///< by slot; loops make them change places
    std::map<std::size_t, std::unique_ptr<Interpreter>> interpreters_;
    FieldPlanRun result_;

    [[nodiscard]] static bool same(const Cells& a, const Cells& b) {
        return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), same_cell);
    }
    [[nodiscard]] long long integer(const Expression& e) const { return Host(program_, problem_).integer(e); }

    void steps(const std::vector<HostStep>& all) {
        for (const HostStep& s : all) std::visit([this](const auto& step) { take(step); }, s.what);
    }
    void take(const LaunchStep& step) {
        const kernel::Lowered& lowered = plan_.host.kernels.at(step.kernel);
        const kernel::Kernel& k = lowered.alternatives[alternative_for(lowered, problem_)];
        if (!positions_hold(k, program_, problem_, riding_)) throw KernelFault("a position is not on the grid");
        auto& interpreter = interpreters_[step.kernel];
        if (!interpreter) interpreter = std::make_unique<Interpreter>(k);
        interpreter->backwards(backwards_);
        const auto in_place = [&](const std::string& kernel, ValueId v) {
            return plan_.in_place.at(kernel).contains(v);
        };
        const auto use = [&](ValueId v) {
            bool is = in_place(lowered.alternatives.front().name, v);
            for (const RiderOfLaunch& rider : step.riders) {
                for (const auto& [value, array] : rider.arrays) is = array == v ? in_place(rider.kernel, value) : is;
            }
            return is ? ArrayUse::in_place : ArrayUse::output;
        };
        run_kernel(
            *interpreter, k, program_, problem_,
            [&](ValueId v) -> Cells& { return arrays_.at(step.arrays.at(v).index); }, use, riding_);
    }
    void take(const TransformStep&) { throw KernelFault("a transform, which no random program has"); }
    void take(const LoopStep& step) {
        const long long from = integer(*step.from), to = integer(*step.to);
        const bool outermost = !std::exchange(in_loop_, true), riding_around = riding_;
        long long begun = from;
        for (long long i = from; i < to; ++i) {
            problem_.loops[step.loop.index] = i;
            riding_ = i > begun;
            steps(step.body);
            for (const auto& [a, b] : step.swaps) std::swap(arrays_.at(a.index), arrays_.at(b.index));
            // A piece ends here, as it may in emitted code: all that the iteration has left is made up for.
            if (i + 1 < to && !(outermost && i % 2 == 1)) continue;
            steps(step.after);
            begun = i + 1;
        }
        in_loop_ = !outermost;
        riding_ = riding_around;
    }
    void take(const CopyStep& step) { arrays_.at(step.to.index) = arrays_.at(step.from.index); }
    void take(const ZeroStep& step) {
        std::fill(arrays_.at(step.slot.index).begin(), arrays_.at(step.slot.index).end(), 0);
    }
    void take(const DeliverStep& step) { result_.outputs.at(step.position) = arrays_.at(step.slot.index); }
};

}  // namespace

FieldRunCase draw_field_case(const Program& program, Draw& draw) {
    FieldRunCase run;
    for (const Axis& axis : program.axes) run.problem.extents.push_back(draw_extent(axis.name, draw));
    for (const Parameter& p : program.parameters) {
        const Host host(program, run.problem);
        run.problem.parameters.push_back(p.kind == ScalarKind::integer ? static_cast<double>(host.integer(*p.fallback))
                                                                       : host.real<double>(*p.fallback));
    }
    for (const AxisId axis : axes_by_length(program))
        run.problem.extents[axis.index] = Host(program, run.problem).integer(*program.axes[axis].fallback_extent);
    Inputs inputs(program, run.problem, draw);
    for (const VariableId v : program.inputs) run.inputs.push_back(inputs.cells(v));
    return run;
}

std::vector<Cells> run_field_reference(const Program& program, const FieldRunCase& run) {
    const ProgramReference reference(program, run.problem, run.inputs);
    std::vector<Cells> outputs;
    for (const VariableId v : program.outputs) outputs.push_back(reference.value(v));
    return outputs;
}

FieldPlanRun run_field_plan(const Program& program, const TestedFieldPlan& plan, const FieldRunCase& run,
                            bool backwards) {
    return PlanMachine(program, plan, run, backwards).run();
}

}  // namespace kasc::random
