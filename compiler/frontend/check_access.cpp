#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "frontend/check_expression.hpp"
#include "frontend/expansion_level.hpp"
#include "frontend/expression_parts.hpp"
#include "frontend/number_value.hpp"
#include "frontend/token_words.hpp"

// T[-1, 0, 0] and T[z = pz]: which cells a read of a field touches, seen from the cell that is assigned.

namespace kasc::frontend {

namespace {

constexpr long long saturated = 1LL << 31;

long long saturate(long long value) { return std::clamp(value, -saturated, saturated); }

/// What is assigned here is computed before it stands at its position along the axis (cell_words.cpp).
bool is_for_position(const Ast& ast, const std::string& target, const std::string& axis) {
    for (const Ast::Shaped& field : ast.shaped) {
        for (const auto& next : field.next) {
            if (next.first != target) continue;
            return std::any_of(ast.declarations.begin(), ast.declarations.end(), [&](const ast::Declaration& d) {
                return d.name.text == field.words[next.second] &&
                       std::any_of(d.axes.begin(), d.axes.end(), [&](const ast::Name& a) { return a.text == axis; });
            });
        }
    }
    return false;
}

}  // namespace

std::optional<long long> ExpressionChecker::constant(const ast::Expression& expression, const char* what) {
    const Level level(*this, expression.span);
    if (!level) return std::nullopt;
    const auto* number = std::get_if<ast::Number>(&expression.node);
    if (number && number->form == ast::NumberForm::integer) return integer_value(number->text).value_or(saturated);
    if (const auto* node = std::get_if<ast::Unary>(&expression.node); node && node->op == UnaryOperator::negate) {
        const auto value = constant(*node->operand, what);
        return value ? std::optional(-*value) : std::nullopt;
    }
    const auto* use = std::get_if<ast::NameUse>(&expression.node);
    if (const auto argument = use ? argument_index(use->name) : std::nullopt) {
        const Frame* frame = frame_;
        frame_ = frame->caller;
        const auto value = constant(*frame->arguments[*argument], what);
        frame_ = frame;
        return value;
    }
    if (use) {
        const Symbol* symbol = checking_.names.use(use->name);
        const auto* option = symbol ? std::get_if<OptionIndex>(&symbol->meaning) : nullptr;
        if (option && checking_.ast.options[option->index].whole)
            return saturate(static_cast<long long>(checking_.ast.options[option->index].value));
    }
    const auto* node = std::get_if<ast::Binary>(&expression.node);
    if (node && (node->op == BinaryOperator::add || node->op == BinaryOperator::subtract ||
                 node->op == BinaryOperator::multiply)) {
        return constant_binary(*node, what);
    }
    const bool called = std::holds_alternative<ast::Call>(expression.node);
    error("K0225", fmt::format("{} must be known when the program is compiled", what), expression.span,
          "integer literals, options, + - and * can make it")
        .help =
        what == offset_text && called ? "a position is written with its axis: 'T[x = int(p)]', 'T[x = x + int(p)]'"
        : what == offset_text ? "a position may be computed, and sees the nearest cell beyond the grid: 'T[x = x + k]'"
                              : "";
    return std::nullopt;
}

std::optional<long long> ExpressionChecker::constant_binary(const ast::Binary& node, const char* what) {
    const auto left = constant(*node.left, what);
    const auto right = constant(*node.right, what);
    if (!left || !right) return std::nullopt;
    if (node.op == BinaryOperator::add) return saturate(*left + *right);
    return saturate(node.op == BinaryOperator::subtract ? *left - *right : *left * *right);
}

std::optional<std::vector<AxisIndex>> ExpressionChecker::positions(VariableId variable,
                                                                   const std::vector<ast::Index>& indices) {
    const bool named = std::any_of(indices.begin(), indices.end(), [&](const ast::Index& index) {
        return index.axis || axis_of_offset(*index.value).has_value();
    });
    return named ? by_axis(variable, indices) : offsets(variable, indices);
}

std::optional<std::vector<AxisIndex>> ExpressionChecker::offsets(VariableId variable,
                                                                 const std::vector<ast::Index>& all) {
    const std::vector<std::string> axes = axis_names(variable);
    const Variable& declared = checking_.program.variables[variable];
    if (axes.empty()) {
        report_no_axes(declared, all);
        return std::nullopt;
    }
    for (const ast::Index& index : all) {
        if (!starts_with_unknown(index)) continue;
        report_no_axis({declared.name, declared.span}, axes, index);
        return std::nullopt;
    }
    if (report_places({declared.name, declared.span}, axes, all)) return std::nullopt;
    if (all.size() != axes.size()) {
        report_offsets({declared.name, declared.span}, axes, all);
        return std::nullopt;
    }
    std::vector<AxisIndex> indices;
    for (const ast::Index& index : all) {
        const auto offset = constant(*index.value, offset_text);
        const std::string help =
            fmt::format("to read at a position, name the axis: '{}[{} = ...]'", declared.name, axes[indices.size()]);
        if (!offset || !is_near(*offset, index.value->span, help)) return std::nullopt;
        indices.push_back(Offset{static_cast<int>(*offset)});
    }
    return indices;
}

bool ExpressionChecker::is_near(long long cells, const Span& span, const std::string& help) {
    if (std::llabs(cells) <= farthest_neighbour) return true;
    error("K0224", "the neighbour is too far away", span,
          fmt::format("at most {} cells along an axis", farthest_neighbour))
        .help = help;
    return false;
}

std::optional<long long> ExpressionChecker::steps_from_axis(const ast::Expression& expression) {
    if (std::holds_alternative<ast::NameUse>(expression.node)) return 0;
    const auto& node = std::get<ast::Binary>(expression.node);
    const auto before = steps_from_axis(*node.left);
    const auto step = constant(*node.right, offset_text);
    if (!before || !step) return std::nullopt;
    return saturate(node.op == BinaryOperator::add ? *before + *step : *before - *step);
}

/// A[j, i] of A[i, j] is A, not A the other way round: an axis that is named alone stays where it is.
static void warn_of_other_order(Report& report, const std::string& field, const std::vector<std::string>& axes,
                                const std::vector<ast::Index>& all) {
    if (all.size() != axes.size()) return;
    std::vector<std::string> turned;
    for (std::size_t k = 0; k < axes.size(); ++k) {
        const auto* use = all[k].axis ? nullptr : std::get_if<ast::NameUse>(&all[k].value->node);
        if (use == nullptr) return;
        if (use->name != axes[k]) turned.push_back(fmt::format("{} = {}", axes[k], use->name));
    }
    if (turned.empty()) return;
    const Span& first = all.front().value->span;
    const Span span{first.source, first.begin, all.back().value->span.end};
    report.warning("K0274", fmt::format("axes that are named stay where they are: this is '{}' itself", field), span)
        .help =
        fmt::format("the other way round is '{}[{}]', of axes that are as long", field, fmt::join(turned, ", "));
}

/// T[x - 1, t = n]: axes by name, in any order; those that are not named stay where they are. Reads in positions are
/// numbered in the order of the axes, however they are written.
std::optional<std::vector<AxisIndex>> ExpressionChecker::by_axis(VariableId variable,
                                                                 const std::vector<ast::Index>& all) {
    const FieldShape& shape = field_shape(checking_.program, variable);
    const Variable& declared = checking_.program.variables[variable];
    const std::vector<std::string> axes = axis_names(variable);
    if (axes.empty()) {
        report_no_axes(declared, all);
        return std::nullopt;
    }
    std::vector<const ast::Index*> given(axes.size(), nullptr);
    for (const ast::Index& index : all) {
        const auto axis = index.axis ? axis_named(index.axis->text) : axis_of_offset(*index.value);
        if (!axis && !index.axis) {
            report_unnamed_index({declared.name, declared.span}, axes, all, index);
            return std::nullopt;
        }
        const Span& named = index.axis ? index.axis->span : index.value->span;
        const auto place = axis ? std::find(shape.axes.begin(), shape.axes.end(), *axis) : shape.axes.end();
        if (place == shape.axes.end()) {
            report_no_axis({declared.name, declared.span}, axes, index);
            return std::nullopt;
        }
        const auto number = static_cast<std::size_t>(place - shape.axes.begin());
        if (given[number]) {
            error("K0228", fmt::format("the axis '{}' is given twice", axes[number]), named);
            return std::nullopt;
        }
        given[number] = &index;
    }
    std::vector<AxisIndex> indices;
    for (std::size_t k = 0; k < axes.size(); ++k) {
        const auto index = given[k] ? index_along(shape.axes[k], *given[k]) : std::optional<AxisIndex>(Offset{0});
        if (!index) return std::nullopt;
        indices.push_back(*index);
    }
    if (own_text()) warn_of_other_order(checking_.report, declared.name, axes, all);
    return indices;
}

std::optional<AxisIndex> ExpressionChecker::index_along(AxisId id, const ast::Index& index) {
    if (!index.axis) {
        if (report_step(id, index)) return std::nullopt;
        const auto cells = steps_from_axis(*index.value);
        if (!cells || !is_near(*cells, index.value->span, "a position is written '[axis = ...]'")) return std::nullopt;
        return Offset{static_cast<int>(*cells)};
    }
    // From the cells of a line to the faces between them, or back.
    if (const auto across = axis_of_offset(*index.value); across && checking_.partner(id) == across) {
        const auto cells = steps_from_axis(*index.value);
        if (!cells || !is_near(*cells, index.value->span, "")) return std::nullopt;
        return Offset{static_cast<int>(*cells), true};
    }
    const Allowed around = std::exchange(allowed_, in_position());
    ExpressionRef position = integer(*index.value);
    allowed_ = around;
    if (!position) return std::nullopt;
    Axis& axis = checking_.program.axes[id];
    const auto* loop = std::get_if<LoopIndexUse>(&position->node);
    // An end that differs from one run of the loop to the next is no length, nor is one that goes by the axis itself.
    const ExpressionRef end = loop ? checking_.loop_ends.at(loop->loop.index) : nullptr;
    const auto is_own = [&](const Expression& part) {
        const auto* extent = std::get_if<ExtentUse>(&part.node);
        return extent != nullptr && extent->axis == id;
    };
    if (end && !axis.fallback_extent && !uses_loop(*end) && !any_part(*end, is_own)) axis.fallback_extent = end;
    if (!is_uniform(*position)) return Computed{std::move(position)};
    return Absolute{std::move(position)};
}

std::optional<VariableId> ExpressionChecker::accessed_variable(const ast::Access& node) {
    ast::Name name = node.variable;
    const Frame* frame = frame_;
    std::optional<VariableId> found;
    while (const auto argument = argument_index(name.text)) {
        const ast::Expression& value = *frame_->arguments[*argument];
        const std::string& function = checking_.ast.functions[frame_->function].name.text;
        frame_ = frame_->caller;
        if (const auto* use = std::get_if<ast::NameUse>(&value.node)) {
            name = {use->name, value.span};
            continue;
        }
        Diagnostic& d = error("K0229", fmt::format("this argument of '{}' must be a field", function), value.span);
        d.notes.push_back({node.variable.span, "it is indexed here"});
        d.help = "assign the expression to a field first, and pass that";
        frame_ = frame;
        return std::nullopt;
    }
    found = resolve_variable(checking_, name);
    frame_ = frame;
    return found;
}

ExpressionRef ExpressionChecker::access(Wanted wanted, const ast::Access& node, const Span& span) {
    const ast::Declaration* uniform = allowed_.operands ? uniform_field(node.variable) : nullptr;
    if (uniform) return uniform_access(wanted, *uniform, node, span);
    const auto variable = accessed_variable(node);
    if (!variable) return nullptr;
    if (!allowed_.operands) return field(Wanted::real, *variable, span);
    const Variable& read_from = checking_.program.variables[*variable];
    if (is_complex(field_shape(checking_.program, *variable).type) &&
        !complex_may_stand(wanted, span, fmt::format("'{}' is a field of complex numbers", read_from.name)))
        return nullptr;
    const std::string around = std::exchange(indexed_, node.variable.text);
    auto indices = positions(*variable, node.indices);
    indexed_ = around;
    ExpressionRef value = indices ? read(*variable, std::move(*indices), span) : nullptr;
    return value ? word_as_wanted(wanted, std::move(value)) : nullptr;
}

ExpressionRef ExpressionChecker::read(VariableId id, std::vector<AxisIndex> indices, const Span& span) {
    const Variable& variable = checking_.program.variables[id];
    Operand operand{id, std::move(indices), span};
    checking_.flow.read(variable, id, span, checking_.report);
    const std::vector<AxisId> axes = field_shape(checking_.program, id).axes;
    for (std::size_t k = 0; beyond_ && k < axes.size(); ++k) {
        const auto* offset = std::get_if<Offset>(&operand.indices[k]);
        if (!offset) continue;
        auto index = index_beyond(variable, axes[k], *offset, span);
        if (!index) return nullptr;
        operand.indices[k] = std::move(*index);
    }
    if (!fits_target(operand)) return nullptr;
    for (std::size_t k = 0; k < operand.indices.size(); ++k) {
        const auto* offset = std::get_if<Offset>(&operand.indices[k]);
        if (!offset || std::max(checking_.cells_beyond(axes[k], *offset, false),
                                checking_.cells_beyond(axes[k], *offset, true)) <= 0)
            continue;
        NeighbourReads& reads = checking_.neighbours.try_emplace(id, NeighbourReads{span, 0, {}}).first->second;
        reads.farthest = std::max(reads.farthest, std::abs(offset->cells));
        reads.axes.resize(operand.indices.size());
        reads.axes[k] = true;
    }
    auto choices = choices_beyond(id, operand.indices, span);
    if (!choices) return nullptr;
    const std::size_t number = allowed_.operands->add(std::move(operand));
    const ScalarKind kind = scalar_kind(field_shape(checking_.program, id).type);
    ExpressionRef word = make_expression(OperandUse{number}, kind, span);
    for (auto choice = choices->rbegin(); choice != choices->rend(); ++choice)
        word = make_expression(Conditional{std::move(choice->where), std::move(choice->value), std::move(word)}, kind,
                               span);
    return word;
}

bool ExpressionChecker::fits_target(const Operand& operand) {
    const FieldShape& shape = field_shape(checking_.program, operand.variable);
    const std::string& name = checking_.program.variables[operand.variable].name;
    for (std::size_t i = 0; i < shape.axes.size(); ++i) {
        const auto* offset = std::get_if<Offset>(&operand.indices[i]);
        if (!offset) continue;
        const AxisId along = offset->across ? checking_.partner(shape.axes[i]).value() : shape.axes[i];
        const auto in_target = allowed_.operands->target_axis(along);
        if (in_target == Operands::TargetAxis::running) continue;
        const std::string& axis = checking_.program.axes[along].name;
        const Variable& target = checking_.program.variables[allowed_.operands->target()];
        if (allowed_.transformed) {
            report_not_transformed_along(name, shape.axes[i], operand.span);
            return false;
        }
        if (checking_.deciding) {
            error("K0216",
                  fmt::format("'{}' has a value at each cell along '{}', a condition is one number", name, axis),
                  operand.span)
                .help = fmt::format(
                "fold it, 'any({0} > 0)' or 'maximum({0}) > 0'; what differs from cell to cell is "
                "chosen with 'condition ? a : b'",
                name);
            return false;
        }
        // What lacks the axis is the statement, whichever of its fields run along it.
        if (!checking_.undeclared.insert(fmt::format("along {} {}", axis, checking_.statement.begin)).second)
            return false;
        const bool fixed =
            in_target == Operands::TargetAxis::fixed || is_for_position(checking_.ast, target.name, axis);
        Diagnostic& d =
            error("K0216", fmt::format("'{}' runs along '{}', the target does not", name, axis), operand.span);
        d.notes.push_back(
            {target.span, fixed ? fmt::format("the target '{}' stands at one position along '{}'", target.name, axis)
                                : fmt::format("the target '{}' has no axis '{}'", target.name, axis)});
        d.help =
            fmt::format("say where along '{0}' to read, '{1}[{0} = ...]', or fold it, 'sum({1}, {0})'", axis, name);
        const auto partner = offset->across ? std::nullopt : checking_.partner(along);
        if (partner && allowed_.operands->target_axis(*partner) == Operands::TargetAxis::running)
            d.help = across_help(along, name);
        return false;
    }
    return true;
}

std::string ExpressionChecker::across_help(AxisId axis, const std::string& field) const {
    const AxisId partner = checking_.partner(axis).value();
    const bool faces = checking_.staggered.contains(axis);
    return fmt::format("'{0}[{1} = {2}]' and '{0}[{1} = {2} {3} 1]' are the {4} beside a {5}", field,
                       checking_.program.axes[axis].name, checking_.program.axes[partner].name, faces ? "+" : "-",
                       faces ? "faces" : "cells", faces ? "cell" : "face");
}

void ExpressionChecker::report_not_transformed_along(const std::string& name, AxisId axis, const Span& span) {
    const Table<AxisId, Axis>& axes = checking_.program.axes;
    Diagnostic& d =
        error("K0216", fmt::format("'{}' runs along '{}', what is transformed does not", name, axes[axis].name), span);
    for (const AxisId half : axes.ids()) {
        if (half != axis && axes[half].half_of != axis) continue;
        if (!axes[half].half_of) continue;
        d.notes.push_back({axes[half].span, fmt::format("'{}' is declared here", axes[half].name)});
        d.help = fmt::format(
            "'fft' along '{0}' is of reals along '{1}', 'ifft' along '{1}' of spectra along '{0}'; without '{0}' both "
            "are complex, along '{1}'",
            axes[half].name, axes[*axes[half].half_of].name);
        return;
    }
    d.help = fmt::format("say where along '{0}' to read: '{1}[{0} = ...]'", axes[axis].name, name);
}

}  // namespace kasc::frontend
