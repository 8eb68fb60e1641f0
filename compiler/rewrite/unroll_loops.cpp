// Iterations of a loop that stays at its cell, one behind the other in one list of statements, so that one kernel has
// many of them and what they hand on stays in registers:
//
//     for (n = 0; n < 100; n++) {              for (n_25 = 0; n_25 < 4; n_25++) {
//         z = z*z + c;                             z = z*z + c;
//         k = abs(z) < 2 ? n : k;       ->         k = abs(z) < 2 ? 25*n_25 : k;
//     }                                            z = z*z + c;
//                                                  k = abs(z) < 2 ? 25*n_25 + 1 : k;
//                                                  …
//
// What is left where their number is not known, or no multiple, is a loop of single iterations behind it, or a list.
// The same operations on the same numbers: no word of a result differs.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "frontend/expression_parts.hpp"
#include "frontend/make_expression.hpp"
#include "rewrite/rules.hpp"
#include "rewrite/statements.hpp"

namespace kasc::rewriting {

namespace {

/// Of one list: statements, as many calls as a kernel may have (--max-fusion); operations, which are instructions that
/// a multiprocessor keeps at hand.
constexpr long long most_together_statements = 128, most_together_operations = 1500;

ExpressionRef number(long long value) {
    return make_expression(Literal{static_cast<double>(value)}, ScalarKind::integer, {});
}

std::optional<long long> number_of(const ExpressionRef& e) {
    const auto* literal = std::get_if<Literal>(&e->node);
    return literal == nullptr ? std::nullopt : std::make_optional(std::llround(literal->value));
}

ExpressionRef whole(BinaryOperator op, const ExpressionRef& left, const ExpressionRef& right) {
    const auto a = number_of(left), b = number_of(right);
    if (a && b && op == BinaryOperator::add) return number(*a + *b);
    if (a && b && op == BinaryOperator::subtract) return number(*a - *b);
    if (op == BinaryOperator::add && a == 0) return right;
    if (b == 0 && op != BinaryOperator::divide && op != BinaryOperator::multiply) return left;
    return make_expression(BinaryOperation{op, left, right}, ScalarKind::integer, left->span);
}

/// The expression with another for the index of a loop. Of the parts of a real expression only leaves are integers.
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
            if (!in_real || number_of(index_)) return index_;
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
            return called(*call, real && call->intrinsic != Intrinsic::to_real);
        if (const auto* call = std::get_if<FunctionWord>(&e->node)) return called(*call, true);
        return e;
    }
};

Statements at_index(const Statements& body, LoopId loop, const ExpressionRef& index) {
    const Indexed indexed(loop, index);
    Statements made;
    for (const Statement& statement : body) {
        auto field = std::get<FieldStatement>(statement);
        field.value = indexed(field.value);
        made.emplace_back(std::move(field));
    }
    return made;
}

bool uses(const ExpressionRef& e, LoopId loop) {
    return any_part(*e, [&](const Expression& part) {
        const auto* index = std::get_if<LoopIndexUse>(&part.node);
        return index != nullptr && index->loop == loop;
    });
}

/// A field that is read at a position that the index says: none, where there is none.
std::optional<VariableId> read_at_index(const LoopStatement& loop) {
    for (const Statement& statement : loop.body) {
        for (const Operand& operand : std::get<FieldStatement>(statement).operands) {
            for (const AxisIndex& i : operand.indices) {
                const auto* absolute = std::get_if<Absolute>(&i);
                const auto* computed = std::get_if<Computed>(&i);
                const ExpressionRef position = absolute ? absolute->position : computed ? computed->position : nullptr;
                if (position && uses(position, loop.loop)) return operand.variable;
            }
        }
    }
    return std::nullopt;
}

/// Each statement assigns whole fields over the same cells, and reads what the loop assigns at its own cell.
bool stays_at_its_cell(const Program& program, const LoopStatement& loop) {
    std::set<VariableId> assigned;
    std::optional<std::vector<AxisId>> axes;
    for (const Statement& statement : loop.body) {
        const auto* field = std::get_if<FieldStatement>(&statement);
        if (field == nullptr || field->fold || !is_whole(program, *field)) return false;
        if (axes && *axes != free_axes(program, *field)) return false;
        axes = free_axes(program, *field);
        assigned.insert(field->target);
    }
    return std::all_of(loop.body.begin(), loop.body.end(), [&](const Statement& statement) {
        const auto& field = std::get<FieldStatement>(statement);
        return std::all_of(field.operands.begin(), field.operands.end(), [&](const Operand& operand) {
            return !assigned.contains(operand.variable) || is_own_cell(program, field, operand);
        });
    });
}

long long operations_of(const Statements& body) {
    long long operations = 0;
    for (const Statement& statement : body)
        operations += 1 + operation_count(*std::get<FieldStatement>(statement).value);
    return operations;
}

/// Statements, and uses of the index: of each iteration they are numbers that a kernel gets and has in registers.
long long statements_of(const LoopStatement& loop) {
    auto count = static_cast<long long>(loop.body.size());
    for (const Statement& statement : loop.body) {
        for_each_part(*std::get<FieldStatement>(statement).value, [&](const Expression& part) {
            const auto* index = std::get_if<LoopIndexUse>(&part.node);
            count += index != nullptr && index->loop == loop.loop ? 1 : 0;
        });
    }
    return count;
}

