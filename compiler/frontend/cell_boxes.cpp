#include "frontend/cell_boxes.hpp"

#include <algorithm>
#include <optional>

#include "frontend/expression_parts.hpp"
#include "frontend/make_expression.hpp"
#include "frontend/same_expression.hpp"

namespace kasc {

namespace {

/// A condition of many `||` within `&&` is taken for one that may hold everywhere.
constexpr std::size_t most_boxes = 16;

bool compares(BinaryOperator op) {
    return turned(op) != op || op == BinaryOperator::equal || op == BinaryOperator::not_equal;
}

std::optional<CoordinateBound> bound_of(const BinaryOperation& comparison) {
    if (!compares(comparison.op)) return std::nullopt;
    const auto of = [](const ExpressionRef& side, const ExpressionRef& other,
                       BinaryOperator op) -> std::optional<CoordinateBound> {
        const auto* use = std::get_if<CoordinateUse>(&side->node);
        if (use == nullptr || other->kind != ScalarKind::integer || !is_uniform(*other)) return std::nullopt;
        return CoordinateBound{use->axis, op, other};
    };
    if (auto bound = of(comparison.left, comparison.right, comparison.op)) return bound;
    return of(comparison.right, comparison.left, turned(comparison.op));
}

/// A whole number beside what stands with it: k - 1 is k and -1.
struct Shifted {
    ExpressionRef from;  ///< null: the number alone
    long long by = 0;
};

Shifted shifted(const ExpressionRef& e) {
    if (const auto number = written_integer(*e)) return {nullptr, *number};
    const auto* sum = std::get_if<BinaryOperation>(&e->node);
    if (sum == nullptr || (sum->op != BinaryOperator::add && sum->op != BinaryOperator::subtract)) return {e, 0};
    const int sign = sum->op == BinaryOperator::add ? 1 : -1;
    if (const auto number = written_integer(*sum->right)) {
        Shifted left = shifted(sum->left);
        left.by += sign * *number;
        return left;
    }
    if (const auto number = written_integer(*sum->left); number && sign > 0) {
        Shifted right = shifted(sum->right);
        right.by += *number;
        return right;
    }
    return {e, 0};
}

/// first - second, where both are the same but for a number.
std::optional<long long> difference(const ExpressionRef& first, const ExpressionRef& second) {
    const Shifted a = shifted(first), b = shifted(second);
    if (!same_expression(a.from, b.from)) return std::nullopt;
    return a.by - b.by;
}

/// The larger or the smaller one; which of them, where they are the same but for a number.
ExpressionRef farther(Intrinsic which, const ExpressionRef& a, const ExpressionRef& b) {
    if (const auto beyond = difference(a, b)) return (*beyond > 0) == (which == Intrinsic::maximum) ? a : b;
    return make_integer(IntrinsicCall{which, {a, b}}, a->span);
}

ExpressionRef behind(const ExpressionRef& e) {
    return make_integer(BinaryOperation{BinaryOperator::add, e, make_integer(Literal{1}, e->span)}, e->span);
}

CellRange range_of(const CellBox& box, AxisId axis) {
    CellRange range;
    const auto from = [&](const ExpressionRef& low) {
        range.low = range.low ? farther(Intrinsic::maximum, range.low, low) : low;
    };
    const auto before = [&](const ExpressionRef& high) {
        range.high = range.high ? farther(Intrinsic::minimum, range.high, high) : high;
    };
    for (const CoordinateBound& b : box) {
        if (b.axis != axis || b.op == BinaryOperator::not_equal) continue;
        if (b.op == BinaryOperator::greater) from(behind(b.bound));
        if (b.op == BinaryOperator::greater_equal || b.op == BinaryOperator::equal) from(b.bound);
        if (b.op == BinaryOperator::less) before(b.bound);
        if (b.op == BinaryOperator::less_equal || b.op == BinaryOperator::equal) before(behind(b.bound));
    }
    return range;
}

}  // namespace

CellRange range_of(const std::vector<CellBox>& boxes, AxisId axis) {
    CellRange around = range_of(boxes.front(), axis);
    for (const CellBox& box : boxes) {
        const CellRange range = range_of(box, axis);
        around.low = around.low && range.low ? farther(Intrinsic::minimum, around.low, range.low) : nullptr;
        around.high = around.high && range.high ? farther(Intrinsic::maximum, around.high, range.high) : nullptr;
    }
    return around;
}

std::vector<CellBox> boxes_of(const ExpressionRef& condition) {
    const std::vector<CellBox> everywhere{CellBox{}};
    const auto* both = std::get_if<BinaryOperation>(&condition->node);
    if (both == nullptr) return everywhere;
    if (both->op == BinaryOperator::logical_or) {
        std::vector<CellBox> all = boxes_of(both->left);
        const std::vector<CellBox> others = boxes_of(both->right);
        all.insert(all.end(), others.begin(), others.end());
        return all.size() <= most_boxes ? all : everywhere;
    }
    if (both->op == BinaryOperator::logical_and) {
        const std::vector<CellBox> left = boxes_of(both->left), right = boxes_of(both->right);
        if (left.size() * right.size() > most_boxes) return everywhere;
        std::vector<CellBox> all;
        for (const CellBox& a : left) {
            for (const CellBox& b : right) {
                all.push_back(a);
                all.back().insert(all.back().end(), b.begin(), b.end());
            }
        }
        return all;
    }
    if (const auto bound = bound_of(*both)) return {CellBox{*bound}};
    return everywhere;
}

bool leaves_out(const CellBox& box, AxisId axis, const ExpressionRef& position) {
    return std::any_of(box.begin(), box.end(), [&](const CoordinateBound& b) {
        if (b.axis != axis) return false;
        const auto beyond = difference(position, b.bound);
        if (!beyond) return false;
        switch (b.op) {
            case BinaryOperator::less:
                return *beyond >= 0;
            case BinaryOperator::less_equal:
                return *beyond > 0;
            case BinaryOperator::greater:
                return *beyond <= 0;
            case BinaryOperator::greater_equal:
                return *beyond < 0;
            case BinaryOperator::equal:
                return *beyond != 0;
            case BinaryOperator::not_equal:
                return *beyond == 0;
            default:
                return false;
        }
    });
}

}  // namespace kasc
