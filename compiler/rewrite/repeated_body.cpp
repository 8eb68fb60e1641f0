#include "rewrite/repeated_body.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "frontend/expression_parts.hpp"
#include "frontend/make_expression.hpp"
#include "rewrite/whole_numbers.hpp"

namespace kasc::rewriting {

namespace {

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

std::string name_of_several(const Program& program, const LoopStatement& loop, long long together) {
    return free_name(program, fmt::format("{}_{}", program.loops[loop.loop].name, together));
}

}  // namespace

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
    if (!of.count) return repeat_steps(program, loop, settled_steps(loop, of.together, false), made);
    const auto add = [&](const ExpressionRef& index, Statements& list) {
        for (Statement& s : at_index(loop.body, loop.loop, index)) list.push_back(std::move(s));
    };
    const bool one_list = *of.count <= of.together;
    const long long from = *whole_number_of(loop.from), done = one_list ? 0 : *of.count / of.together * of.together;
    if (!one_list) {
        LoopStatement lists{loop.span,
                            program.loops.add({name_of_several(program, loop, of.together), loop.span}),
                            counted(0),
                            counted(*of.count / of.together),
                            {}};
        const ExpressionRef first =
            arithmetic(BinaryOperator::multiply, counted(of.together),
                       make_expression(LoopIndexUse{lists.loop}, ScalarKind::integer, loop.span));
        for (long long k = 0; k < of.together; ++k)
            add(arithmetic(BinaryOperator::add, first, counted(from + k)), lists.body);
        made.emplace_back(std::make_shared<const LoopStatement>(std::move(lists)));
    }
    for (long long k = done; k < *of.count; ++k) add(counted(from + k), made);
}

void repeat_steps(Program& program, const LoopStatement& loop, const SettledSteps& steps, Statements& made) {
    const auto count = static_cast<long long>(steps.steps.size());
    LoopStatement several{loop.span,
                          program.loops.add({name_of_several(program, loop, count), loop.span, static_cast<int>(count),
                                             loop.loop, steps.plain}),
                          loop.from,
                          arithmetic(BinaryOperator::subtract, loop.to, counted(count - 1)),
                          {}};
    const ExpressionRef n = make_expression(LoopIndexUse{several.loop}, ScalarKind::integer, loop.span);
    for (long long k = 0; k < count; ++k)
        for (Statement& s : at_index(steps.steps[static_cast<std::size_t>(k)], loop.loop,
                                     arithmetic(BinaryOperator::add, n, counted(k))))
            if (!loop.going || !assigns(s, *loop.going)) several.body.push_back(std::move(s));
    if (loop.going) several.body.emplace_back(counted_on(program, loop, count));
    made.emplace_back(std::make_shared<const LoopStatement>(std::move(several)));
    LoopStatement rest = loop;
    if (steps.plain == nullptr) {
        const ExpressionRef together = counted(count),
                            lists = arithmetic(BinaryOperator::divide,
                                               arithmetic(BinaryOperator::subtract, loop.to, loop.from), together);
        rest.from = arithmetic(BinaryOperator::add, arithmetic(BinaryOperator::multiply, together, lists), loop.from);
    }
    made.emplace_back(std::make_shared<const LoopStatement>(std::move(rest)));
}

}  // namespace kasc::rewriting
