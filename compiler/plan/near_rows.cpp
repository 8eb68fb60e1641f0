// A condition that is not met says what n can be, and which rows moved onto the series are its first or its last:
//
//   n > 0 ? n - 1 : 0                           otherwise n <= 0: row 0 is row n, row n - 1, …, so all are row n - 1
//   n < extent(t) - 2 ? n + 2 : extent(t) - 1   otherwise n + 2 >= extent(t): the last row is row n + 1, row n + 2, …
//   n > 2 ? n - 1 : 0                           otherwise n <= 2: row 0 is row n - 2 at the nearest: -2 .. -1
#include "plan/near_rows.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace kasc {

namespace {

constexpr double farthest_distance = 1e9;  // of whole numbers that an int holds

/// n + cells, or cells alone, or extent + cells.
struct Sum {
    std::optional<LoopId> loop;
    bool extent = false;
    double cells = 0;
};

/// n <= most; n + to_end >= extent.
struct Known {
    std::optional<LoopId> loop;
    std::optional<double> most, to_end;
};

/// An end of the series is any row that is moved onto it: at its distance, or farther out.
enum class End { none, first, last };
struct Distances {
    NearRows rows;
    End end = End::none;
};

class Rows {
public:
    explicit Rows(AxisId axis) : axis_(axis) {}

    [[nodiscard]] std::optional<Distances> of(const Expression& e, const Known& known) const {
        if (const auto* c = std::get_if<Conditional>(&e.node)) {
            const auto then = of(*c->then, told(*c->condition, true, known));
            const auto otherwise = of(*c->otherwise, told(*c->condition, false, known));
            if (!then || !otherwise || then->rows.loop != otherwise->rows.loop) return std::nullopt;
            return either(*then, *otherwise);
        }
        const auto row = sum(e);
        if (!row) return std::nullopt;
        if (row->loop) return at(*row->loop, row->cells, End::none);
        if (!known.loop) return std::nullopt;
        if (!row->extent && row->cells == 0 && known.most) return at(*known.loop, -*known.most, End::first);
        if (row->extent && row->cells == -1 && known.to_end) return at(*known.loop, *known.to_end - 1, End::last);
        return std::nullopt;
    }

private:
    AxisId axis_;

    static std::optional<Distances> at(LoopId loop, double distance, End end) {
        if (std::abs(distance) > farthest_distance) return std::nullopt;
        const int whole = static_cast<int>(distance);
        return Distances{{loop, whole, whole, end == End::last}, end};
    }
    /// The fewest rows that serve both.
    static Distances either(const Distances& a, const Distances& b) {
        if (a.end != End::none && b.end == End::none) return either(b, a);
        if (a.end == End::first && b.end == End::first) return a.rows.low < b.rows.low ? a : b;
        if (a.end == End::last && b.end == End::last) return a.rows.high > b.rows.high ? a : b;
        // An end goes as far out as the other's rows, if those go farther than itself.
        NearRows end = b.rows;
        if (b.end == End::first) end.low = end.high = std::min(end.low, a.rows.low);
        if (b.end == End::last) end.low = end.high = std::max(end.high, a.rows.high);
        return {{end.loop, std::min(a.rows.low, end.low), std::max(a.rows.high, end.high),
                 a.rows.to_last || b.rows.to_last},
                End::none};
    }

    [[nodiscard]] std::optional<Sum> sum(const Expression& e) const {
        if (const auto* l = std::get_if<Literal>(&e.node)) return Sum{std::nullopt, false, l->value};
        if (const auto* n = std::get_if<LoopIndexUse>(&e.node)) return Sum{n->loop, false, 0};
        if (const auto* x = std::get_if<ExtentUse>(&e.node))
            return x->axis == axis_ ? std::optional(Sum{std::nullopt, true, 0}) : std::nullopt;
        const auto* b = std::get_if<BinaryOperation>(&e.node);
        if (b == nullptr || (b->op != BinaryOperator::add && b->op != BinaryOperator::subtract)) return std::nullopt;
        const auto left = sum(*b->left), right = sum(*b->right);
        if (!left || !right || right->loop || right->extent) return std::nullopt;
        return Sum{left->loop, left->extent, left->cells + (b->op == BinaryOperator::add ? 1 : -1) * right->cells};
    }

    /// What is known where the condition holds, or does not; what it says nothing of stays.
    [[nodiscard]] Known told(const Expression& condition, bool holds, Known known) const {
        const auto* b = std::get_if<BinaryOperation>(&condition.node);
        if (b == nullptr) return known;
        auto left = sum(*b->left), right = sum(*b->right);
        if (!left || !right) return known;
        BinaryOperator op = holds ? b->op : opposite(b->op);
        if (!left->loop) {
            std::swap(left, right);
            op = turned(op);
        }
        if (!left->loop || right->loop) return known;
        if (known.loop != left->loop) known = {left->loop, std::nullopt, std::nullopt};
        const bool equal = op == BinaryOperator::equal;
        const double n_at = right->cells - left->cells;  // n is below it, at it or above it, or below extent + it …
        if (!right->extent && (op == BinaryOperator::less || op == BinaryOperator::less_equal || equal))
            known.most = op == BinaryOperator::less ? n_at - 1 : n_at;
        if (right->extent && (op == BinaryOperator::greater || op == BinaryOperator::greater_equal || equal))
            known.to_end = op == BinaryOperator::greater ? -n_at - 1 : -n_at;
        return known;
    }

    static BinaryOperator opposite(BinaryOperator op) {
        switch (op) {
            case BinaryOperator::less:
                return BinaryOperator::greater_equal;
            case BinaryOperator::less_equal:
                return BinaryOperator::greater;
            case BinaryOperator::greater:
                return BinaryOperator::less_equal;
            case BinaryOperator::greater_equal:
                return BinaryOperator::less;
            case BinaryOperator::equal:
                return BinaryOperator::not_equal;
            case BinaryOperator::not_equal:
                return BinaryOperator::equal;
            default:
                return BinaryOperator::add;  // no comparison: it says nothing
        }
    }
};

}  // namespace

std::optional<NearRows> near_rows(const Expression& position, AxisId axis) {
    const auto found = Rows(axis).of(position, {});
    return found ? std::optional(found->rows) : std::nullopt;
}

}  // namespace kasc
