#include "frontend/reduction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "frontend/make_expression.hpp"

namespace kasc {

namespace {

/// The first of an operator has its name; the last ones stand for what they are made of.
using Folds = Reduction::Folds;
using Gives = Reduction::Gives;

constexpr std::array<Reduction, 15> reductions{
    {{"sum", FoldOperator::sum, true},
     {"product", FoldOperator::product},
     {"minimum", FoldOperator::minimum, true},
     {"maximum", FoldOperator::maximum, true},
     {"count", FoldOperator::sum, false, Folds::condition},
     {"any", FoldOperator::maximum, false, Folds::condition, Gives::condition},
     {"all", FoldOperator::minimum, false, Folds::condition, Gives::condition},
     {"argmin", FoldOperator::minimum, false, Folds::first_minimum},
     {"argmax", FoldOperator::minimum, false, Folds::first_maximum},
     {"norm", FoldOperator::sum, false, Folds::square, Gives::root},
     {"mean", FoldOperator::sum, false, Folds::value, Gives::mean},
     {"running_sum", FoldOperator::sum, false, Folds::value, Gives::fold, true},
     {"running_product", FoldOperator::product, false, Folds::value, Gives::fold, true},
     {"running_minimum", FoldOperator::minimum, false, Folds::value, Gives::fold, true},
     {"running_maximum", FoldOperator::maximum, false, Folds::value, Gives::fold, true}}};

const FieldStatement* find_parts(const std::vector<Statement>& statements, VariableId parts) {
    for (const Statement& statement : statements) {
        if (const auto* field = std::get_if<FieldStatement>(&statement)) {
            if (field->target == parts) return field;
        } else if (const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&statement)) {
            if (const FieldStatement* found = find_parts((*loop)->body, parts)) return found;
        }
    }
    return nullptr;
}

}  // namespace

const Reduction* find_reduction(std::string_view name) {
    const auto found =
        std::find_if(reductions.begin(), reductions.end(), [&](const auto& r) { return r.name == name; });
    return found == reductions.end() ? nullptr : &*found;
}

const char* name_of(FoldOperator op) {
    return std::find_if(reductions.begin(), reductions.end(), [&](const auto& r) { return r.op == op; })->name;
}

std::string running_text(const Running& running, const Program& program, const std::string& cell) {
    return fmt::format("running_{}({}, {}{})", name_of(running.op), cell, running.backward ? "-" : "",
                       program.axes[running.axis].name);
}

bool rounds(FoldOperator op) { return op == FoldOperator::sum || op == FoldOperator::product; }

Parts parts_of(std::vector<AxisId> folded, bool whole, bool rows) {
    if (whole) return {std::move(folded), 4096, 16384};
    return {std::move(folded), rows ? row_part_cells : column_part_cells, std::nullopt};
}

Parts chained_parts_of(std::vector<AxisId> folded) {
    return {std::move(folded), chained_part_cells, most_chained_parts, true};
}

Parts pieces_of(AxisId along) { return {{along}, running_piece, std::nullopt}; }

ExpressionRef chained_sum(const FieldStatement& statement) {
    const Span& span = statement.value->span;
    const ExpressionRef sum = make_expression(OperandUse{statement.operands.size()}, ScalarKind::real, span);
    return make_expression(BinaryOperation{BinaryOperator::add, sum, statement.value}, ScalarKind::real, span);
}

long long part_count(long long cells, const Parts& parts) {
    const long long needed = std::max(1LL, (cells + parts.cells - 1) / parts.cells);
    return parts.most ? std::min<long long>(needed, *parts.most) : needed;
}

ExpressionRef part_count(const Parts& parts, const Span& span) {
    const auto whole = [&](auto node) { return make_expression(std::move(node), ScalarKind::integer, span); };
    const auto of_two = [&](BinaryOperator op, ExpressionRef left, ExpressionRef right) {
        return whole(BinaryOperation{op, std::move(left), std::move(right)});
    };
    ExpressionRef cells;
    for (const AxisId axis : parts.of) {
        const ExpressionRef along = whole(ExtentUse{axis});
        cells = cells ? of_two(BinaryOperator::multiply, cells, along) : along;
    }
    const ExpressionRef least = whole(Literal{static_cast<double>(parts.cells)});
    const ExpressionRef less = whole(Literal{static_cast<double>(parts.cells - 1)});
    const ExpressionRef needed = of_two(BinaryOperator::divide, of_two(BinaryOperator::add, cells, less), least);
    if (!parts.most) return needed;
    const ExpressionRef limit = whole(Literal{static_cast<double>(*parts.most)});
    const ExpressionRef few =
        make_expression(BinaryOperation{BinaryOperator::less, needed, limit}, ScalarKind::boolean, span);
    return whole(Conditional{few, needed, limit});
}

long long fold_share(long long cells, const Parts& parts, int lanes) {
    if (parts.chained) lanes = chained_part_cells;
    const long long count = part_count(cells, parts), share = (cells + count - 1) / count;
    return std::max<long long>(parts.cells, (share + lanes - 1) / lanes * lanes);
}

std::optional<AxisId> find_parts_axis(const Program& program, const Parts& parts) {
    for (const AxisId axis : program.axes.ids()) {
        if (program.axes[axis].parts == parts) return axis;
    }
    return std::nullopt;
}

AxisId make_parts_axis(Program& program, std::string name, const Parts& parts, const Span& span) {
    if (const auto known = find_parts_axis(program, parts)) return *known;
    const auto taken = [&] {
        return std::any_of(program.axes.begin(), program.axes.end(), [&](const Axis& a) { return a.name == name; });
    };
    while (taken()) name += "s";
    const ExpressionRef count = part_count(parts, span);
    return program.axes.add({std::move(name), span, count, std::nullopt, false, parts, true});
}

bool holds_parts(const Program& program, const Variable& variable) {
    const auto* field = std::get_if<FieldShape>(&variable.shape);
    return field != nullptr && !field->axes.empty() && program.axes[field->axes.back()].parts;
}

const FieldStatement* statement_of_parts(const Program& program, VariableId parts) {
    return find_parts(program.statements, parts);
}

}  // namespace kasc
