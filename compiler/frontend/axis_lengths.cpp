#include "frontend/axis_lengths.hpp"

#include <algorithm>
#include <set>

namespace kasc {

namespace {

/// All extents that the expression uses are of these axes.
bool is_known(const Expression& e, const std::set<AxisId>& axes) {
    const auto of = [&](const ExpressionRef& part) { return is_known(*part, axes); };
    if (const auto* use = std::get_if<ExtentUse>(&e.node)) return axes.contains(use->axis);
    if (const auto* u = std::get_if<UnaryOperation>(&e.node)) return of(u->operand);
    if (const auto* b = std::get_if<BinaryOperation>(&e.node)) return of(b->left) && of(b->right);
    if (const auto* c = std::get_if<Conditional>(&e.node)) return of(c->condition) && of(c->then) && of(c->otherwise);
    const auto* call = std::get_if<IntrinsicCall>(&e.node);
    return !call || std::all_of(call->arguments.begin(), call->arguments.end(), of);
}

}  // namespace

std::vector<AxisId> axes_by_length(const Program& program) {
    std::set<AxisId> known;
    for (const VariableId input : program.inputs) {
        const FieldShape& shape = field_shape(program, input);
        known.insert(shape.axes.begin(), shape.axes.end());
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
