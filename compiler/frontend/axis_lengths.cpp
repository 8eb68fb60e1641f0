#include "frontend/axis_lengths.hpp"

#include <algorithm>
#include <set>

#include "frontend/expression_parts.hpp"

namespace kasc {

namespace {

/// All extents that the expression uses are of these axes.
bool is_known(const Expression& e, const std::set<AxisId>& axes) {
    return !any_part(e, [&](const Expression& part) {
        const auto* use = std::get_if<ExtentUse>(&part.node);
        return use && !axes.contains(use->axis);
    });
}

}  // namespace

std::vector<AxisId> axes_by_length(const Program& program) {
    std::set<AxisId> known;
    for (const VariableId input : program.inputs) {
        const auto* field = std::get_if<FieldShape>(&program.variables[input].shape);
        if (field != nullptr) known.insert(field->axes.begin(), field->axes.end());
    }
    std::vector<AxisId> order;
    for (bool more = true; more;) {
        more = false;
        for (const AxisId id : program.axes.ids()) {
            const ExpressionRef& length = program.axes[id].fallback_extent;
            if (known.contains(id) || !length || !is_known(*length, known)) continue;
            known.insert(id);
            order.push_back(id);
            more = true;
        }
    }
    return order;
}

}  // namespace kasc
