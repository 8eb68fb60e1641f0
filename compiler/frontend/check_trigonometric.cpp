#include <fmt/format.h>

#include <algorithm>

#include "frontend/check_expression.hpp"
#include "frontend/same_expression.hpp"
#include "frontend/trigonometric_lines.hpp"

// A sine or cosine transform in an expression is statements of its own, as a Fourier transform is (check_transform):
// along one axis after another, from reals to reals over the axes of the statement around it.

namespace kasc::frontend {

namespace {

std::string half_text(const Program& program, AxisId half) {
    return fmt::format("'{}' is half a spectrum of '{}'", program.axes[half].name,
                       program.axes[*program.axes[half].half_of].name);
}

}  // namespace

ExpressionRef ExpressionChecker::trigonometric(Wanted wanted, const ast::Call& node, const Span& span) {
    if (wanted == Wanted::integer) {
        report_not_integer(span, fmt::format("'{}' gives reals", node.callee.text));
        return nullptr;
    }
    if (wanted == Wanted::boolean) {
        report_not_condition(span);
        return nullptr;
    }
    const std::vector<AxisId> axes = allowed_.operands->running();
    const auto places = transformed_axes(axes, node);
    if (!places) return nullptr;
    for (const std::size_t k : *places) {
        if (!checking_.program.axes[axes[k]].half_of) continue;
        error("K0252",
              fmt::format("{}, along which '{}' has no cells", half_text(checking_.program, axes[k]), node.callee.text),
              span)
            .help = "name axes of cells, or transform in a statement of its own that runs along them";
        return nullptr;
    }
    const auto made = trigonometric_field(node, axes, *places, span);
    if (!made) return nullptr;
    const std::size_t operand = allowed_.operands->add({*made, std::vector<AxisIndex>(axes.size(), Offset{0}), span});
    return make_expression(OperandUse{operand}, ScalarKind::real, span);
}

std::optional<VariableId> ExpressionChecker::trigonometric_field(const ast::Call& node, const std::vector<AxisId>& axes,
                                                                 const std::vector<std::size_t>& places,
                                                                 const Span& span) {
    if (const auto known = checking_.transformed.find({&node, axes});
        own_text() && known != checking_.transformed.end())
        return known->second.field;
    TransformAxes whole{Direction::forward, axes, axes, places, true, true, nullptr};
    bool scaled = false;
    const auto source = transform_source(*node.arguments[0], whole, scaled);
    if (!source) return std::nullopt;
    TrigonometricPass pass{*find_trigonometric(node.callee.text), *source, 0, span};
    PassParts parts{[&](const std::string& wish, const std::vector<AxisId>& along, CellType type) {
                        return hidden_field(wish, along, type, span);
                    },
                    [&](const std::string& name) {
                        return checking_.names.find(name) != nullptr || is_loop_variable(checking_.ast, name);
                    },
                    target_name() + "_" + node.callee.text,
                    checking_.hoisted,
                    checking_.first,
                    checking_.tables};
    for (const std::size_t k : places) {
        if (pass.transform.type == 1 && !pass.transform.sine) require_two_cells(axes[k], span);
        pass.axis = k;
        pass.source = add_trigonometric_pass(checking_.program, pass, parts);
    }
    if (own_text()) checking_.transformed[{&node, axes}] = {pass.source, false};
    return pass.source;
}

/// The line of one cell has no image about both of its ends.
void ExpressionChecker::require_two_cells(AxisId axis, const Span& span) {
    const auto whole = [&](auto part) { return make_expression(std::move(part), ScalarKind::integer, span); };
    ExpressionRef condition = make_expression(
        BinaryOperation{BinaryOperator::greater, whole(ExtentUse{axis}), whole(Literal{1})}, ScalarKind::boolean, span);
    const auto is_of_axis = [&](const Requirement& r) { return same_expression(r.condition, condition); };
    auto& all = checking_.program.requirements;
    if (std::none_of(all.begin(), all.end(), is_of_axis)) all.push_back({{}, {}, std::move(condition)});
}

}  // namespace kasc::frontend
