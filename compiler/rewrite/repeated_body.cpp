#include "rewrite/repeated_body.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "frontend/expression_parts.hpp"
#include "frontend/make_expression.hpp"
#include "rewrite/whole_numbers.hpp"

namespace kasc::rewriting {

namespace {

/// So many iterations from the loop's variable on do nothing under the conditions of its body; null: there are none.
ExpressionRef plain_iterations(const LoopStatement& loop, long long together) {
    ExpressionRef plain;
    for (const Statement& statement : loop.body) {
        const LoopStatement* conditional = conditional_in(statement);
        for (long long k = 0; conditional != nullptr && k < together; ++k) {
            const ExpressionRef n = make_expression(LoopIndexUse{loop.loop}, ScalarKind::integer, loop.span);
            const ExpressionRef holds =
                at_index(condition_of(*conditional), loop.loop, arithmetic(BinaryOperator::add, n, counted(k)));
            const ExpressionRef none = make_expression(UnaryOperation{UnaryOperator::logical_not, holds},
                                                       ScalarKind::boolean, conditional->span);
            plain = plain == nullptr ? none
                                     : make_expression(BinaryOperation{BinaryOperator::logical_and, plain, none},
                                                       ScalarKind::boolean, conditional->span);
        }
    }
    return plain;
}

/// `goes_on = condition ? goes_on + 1 : -goes_on` of a loop that counts its iterations, where so many go on.
FieldStatement counted_on(const Program& program, const LoopStatement& loop, long long iterations) {
    const auto last =
        std::find_if(loop.body.begin(), loop.body.end(), [&](const Statement& s) { return assigns(s, *loop.going); });
    const auto& statement = std::get<FieldStatement>(*last);
    const auto& more = std::get<BinaryOperation>(std::get<Conditional>(statement.value->node).then->node);
    const Operand& count = statement.operands.at(std::get<OperandUse>(more.left->node).operand);
    const ExpressionRef value = make_expression(
        BinaryOperation{BinaryOperator::add, make_expression(OperandUse{0}, ScalarKind::integer, more.left->span),
                        counted(iterations)},
        ScalarKind::integer, statement.value->span);
    return written(program, *loop.going, value, {count}, statement.precision, statement.span);
}

}  // namespace

const LoopStatement* conditional_in(const Statement& statement) {
    const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&statement);
    if (loop == nullptr || (*loop)->going || whole_number_of((*loop)->from) != 0) return nullptr;
    const auto* choice = std::get_if<Conditional>(&(*loop)->to->node);
    const bool once =
        choice != nullptr && whole_number_of(choice->then) == 1 && whole_number_of(choice->otherwise) == 0;
    return once ? loop->get() : nullptr;
}

const ExpressionRef& condition_of(const LoopStatement& conditional) {
    return std::get<Conditional>(conditional.to->node).condition;
}

std::optional<VariableId> read_at_index(const LoopStatement& loop) {
    for (const Statement& statement : loop.body) {
        for (const Operand& operand : std::get<FieldStatement>(statement).operands) {
            for (const AxisIndex& i : operand.indices) {
                const auto* absolute = std::get_if<Absolute>(&i);
                const auto* computed = std::get_if<Computed>(&i);
                const ExpressionRef position = absolute ? absolute->position : computed ? computed->position : nullptr;
                if (position && uses_loop(*position, loop.loop)) return operand.variable;
            }
        }
    }
    return std::nullopt;
}

void repeat_body(Program& program, const LoopStatement& loop, const Iterations& of, Statements& made) {
    // Conditions are the rest's, and what the loop ends by changes in them alone.
    Statements body = loop.body;
    std::erase_if(body, [&](const Statement& s) {
        return conditional_in(s) != nullptr || (loop.going && assigns(s, *loop.going));
    });
    const auto add = [&](const ExpressionRef& index, Statements& list) {
        for (Statement& s : at_index(body, loop.loop, index)) list.push_back(std::move(s));
    };
    const bool one_list = of.count && *of.count <= of.together;
    const std::string name = free_name(program, fmt::format("{}_{}", program.loops[loop.loop].name, of.together));
    const auto many = [&](kasc::Loop variable, const ExpressionRef& from, const ExpressionRef& to, const auto& index) {
        LoopStatement repeated{loop.span, program.loops.add(std::move(variable)), from, to, {}};
        const ExpressionRef own = make_expression(LoopIndexUse{repeated.loop}, ScalarKind::integer, loop.span);
        for (long long k = 0; k < of.together; ++k) add(index(own, k), repeated.body);
        if (loop.going) repeated.body.emplace_back(counted_on(program, loop, of.together));
        made.emplace_back(std::make_shared<const LoopStatement>(std::move(repeated)));
    };
    if (of.count) {
        const long long from = *whole_number_of(loop.from), done = one_list ? 0 : *of.count / of.together * of.together;
        const auto of_list = [&](const ExpressionRef& list, long long k) {
            return arithmetic(BinaryOperator::add, arithmetic(BinaryOperator::multiply, counted(of.together), list),
                              counted(from + k));
        };
        if (!one_list) many({name, loop.span}, counted(0), counted(*of.count / of.together), of_list);
        for (long long k = done; k < *of.count; ++k) add(counted(from + k), made);
        return;
    }
    const ExpressionRef together = counted(of.together), plain = plain_iterations(loop, of.together);
    many({name, loop.span, static_cast<int>(of.together), loop.loop, plain}, loop.from,
         arithmetic(BinaryOperator::subtract, loop.to, counted(of.together - 1)),
         [](const ExpressionRef& n, long long k) { return arithmetic(BinaryOperator::add, n, counted(k)); });
    const ExpressionRef lists =
        arithmetic(BinaryOperator::divide, arithmetic(BinaryOperator::subtract, loop.to, loop.from), together);
    LoopStatement rest = loop;
    if (plain == nullptr)
        rest.from = arithmetic(BinaryOperator::add, arithmetic(BinaryOperator::multiply, together, lists), loop.from);
    made.emplace_back(std::make_shared<const LoopStatement>(std::move(rest)));
}

}  // namespace kasc::rewriting