/// At most so many, that all lists are whole: of a hundred iterations 20 rather than 24. Where that would be half of
/// them or less, lists of about one length.
long long without_rest(long long count, long long together) {
    if (count == 0 || together == 0) return together;
    if (count <= together) return count;
    for (long long whole = together; 2 * whole > together; --whole)
        if (count % whole == 0) return whole;
    const long long lists = (count + together - 1) / together;
    return (count + lists - 1) / lists;
}

class Unrolling {
public:
    explicit Unrolling(Rewriting& r) : r_(r) {}

    Statements run(const Statements& list) {
        Statements made;
        for (const Statement& statement : list) {
            const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&statement);
            if (loop == nullptr || !may_be_unrolled(**loop)) {
                made.push_back(statement);
                continue;
            }
            if (const auto series = read_at_index(**loop)) {
                say(**loop,
                    Verdict::no(fmt::format("each iteration reads its own part of {}, which may pass through memory",
                                            r_.program.variables[*series].name)));
                made.push_back(statement);
                continue;
            }
            const Iterations of = iterations_of(**loop);
            if (of.together < 2 && of.count != 1) {
                say(**loop, Verdict::no("an iteration computes too much to stand in one kernel with another"));
                made.push_back(statement);
                continue;
            }
            say(**loop, Verdict::yes(fmt::format("{} iterations at a time: each cell has its own", of.together)));
            unroll(**loop, of, made);
        }
        return made;
    }

private:
    struct Iterations {
        long long from = 0, together = 1;
        std::optional<long long> count;  ///< where it is known
    };
    Rewriting& r_;

    /// What is left of an unrolled loop begins at no number: it stays.
    [[nodiscard]] bool may_be_unrolled(const LoopStatement& loop) const {
        return !loop.body.empty() && number_of(loop.from) && stays_at_its_cell(r_.program, loop);
    }
    [[nodiscard]] Iterations iterations_of(const LoopStatement& loop) const {
        Iterations of{*number_of(loop.from), 1, std::nullopt};
        of.together = std::min(most_together_statements / statements_of(loop),
                               most_together_operations / operations_of(loop.body));
        if (const auto to = number_of(loop.to)) of.count = std::max(0LL, *to - of.from);
        if (const auto likely = number_of(with_fallback(loop.to)))
            of.together = without_rest(std::max(0LL, *likely - of.from), of.together);
        return of;
    }
    /// A parameter's fallback in its place.
    [[nodiscard]] ExpressionRef with_fallback(const ExpressionRef& e) const {
        const auto* use = std::get_if<ParameterUse>(&e->node);
        const ExpressionRef fallback = use == nullptr ? nullptr : r_.program.parameters[use->parameter].fallback;
        return fallback ? fallback : e;
    }
    void say(const LoopStatement& loop, Verdict verdict) {
        const std::string name = r_.program.loops[loop.loop].name;
        r_.changed = r_.changed || verdict;
        r_.verdicts.push_back({Rule::unroll,
                               fmt::format("for ({} = {}; {} < {}; {}++)", name, to_text(*loop.from, r_.program, {}),
                                           name, to_text(*loop.to, r_.program, {}), name),
                               std::move(verdict)});
    }

    void unroll(const LoopStatement& loop, const Iterations& of, Statements& made) {
        const auto add = [&](const ExpressionRef& index, Statements& list) {
            for (Statement& s : at_index(loop.body, loop.loop, index)) list.push_back(std::move(s));
        };
        const bool one_list = of.count && *of.count <= of.together;
        const ExpressionRef lists =
            of.count ? number(*of.count / of.together)
                     : whole(BinaryOperator::divide, whole(BinaryOperator::subtract, loop.to, loop.from),
                             number(of.together));
        if (!one_list) {
            const std::string name = fmt::format("{}_{}", r_.program.loops[loop.loop].name, of.together);
            LoopStatement many{loop.span, r_.program.loops.add({own_name(name), loop.span}), number(0), lists, {}};
            const ExpressionRef list = make_expression(LoopIndexUse{many.loop}, ScalarKind::integer, loop.span);
            const ExpressionRef first = whole(BinaryOperator::multiply, number(of.together), list);
            for (long long k = 0; k < of.together; ++k)
                add(whole(BinaryOperator::add, first, number(of.from + k)), many.body);
            made.emplace_back(std::make_shared<const LoopStatement>(std::move(many)));
        }
        if (of.count) {
            const long long done = one_list ? 0 : *of.count / of.together * of.together;
            for (long long k = done; k < *of.count; ++k) add(number(of.from + k), made);
            return;
        }
        LoopStatement rest = loop;
        rest.from = whole(BinaryOperator::add, whole(BinaryOperator::multiply, number(of.together), lists), loop.from);
        made.emplace_back(std::make_shared<const LoopStatement>(std::move(rest)));
    }

    [[nodiscard]] std::string own_name(std::string name) const {
        const Program& p = r_.program;
        const auto is_taken = [&](const auto& table) {
            return std::any_of(table.begin(), table.end(), [&](const auto& entry) { return entry.name == name; });
        };
        while (is_taken(p.loops) || is_taken(p.variables) || is_taken(p.parameters) || is_taken(p.axes)) name += "_";
        return name;
    }
};

}  // namespace

void unroll_loops(Rewriting& r) {
    Unrolling unrolling(r);
    r.program.statements =
        with_lists(r.program.statements, [&](const Statements& list) { return unrolling.run(list); });
}

}  // namespace kasc::rewriting
