#include "schedule/field/settled.hpp"

#include <algorithm>
#include <unordered_set>

#include "frontend/expression_parts.hpp"

namespace kasc {

namespace {

/// A number, or a coordinate or an extent and a number.
struct Place {
    std::optional<AxisId> coordinate, extent;
    long long cells = 0;
};

std::optional<Place> place_of(const Expression& e) {
    if (e.kind != ScalarKind::integer) return std::nullopt;
    if (const auto number = written_integer(e)) return Place{{}, {}, *number};
    if (const auto* use = std::get_if<CoordinateUse>(&e.node)) return Place{use->axis, {}, 0};
    if (const auto* use = std::get_if<ExtentUse>(&e.node)) return Place{{}, use->axis, 0};
    const auto* b = std::get_if<BinaryOperation>(&e.node);
    if (!b || (b->op != BinaryOperator::add && b->op != BinaryOperator::subtract)) return std::nullopt;
    auto left = place_of(*b->left);
    const auto right = place_of(*b->right);
    if (!left || !right || right->coordinate || right->extent) return std::nullopt;
    left->cells += b->op == BinaryOperator::add ? right->cells : -right->cells;
    return left;
}

/// What is known of cells this far from both ends is all that is ever known of a condition.
std::optional<Standing> far_inside(AxisId) {
    constexpr int cells = 1 << 29;
    return Standing{cells, cells};
}

/// Follows a statement's parts, and of conditionals that are known the branch that is taken alone. Trees may share
/// parts: each is followed once.
template <class Known>
class Needs {
public:
    /// `known`: of a conditional what its condition is, if that is known.
    Needs(const FieldStatement& statement, const Known& known)
        : statement_(statement), known_(known), needed_(statement.operands.size(), false) {}

    std::vector<bool> run() {
        part(*statement_.value);
        if (statement_.where) part(*statement_.where);
        positions(statement_.target_indices);
        return std::move(needed_);
    }

private:
    const FieldStatement& statement_;
    const Known& known_;
    std::vector<bool> needed_;
    std::unordered_set<const Expression*> seen_;

    void positions(const std::vector<AxisIndex>& indices) {
        for (const AxisIndex& index : indices)
            if (const auto* computed = std::get_if<Computed>(&index)) part(*computed->position);
    }
    void part(const Expression& e) {
        if (!seen_.insert(&e).second) return;
        if (const auto* choice = std::get_if<Conditional>(&e.node)) {
            const std::optional<bool> which = known_(*choice->condition);
            if (which) return part(*which ? *choice->then : *choice->otherwise);
        }
        if (const auto* use = std::get_if<OperandUse>(&e.node); use && !needed_[use->operand]) {
            needed_[use->operand] = true;
            positions(statement_.operands[use->operand].indices);
        }
        for_each_operand_part(e, [&](const Expression& within) { part(within); });
    }
};

}  // namespace

std::optional<bool> settled(const Expression& condition, const StandingAlong& standing) {
    const auto* b = std::get_if<BinaryOperation>(&condition.node);
    if (!b) return std::nullopt;
    if (b->op == BinaryOperator::logical_and) {
        const auto left = settled(*b->left, standing), right = settled(*b->right, standing);
        if ((left && !*left) || (right && !*right)) return false;
        return left && right ? std::optional(true) : std::nullopt;
    }
    const bool less = b->op == BinaryOperator::less;
    if (!less && b->op != BinaryOperator::greater_equal) return std::nullopt;
    const auto at = place_of(*b->left), bound = place_of(*b->right);
    if (!at || !bound || !at->coordinate || bound->coordinate) return std::nullopt;
    const auto place = standing(*at->coordinate);
    if (!place) return std::nullopt;
    if (!bound->extent) return place->low + at->cells >= bound->cells ? std::optional(!less) : std::nullopt;
    if (*bound->extent != *at->coordinate) return std::nullopt;
    return at->cells - place->high - 1 < bound->cells ? std::optional(less) : std::nullopt;
}

ExpressionRef only_branch(const Expression& e, const StandingAlong& standing) {
    const auto* choice = std::get_if<Conditional>(&e.node);
    const auto which = choice ? settled(*choice->condition, standing) : std::nullopt;
    return !which ? nullptr : *which ? choice->then : choice->otherwise;
}

bool may_be_settled(const FieldStatement& statement) {
    // Places and sums of those that add have operands of their own.
    return !statement.adding && statement.value->facts.chooses && any_part(*statement.value, [&](const Expression& e) {
        const auto* choice = std::get_if<Conditional>(&e.node);
        return choice != nullptr && settled(*choice->condition, far_inside).has_value();
    });
}

NeededOperands::NeededOperands(const FieldStatement& statement) : statement_(&statement) {
    if (!may_be_settled(statement)) return;
    const auto collect = [&](const Expression& condition) -> std::optional<bool> {
        const bool is_new = std::find(conditions_.begin(), conditions_.end(), &condition) == conditions_.end();
        if (is_new && settled(condition, far_inside)) conditions_.push_back(&condition);
        return std::nullopt;
    };
    (void)Needs(statement, collect).run();
}

const std::vector<bool>& NeededOperands::at(const StandingAlong& standing) {
    std::vector<std::int8_t> there;
    for (const Expression* condition : conditions_) {
        const auto which = settled(*condition, standing);
        there.push_back(which ? static_cast<std::int8_t>(*which) : std::int8_t{-1});
    }
    const auto put = known_.try_emplace(std::move(there));
    const auto entry = put.first;
    if (!put.second) return entry->second;
    const auto known = [&](const Expression& condition) -> std::optional<bool> {
        const auto found = std::find(conditions_.begin(), conditions_.end(), &condition);
        const auto k = static_cast<std::size_t>(found - conditions_.begin());
        if (found == conditions_.end() || entry->first[k] < 0) return std::nullopt;
        return entry->first[k] != 0;
    };
    entry->second = Needs(*statement_, known).run();
    return entry->second;
}

}  // namespace kasc
