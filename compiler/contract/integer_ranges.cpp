// A position has its axis' cells, and hands them down to what it is made of, until an integer field has them:
//
//     T[x = 2*px + 1], 100 cells      2*px + 1 in 0 … 99, 2*px in -1 … 98, px in 0 … 49
//     T[y = at/40], 30 cells          at/40 in 0 … 29, at in 0 … 1199
//
// A field that the program computes hands its range on to what it is assigned, until nothing changes. Where no range is
// known, what integers are compared with and divided by tells how many differ:
//
//     count = sum(label == k ? 1 : 0, x)      as many as k has cells
//     T[x = code % extent(x)]                 as many as x has

#include "contract/integer_ranges.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "frontend/evaluate.hpp"
#include "frontend/expression_parts.hpp"

namespace kasc {

namespace {

/// Far beyond all extents, and so small that sums and differences of such numbers are exact.
constexpr long long unbounded = 1LL << 40;
/// Labels, counts, codes of which nothing is known: few differ, and sums of them are far from 32 bits.
constexpr long long few = 16;

long long times(long long a, long long b) {
    return std::abs(a) < unbounded / b ? a * b : a < 0 ? -unbounded : unbounded;
}
long long divided_down(long long a, long long b) { return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0); }
long long divided_up(long long a, long long b) { return -divided_down(-a, b); }

IntegerRange common(const IntegerRange& a, const IntegerRange& b) {
    return {std::max(a.low, b.low), std::min(a.high, b.high)};
}

class RangeFinder {
public:
    RangeFinder(const Program& program, const std::vector<double>& parameters, const std::vector<long long>& extents)
        : program_(program), parameters_(parameters), extents_(extents) {
        for (const Requirement& r : program.requirements) require(*r.condition, r.operands);
        walk(program.statements, [&](const FieldStatement& s) {
            note_positions(s);
            note_counts(*s.value, s.operands);
        });
        // Ranges only become narrower; a chain of copies is as long as there are fields.
        for (std::size_t i = 0; i < program.variables.size() && changed_; ++i) {
            changed_ = false;
            walk(program.statements, [&](const FieldStatement& s) { hand_on(s); });
        }
    }

    [[nodiscard]] IntegerRange of(VariableId input) const {
        const auto known = ranges_.find(input);
        IntegerRange range = known == ranges_.end() ? IntegerRange{-unbounded, unbounded} : known->second;
        if (range.is_empty()) return range;
        if (range.low == -unbounded) range.low = std::min(0LL, range.high);
        if (range.high == unbounded) {
            range.low = std::max(range.low, 0LL);
            const auto differ = counts_.find(input);
            range.high = range.low + (differ == counts_.end() ? few : differ->second) - 1;
        }
        if (field_shape(program_, input).type == CellType::uint8) range = common(range, {0, 255});
        return range;
    }

private:
    template <class Visit>
    static void walk(const std::vector<Statement>& statements, const Visit& visit) {
        for (const Statement& statement : statements) {
            if (const auto* field = std::get_if<FieldStatement>(&statement)) visit(*field);
            if (const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&statement))
                walk((*loop)->body, visit);
        }
    }

    /// Also of reads that a condition may guard: where they are made, the position is meant to lie on the grid.
    void note_positions(const FieldStatement& statement) {
        const auto note = [&](VariableId variable, const std::vector<AxisIndex>& indices, bool assigned) {
            const FieldShape& shape = field_shape(program_, variable);
            for (std::size_t k = 0; k < indices.size(); ++k) {
                const auto* at = std::get_if<Computed>(&indices[k]);
                if (!at) continue;
                const int low = assigned ? shape.faces[k].low.layers : 0;
                const int high = assigned ? shape.faces[k].high.layers : 0;
                narrow(*at->position, {low, extents_.at(shape.axes[k].index) - 1 - high}, statement.operands);
            }
        };
        note(statement.target, statement.target_indices, true);
        for (const Operand& operand : statement.operands) note(operand.variable, operand.indices, false);
    }

    void note_counts(const Expression& value, const std::vector<Operand>& operands) {
        const auto note = [&](const Expression& of, long long count) {
            for_each_part(of, [&](const Expression& part) {
                const auto* use = std::get_if<OperandUse>(&part.node);
                if (!use || count < 1) return;
                long long& known = counts_[operands[use->operand].variable];
                known = std::max(known, count);
            });
        };
        const auto note_part = [&](const Expression& part) {
            const auto* b = std::get_if<BinaryOperation>(&part.node);
            if (!b) return;
            const auto* right = std::get_if<CoordinateUse>(&b->right->node);
            const auto* left = std::get_if<CoordinateUse>(&b->left->node);
            if (b->op == BinaryOperator::modulo) note(*b->left, number(*b->right).value_or(0));
            if (b->op == BinaryOperator::equal && right) note(*b->left, extents_.at(right->axis.index));
            if (b->op == BinaryOperator::equal && left) note(*b->right, extents_.at(left->axis.index));
        };
        for_each_part(value, note_part);
        for (const Operand& operand : operands) {
            for (const AxisIndex& index : operand.indices) {
                if (const auto* at = std::get_if<Computed>(&index)) for_each_part(*at->position, note_part);
            }
        }
    }

