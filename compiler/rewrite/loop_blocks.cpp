#include "rewrite/loop_blocks.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "frontend/expression_parts.hpp"
#include "frontend/make_expression.hpp"
#include "frontend/same_expression.hpp"
#include "rewrite/repeated_body.hpp"
#include "rewrite/whole_numbers.hpp"

namespace kasc {

namespace {

using namespace rewriting;
using LoopRef = std::shared_ptr<const LoopStatement>;

/// A condition on the number of an iteration: true at at, at + every, at + 2 every, … where `more` is.
struct EveryOnce {
    ExpressionRef every, at;  ///< 0 <= at < every
    bool is_last = false;     ///< at is every - 1
    ExpressionRef more{};     ///< null: nothing else
};

ExpressionRef condition(BinaryOperator op, const ExpressionRef& left, const ExpressionRef& right) {
    return make_expression(BinaryOperation{op, left, right}, ScalarKind::boolean, left->span);
}

/// (n + shift) % every == rest
std::optional<EveryOnce> every_once(const ExpressionRef& e, LoopId loop) {
    const auto* both = std::get_if<BinaryOperation>(&e->node);
    if (both == nullptr) return std::nullopt;
    if (both->op == BinaryOperator::logical_and) {
        auto left = every_once(both->left, loop), right = every_once(both->right, loop);
        std::optional<EveryOnce>& one = left ? left : right;
        if (!one) return std::nullopt;
        const ExpressionRef& other = left ? both->right : both->left;
        one->more = one->more ? condition(BinaryOperator::logical_and, one->more, other) : other;
        return one;
    }
    if (both->op != BinaryOperator::equal) return std::nullopt;
    const auto* modulo = std::get_if<BinaryOperation>(&both->left->node);
    const auto rest = whole_number_of(both->right);
    if (modulo == nullptr || modulo->op != BinaryOperator::modulo || !rest || uses_loop(*modulo->right))
        return std::nullopt;
    const auto* sum = std::get_if<BinaryOperation>(&modulo->left->node);
    const bool shifted = sum != nullptr && sum->op == BinaryOperator::add;
    const auto shift = shifted ? whole_number_of(sum->right) : 0;
    const auto* index = std::get_if<LoopIndexUse>(shifted ? &sum->left->node : &modulo->left->node);
    if (index == nullptr || index->loop != loop || !shift || *shift < 0) return std::nullopt;
    if (const auto every = whole_number_of(modulo->right)) {
        if (*every < 2 || *rest < 0 || *rest >= *every) return std::nullopt;
        const long long at = ((*rest - *shift) % *every + *every) % *every;
        return EveryOnce{modulo->right, counted(at), at == *every - 1};
    }
    // The sign of a divisor that is not known makes no difference to what leaves no rest.
    if (*rest != 0 || *shift > 1) return std::nullopt;
    const ExpressionRef every =
        make_expression(IntrinsicCall{Intrinsic::abs, {modulo->right}}, ScalarKind::integer, modulo->right->span);
    if (*shift == 0) return EveryOnce{every, counted(0)};
    return EveryOnce{every, arithmetic(BinaryOperator::subtract, every, counted(1)), true};
}

/// e + by
ExpressionRef shifted(const ExpressionRef& e, const ExpressionRef& by) {
    const auto number = whole_number_of(by);
    return number && *number < 0 ? arithmetic(BinaryOperator::subtract, e, counted(-*number))
                                 : arithmetic(BinaryOperator::add, e, by);
}

void add_reads(const Statements& list, std::set<VariableId>& all) {
    statements::each_statement(list, [&](const Statement& s) {
        if (const auto* call = std::get_if<CallStatement>(&s))
            all.insert(call->arguments.begin(), call->arguments.end());
        if (const auto* made = std::get_if<TransformStatement>(&s)) all.insert(made->source);
        if (const auto* field = std::get_if<FieldStatement>(&s))
            for (const Operand& operand : field->operands) all.insert(operand.variable);
    });
}

/// Neither sees whether the other was there before it.
bool pass_each_other(const Statements& a, const Statements& b) {
    const auto sees = [](const Statements& one, const Statements& other) {
        std::set<VariableId> seen;
        add_reads(one, seen);
        for (const Statement& s : one) seen.merge(targets(s));
        return std::any_of(other.begin(), other.end(), [&](const Statement& s) {
            const std::set<VariableId> made = targets(s);
            return std::any_of(made.begin(), made.end(), [&](VariableId v) { return seen.contains(v); });
        });
    };
    return !sees(a, b) && !sees(b, a);
}

/// A loop taken apart.
struct Apart {
    EveryOnce when;
    LoopRef branch;
    Statements others;
    bool ahead = false;  ///< the branch stands before the others, or else behind them
};

class Blocking {
public:
    Blocking(const Program& program, const std::function<bool(LoopId)>& in_blocks)
        : made_{program, {}}, in_blocks_(in_blocks) {}

