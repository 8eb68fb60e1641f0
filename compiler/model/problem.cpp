// heat3d: T[x,y,z], rec[t] indexed by a loop of 500 iterations       extents x, y, z 256 and t 500
//         axis y = 2*ny; param int ny = 32;   axis u = extent(y)/4    extents y 64 and u 16

#include <algorithm>
#include <iterator>
#include <limits>
#include <set>

#include "frontend/element_axis.hpp"
#include "frontend/expression_parts.hpp"
#include "frontend/reduction.hpp"
#include "model/settled_value.hpp"

namespace kasc {

namespace {

/// Large enough that launches and caches do not decide, small enough for any device.
constexpr long long flat_extent = 4096, deep_extent = 256;
constexpr long long iterations = 100;  // of a loop whose bounds are not known when compiling
constexpr double largest_extent = 1e9;

/// An axis that no program moves along: it is always at an absolute position.
void mark_moving(const Program& program, VariableId variable, const std::vector<AxisIndex>& indices,
                 std::vector<bool>& moving) {
    const auto& axes = std::get<FieldShape>(program.variables[variable].shape).axes;
    for (std::size_t k = 0; k < axes.size() && k < indices.size(); ++k) {
        if (std::holds_alternative<Offset>(indices[k])) moving.at(axes[k].index) = true;
    }
}

void mark_moving(const Program& program, const std::vector<Statement>& statements, std::vector<bool>& moving) {
    for (const Statement& statement : statements) {
        if (const auto* update = std::get_if<FieldStatement>(&statement)) {
            mark_moving(program, update->target, update->target_indices, moving);
            for (const Operand& operand : update->operands)
                mark_moving(program, operand.variable, operand.indices, moving);
        } else if (const auto* transform = std::get_if<TransformStatement>(&statement)) {
            for (const VariableId v : {transform->target, transform->source}) {
                for (const AxisId axis : field_shape(program, v).axes) moving.at(axis.index) = true;
            }
        } else if (const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&statement)) {
            mark_moving(program, (*loop)->body, moving);
        }
    }
}

/// Before the program runs: NaN where nothing says it.
std::vector<double> values_of_parameters(const Program& program) {
    Problem so_far;
    for (const Parameter& p : program.parameters) {
        const auto value = p.fallback ? settled_value(*p.fallback, so_far) : std::nullopt;
        so_far.parameters.push_back(value.value_or(std::numeric_limits<double>::quiet_NaN()));
    }
    return std::move(so_far.parameters);
}

std::size_t most_moving_axes(const Program& program, const std::vector<bool>& moving) {
    std::size_t largest = 0;
    for (const Variable& variable : program.variables) {
        if (const auto* field = std::get_if<FieldShape>(&variable.shape)) {
            const auto moves =
                std::count_if(field->axes.begin(), field->axes.end(), [&](AxisId a) { return moving.at(a.index); });
            largest = std::max(largest, static_cast<std::size_t>(moves));
        }
    }
    return largest;
}

/// Axes whose extents others make, each after those that make it.
class Lengths {
public:
    Lengths(const Program& program, const std::vector<bool>& moving, const GivenSizes& given, Problem& problem)
        : program_(program), problem_(problem) {
        std::set<AxisId> of_inputs;
        for (const VariableId input : program.inputs) {
            if (const auto* field = std::get_if<FieldShape>(&program.variables[input].shape))
                of_inputs.insert(field->axes.begin(), field->axes.end());
        }
        for (const AxisId id : program.axes.ids()) {
            const Axis& axis = program.axes[id];
            if (given.extents.contains(id)) continue;
            // A loop that stands at the cells of an inputs' axis tells no more than that the axis has so many.
            const bool told = axis.declared || !of_inputs.contains(id) || !moving.at(id.index);
            if (axis.half_of || axis.parts || (axis.fallback_extent && told)) open_.insert(id);
        }
    }

    void settle() {
        for (bool more = true; more;) {
            more = false;
            for (auto id = open_.begin(); id != open_.end();) {
                const bool waits = waits_for_others(program_.axes[*id]);
                if (!waits) settle(*id);
                id = waits ? std::next(id) : open_.erase(id);
                more = more || !waits;
            }
        }
    }

private:
    const Program& program_;
    Problem& problem_;
    std::set<AxisId> open_;

    [[nodiscard]] bool waits_for_others(const Axis& axis) const {
        if (axis.half_of) return open_.contains(*axis.half_of);
        if (axis.parts) {
            const auto& of = axis.parts->of;
            return std::any_of(of.begin(), of.end(), [&](AxisId a) { return open_.contains(a); });
        }
        bool waits = false;
        for_each_part(*axis.fallback_extent, [&](const Expression& part) {
            const auto* use = std::get_if<ExtentUse>(&part.node);
            waits = waits || (use != nullptr && open_.contains(use->axis));
        });
        return waits;
    }

    void settle(AxisId id) {
        const Axis& axis = program_.axes[id];
        long long& extent = problem_.extents.at(id.index);
        if (axis.half_of) {
            extent = problem_.extents.at(axis.half_of->index) / 2 + 1;
        } else if (axis.parts) {
            long long cells = 1;
            for (const AxisId folded : axis.parts->of) cells *= problem_.extents.at(folded.index);
            extent = part_count(cells, *axis.parts);
        } else if (const auto length = settled_value(*axis.fallback_extent, problem_)) {
            if (*length >= 1 && *length <= largest_extent) extent = static_cast<long long>(*length);
        }
    }
};

}  // namespace

Problem planned_problem(const Program& program, const GivenSizes& given) {
    std::vector<bool> moving(program.axes.size());
    mark_moving(program, program.statements, moving);
    const long long extent = most_moving_axes(program, moving) <= 2 ? flat_extent : deep_extent;
    Problem problem;
    problem.elements = given.elements.value_or(problem.elements);
    problem.parameters = values_of_parameters(program);
    for (const AxisId axis : program.axes.ids()) {
        const auto known = given.extents.find(axis);
        const bool elements = program.axes[axis].name == frontend::element_axis;
        problem.extents.push_back(known != given.extents.end() ? known->second
                                  : elements                   ? problem.elements
                                  : moving.at(axis.index)      ? extent
                                                               : iterations);
    }
    Lengths(program, moving, given, problem).settle();
    for (const AxisId axis : program.axes.ids())
        problem.given.push_back(given.extents.contains(axis) || declared_length(program.axes[axis]).has_value());
    // The run's own lengths follow from others.
    for (const AxisId axis : program.axes.ids()) {
        const Axis& own = program.axes[axis];
        if (own.own && !own.parts)
            problem.given[axis.index] = !any_part(*own.fallback_extent, [&](const Expression& part) {
                const auto* use = std::get_if<ExtentUse>(&part.node);
                return use != nullptr && !problem.given.at(use->axis.index);
            });
    }
    return problem;
}

}  // namespace kasc