    void hand_on(const FieldStatement& statement) {
        const auto known = ranges_.find(statement.target);
        if (known == ranges_.end() || known->second.is_empty() || statement.fold || statement.running) return;
        const std::map<VariableId, IntegerRange> before = ranges_;
        narrow(*statement.value, IntegerRange(known->second), statement.operands);
        // What a computed field is made of need not lie on the grid itself.
        for (auto& [variable, range] : ranges_) {
            if (!range.is_empty()) continue;
            const auto former = before.find(variable);
            range = former == before.end() ? IntegerRange{-unbounded, unbounded} : former->second;
        }
    }

    void require(const Expression& condition, const std::vector<Operand>& operands) {
        const auto* b = std::get_if<BinaryOperation>(&condition.node);
        if (!b) return;
        if (b->op == BinaryOperator::logical_and) {
            require(*b->left, operands);
            require(*b->right, operands);
            return;
        }
        if (const auto right = number(*b->right)) compare(*b->left, b->op, *right, operands);
        if (const auto left = number(*b->left)) compare(*b->right, turned(b->op), *left, operands);
    }
    void compare(const Expression& e, BinaryOperator op, long long n, const std::vector<Operand>& operands) {
        if (op == BinaryOperator::less) narrow(e, {-unbounded, n - 1}, operands);
        if (op == BinaryOperator::less_equal) narrow(e, {-unbounded, n}, operands);
        if (op == BinaryOperator::greater) narrow(e, {n + 1, unbounded}, operands);
        if (op == BinaryOperator::greater_equal) narrow(e, {n, unbounded}, operands);
        if (op == BinaryOperator::equal) narrow(e, {n, n}, operands);
    }

    /// What is the same for all cells and all iterations.
    [[nodiscard]] std::optional<long long> number(const Expression& e) const {
        if (e.kind != ScalarKind::integer || !is_uniform(e) || uses_loop(e)) return std::nullopt;
        const double value = evaluate_integer(e, program_, parameters_, {}, extents_);
        if (!(std::abs(value) < static_cast<double>(unbounded))) return std::nullopt;
        return static_cast<long long>(value);
    }

    /// e lies in the range: what it is made of does so as well, as far as one number of it decides that.
    void narrow(const Expression& e, IntegerRange range, const std::vector<Operand>& operands) {
        range = common(range, {-unbounded, unbounded});
        if (const auto* use = std::get_if<OperandUse>(&e.node)) return restrict(operands[use->operand], range);
        if (const auto* c = std::get_if<Conditional>(&e.node)) {
            narrow(*c->then, range, operands);
            narrow(*c->otherwise, range, operands);
        }
        if (const auto* u = std::get_if<UnaryOperation>(&e.node); u && u->op == UnaryOperator::negate)
            narrow(*u->operand, {-range.high, -range.low}, operands);
        // Where a position is cut to the grid, most of them lie on it.
        const auto* call = std::get_if<IntrinsicCall>(&e.node);
        if (call && (call->intrinsic == Intrinsic::minimum || call->intrinsic == Intrinsic::maximum)) {
            for (const ExpressionRef& part : call->arguments) narrow(*part, range, operands);
        }
        const auto* b = std::get_if<BinaryOperation>(&e.node);
        if (!b) return;
        const auto left = number(*b->left), right = number(*b->right);
        const Expression& other = left ? *b->right : *b->left;
        if (left.has_value() == right.has_value()) return;
        const long long n = left ? *left : *right;
        if (b->op == BinaryOperator::add) narrow(other, {range.low - n, range.high - n}, operands);
        if (b->op == BinaryOperator::subtract && right) narrow(other, {range.low + n, range.high + n}, operands);
        if (b->op == BinaryOperator::subtract && left) narrow(other, {n - range.high, n - range.low}, operands);
        if (b->op == BinaryOperator::multiply && n > 0)
            narrow(other, {divided_up(range.low, n), divided_down(range.high, n)}, operands);
        if (b->op == BinaryOperator::multiply && n < 0)
            narrow(other, {divided_up(range.high, n), divided_down(range.low, n)}, operands);
        // Towards zero: of a range below it a part is left out.
        if (b->op == BinaryOperator::divide && right && n > 0)
            narrow(other, {times(range.low, n), times(range.high, n) + (range.high < 0 ? 0 : n - 1)}, operands);
    }

    void restrict(const Operand& operand, const IntegerRange& range) {
        if (!is_integer(field_shape(program_, operand.variable).type)) return;
        const auto [at, added] = ranges_.try_emplace(operand.variable, range);
        const IntegerRange narrower = common(at->second, range);
        changed_ = changed_ || added || narrower.low != at->second.low || narrower.high != at->second.high;
        at->second = narrower;
    }

    const Program& program_;
    const std::vector<double>& parameters_;
    const std::vector<long long>& extents_;
    std::map<VariableId, IntegerRange> ranges_;  ///< of fields of which anything is known
    std::map<VariableId, long long> counts_;     ///< how many numbers differ, where something tells that
    bool changed_ = false;
};

}  // namespace

std::vector<IntegerRange> integer_ranges(const Program& program, const std::vector<double>& parameters,
                                         const std::vector<long long>& extents) {
    const RangeFinder finder(program, parameters, extents);
    std::vector<IntegerRange> ranges;
    for (const VariableId input : program.inputs) ranges.push_back(finder.of(input));
    return ranges;
}

}  // namespace kasc
