// A condition comes round where the loop's variable stands in remainders alone, `(n + c) % q` or `(n + c)/d % q` of a
// variable that is not negative: after q, or d q, iterations. Which of its values are true is found by computing them.

#include "rewrite/settled_steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "frontend/evaluate.hpp"
#include "frontend/expression_parts.hpp"
#include "frontend/make_expression.hpp"
#include "frontend/same_expression.hpp"
#include "rewrite/whole_numbers.hpp"

namespace kasc::rewriting {

namespace {

/// Longer ones are not looked at.
constexpr long long longest_period = 1000;

/// Iterations after which n + c, divided by a number or not, is so much more; none: another expression.
std::optional<long long> quotient_of_index(const Expression& e, LoopId loop) {
    if (const auto* index = std::get_if<LoopIndexUse>(&e.node))
        return index->loop == loop ? std::make_optional(1LL) : std::nullopt;
    const auto* both = std::get_if<BinaryOperation>(&e.node);
    const auto number = both != nullptr ? whole_number_of(both->right) : std::nullopt;
    if (!number || e.kind != ScalarKind::integer) return std::nullopt;
    if (both->op == BinaryOperator::add && *number >= 0) {
        const auto of_sum = quotient_of_index(*both->left, loop);
        return of_sum == 1 ? of_sum : std::nullopt;
    }
    if (both->op != BinaryOperator::divide || *number < 1 || *number > longest_period) return std::nullopt;
    const auto of_divided = quotient_of_index(*both->left, loop);
    return of_divided == 1 ? number : std::nullopt;
}

/// Iterations after which the expression has its value again; none: that is not known, or others decide it, too.
std::optional<long long> period_of(const Expression& e, LoopId loop) {
    if (std::holds_alternative<Literal>(e.node)) return 1;
    const auto* both = std::get_if<BinaryOperation>(&e.node);
    if (both != nullptr && both->op == BinaryOperator::modulo && e.kind == ScalarKind::integer) {
        const auto of_one = quotient_of_index(*both->left, loop), number = whole_number_of(both->right);
        if (!of_one || !number || *number < 1 || *number > longest_period) return std::nullopt;
        return *of_one * *number <= longest_period ? std::make_optional(*of_one * *number) : std::nullopt;
    }
    const bool combines = both != nullptr || std::holds_alternative<UnaryOperation>(e.node);
    if (!combines || e.kind == ScalarKind::real) return std::nullopt;
    std::optional<long long> period = 1;
    for_each_operand_part(e, [&](const Expression& part) {
        const auto of_part = period ? period_of(part, loop) : std::nullopt;
        period = of_part ? std::make_optional(std::lcm(*period, *of_part)) : std::nullopt;
    });
    return period && *period <= longest_period ? period : std::nullopt;
}

bool holds(const ExpressionRef& condition, LoopId loop, long long n) {
    return evaluate(*condition, {}, {{loop, static_cast<double>(n)}}) != 0;
}

/// What is unlike a number, or stands behind an `else`: all iterations but a few.
bool is_usual(const Expression& condition) {
    if (const auto* not_ = std::get_if<UnaryOperation>(&condition.node); not_ && not_->op == UnaryOperator::logical_not)
        return !is_usual(*not_->operand);
    const auto* both = std::get_if<BinaryOperation>(&condition.node);
    return both != nullptr && both->op == BinaryOperator::not_equal;
}

ExpressionRef negated(const ExpressionRef& condition) {
    return make_expression(UnaryOperation{UnaryOperator::logical_not, condition}, ScalarKind::boolean, condition->span);
}

class Settling {
public:
    Settling(const LoopStatement& loop, long long together, bool within)
        : loop_(loop), together_(together), within_(within), from_(whole_number_of(loop.from)) {
        if (from_ && *from_ < 0) from_.reset();
    }

    SettledSteps run() {
        note(loop_.body);
        for (long long k = 0; k < together_; ++k) {
            made_.steps.emplace_back();
            add(loop_.body, k, made_.steps.back());
        }
        made_.possible = possible();
        made_.plain = all_asked();
        if (period_ > 1 && !(within_ && from_)) made_.plain = with_start(made_.plain);
        return std::move(made_);
    }

private:
    const LoopStatement& loop_;
    const long long together_;
    const bool within_;
    std::optional<long long> from_;  ///< where the loop begins, if that is known and not below 0
    SettledSteps made_;
    long long period_ = 1;  ///< of all conditions that are settled by it
    struct Asked {
        const LoopStatement* conditional;
        ExpressionRef condition;
        bool holds;
        long long step;
    };
    std::vector<Asked> asked_;  ///< of the others: what plain steps have

