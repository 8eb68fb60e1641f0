#include "basis/scales.hpp"

#include "graph/statements.hpp"

namespace kasc::basis {

namespace {

bool add_extents(const Expression& e, std::multiset<AxisId>& axes) {
    if (const auto* use = std::get_if<ExtentUse>(&e.node)) {
        axes.insert(use->axis);
        return true;
    }
    const auto* product = std::get_if<BinaryOperation>(&e.node);
    return product != nullptr && product->op == BinaryOperator::multiply && add_extents(*product->left, axes) &&
           add_extents(*product->right, axes);
}

/// The axes of 1 / (extent(x) * extent(y)); empty: it is something else.
std::multiset<AxisId> scaled_axes(const Expression& e) {
    const auto* quotient = std::get_if<BinaryOperation>(&e.node);
    if (quotient == nullptr || quotient->op != BinaryOperator::divide) return {};
    const auto* one = std::get_if<Literal>(&quotient->left->node);
    std::multiset<AxisId> axes;
    return one != nullptr && one->value == 1 && add_extents(*quotient->right, axes) ? axes : std::multiset<AxisId>{};
}

/// The transform back for which the test is true; null: there is none.
template <class Is>
const TransformStatement* find_backward(const Program& program, const Is& is) {
    const TransformStatement* found = nullptr;
    statements::each_statement(program.statements, [&](const Statement& statement) {
        const auto* t = std::get_if<TransformStatement>(&statement);
        if (t != nullptr && t->direction == Direction::backward && is(*t)) found = t;
    });
    return found;
}

bool is_scaled_where_made(const Program& program, VariableId v, const std::multiset<AxisId>& axes) {
    bool any = false, all = true;
    statements::each_statement(program.statements, [&](const Statement& statement) {
        if (!statements::assigns(statement, v)) return;
        const auto* field = std::get_if<FieldStatement>(&statement);
        any = true;
        all = all && field != nullptr && is_scaled(*field->value, axes);
    });
    return any && all;
}

}  // namespace

bool is_scaled(const Expression& e, const std::multiset<AxisId>& axes) {
    const auto* product = std::get_if<BinaryOperation>(&e.node);
    return product != nullptr && product->op == BinaryOperator::multiply && scaled_axes(*product->left) == axes;
}

std::vector<BackScale> scales_back(const Program& program) {
    std::vector<BackScale> all;
    statements::each_statement(program.statements, [&](const Statement& statement) {
        const auto* last = std::get_if<TransformStatement>(&statement);
        if (last == nullptr || last->direction != Direction::backward) return;
        const auto goes_on = [&](const TransformStatement& t) { return t.source == last->target; };
        if (find_backward(program, goes_on) != nullptr) return;  // a further pass transforms it
        BackScale scale{last};
        VariableId& source = scale.source;
        for (const TransformStatement* pass = last; pass != nullptr;) {
            const auto& axes = field_shape(program, pass->target).axes;
            for (const std::size_t k : pass->axes) scale.axes.insert(axes.at(k));
            source = pass->source;
            pass = find_backward(program, [&](const TransformStatement& t) { return t.target == source; });
        }
        scale.where_made = is_scaled_where_made(program, source, scale.axes);
        all.push_back(std::move(scale));
    });
    return all;
}

}  // namespace kasc::basis
