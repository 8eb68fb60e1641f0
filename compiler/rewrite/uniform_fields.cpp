// A field that was assigned one number for all cells is that number where it is read:
//
//     tau = -2 * a * pow(c0, y - 1);          a, c0, y are parameters
//     p = c0 * c0 * (S + tau * L);            p = c0 * c0 * (S + -2 * a * pow(c0, y - 1) * L);
//
// The number is computed once a launch, on the host, as before it was once for the whole field. No word differs: what
// is the same for all cells is rounded as in cells (kernel/uniform_expression.hpp). What a field is here is known along
// the list of statements; a loop forgets what its body assigns.

#include <fmt/format.h>

#include <map>

#include "frontend/expression_parts.hpp"
#include "frontend/make_expression.hpp"
#include "rewrite/rules.hpp"
#include "rewrite/statements.hpp"

namespace kasc::rewriting {

namespace {

/// Numbers that are made of others grow with each step; beyond, the field is read.
constexpr int most_operations = 64;

/// As a field has it: a product that is added is not rounded by itself, this one was, when it was stored.
ExpressionRef rounded(const ExpressionRef& number) {
    const auto* operation = std::get_if<BinaryOperation>(&number->node);
    if (operation == nullptr || operation->op != BinaryOperator::multiply) return number;
    const auto negative = [&](const ExpressionRef& e) {
        return make_expression(UnaryOperation{UnaryOperator::negate, e}, number->kind, number->span);
    };
    return negative(negative(number));
}
/// Operands that stand in sums as they are.
std::set<std::size_t> added_operands(const FieldStatement& statement) {
    std::set<std::size_t> all;
    const auto add = [&](const ExpressionRef& e) {
        if (const auto* use = std::get_if<OperandUse>(&e->node)) all.insert(use->operand);
    };
    const auto look = [&](const Expression& part) {
        const auto* b = std::get_if<BinaryOperation>(&part.node);
        if (b == nullptr || (b->op != BinaryOperator::add && b->op != BinaryOperator::subtract)) return;
        add(b->left);
        add(b->right);
    };
    for_each_part(*statement.value, look);
    if (statement.where) for_each_part(*statement.where, look);
    return all;
}

struct Number {
    ExpressionRef value;
    Precision precision = Precision::single;
};
using Known = std::map<VariableId, Number>;

class Spreading {
public:
    explicit Spreading(Rewriting& r) : r_(r) {}

    void run() {
        r_.program.statements = list(r_.program.statements, {});
        for (const auto& [variable, reads] : spread_) {
            const std::string& name = r_.program.variables[variable].name;
            r_.verdicts.push_back(
                {Rule::uniform, name,
                 Verdict::yes(fmt::format("one number for all cells, in place of {} read{} of a field", reads,
                                          reads == 1 ? "" : "s"))});
            r_.changed = true;
        }
    }

private:
    Rewriting& r_;
    std::map<VariableId, int> spread_;

    Statements list(const Statements& statements, Known known) {
        Statements made;
        for (const Statement& statement : statements) {
            if (const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&statement)) {
                for (const VariableId v : targets(statement)) known.erase(v);
                LoopStatement around = **loop;
                around.body = list(around.body, known);
                made.emplace_back(std::make_shared<const LoopStatement>(std::move(around)));
                continue;
            }
            const auto* field = std::get_if<FieldStatement>(&statement);
            made.push_back(field ? Statement(with_numbers(*field, known)) : statement);
            for (const VariableId v : targets(statement)) known.erase(v);
            if (field) learn(std::get<FieldStatement>(made.back()), known);
        }
        return made;
    }

    FieldStatement with_numbers(const FieldStatement& statement, const Known& known) {
        const std::set<std::size_t> positions = operands_of_positions(statement), added = added_operands(statement);
        bool any = false;
        const auto number_of = [&](std::size_t k) -> std::optional<OperandReplacement> {
            const Operand& operand = statement.operands[k];
            const auto number = known.find(operand.variable);
            if (number == known.end() || number->second.precision != statement.precision || positions.contains(k) ||
                leaves_grid(operand))
                return std::nullopt;
            any = true;
            ++spread_[operand.variable];
            const ExpressionRef& value = number->second.value;
            return OperandReplacement{added.contains(k) ? rounded(value) : value, std::nullopt};
        };
        const FieldStatement made = with_operands(statement, number_of);
        return any ? made : statement;
    }
    /// A neighbour may lie beyond the grid, where another value is seen.
    static bool leaves_grid(const Operand& operand) {
        for (const AxisIndex& index : operand.indices) {
            const auto* offset = std::get_if<Offset>(&index);
            if (offset && offset->cells != 0) return true;
        }
        return false;
    }

    void learn(const FieldStatement& statement, Known& known) const {
        const CellType type = field_shape(r_.program, statement.target).type;
        if (!is_whole(r_.program, statement) || !is_uniform(*statement.value)) return;
        if (is_integer(type) || is_complex(type) || is_dual(type) != (statement.precision == Precision::dual)) return;
        if (is_short(type)) return;  // what it holds has fewer digits than the number
        ExpressionRef value = statement.value;
        if (const auto* literal = std::get_if<Literal>(&value->node))
            value = make_expression(*literal, ScalarKind::real, value->span);
        // An integer would be compared as one.
        if (value->kind != ScalarKind::real || operation_count(*value) > most_operations) return;
        known[statement.target] = {value, statement.precision};
    }
};

}  // namespace

void uniform_fields(Rewriting& r) { Spreading(r).run(); }

}  // namespace kasc::rewriting
