#include "frontend/other_side.hpp"

#include "frontend/same_expression.hpp"

// What the host knows chooses by the ends of the loops, what is computed by a field of its own:
//
//     for (once = 0; once < mode == 1 ? 1 : 0; …)        goes_on_2 = goes_on > 0 ? 0 : 1;
//     for (once_2 = 0; once_2 < mode == 1 ? 0 : 1; …)    for (once = 0; once < 1 && goes_on; …)
//                                                        for (once_2 = 0; once_2 < 1 && goes_on_2; …)

namespace kasc::frontend {

namespace {

bool is_number(const ExpressionRef& e, double value) {
    const auto* literal = e ? std::get_if<Literal>(&e->node) : nullptr;
    return literal != nullptr && literal->value == value;
}

/// The condition of `condition ? first : second`; null: it is none.
ExpressionRef chosen_by(const ExpressionRef& e, double first, double second) {
    const auto* choice = e ? std::get_if<Conditional>(&e->node) : nullptr;
    const bool chooses = choice != nullptr && is_number(choice->then, first) && is_number(choice->otherwise, second);
    return chooses ? choice->condition : nullptr;
}

/// The statement makes `other` 1 where `going` is 0, else 0.
bool turns(const Statement& statement, VariableId going, VariableId other) {
    const auto* made = std::get_if<FieldStatement>(&statement);
    if (made == nullptr || made->target != other) return false;
    const ExpressionRef runs = chosen_by(made->value, 0, 1);
    const auto* compared = runs ? std::get_if<BinaryOperation>(&runs->node) : nullptr;
    if (compared == nullptr || compared->op != BinaryOperator::greater || !is_number(compared->right, 0)) return false;
    const auto* use = std::get_if<OperandUse>(&compared->left->node);
    return use != nullptr && made->operands.at(use->operand).variable == going;
}

}  // namespace

bool is_other_side(const ExpressionRef& to, std::optional<VariableId> going, const std::vector<Statement>& before) {
    const auto* last = before.empty() ? nullptr : std::get_if<std::shared_ptr<const LoopStatement>>(&before.back());
    if (last == nullptr || !is_number((*last)->from, 0)) return false;
    const LoopStatement& first = **last;
    if (going && first.going)
        return is_number(to, 1) && is_number(first.to, 1) && before.size() > 1 &&
               turns(before[before.size() - 2], *first.going, *going);
    const ExpressionRef chosen = chosen_by(first.to, 1, 0);
    return !going && !first.going && chosen && same_expression(chosen, chosen_by(to, 0, 1));
}

}  // namespace kasc::frontend
