#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "frontend/check_expression.hpp"
#include "frontend/reduced_axes.hpp"

// A reduction in an expression is two statements of their own, on fields that the program does not name:
//
//     u = u / maximum(u)                u_maximum_parts[part] = fold u over x, y
//                                       u_maximum[]           = fold u_maximum_parts over part
//                                       u = u / u_maximum
//     energy[t = n] = sum(rho*u*u)      energy_parts[part]    = fold rho*u*u over x, y
//                                       energy[t = n]         = fold energy_parts over part
//
// Its argument runs along every axis that it reads, whatever the statement around runs along.

namespace kasc::frontend {

namespace {

CellType integer_type(bool is_long) { return is_long ? CellType::int64 : CellType::int32; }

/// Lanes that join what the parts gave: where the program says how many there are, no more than these. Lanes without a
/// part change nothing.
int lanes_of_parts(const Program& program, const Parts& parts) {
    if (parts.chained) return 1;
    long long cells = 1;
    for (const AxisId axis : parts.of) {
        const auto length = declared_length(program.axes[axis]);
        if (!length) return joined_lanes;
        cells *= *length;
    }
    const auto count = static_cast<unsigned long long>(part_count(cells, parts));
    return static_cast<int>(std::min<unsigned long long>(joined_lanes, std::bit_ceil(count)));
}

}  // namespace

bool ExpressionChecker::may_reduce(const Reduction& called, const ast::Call& node, const Span& span) {
    const std::string& name = node.callee.text;
    const bool running = called.running;
    if (!allowed_.reductions) {
        const bool assignable = allowed_.operands && allowed_.operands->has_target();
        error("K0226", fmt::format("{} cannot use '{}'", allowed_.where, name), span).help =
            !allowed_.instead.empty() ? allowed_.instead
            : !assignable ? fmt::format("'{}' {} the cells of fields, in the statements of a program over fields", name,
                                        running ? "goes along" : "folds")
            : running     ? fmt::format("assign it to a field first: 'float s[x]; s = {}(..., x);'", name)
                          : fmt::format("assign it to a field without axes first: 'float m[]; m = {}(...);'", name);
        return false;
    }
    if (!node.arguments.empty()) return true;
    error("K0205",
          fmt::format("'{}' takes an argument, and the {}", name,
                      running ? "axis along which it goes" : "axes that it folds"),
          node.callee.span);
    return false;
}

std::optional<std::vector<AxisId>> ExpressionChecker::folded_axes(const Reduction& called, const ast::Call& node,
                                                                  const std::vector<AxisId>& axes) {
    const std::string& name = node.callee.text;
    std::vector<AxisId> named;
    for (std::size_t i = 1; i < node.arguments.size(); ++i) {
        const ast::Expression& given = *node.arguments[i];
        const auto* use = std::get_if<ast::NameUse>(&given.node);
        const auto axis = use ? axis_named(use->name) : std::nullopt;
        std::string fault, help = fmt::format("its argument runs along {}", axis_list(checking_.program, axes));
        if (!axis) {
            fault = fmt::format("the further arguments of '{}' are axes", name);
            help = help_for_axes(called, node);
        } else if (!contains(axes, *axis)) {
            fault = fmt::format("the argument of '{}' does not run along '{}'", name, use->name);
        } else if (contains(named, *axis)) {
            fault = fmt::format("'{}' folds the axis '{}' twice", name, use->name);
            help = "name it once";
        }
        if (!fault.empty()) {
            error("K0254", fault, given.span).help = help;
            return std::nullopt;
        }
        named.push_back(*axis);
    }
    if (named.empty()) return axes;
    std::vector<AxisId> folded;
    std::copy_if(axes.begin(), axes.end(), std::back_inserter(folded), [&](AxisId a) { return contains(named, a); });
    return folded;
}

/// The name in "x" and in "-x", the axis backwards; null: another expression.
static const ast::NameUse* name_of_axis(const ast::Expression& given) {
    const auto* turned = std::get_if<ast::Unary>(&given.node);
    const bool backwards = turned && turned->op == UnaryOperator::negate;
    return std::get_if<ast::NameUse>(backwards ? &turned->operand->node : &given.node);
}

/// sum(u*k, k) of a k that is nothing: what is lacking is the axis, wherever else it is named.
bool ExpressionChecker::axes_are_known(const ast::Call& node) {
    for (std::size_t i = 1; i < node.arguments.size(); ++i) {
        const ast::NameUse* use = name_of_axis(*node.arguments[i]);
        if (!use || axis_named(use->name) || argument_index(use->name) || checking_.names.find(use->name)) continue;
        if (!checking_.undeclared.insert(use->name).second) return false;
        error("K0204", fmt::format("'{}' is not declared", use->name), node.arguments[i]->span).help =
            fmt::format("an axis has a length, 'axis {0} = 10;', or a field, 'float w[{0}];'", use->name);
        return false;
    }
    return true;
}

ExpressionChecker ExpressionChecker::within_reduction(const Reduction& called, Operands& operands) const {
    ExpressionChecker inside = *this;
    inside.allowed_.operands = &operands;
    inside.allowed_.where = called.running ? "a running sum" : "a reduction";
    inside.allowed_.transforms = false;
    inside.allowed_.folded = true;
    return inside;
}

ast::ExpressionRef ExpressionChecker::cell_of(const Reduction& called, const ast::Call& node) {
    const ast::ExpressionRef& argument = node.arguments.front();
    if (!gives_position(called)) return folded_of(called, argument);
    const auto* named = node.arguments.size() == 2 ? std::get_if<ast::NameUse>(&node.arguments[1]->node) : nullptr;
    if (named) return position_of(called, argument, named->name);
    std::vector<AxisId> axes;
    if (node.arguments.size() == 1) {
        Operands operands(checking_.program, allowed_.operands->target());
        ExpressionChecker inside = within_reduction(called, operands);
        const ExpressionRef value = inside.real(*argument);
        nodes_ = inside.nodes_;
        exhausted_ = inside.exhausted_;
        if (!value) return nullptr;
        const std::vector<AxisId> listed = operands.listed();
        axes = in_order_of_memory(checking_, operands.take(), operands.unread(), listed);
        if (axes.size() == 1) return position_of(called, argument, checking_.program.axes[axes.front()].name);
    }
    const std::string& name = node.callee.text;
    Diagnostic& d = error("K0254", fmt::format("'{}' is a position along one axis", name), node.callee.span);
    if (axes.empty()) {
        d.help = fmt::format("as in '{}(u, x)'", name);
    } else {
        d.help = fmt::format("its argument runs along {}: name one, '{}(…, {})'", axis_list(checking_.program, axes),
                             name, checking_.program.axes[axes.front()].name);
    }
    return nullptr;
}

const Reduction* ExpressionChecker::reduction_of(const ast::Call& node) const {
    if (node.reduction) return node.reduction;
    const auto text = frame_ ? std::optional(frame_->function) : std::nullopt;
    return called_reduction(checking_.ast, checking_.library, node.callee.text, text);
}

std::optional<ExpressionChecker::Reduced> ExpressionChecker::cells_of_argument(Wanted wanted, const Reduction& called,
                                                                               const ast::Call& node) {
    if (!axes_are_known(node)) return std::nullopt;
    const ast::ExpressionRef cell = cell_of(called, node);
    if (!cell) return std::nullopt;
    Operands operands(checking_.program, allowed_.operands->target());
    ExpressionChecker inside = within_reduction(called, operands);
    Reduced made;
    made.op = called.op;
    made.integers = wanted == Wanted::integer;
    const ast::Expression& argument = *node.arguments.front();
    made.value = wanted == Wanted::integer ? inside.integer(*cell) : inside.real(*cell);
    nodes_ = inside.nodes_;
    exhausted_ = inside.exhausted_;
    if (!made.value) return std::nullopt;
    made.precision = operands.precision();
    made.is_long = operands.computes_long();
    report_precision(checking_, operands);
    const std::vector<AxisId> listed = operands.listed();
    made.operands = operands.take();
    made.axes = in_order_of_memory(checking_, made.operands, operands.unread(), listed);
    if (made.axes.empty()) {
        error("K0254", fmt::format("the argument of '{}' is one number", node.callee.text), argument.span).help =
            fmt::format("it {} the cells of a field, or of what is computed of fields and coordinates",
                        called.running ? "goes along" : "folds");
        return std::nullopt;
    }
    // What is one number in this run counts as the field that it stands for.
    const auto is_whole = [&](const std::vector<AxisId>& unread) { return unread.size() >= made.axes.size(); };
    made.pairs = reads_fewer_words(checking_, made.operands, made.axes) &&
                 std::none_of(operands.unread().begin(), operands.unread().end(), is_whole);
    return made;
}

std::optional<ExpressionChecker::Reduced> ExpressionChecker::reduced(Wanted wanted, const Reduction& called,
                                                                     const ast::Call& node, const Span& span) {
    auto made = cells_of_argument(wanted, called, node);
    if (!made) return std::nullopt;
    auto folded = folded_axes(called, node, made->axes);
    if (!folded) return std::nullopt;
    made->folded = std::move(*folded);
    made->folds_first = made->folded.front() == made->axes.front();
    for (const AxisId axis : made->axes) {
        if (!contains(made->folded, axis)) made->kept.push_back(axis);
    }
    if (!is_left_to_statement(*made, node, span)) return std::nullopt;
    // What is left lies as the target does.
    const std::vector<AxisId>& running = allowed_.operands->running();
    const auto place = [&](AxisId axis) { return std::find(running.begin(), running.end(), axis) - running.begin(); };
    std::sort(made->kept.begin(), made->kept.end(), [&](AxisId a, AxisId b) { return place(a) < place(b); });
    made->pairs = made->pairs && !leaves_few(checking_, made->folded, made->kept);
    const bool one_chain = (made->pairs && is_along_one_and_few(checking_, made->folded)) ||
                           is_window(checking_, made->operands, made->folded);
    made->chained = one_chain && !made->kept.empty();
    return made;
}

/// What is left of the axes are axes of the statement.
bool ExpressionChecker::is_left_to_statement(const Reduced& reduced, const ast::Call& node, const Span& span) {
    for (const AxisId axis : reduced.kept) {
        if (allowed_.operands->target_axis(axis) == Operands::TargetAxis::running) continue;
        const std::string& name = checking_.program.axes[axis].name;
        std::vector<AxisId> all = reduced.folded;
        all.push_back(axis);
        Diagnostic& d = error("K0254",
                              fmt::format("what '{}' {} runs along '{}', the target does not", node.callee.text,
                                          reduced.running ? "gives" : "leaves", name),
                              span);
        d.notes.push_back({checking_.program.variables[allowed_.operands->target()].span,
                           fmt::format("the target '{}' is declared here", target_name())});
        d.help = reduced.running ? fmt::format("assign to a field that has '{0}', or fold it: '{1}(..., {0})'", name,
                                               name_of(reduced.op))
                                 : fmt::format("fold '{}' as well, or assign to a field that has it", name);
        return false;
    }
    return true;
}

/// Reductions that fold the same cells have one: a kernel folds for several of them.
AxisId ExpressionChecker::parts_axis(const Parts& parts, const std::string& stem, const Span& call) {
    const AxisId axis = make_parts_axis(checking_.program, stem + "_part", parts, call);
    checking_.axes.emplace(checking_.program.axes[axis].name, axis);
    return axis;
}

FieldStatement ExpressionChecker::fold_into(Reduced reduced, VariableId target, std::vector<AxisIndex> indices,
                                            const std::string& stem, const Span& call, const Span& span) {
    const bool one = reduced.kept.empty(), integers = reduced.value->kind == ScalarKind::integer;
    const CellType result = field_shape(checking_.program, target).type;
    const CellType reals = reduced.precision == Precision::dual ? CellType::float64 : CellType::float32;
    const bool whole = integers && is_integer(result);
    const bool wide = rounds(reduced.op) && !reduced.chained;
    const CellType type = whole ? integer_type(reduced.is_long) : wide ? CellType::float64 : reals;
    const Parts of_cells =
        reduced.chained ? chained_parts_of(reduced.folded) : parts_of(reduced.folded, one, reduced.folds_first);
    const int joined = one ? whole_lanes : lanes_of_parts(checking_.program, of_cells);
    const AxisId part = parts_axis(of_cells, stem, call);
    std::vector<AxisId> axes = reduced.kept;
    axes.push_back(part);
    const VariableId parts = hidden_field(stem + "_parts", axes, type, call);
    const std::vector<AxisIndex> here(axes.size(), Offset{0});
    const int lanes = one ? whole_lanes : reduced.chained ? 1 : reduced.folds_first ? row_lanes : column_lanes;
    const bool side_by_side = !one && (reduced.chained || !reduced.folds_first);
    checking_.hoisted.push_back(
        FieldStatement{call,
                       parts,
                       here,
                       std::move(reduced.operands),
                       std::move(reduced.value),
                       reduced.precision,
                       {},
                       nullptr,
                       Fold{reduced.op, std::move(reduced.folded), lanes, part, side_by_side, reduced.chained}});
    const ScalarKind kind = whole ? ScalarKind::integer : ScalarKind::real;
    return {span,
            target,
            std::move(indices),
            {{parts, here, call}},
            make_expression(OperandUse{0}, kind, call),
            real_precision(type),
            {},
            nullptr,
            Fold{reduced.op, {part}, joined, std::nullopt, !one, reduced.chained}};
}

ExpressionRef ExpressionChecker::given(Reduction::Gives gives, ExpressionRef fold, const std::vector<AxisId>& folded,
                                       const Span& span) {
    const auto of_two = [&](BinaryOperator op, ExpressionRef left, ExpressionRef right, ScalarKind kind) {
        return make_expression(BinaryOperation{op, std::move(left), std::move(right)}, kind, span);
    };
    switch (gives) {
        case Reduction::Gives::fold:
            return fold;
        case Reduction::Gives::root:
            return make_expression(IntrinsicCall{Intrinsic::sqrt, {std::move(fold)}}, ScalarKind::real, span);
        case Reduction::Gives::condition:
            return of_two(BinaryOperator::greater, std::move(fold),
                          make_expression(Literal{0}, ScalarKind::integer, span), ScalarKind::boolean);
        case Reduction::Gives::mean: {
            // The number of cells is a real: there may be more than 32 bits count.
            ExpressionRef cells = make_expression(Literal{1}, ScalarKind::real, span);
            for (const AxisId axis : folded) {
                cells = of_two(BinaryOperator::multiply, std::move(cells),
                               make_expression(ExtentUse{axis}, ScalarKind::integer, span), ScalarKind::real);
            }
            const BinaryOperator over = quotient_operator(*fold, *cells);
            return of_two(over, std::move(fold), std::move(cells), ScalarKind::real);
        }
    }
    throw std::logic_error("a reduction gives nothing");
}

CellType ExpressionChecker::type_of(const Reduced& reduced) {
    if (reduced.integers) return integer_type(reduced.is_long);
    return reduced.precision == Precision::dual ? CellType::float64 : CellType::float32;
}

VariableId ExpressionChecker::reduced_field(Reduced made, const std::string& name, const Span& span) {
    const CellType type = type_of(made);
    const FieldStatement as_said{span, {}, {}, made.operands, made.value, made.precision, {}, nullptr};
    const std::string key =
        fmt::format("{} {} {} over {}: {}", name_of(made.op), name_of(type), static_cast<int>(made.precision),
                    axis_list(checking_.program, made.folded),
                    to_text(*made.value, checking_.program, operand_texts(as_said, checking_.program)));
    if (const auto known = checking_.reduced.find(key); known != checking_.reduced.end()) return known->second;
    const std::vector<AxisIndex> here(made.kept.size(), Offset{0});
    const VariableId result = hidden_field(name, made.kept, type, span);
    const std::string stem = checking_.program.variables[result].name;
    checking_.hoisted.emplace_back(fold_into(std::move(made), result, here, stem, span, span));
    return checking_.reduced.emplace(key, result).first->second;
}

void ExpressionChecker::fold_pairs_first(Reduced& made, const ast::Call& node, const Span& span) {
    if (!made.pairs || made.chained || made.folded.size() < 2) return;
    Reduced first = made;
    first.folded = {made.folded.back()};
    // The results' axes first, which threads lie along: the others may be a few cells of a window.
    first.kept.insert(first.kept.end(), made.folded.begin(), made.folded.end() - 1);
    first.chained = true;
    const std::vector<AxisIndex> here(first.kept.size(), Offset{0});
    const ScalarKind kind = made.integers ? ScalarKind::integer : ScalarKind::real;
    made.folds_first = made.folded.front() == first.kept.front();
    const VariableId given =
        reduced_field(std::move(first), fmt::format("{}_{}_first", target_name(), node.callee.text), span);
    made.operands = {{given, here, span}};
    made.value = make_expression(OperandUse{0}, kind, span);
    made.folded.pop_back();
    made.pairs = false;
}

ExpressionRef ExpressionChecker::reduction(Wanted wanted, const Reduction& called, const ast::Call& node,
                                           const Span& span) {
    if (!may_reduce(called, node, span)) return nullptr;
    if (called.running) return running(wanted, called, node, span);
    const bool condition = called.gives == Reduction::Gives::condition;
    if (condition != (wanted == Wanted::boolean)) {
        condition ? report_not_number(span) : report_not_condition(span);
        return nullptr;
    }
    if (wanted == Wanted::integer && called.gives != Reduction::Gives::fold) {
        report_not_integer(span, fmt::format("'{}' is real", node.callee.text));
        return nullptr;
    }
    const bool integers = wanted == Wanted::integer || condition;
    auto made = reduced(integers ? Wanted::integer : Wanted::real, called, node, span);
    if (!made) return nullptr;
    const std::vector<AxisId> folded = made->folded;
    fold_pairs_first(*made, node, span);
    const VariableId result =
        reduced_field(std::move(*made), fmt::format("{}_{}", target_name(), node.callee.text), span);
    const std::size_t axes = field_shape(checking_.program, result).axes.size();
    const std::size_t operand = allowed_.operands->add({result, std::vector<AxisIndex>(axes, Offset{0}), span});
    const ScalarKind kind = integers ? ScalarKind::integer : ScalarKind::real;
    return given(called.gives, make_expression(OperandUse{operand}, kind, span), folded, span);
}

std::optional<FieldStatement> ExpressionChecker::whole_reduction(const ast::Assignment& assignment, VariableId target,
                                                                 const std::vector<AxisIndex>& indices) {
    const auto* node = std::get_if<ast::Call>(&assignment.value->node);
    const FieldShape shape = field_shape(checking_.program, target);
    const bool listed = std::any_of(indices.begin(), indices.end(),
                                    [](const AxisIndex& index) { return std::holds_alternative<Computed>(index); });
    const Reduction* called = node ? reduction_of(*node) : nullptr;
    if (!called || called->gives != Reduction::Gives::fold || assignment.adds || assignment.colours || listed ||
        shape.keeps_layers() || is_complex(shape.type))
        return std::nullopt;
    const Span& span = assignment.value->span;
    if (!may_reduce(*called, *node, span)) return std::nullopt;
    if (called->running) return whole_running(assignment, target, indices, *called);
    auto made = reduced(is_integer(shape.type) ? Wanted::integer : Wanted::real, *called, *node, span);
    if (!made) return std::nullopt;
    fold_pairs_first(*made, *node, span);
    // A fold into 16 bits is copied: its result is rounded as a float first, as any number that a statement computes.
    const bool all = made->kept.size() == allowed_.operands->running().size() && !is_short(shape.type);
    const std::string stem = all ? target_name() : fmt::format("{}_{}", target_name(), node->callee.text);
    if (all) return fold_into(std::move(*made), target, indices, stem, span, assignment.span);
    // What is left is the same along further axes of the target.
    const std::vector<AxisIndex> here(made->kept.size(), Offset{0});
    const CellType type = type_of(*made);
    const VariableId result = hidden_field(stem, made->kept, type, span);
    checking_.hoisted.emplace_back(
        fold_into(std::move(*made), result, here, checking_.program.variables[result].name, span, span));
    return copied(assignment, target, indices, result);
}

FieldStatement ExpressionChecker::copied(const ast::Assignment& assignment, VariableId target,
                                         const std::vector<AxisIndex>& indices, VariableId from) const {
    const Span& span = assignment.value->span;
    const FieldShape &shape = field_shape(checking_.program, target), &given = field_shape(checking_.program, from);
    const ScalarKind kind = is_integer(shape.type) ? ScalarKind::integer : ScalarKind::real;
    const bool dual = is_dual(shape.type) || is_dual(given.type);
    return {assignment.span,
            target,
            indices,
            {{from, std::vector<AxisIndex>(given.axes.size(), Offset{0}), span}},
            make_expression(OperandUse{0}, kind, span),
            dual ? Precision::dual : Precision::single,
            {},
            nullptr};
}

}  // namespace kasc::frontend
