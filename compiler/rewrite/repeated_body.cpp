#include "rewrite/repeated_body.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "frontend/expression_parts.hpp"
#include "frontend/make_expression.hpp"

namespace kasc::rewriting {

std::optional<long long> whole_number_of(const ExpressionRef& e) {
    const auto* literal = std::get_if<Literal>(&e->node);
    return literal == nullptr ? std::nullopt : std::make_optional(std::llround(literal->value));
}

namespace {

ExpressionRef number(long long value) {
    return make_expression(Literal{static_cast<double>(value)}, ScalarKind::integer, {});
}

ExpressionRef whole(BinaryOperator op, const ExpressionRef& left, const ExpressionRef& right) {
    const auto a = whole_number_of(left), b = whole_number_of(right);
    if (a && b && op == BinaryOperator::add) return number(*a + *b);
    if (a && b && op == BinaryOperator::subtract) return number(*a - *b);
    if (op == BinaryOperator::add && a == 0) return right;
    if (b == 0 && op != BinaryOperator::divide && op != BinaryOperator::multiply) return left;
    return make_expression(BinaryOperation{op, left, right}, ScalarKind::integer, left->span);
}

/// The expression with another for the index of a loop. Only leaves are integers in a real expression.
class Indexed {
public:
    Indexed(LoopId loop, ExpressionRef index) : loop_(loop), index_(std::move(index)) {}

    [[nodiscard]] ExpressionRef operator()(const ExpressionRef& e) const { return made(e, false); }

private:
    LoopId loop_;
    ExpressionRef index_;

    [[nodiscard]] ExpressionRef made(const ExpressionRef& e, bool in_real) const {
        if (const auto* index = std::get_if<LoopIndexUse>(&e->node)) {
            if (index->loop != loop_) return e;
            if (!in_real || whole_number_of(index_)) return index_;
            return make_expression(IntrinsicCall{Intrinsic::to_real, {index_}}, ScalarKind::real, e->span);
        }
        const bool real = e->kind == ScalarKind::real || e->kind == ScalarKind::complex;
        const auto again = [&](auto node) { return make_expression(std::move(node), e->kind, e->span); };
        if (const auto* u = std::get_if<UnaryOperation>(&e->node))
            return again(UnaryOperation{u->op, made(u->operand, real)});
        if (const auto* b = std::get_if<BinaryOperation>(&e->node)) {
            const auto is_integer = [](const ExpressionRef& side) { return side->kind == ScalarKind::integer; };
            const bool of_reals = real || !(is_integer(b->left) && is_integer(b->right));
            const bool sides_are_real = e->kind != ScalarKind::integer && of_reals;
            return again(BinaryOperation{b->op, made(b->left, sides_are_real), made(b->right, sides_are_real)});
        }
        if (const auto* c = std::get_if<Conditional>(&e->node))
            return again(Conditional{made(c->condition, false), made(c->then, real), made(c->otherwise, real)});
        const auto called = [&](auto call, bool of_reals) {
            for (ExpressionRef& argument : call.arguments) argument = made(argument, of_reals);
            return again(std::move(call));
        };
        if (const auto* call = std::get_if<IntrinsicCall>(&e->node))
            return called(*call, real && call->intrinsic != Intrinsic::to_real && call->intrinsic != Intrinsic::random);
        if (const auto* call = std::get_if<FunctionWord>(&e->node)) return called(*call, true);
        return e;
    }
};

void move_positions(std::vector<AxisIndex>& indices, const Indexed& indexed) {
    for (AxisIndex& index : indices) {
        if (auto* absolute = std::get_if<Absolute>(&index)) absolute->position = indexed(absolute->position);
        if (auto* computed = std::get_if<Computed>(&index)) computed->position = indexed(computed->position);
    }
}

Statements at_index(const Statements& body, LoopId loop, const ExpressionRef& index) {
    const Indexed indexed(loop, index);
    Statements made;
    for (const Statement& statement : body) {
        auto field = std::get<FieldStatement>(statement);
        field.value = indexed(field.value);
        move_positions(field.target_indices, indexed);
        for (Operand& operand : field.operands) move_positions(operand.indices, indexed);
        made.emplace_back(std::move(field));
    }
    return made;
}

std::string own_name(const Program& p, std::string name) {
    const auto is_taken = [&](const auto& table) {
        return std::any_of(table.begin(), table.end(), [&](const auto& entry) { return entry.name == name; });
    };
    while (is_taken(p.loops) || is_taken(p.variables) || is_taken(p.parameters) || is_taken(p.axes)) name += "_";
    return name;
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
    const auto add = [&](const ExpressionRef& index, Statements& list) {
        for (Statement& s : at_index(loop.body, loop.loop, index)) list.push_back(std::move(s));
    };
    const bool one_list = of.count && *of.count <= of.together;
    const std::string name = own_name(program, fmt::format("{}_{}", program.loops[loop.loop].name, of.together));
    const auto many = [&](kasc::Loop variable, const ExpressionRef& from, const ExpressionRef& to, const auto& index) {
        LoopStatement repeated{loop.span, program.loops.add(std::move(variable)), from, to, {}};
        const ExpressionRef own = make_expression(LoopIndexUse{repeated.loop}, ScalarKind::integer, loop.span);
        for (long long k = 0; k < of.together; ++k) add(index(own, k), repeated.body);
        made.emplace_back(std::make_shared<const LoopStatement>(std::move(repeated)));
    };
    if (of.count) {
        const long long from = *whole_number_of(loop.from), done = one_list ? 0 : *of.count / of.together * of.together;
        const auto of_list = [&](const ExpressionRef& list, long long k) {
            return whole(BinaryOperator::add, whole(BinaryOperator::multiply, number(of.together), list),
                         number(from + k));
        };
        if (!one_list) many({name, loop.span}, number(0), number(*of.count / of.together), of_list);
        for (long long k = done; k < *of.count; ++k) add(number(from + k), made);
        return;
    }
    const ExpressionRef together = number(of.together);
    many({name, loop.span, static_cast<int>(of.together), loop.loop}, loop.from,
         whole(BinaryOperator::subtract, loop.to, number(of.together - 1)),
         [](const ExpressionRef& n, long long k) { return whole(BinaryOperator::add, n, number(k)); });
    const ExpressionRef lists =
        whole(BinaryOperator::divide, whole(BinaryOperator::subtract, loop.to, loop.from), together);
    LoopStatement rest = loop;
    rest.from = whole(BinaryOperator::add, whole(BinaryOperator::multiply, together, lists), loop.from);
    made.emplace_back(std::make_shared<const LoopStatement>(std::move(rest)));
}

}  // namespace kasc::rewriting
