#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "frontend/check_expression.hpp"
#include "frontend/checking.hpp"
#include "frontend/list_entries.hpp"
#include "frontend/token_words.hpp"

// target[positions] = expression: one anonymous map or stencil over the target's cells.

namespace kasc::frontend {

namespace {

/// T[T > 0] = 0 chooses cells by a condition; empty: it is none.
std::string mask_here(const ast::Assignment& assignment) {
    const auto* b = std::get_if<ast::Binary>(&assignment.indices.front().value->node);
    const bool compares = b && b->op >= BinaryOperator::less && b->op <= BinaryOperator::logical_or;
    if (!compares) return {};
    const std::string chosen = short_text(assignment.indices.front().value->span);
    const std::string value = assignment.value ? short_text(assignment.value->span) : std::string();
    return fmt::format("a condition chooses: '{0} = {1} ? {2} : {0};'", assignment.target.text,
                       chosen.empty() ? "..." : chosen, value.empty() ? "..." : value);
}

/// What stands in the target's bracket, as positions: 'x = i, y = j' of 'T[i, j]', 't = n + 1' of 'T[x, t + 1]'.
std::string named_places(const Checking& checking, const ast::Assignment& assignment, VariableId target) {
    const std::vector<AxisId>& axes = field_shape(checking.program, target).axes;
    const bool named = std::any_of(assignment.indices.begin(), assignment.indices.end(),
                                   [](const ast::Index& index) { return index.axis.has_value(); });
    if (!named && assignment.indices.size() == 1 && axes.size() > 1) {
        // u[t + 1] of an axis that is not the first
        const std::string place = short_text(assignment.indices.front().value->span);
        for (const AxisId axis : axes) {
            const std::string& name = checking.program.axes[axis].name;
            if (place.starts_with(name + " ") || place.starts_with(name + "+") || place.starts_with(name + "-"))
                return fmt::format("{} = n{}", name, place.substr(name.size()));
        }
    }
    if (named || assignment.indices.size() != axes.size())
        return fmt::format("{} = ...", checking.program.axes[axes.back()].name);
    std::string places;
    for (std::size_t k = 0; k < axes.size(); ++k) {
        const std::string& axis = checking.program.axes[axes[k]].name;
        std::string place = short_text(assignment.indices[k].value->span);
        if (place == axis) continue;
        if (place.starts_with(axis + " ") || place.starts_with(axis + "+") || place.starts_with(axis + "-"))
            place.replace(0, axis.size(), "n");
        places += fmt::format("{}{} = {}", places.empty() ? "" : ", ", axis, place.empty() ? "..." : place);
    }
    return places.empty() ? fmt::format("{} = ...", checking.program.axes[axes.back()].name) : places;
}

std::optional<std::vector<AxisIndex>> target_indices(Checking& checking, const ast::Assignment& assignment,
                                                     VariableId target, Operands& operands) {
    const std::size_t axes = field_shape(checking.program, target).axes.size();
    if (assignment.indices.empty()) return std::vector<AxisIndex>(axes, Offset{0});
    const bool offset = std::any_of(assignment.indices.begin(), assignment.indices.end(),
                                    [](const ast::Index& index) { return !index.axis; });
    if (axes == 0) {
        const std::string& name = assignment.target.text;
        checking.report.error("K0215", fmt::format("'{}' has no axes", name), assignment.indices_span).help =
            fmt::format("it is one number: write '{} = ...'", name);
        return std::nullopt;
    }
    if (offset) {
        const std::string mask = mask_here(assignment);
        checking.report.error("K0218", "a target takes no offsets", assignment.indices_span).help =
            !mask.empty() ? mask
                          : fmt::format("'{0} = ...' assigns every cell, '{0}[{1}] = ...' {2}", assignment.target.text,
                                        named_places(checking, assignment, target),
                                        assignment.indices.size() < axes ? "a slice" : "one");
        return std::nullopt;
    }
    ExpressionChecker checker(checking, {&operands, true, checking.program.parameters.size(), "a position"});
    auto indices = checker.positions(target, assignment.indices);
    for (std::size_t k = 0; indices && k < indices->size(); ++k) {
        const auto* moving = std::get_if<Offset>(&(*indices)[k]);
        if (!moving || !moving->across) continue;
        const std::string& axis = checking.program.axes[field_shape(checking.program, target).axes[k]].name;
        checking.report.error("K0218", "a target takes no offsets", assignment.indices_span).help =
            fmt::format("'{} = ...' assigns every cell along '{}'", assignment.target.text, axis);
        return std::nullopt;
    }
    return indices;
}

/// keep(n) leaves cells as they were: there must be something that they were.
void check_former_value(Checking& checking, const ast::Assignment& assignment, VariableId target) {
    const Variable& variable = checking.program.variables[target];
    const FieldShape& shape = field_shape(checking.program, target);
    if (!shape.keeps_layers() || checking.flow.has_value(checking.program.variables[target], target)) return;
    const auto kept = std::find_if(shape.faces.begin(), shape.faces.end(),
                                   [](const Faces& f) { return f.low.layers > 0 || f.high.layers > 0; });
    const Face& boundary = kept->low.layers > 0 ? kept->low : kept->high;
    Diagnostic& d =
        checking.report.error("K0223", fmt::format("'{}' has no former value to keep at its boundary", variable.name),
                              assignment.target.span, "its first assignment");
    d.notes.push_back({boundary.span, "the boundary is declared here"});
    const std::string axis =
        checking.program.axes[shape.axes[static_cast<std::size_t>(kept - shape.faces.begin())]].name;
    d.help = fmt::format(
        "make '{0}' an input; or keep its edge by a condition, '{0} = {1} > 0 && … ? … : {0};', with 'boundary "
        "keep(0)'",
        variable.name, axis);
}

/// A position that is so many cells, or so many cells and the extent of its axis.
struct FromFace {
    long long cells = 0;
    int extents = 0;
};
std::optional<FromFace> from_face(const Expression& position, AxisId axis) {
    if (const auto* literal = std::get_if<Literal>(&position.node))
        return FromFace{static_cast<long long>(literal->value), 0};
    const auto* extent = std::get_if<ExtentUse>(&position.node);
    if (extent && extent->axis == axis) return FromFace{0, 1};
    const auto* b = std::get_if<BinaryOperation>(&position.node);
    if (!b || (b->op != BinaryOperator::add && b->op != BinaryOperator::subtract)) return std::nullopt;
    const auto left = from_face(*b->left, axis), right = from_face(*b->right, axis);
    if (!left || !right) return std::nullopt;
    const int sign = b->op == BinaryOperator::add ? 1 : -1;
    return FromFace{left->cells + sign * right->cells, left->extents + sign * right->extents};
}

/// What a boundary keeps is never assigned: a slice there would be lost. Positions that are known only at run time are
/// looked at then (contract/uniform_positions).
void check_kept_layers(Checking& checking, VariableId target, const std::vector<AxisIndex>& indices) {
    const FieldShape& shape = field_shape(checking.program, target);
    for (std::size_t k = 0; k < indices.size(); ++k) {
        const auto* at = std::get_if<Absolute>(&indices[k]);
        const auto place = at ? from_face(*at->position, shape.axes[k]) : std::nullopt;
        if (!place) continue;
        const Face &low = shape.faces[k].low, &high = shape.faces[k].high;
        const bool at_low = place->extents == 0 && place->cells >= 0 && place->cells < low.layers;
        const bool at_high = place->extents == 1 && place->cells < 0 && place->cells >= -high.layers;
        if (!at_low && !at_high) continue;
        const std::string& name = checking.program.variables[target].name;
        const std::string& axis = checking.program.axes[shape.axes[k]].name;
        Diagnostic& d = checking.report.error("K0247", fmt::format("the boundary of '{}' keeps this layer", name),
                                              at->position->span, "nothing is assigned here");
        d.notes.push_back({(at_low ? low : high).span, "the boundary is declared here"});
        d.help = fmt::format("along '{0}', cells {1} to extent({0}) - {2} can be assigned", axis, low.layers,
                             high.layers + 1);
    }
}

/// What may stand in what a statement assigns.
Allowed of_statement(const Checking& checking, const ast::Assignment& assignment, Operands& operands) {
    Allowed allowed{&operands, true, checking.program.parameters.size(), "a coloured update"};
    allowed.reductions = !assignment.colours && !assignment.turn;
    return allowed;
}

std::string coloured_help() { return fmt::format("a whole field is updated in 2 to {} colours", farthest_neighbour); }

std::optional<long long> number_of_colours(Checking& checking, const ast::ExpressionRef& written) {
    ExpressionChecker checker(checking, {nullptr, false, 0, "the number of colours"});
    const auto colours = checker.constant(*written, "the number of colours");
    if (!colours || (*colours >= 2 && *colours <= farthest_neighbour)) return colours;
    checking.report.error("K0239", "the number of colours is out of range", written->span).help = coloured_help();
    return std::nullopt;
}

/// The colour of a cell: the sum of its coordinates modulo the number of colours.
ExpressionRef has_colour(const std::vector<AxisId>& axes, const ExpressionRef& count, LoopId loop, const Span& span) {
    const auto whole = [&](auto node) { return make_expression(std::move(node), ScalarKind::integer, span); };
    ExpressionRef sum;
    for (const AxisId axis : axes) {
        const ExpressionRef at = whole(CoordinateUse{axis});
        sum = sum ? whole(BinaryOperation{BinaryOperator::add, sum, at}) : at;
    }
    return make_expression(
        BinaryOperation{BinaryOperator::equal, whole(BinaryOperation{BinaryOperator::modulo, sum, count}),
                        whole(LoopIndexUse{loop})},
        ScalarKind::boolean, span);
}

/// At the turn of other colours a word is what it was.
ExpressionRef at_its_turn(Checking& checking, const ast::Turn& turn, ExpressionChecker& checker, ExpressionRef value) {
    const Span& span = turn.colours->span;
    const auto word = resolve_variable(checking, {turn.word, span});
    const auto* loop = std::get_if<LoopId>(&checking.names.use(turn.colour.text)->meaning);
    const auto colours = number_of_colours(checking, turn.colours);
    if (!word || !loop || !colours) return nullptr;
    const FieldShape& shape = field_shape(checking.program, *word);
    ExpressionRef former = checker.read(*word, std::vector<AxisIndex>(shape.axes.size(), Offset{0}), span);
    if (!former) return nullptr;
    const ExpressionRef count =
        make_expression(Literal{static_cast<double>(*colours)}, ScalarKind::integer, turn.colours->span);
    const ScalarKind kind = former->kind == ScalarKind::complex ? ScalarKind::complex : value->kind;
    return make_expression(Conditional{has_colour(shape.axes, count, *loop, span), std::move(value), std::move(former)},
                           kind, span);
}

bool is_listed(const std::vector<AxisIndex>& indices) {
    return std::any_of(indices.begin(), indices.end(),
                       [](const AxisIndex& index) { return std::holds_alternative<Computed>(index); });
}

/// The program requires that the entries of the list are different cells.
bool are_distinct(const Checking& checking, const std::vector<AxisIndex>& indices, const Operands& operands) {
    const std::string written = positions_text(checking.program, indices, operands.texts());
    const auto& distinct = checking.program.distinct_lists;
    return std::find(distinct.begin(), distinct.end(), written) != distinct.end();
}

/// What the statement assigns: the expression, or with += the former value and the expression. `running`: the operand
/// that each entry of a list adds to.
ExpressionRef assigned_value(Checking& checking, const ast::Assignment& assignment, VariableId target,
                             const std::vector<AxisIndex>& indices, Operands& operands,
                             std::optional<std::size_t>& running) {
    ExpressionChecker checker(checking, of_statement(checking, assignment, operands));
    const CellType type = field_shape(checking.program, target).type;
    const bool whole = is_integer(type);
    ExpressionRef value = whole              ? checker.integer(*assignment.value)
                          : is_complex(type) ? checker.complex(*assignment.value)
                                             : checker.real(*assignment.value);
    if (value && assignment.turn) return at_its_turn(checking, *assignment.turn, checker, std::move(value));
    if (!value || !assignment.adds) return value;
    const ScalarKind kind = scalar_kind(type);
    ExpressionRef former;
    // Where positions differ along axes of the target alone, each cell has one entry.
    const bool repeats = is_listed(indices) && !operands.listed().empty();
    if (repeats && !are_distinct(checking, indices, operands)) {
        checking.flow.read(checking.program.variables[target], target, assignment.target.span, checking.report);
        running = operands.add_apart({target, indices, assignment.target.span});
        former = make_expression(OperandUse{*running}, kind, assignment.target.span);
    } else {
        former = checker.read(target, indices, assignment.target.span);
    }
    if (!former) return nullptr;
    return make_expression(BinaryOperation{BinaryOperator::add, std::move(former), std::move(value)}, kind,
                           assignment.span);
}

/// Where the argument of a transform reads the field; null: nowhere.
const Span* transforms(const std::vector<Statement>& hoisted, VariableId field) {
    for (const Statement& statement : hoisted) {
        if (const auto* transform = std::get_if<TransformStatement>(&statement)) {
            if (transform->source == field) return &transform->span;
        } else if (const auto* argument = std::get_if<FieldStatement>(&statement)) {
            for (const Operand& operand : argument->operands) {
                if (operand.variable == field) return &operand.span;
            }
        }
    }
    return nullptr;
}

/// The read may see another cell of the cell's own colour: sums of the steps along all axes that are a multiple of the
/// colours. A step through a mirror comes back nearer, by any number of cells; what lies in kept layers or beyond a
/// face with a value is never updated.
bool meets_own_colour(const FieldShape& shape, const std::vector<AxisIndex>& indices, int colours) {
    std::set<std::pair<int, bool>> sums{{0, false}};  // modulo the colours, and whether it is another cell
    for (std::size_t k = 0; k < indices.size(); ++k) {
        const int offset = std::get<Offset>(indices[k]).cells;
        const bool mirrored = offset != 0 && shape.faces[k].crossed_by(offset).kind == BoundaryKind::mirror;
        const int farthest = std::abs(offset);
        std::vector<int> steps{offset};
        for (int step = 1 - farthest; mirrored && step < farthest; ++step) steps.push_back(step);
        std::set<std::pair<int, bool>> next;
        for (const auto& [sum, moved] : sums) {
            for (const int step : steps) next.emplace(((sum + step) % colours + colours) % colours, moved || step != 0);
        }
        sums = std::move(next);
    }
    return sums.contains({0, true});
}

/// What stands for a coloured update of a field with periodic faces.
std::string help_of_turns(const Checking& checking, VariableId updated, int colours) {
    std::vector<std::string> axes;
    for (const AxisId axis : field_shape(checking.program, updated).axes)
        axes.push_back(checking.program.axes[axis].name);
    std::string sum = fmt::format("{}", fmt::join(axes, " + "));
    if (axes.size() > 1) sum = "(" + sum + ")";
    const std::string& name = checking.program.variables[updated].name;
    return fmt::format(
        "where each periodic axis has a multiple of {0} cells, write a statement a colour: '{1} = {2} % {0} "
        "== 0 ? … : {1};'",
        colours, name, sum);
}

/// No cell of the field may read another one of its own colour.
bool colours_are_apart(Checking& checking, const FieldStatement& statement, VariableId updated, int colours) {
    const Variable& target = checking.program.variables[updated];
    for (const Operand& operand : statement.operands) {
        if (operand.variable != updated) continue;
        int farthest = 0;
        bool positioned = false;
        for (const AxisIndex& index : operand.indices) {
            const auto* offset = std::get_if<Offset>(&index);
            positioned = positioned || !offset;
            farthest = std::max(farthest, offset ? std::abs(offset->cells) : 0);
        }
        const FieldShape& shape = field_shape(checking.program, updated);
        if (!positioned && farthest < colours && !meets_own_colour(shape, operand.indices, colours)) continue;
        const std::string message =
            positioned ? fmt::format("a coloured update of '{}' reads it at a position", target.name)
                       : fmt::format("with {} colours a cell of '{}' reads another one of its own colour", colours,
                                     target.name);
        checking.report.error("K0239", message, operand.span).help =
            positioned
                ? "assign what is read there to a field of its own before"
                : "a cell's colour is the sum of its coordinates modulo the number of colours: use another number, "
                  "larger than every offset";
        return false;
    }
    if (const Span* transformed = transforms(checking.hoisted, updated)) {
        checking.report
            .error("K0239", fmt::format("a coloured update of '{}' transforms it", target.name), *transformed)
            .help = "a transform reads every cell: assign it to a field of its own before";
        return false;
    }
    for (const Faces& faces : field_shape(checking.program, updated).faces) {
        if (faces.low.kind != BoundaryKind::periodic) continue;
        Diagnostic& fault =
            checking.report.error("K0239", "a coloured update needs a boundary that is not periodic", statement.span);
        fault.notes.push_back({faces.low.span, "the colours would meet at this face"});
        fault.help = help_of_turns(checking, updated, colours);
        return false;
    }
    return true;
}

bool words_are_apart(Checking& checking, const FieldStatement& statement, const ast::Turn& turn) {
    const auto colours = number_of_colours(checking, turn.colours);
    return colours && std::all_of(turn.words.begin(), turn.words.end(), [&](const std::string& word) {
               const auto updated = resolve_variable(checking, {word, turn.colours->span});
               return updated && colours_are_apart(checking, statement, *updated, static_cast<int>(*colours));
           });
}

/// T = e coloured(3) is a loop over colours whose statement assigns the cells of one colour in place.
std::optional<Statement> coloured(Checking& checking, const ast::Assignment& assignment, FieldStatement statement) {
    if (!assignment.indices.empty()) {
        checking.report.error("K0239", "a slice is not coloured", assignment.indices_span).help = coloured_help();
        return std::nullopt;
    }
    const auto colours = number_of_colours(checking, assignment.colours);
    if (!colours || !colours_are_apart(checking, statement, statement.target, static_cast<int>(*colours)))
        return std::nullopt;
    const auto whole = [&](auto node) {
        return make_expression(std::move(node), ScalarKind::integer, assignment.colours->span);
    };
    const ExpressionRef count = whole(Literal{static_cast<double>(*colours)});
    auto loop = std::make_shared<LoopStatement>();
    loop->span = assignment.span;
    loop->loop = checking.program.loops.add({"colour", assignment.colours->span});
    loop->from = whole(Literal{0});
    loop->to = count;
    checking.loop_ends.push_back(count);
    statement.where =
        has_colour(field_shape(checking.program, statement.target).axes, count, loop->loop, assignment.colours->span);
    loop->body.emplace_back(std::move(statement));
    return loop;
}

/// Values of a field that is updated in place must be there before.
void check_updated_value(Checking& checking, const ast::Assignment& assignment, VariableId target) {
    if (checking.flow.has_value(checking.program.variables[target], target)) return;
    checking.report
        .error("K0208", fmt::format("'{}' is updated before it has a value", checking.program.variables[target].name),
               assignment.target.span)
        .help = "make it an input, or assign all of it first";
}

}  // namespace

/// A parameter or the variable of a loop is no field that a statement assigns.
static std::optional<VariableId> assigned_field(Checking& checking, const ast::Name& name) {
    const Symbol* symbol = checking.names.find(name.text);
    const bool number = symbol && (std::holds_alternative<ParameterId>(symbol->meaning) ||
                                   std::holds_alternative<LoopId>(symbol->meaning));
    const auto& uniform = checking.ast.uniform;
    const bool given =
        std::any_of(uniform.begin(), uniform.end(), [&](const auto& field) { return field.name.text == name.text; });
    if (!number || given) return resolve_variable(checking, name);
    Diagnostic& d = checking.report.error(
        "K0213", fmt::format("'{}' is {}, not a field", name.text, describe(symbol->meaning, checking.program)),
        name.span);
    d.notes.push_back({symbol->span, "declared here"});
    d.help = fmt::format("a number that statements compute is a field of its own: 'float {}_now[];'", name.text);
    return std::nullopt;
}

std::optional<Statement> check_field_assignment(Checking& checking, const ast::Assignment& assignment) {
    const auto target = assigned_field(checking, assignment.target);
    if (!target) return std::nullopt;
    checking.statement = assignment.span;
    Operands operands(checking.program, *target);
    const auto indices = target_indices(checking, assignment, *target, operands);
    std::optional<Statement> statement;
    const bool slice = !assignment.indices.empty() && assignment.indices.front().axis;
    if (indices) {
        check_kept_layers(checking, *target, *indices);
        operands.close(*indices);
        const std::size_t errors = checking.report.errors();
        ExpressionChecker whole(checking, of_statement(checking, assignment, operands));
        if (auto transform = whole.whole_transform(assignment, *target)) {
            checking.flow.assign(*target, AssignedPart::whole);
            return std::move(*transform);
        }
        if (auto fold = whole.whole_reduction(assignment, *target, *indices)) {
            checking.flow.assign(*target, slice ? AssignedPart::slice : AssignedPart::whole);
            return std::move(*fold);
        }
        if (checking.report.errors() > errors) {
            checking.flow.assign(*target, slice ? AssignedPart::slice : AssignedPart::whole);
            return std::nullopt;
        }
        std::optional<std::size_t> running;
        ExpressionRef value = assigned_value(checking, assignment, *target, *indices, operands, running);
        check_former_value(checking, assignment, *target);
        if (is_listed(*indices)) check_updated_value(checking, assignment, *target);
        if (value) {
            const Precision precision = operands.precision();
            report_precision(checking, operands);
            const std::vector<AxisId> axes = operands.listed();
            FieldStatement made{assignment.span,  *target,   *indices, operands.take(),
                                std::move(value), precision, axes,     nullptr};
            if (running) {
                made.adding = Adding{Adding::Part::entries, *running};
                for (const AxisId axis : make_axes_of_list(checking.program, made))
                    checking.axes.emplace(checking.program.axes[axis].name, axis);
            }
            if (assignment.colours) {
                statement = coloured(checking, assignment, std::move(made));
            } else if (!assignment.turn || words_are_apart(checking, made, *assignment.turn)) {
                statement = std::move(made);
            }
        }
    }
    checking.flow.assign(*target, slice ? AssignedPart::slice : AssignedPart::whole);
    return statement;
}

}  // namespace kasc::frontend