    LoopBlocks run() {
        Statements all = with_lists(made_.program.statements, [&](Statements list) {
            for (Statement& statement : list)
                if (const auto* loop = std::get_if<LoopRef>(&statement))
                    if (const auto apart = take_apart(**loop)) statement = in_blocks_of(**loop, *apart);
            return list;
        });
        made_.program.statements = std::move(all);
        return std::move(made_);
    }

private:
    LoopBlocks made_;
    const std::function<bool(LoopId)>& in_blocks_;

    [[nodiscard]] std::optional<Apart> take_apart(const LoopStatement& loop) const {
        const kasc::Loop& own = made_.program.loops[loop.loop];
        const auto from = whole_number_of(loop.from);
        if (loop.going || own.by != 1 || own.rest || own.alive || !from || *from < 0 || !in_blocks_(loop.loop))
            return std::nullopt;
        Apart apart;
        Statements before, behind;
        for (const Statement& statement : loop.body) {
            const LoopStatement* branch = conditional_in(statement);
            const auto when = branch == nullptr ? std::nullopt : every_once(condition_of(*branch), loop.loop);
            if (when && apart.branch) return std::nullopt;
            if (when) {
                apart.branch = std::get<LoopRef>(statement);
                apart.when = *when;
            } else {
                (apart.branch ? behind : before).push_back(statement);
            }
        }
        if (!apart.branch || (before.empty() && behind.empty())) return std::nullopt;
        const Statements branch{apart.branch};
        if (!behind.empty() && !pass_each_other(branch, behind)) {
            if (!before.empty() && !pass_each_other(branch, before)) return std::nullopt;
            apart.ahead = true;
        }
        apart.others = std::move(before);
        apart.others.insert(apart.others.end(), behind.begin(), behind.end());
        return apart;
    }

    /// The branch of block b is that of iteration every·b + at. Behind the others it ends the block, ahead of them it
    /// begins it; where at > 0, the first block is what comes before the first branch.
    Statement in_blocks_of(const LoopStatement& loop, const Apart& apart) {
        using enum BinaryOperator;
        const auto& [every, at, is_last, more] = apart.when;
        Program& program = made_.program;
        const LoopId inner = program.loops.add(program.loops[loop.loop]);
        program.loops[loop.loop].name = free_name(program, program.loops[loop.loop].name + "_block");
        made_.iterations.emplace(loop.loop, inner);

        const bool from_start = whole_number_of(at) == 0;
        const ExpressionRef branch_at = apart.ahead && !from_start ? arithmetic(subtract, at, every) : at;
        const ExpressionRef begin_at = apart.ahead ? branch_at
                                       : is_last   ? counted(0)
                                                   : arithmetic(subtract, arithmetic(add, at, counted(1)), every);
        const ExpressionRef of_block =
            arithmetic(multiply, every, make_expression(LoopIndexUse{loop.loop}, ScalarKind::integer, loop.span));
        const ExpressionRef n = shifted(of_block, branch_at), begin = shifted(of_block, begin_at);
        const bool from_later = *whole_number_of(loop.from) > 0;
        const bool begins_before = from_later || !(apart.ahead ? from_start : is_last);
        const ExpressionRef end = apart.ahead || is_last ? shifted(begin, every) : shifted(n, counted(1));

        LoopStatement iterations{
            loop.span, inner, begins_before ? larger(loop.from, begin) : begin, smaller(end, loop.to), {}};
        iterations.body =
            at_index(apart.others, loop.loop, make_expression(LoopIndexUse{inner}, ScalarKind::integer, loop.span));

        LoopStatement branch = *apart.branch;
        branch.body = at_index(branch.body, loop.loop, n);
        ExpressionRef runs = condition(less, n, loop.to);
        if (from_later || (apart.ahead && !from_start))
            runs = condition(logical_and, condition(greater_equal, n, loop.from), runs);
        if (more) runs = condition(logical_and, runs, at_index(more, loop.loop, n));
        branch.to = make_expression(Conditional{runs, counted(1), counted(0)}, ScalarKind::integer, branch.span);

        // The last iteration is in block (to - 1 - branch_at)/every, rounded up where blocks end with the branch's.
        const ExpressionRef round_up = arithmetic(subtract, every, counted(1));
        const ExpressionRef round = apart.ahead ? round_up : arithmetic(multiply, counted(2), round_up);
        const ExpressionRef cells = shifted(loop.to, arithmetic(subtract, round, branch_at));
        LoopStatement blocks{loop.span, loop.loop, counted(0), arithmetic(divide, cells, every), {}};
        blocks.body.emplace_back(std::make_shared<const LoopStatement>(std::move(iterations)));
        blocks.body.insert(apart.ahead ? blocks.body.begin() : blocks.body.end(),
                           std::make_shared<const LoopStatement>(std::move(branch)));
        return std::make_shared<const LoopStatement>(std::move(blocks));
    }
};

}  // namespace

LoopBlocks loop_blocks(const Program& program, const std::function<bool(LoopId)>& in_blocks) {
    return Blocking(program, in_blocks).run();
}

}  // namespace kasc