    [[nodiscard]] std::optional<long long> settled_by(const ExpressionRef& condition) const {
        const auto period = period_of(*condition, loop_.loop);
        return period && together_ % *period == 0 ? period : std::nullopt;
    }
    void note(const Statements& body) {
        for (const Statement& statement : body) {
            const LoopStatement* conditional = conditional_in(statement);
            if (conditional == nullptr) continue;
            const ExpressionRef condition = condition_of(*conditional);
            if (const auto period = settled_by(condition)) period_ = std::lcm(period_, *period);
            const bool is_left = !settled_by(condition) && !is_usual(*condition);
            if (is_left)
                made_.left.push_back(conditional);
            else
                note(conditional->body);
        }
    }

    /// What step `k` does.
    void add(const Statements& body, long long k, Statements& step) {
        for (const Statement& statement : body) {
            const LoopStatement* conditional = conditional_in(statement);
            if (conditional == nullptr) {
                step.push_back(statement);
                continue;
            }
            const ExpressionRef condition = condition_of(*conditional);
            bool is_done = false;
            if (settled_by(condition)) {
                is_done = holds(condition, loop_.loop, from_.value_or(0) + k);
            } else {
                is_done = is_usual(*condition);
                asked_.push_back({conditional, condition, is_done, k});
            }
            if (is_done) add(conditional->body, k, step);
        }
    }
    [[nodiscard]] ExpressionRef index() const {
        return make_expression(LoopIndexUse{loop_.loop}, ScalarKind::integer, loop_.span);
    }
    /// What plain steps ask, one conditional after the other; what two of them ask alike once.
    [[nodiscard]] ExpressionRef all_asked() {
        std::stable_sort(asked_.begin(), asked_.end(), [](const Asked& a, const Asked& b) {
            return a.conditional->span.begin < b.conditional->span.begin;
        });
        std::vector<ExpressionRef> terms;
        for (const Asked& asked : asked_) {
            const ExpressionRef then =
                at_index(asked.condition, loop_.loop, arithmetic(BinaryOperator::add, index(), counted(asked.step)));
            const ExpressionRef term = asked.holds ? then : negated(then);
            if (std::none_of(terms.begin(), terms.end(), [&](const auto& t) { return same_expression(t, term); }))
                terms.push_back(term);
        }
        ExpressionRef all;
        for (const ExpressionRef& term : terms) join(all, term);
        return all;
    }
    static void join(ExpressionRef& all, const ExpressionRef& one) {
        all = all == nullptr ? one
                             : make_expression(BinaryOperation{BinaryOperator::logical_and, all, one},
                                               ScalarKind::boolean, all->span);
    }

    /// `plain`, and n is where the steps begin.
    [[nodiscard]] ExpressionRef with_start(const ExpressionRef& plain) const {
        using enum BinaryOperator;
        const auto compared = [&](BinaryOperator op, const ExpressionRef& left) {
            return make_expression(BinaryOperation{op, left, counted(0)}, ScalarKind::boolean, loop_.span);
        };
        const ExpressionRef behind = arithmetic(subtract, index(), counted(from_.value_or(0) % period_));
        ExpressionRef all = from_ ? nullptr : compared(greater_equal, index());
        join(all, compared(equal, arithmetic(modulo, behind, counted(period_))));
        if (plain != nullptr) join(all, plain);
        return all;
    }

    /// Where the other conditions come round as well, whether they ever are as plain steps have them.
    [[nodiscard]] Verdict possible() const {
        std::vector<const Asked*> known;
        long long all = period_;
        for (const Asked& asked : asked_) {
            const auto period = period_of(*asked.condition, loop_.loop);
            if (!period || std::lcm(all, *period) > longest_period) continue;
            all = std::lcm(all, *period);
            known.push_back(&asked);
        }
        const long long first = from_.value_or(0) % period_;
        for (long long n = first; n < first + all; n += period_)
            if (std::all_of(known.begin(), known.end(),
                            [&](const Asked* a) { return holds(a->condition, loop_.loop, n + a->step) == a->holds; }))
                return Verdict::yes("some steps are alike");
        return Verdict::no(fmt::format("some of any {} steps in a row have more to do", together_));
    }
};

}  // namespace

const LoopStatement* conditional_in(const Statement& statement) {
    const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&statement);
    if (loop == nullptr || (*loop)->going || whole_number_of((*loop)->from) != 0) return nullptr;
    const auto* choice = std::get_if<Conditional>(&(*loop)->to->node);
    if (choice == nullptr) return nullptr;
    const auto then = whole_number_of(choice->then), otherwise = whole_number_of(choice->otherwise);
    const bool once = (then == 1 && otherwise == 0) || (then == 0 && otherwise == 1);
    return once ? loop->get() : nullptr;
}

ExpressionRef condition_of(const LoopStatement& conditional) {
    const auto& choice = std::get<Conditional>(conditional.to->node);
    return whole_number_of(choice.then) == 1 ? choice.condition : negated(choice.condition);
}

SettledSteps settled_steps(const LoopStatement& loop, long long together, bool within) {
    return Settling(loop, together, within).run();
}

}  // namespace kasc::rewriting
