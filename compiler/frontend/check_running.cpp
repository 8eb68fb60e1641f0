#include <fmt/format.h>

#include <algorithm>

#include "frontend/check_expression.hpp"
#include "frontend/reduced_axes.hpp"

// A running sum in an expression is a statement of its own, on a field of all axes of its argument:
//
//     s = 2*running_sum(a*b, x) - mean(a)       s_running_sum[x, y] = a*b, summed up along x
//                                               s = 2*s_running_sum - s_mean
//     s = running_sum(a, -x)                    s = a, summed up along x from its last cell

namespace kasc::frontend {

std::optional<ExpressionChecker::DirectedAxis> ExpressionChecker::directed_axis(const ast::Expression& given) {
    const Frame* const own = frame_;
    const ast::Expression* e = &given;
    bool backward = false;
    std::optional<AxisId> axis;
    while (!axis) {
        const auto* turned = std::get_if<ast::Unary>(&e->node);
        const auto* use = std::get_if<ast::NameUse>(&e->node);
        if (turned && turned->op == UnaryOperator::negate) {
            backward = !backward;
            e = turned->operand.get();
            continue;
        }
        axis = use ? axis_named(use->name) : std::nullopt;
        const auto argument = use && !axis ? argument_index(use->name) : std::nullopt;
        if (axis || !argument) break;
        e = frame_->arguments[*argument].get();
        frame_ = frame_->caller;
    }
    frame_ = own;
    return axis ? std::optional(DirectedAxis{*axis, backward}) : std::nullopt;
}

std::optional<Running> ExpressionChecker::running_of(const Reduction& called, const ast::Call& node,
                                                     const std::vector<AxisId>& axes) {
    const std::string& name = node.callee.text;
    const std::string all = fmt::format("its argument runs along {}", axis_list(checking_.program, axes));
    const auto fault = [&](const std::string& message, const Span& span, std::string help) {
        error("K0254", message, span).help = std::move(help);
        return std::nullopt;
    };
    const auto of_axis = [&](AxisId axis) { return checking_.program.axes[axis].name; };
    if (node.arguments.size() > 2)
        return fault(fmt::format("'{}' goes along one axis", name), node.arguments[2]->span,
                     fmt::format("one stands in the other: '{0}({0}(..., {1}), {2})'", name, of_axis(axes.front()),
                                 of_axis(axes.back())));
    if (node.arguments.size() == 1) {
        if (axes.size() == 1) return Running{called.op, axes.front(), false};
        return fault(fmt::format("'{}' goes along one axis", name), node.callee.span,
                     fmt::format("{}: name one, '{}(..., {})'", all, name, of_axis(axes.front())));
    }
    const ast::Expression& given = *node.arguments[1];
    const auto along = directed_axis(given);
    if (!along)
        return fault(fmt::format("the second argument of '{}' is an axis, or one backwards", name), given.span,
                     help_for_axes(called, node));
    if (!contains(axes, along->axis))
        return fault(fmt::format("the argument of '{}' does not run along '{}'", name, of_axis(along->axis)),
                     given.span, all);
    return Running{called.op, along->axis, along->backward};
}

std::optional<ExpressionChecker::Reduced> ExpressionChecker::run_along(Wanted wanted, const Reduction& called,
                                                                       const ast::Call& node, const Span& span) {
    auto made = cells_of_argument(wanted, called, node);
    if (!made) return std::nullopt;
    made->running = running_of(called, node, made->axes);
    if (!made->running) return std::nullopt;
    // Rounded before it is summed, wherever that is: kernels hold cells and results as words of one type.
    if (wanted == Wanted::real && made->value->kind == ScalarKind::integer)
        made->value = make_expression(IntrinsicCall{Intrinsic::to_real, {made->value}}, ScalarKind::real, span);
    // An axis of pieces lets these stand side by side (rewrite/running_pieces).
    const AxisId along = made->running->axis;
    make_parts_axis(checking_.program, checking_.program.axes[along].name + "_piece", pieces_of(along), span);
    made->kept = made->axes;
    if (!is_left_to_statement(*made, node, span)) return std::nullopt;
    return made;
}

VariableId ExpressionChecker::running_field(Reduced made, const ast::Call& node, const Span& span) {
    const CellType type = type_of(made);
    const FieldStatement as_said{span, {}, {}, made.operands, made.value, made.precision, {}, nullptr};
    const std::string cell = to_text(*made.value, checking_.program, operand_texts(as_said, checking_.program));
    const std::string key =
        fmt::format("{} {} over {}: {}", name_of(type), static_cast<int>(made.precision),
                    axis_list(checking_.program, made.axes), running_text(*made.running, checking_.program, cell));
    if (const auto known = checking_.reduced.find(key); known != checking_.reduced.end()) return known->second;
    const VariableId result =
        hidden_field(fmt::format("{}_{}", target_name(), node.callee.text), made.axes, type, span);
    FieldStatement statement{span,
                             result,
                             std::vector<AxisIndex>(made.axes.size(), Offset{0}),
                             std::move(made.operands),
                             std::move(made.value),
                             made.precision,
                             {},
                             nullptr};
    statement.running = made.running;
    checking_.hoisted.emplace_back(std::move(statement));
    return checking_.reduced.emplace(key, result).first->second;
}

ExpressionRef ExpressionChecker::running(Wanted wanted, const Reduction& called, const ast::Call& node,
                                         const Span& span) {
    if (wanted == Wanted::boolean) {
        report_not_condition(span);
        return nullptr;
    }
    const bool integers = wanted == Wanted::integer;
    auto made = run_along(integers ? Wanted::integer : Wanted::real, called, node, span);
    if (!made) return nullptr;
    const std::vector<AxisIndex> here(made->axes.size(), Offset{0});
    const VariableId result = running_field(std::move(*made), node, span);
    const std::size_t operand = allowed_.operands->add({result, here, span});
    return make_expression(OperandUse{operand}, integers ? ScalarKind::integer : ScalarKind::real, span);
}

std::optional<FieldStatement> ExpressionChecker::whole_running(const ast::Assignment& assignment, VariableId target,
                                                               const std::vector<AxisIndex>& indices,
                                                               const Reduction& called) {
    const auto& node = std::get<ast::Call>(assignment.value->node);
    const Span& span = assignment.value->span;
    const FieldShape shape = field_shape(checking_.program, target);
    auto made = run_along(is_integer(shape.type) ? Wanted::integer : Wanted::real, called, node, span);
    if (!made) return std::nullopt;
    // Along the target's own axes, whatever their order.
    const bool whole = made->axes.size() == shape.axes.size() &&
                       std::all_of(indices.begin(), indices.end(),
                                   [](const AxisIndex& i) { return std::holds_alternative<Offset>(i); });
    if (!whole || shape.keeps_layers() || type_of(*made) != shape.type)
        return copied(assignment, target, indices, running_field(std::move(*made), node, span));
    FieldStatement statement{assignment.span,        target,          indices, std::move(made->operands),
                             std::move(made->value), made->precision, {},      nullptr};
    statement.running = made->running;
    return statement;
}

}  // namespace kasc::frontend
