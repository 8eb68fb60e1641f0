// A fold of n cells has n lanes of one cell, or as many as the statement has of some each: what a lane begins with is
// nothing, then its cells one after the other, then lanes by halves.
//
//   9 cells, 8 lanes     ((((0 + v0) + v8) + v4) + (v2 + v6)) + ((v1 + v5) + (v3 + v7))
//
// Only the first lane of a sum begins with 0, which makes one of -0: so does a sum in which any other number stands.
// Sums and products are one expression, of double as their accumulators are; minima and maxima choose between two
// values, and have a field for each step.

#include "rewrite/word_folds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "frontend/make_expression.hpp"
#include "frontend/reduction.hpp"
#include "rewrite/known_values.hpp"
#include "rewrite/statements.hpp"
#include "rewrite/words_of_statement.hpp"

namespace kasc::rewriting {

namespace {

class FoldOfWords : WordsOfStatement {
public:
    FoldOfWords(Program& program, const WordFields& fields, const FieldStatement& from, std::vector<Statement>& made,
                std::string& fault)
        : WordsOfStatement(program, fields, from, made, fault), fold_(*from.fold) {}

    void run() {
        WordAxes along{fold_.axes, {}};
        for (const AxisId axis : fold_.axes) along.lengths.push_back(*fields_.cells_of(axis));
        const auto at = [&](long long k) {
            Coordinates cell = along.at(k);
            if (fold_.parts) cell[*fold_.parts] = 0;
            return cell;
        };
        result_ = fields_.placed(from_, at(0), fault_);
        result_.fold.reset();
        if (!fold_.parts && along.cells() == 1) return finish(result_);  // of the one part that there is
        if (!fold_.parts) return refuse("its cells are folded at once");
        type_ = field_shape(program_, from_.target).type;
        for (long long k = 0; k < along.cells(); ++k) {
            FieldStatement value = fields_.placed(from_, at(k), fault_);
            value.fold.reset();
            if (in_chain()) value.value = rounded_as(from_.value, value.value);
            values_.push_back(std::move(value));
        }
        if (!fault_.empty()) return;
        if (!rounds(fold_.op)) return choose();
        sum_up();
    }

private:
    const Fold& fold_;
    std::vector<FieldStatement> values_;

    /// A chain is in the precision of its cells, and a product that is added to it is not rounded by itself: it stands
    /// in one expression with the sum.
    [[nodiscard]] bool in_chain() const { return fold_.chained && fold_.op == FoldOperator::sum && is_real(); }

    /// Nothing is rounded, wherever it stands.
    [[nodiscard]] bool sums_integers(const FieldStatement& value) const {
        return fold_.op == FoldOperator::sum && type_ == CellType::int32 && value.value->kind == ScalarKind::integer &&
               !computes_long(program_, value);
    }

    /// The value among the operands of the result; computed by itself first, in its own precision, where it is more
    /// than a word.
    ExpressionRef operand(FieldStatement value, std::vector<Operand>& operands) {
        if (const auto known = known_value(*value.value, value.precision))
            return number(*known, value.value->kind, from_.span);
        if (!is_word(value) && !in_chain() && !sums_integers(value)) return own_field(std::move(value), operands);
        return behind_others(value, operands);
    }
    ExpressionRef own_field(FieldStatement value, std::vector<Operand>& operands) {
        const bool dual = value.precision == Precision::dual;
        const CellType type = value.value->kind != ScalarKind::integer ? (dual ? CellType::float64 : CellType::float32)
                              : computes_long(program_, value)         ? CellType::int64
                                                                       : CellType::int32;
        return read(add_field(std::move(value), type), operands);
    }

    void sum_up() {
        const BinaryOperator op = fold_.op == FoldOperator::sum ? BinaryOperator::add : BinaryOperator::multiply;
        if (!is_real() && op == BinaryOperator::multiply) return refuse("products of integers go round");
        FieldStatement sum = result_;
        sum.operands.clear();
        std::vector<ExpressionRef> lanes(lanes_in_use());
        if (is_real() && op == BinaryOperator::add)
            lanes.front() = make_expression(Literal{0}, ScalarKind::real, from_.span);
        for (std::size_t k = 0; k < values_.size(); ++k) {
            ExpressionRef& lane = lanes[k % lanes.size()];
            const ExpressionRef value = operand(std::move(values_[k]), sum.operands);
            lane = lane ? joined(op, lane, value, kind()) : value;
        }
        join_halves(lanes, [&](const ExpressionRef& a, const ExpressionRef& b) { return joined(op, a, b, kind()); });
        sum.value = lanes.front();
        if (!in_chain()) sum.precision = precision();
        finish(std::move(sum));
    }
    [[nodiscard]] std::size_t lanes_in_use() const {
        return fold_.chained ? 1 : std::min(static_cast<std::size_t>(fold_.lanes), values_.size());
    }
    template <class Value, class Join>
    void join_halves(std::vector<Value>& lanes, const Join& join) const {
        for (std::size_t half = static_cast<std::size_t>(fold_.lanes) / 2; half > 0; half /= 2)
            for (std::size_t k = 0; k + half < lanes.size() && k < half; ++k)
                lanes[k] = join(lanes[k], lanes[k + half]);
    }

    /// The second of two values where it is beyond the first, or the first is none: as lanes are joined. What a cell
    /// computes has a field, and so has each choice; a word is read where it is compared.
    void choose() {
        std::vector<FieldStatement> lanes;
        const std::size_t count = lanes_in_use();
        for (std::size_t k = 0; k < values_.size(); ++k) {
            FieldStatement value = is_taken_as_it_is(values_[k]) ? std::move(values_[k])
                                                                 : word_of(add_field(std::move(values_[k]), type_));
            if (k < count)
                lanes.push_back(std::move(value));
            else
                lanes[k % count] = chosen(fold_.op, lanes[k % count], value);
        }
        join_halves(lanes, [&](const FieldStatement& a, const FieldStatement& b) { return chosen(fold_.op, a, b); });
        result_.operands.clear();
        result_.value = behind_others(lanes.front(), result_.operands);
        result_.precision = precision();
        finish(std::move(result_));
    }
};

}  // namespace

void add_fold_of_words(Program& program, const WordFields& fields, const FieldStatement& statement,
                       std::vector<Statement>& made, std::string& fault) {
    FoldOfWords(program, fields, statement, made, fault).run();
}

}  // namespace kasc::rewriting
