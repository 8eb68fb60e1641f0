#include <fmt/format.h>

#include <algorithm>

#include "frontend/check_expression.hpp"
#include "frontend/checking.hpp"
#include "frontend/expression_parts.hpp"
#include "frontend/operators.hpp"

// require(condition): a condition over the cells of inputs, as a statement without target. It runs over the axes of all
// that it reads:
//
//     require(beta >= 0, tissue < extent(m), beta[m = tissue] * dt < dx * dx / 6);
//             [x, y, z]  [x, y, z]           [x, y, z]
//
// distinct(px, py) is a fact of a list: an assignment to these positions asks its data for it.

namespace kasc::frontend {

namespace {

const Operand* neighbour(const std::vector<Operand>& operands) {
    const auto moves = [](const AxisIndex& index) {
        const auto* offset = std::get_if<Offset>(&index);
        return offset && offset->cells != 0;
    };
    const auto found = std::find_if(operands.begin(), operands.end(), [&](const Operand& operand) {
        return std::any_of(operand.indices.begin(), operand.indices.end(), moves);
    });
    return found == operands.end() ? nullptr : &*found;
}

/// distinct(px, py): positions that are different cells for different entries of their list. Null: it is none.
const ast::Call* distinct_list(const Checking& checking, const ast::Expression& condition) {
    const auto* call = std::get_if<ast::Call>(&condition.node);
    if (call == nullptr || call->callee.text != "distinct" || checking.ast.calls_alone) return nullptr;
    const auto& functions = checking.ast.functions;
    const bool taken = checking.library.find_function(call->callee.text) ||
                       std::any_of(functions.begin(), functions.end(),
                                   [&](const ast::Function& f) { return f.name.text == call->callee.text; });
    return taken || call->arguments.empty() ? nullptr : call;
}

void check_distinct(Checking& checking, const ast::Call& call) {
    Operands operands(checking.program);
    ExpressionChecker checker(checking, {&operands, true, checking.program.parameters.size(), "a position"});
    std::vector<AxisIndex> positions;
    // Positions may lie in fields that statements assign: the program knows these, though they have no value yet.
    const Flow before = checking.flow;
    for (const VariableId variable : checking.program.variables.ids()) checking.flow.hidden(variable);
    for (const ast::ExpressionRef& argument : call.arguments) {
        ExpressionRef position = checker.integer(*argument);
        if (position) positions.emplace_back(Computed{std::move(position)});
    }
    checking.flow = before;
    report_long_literals(checking, operands);
    if (positions.size() < call.arguments.size()) return;
    checking.program.distinct_lists.push_back(positions_text(checking.program, positions, operands.texts()));
}

/// Operators on bits, and what int(e) makes, are of as many bits as integers have.
bool has_bits(const Expression& condition) {
    return any_part(condition, [](const Expression& part) {
        const auto* unary = std::get_if<UnaryOperation>(&part.node);
        const auto* binary = std::get_if<BinaryOperation>(&part.node);
        const auto* call = std::get_if<IntrinsicCall>(&part.node);
        return (unary && unary->op == UnaryOperator::complement) || (binary && is_bitwise(binary->op)) ||
               (call && call->intrinsic == Intrinsic::to_integer);
    });
}

}  // namespace

void check_requirements(Checking& checking) {
    for (const ast::ExpressionRef& condition : checking.ast.requirements) {
        if (checking.report.full()) return;
        if (const ast::Call* call = distinct_list(checking, *condition)) {
            check_distinct(checking, *call);
            continue;
        }
        const bool fields = !checking.ast.calls_alone;
        Operands operands(checking.program);
        Allowed allowed{fields ? &operands : nullptr, false, checking.program.parameters.size(), "a requirement",
                        fields};
        allowed.library = false;  // the host holds it against the inputs
        allowed.random = false;
        ExpressionChecker checker(checking, allowed);
        ExpressionRef checked = checker.boolean(*condition);
        if (!checked) continue;
        report_long_literals(checking, operands);
        if (operands.computes_long() && has_bits(*checked)) {
            checking.report.error("K0226", "a requirement cannot use the bits of integers of 64 bits", condition->span)
                .help = "the host holds requirements against the inputs, in doubles: compare the integers";
            continue;
        }
        const Precision precision = operands.precision();
        Requirement requirement{operands.listed(), operands.take(), std::move(checked), precision};
        if (computes_complex(*requirement.condition)) {
            checking.report.error("K0226", "a requirement cannot use complex numbers", condition->span).help =
                "require something of real inputs, or choose in a statement: 'real(z) > 0 ? ... : ...'";
            continue;
        }
        if (const Operand* operand = neighbour(requirement.operands)) {
            checking.report
                .error("K0246", "a requirement reads a neighbour", operand->span,
                       "it can read the cell itself, or a position")
                .help = "leave the offset out: a requirement holds for every cell by itself";
            continue;
        }
        checking.program.requirements.push_back(std::move(requirement));
    }
}

}  // namespace kasc::frontend
