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
#include "frontend/new_field.hpp"
#include "frontend/reduction.hpp"
#include "frontend/rewrite_expression.hpp"
#include "graph/field_target.hpp"
#include "rewrite/known_values.hpp"
#include "rewrite/statements.hpp"

namespace kasc::rewriting {

namespace {

class FoldOfWords {
public:
    FoldOfWords(Program& program, const WordFields& fields, const FieldStatement& from, std::vector<Statement>& made,
                std::string& fault)
        : program_(program), fields_(fields), from_(from), fold_(*from.fold), made_(made), fault_(fault) {}

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
            values_.push_back(std::move(value));
        }
        if (!fault_.empty()) return;
        if (!rounds(fold_.op)) return choose();
        sum_up();
    }

private:
    Program& program_;
    const WordFields& fields_;
    const FieldStatement& from_;
    const Fold& fold_;
    std::vector<Statement>& made_;
    std::string& fault_;
    FieldStatement result_;  ///< what the fold's statement becomes
    CellType type_ = CellType::float32;
    std::vector<FieldStatement> values_;

    void refuse(std::string why) {
        if (fault_.empty()) fault_ = std::move(why);
    }
    void finish(FieldStatement statement) {
        statement.span = from_.span;
        made_.emplace_back(with_equal_operands_once(statement));
    }
    [[nodiscard]] bool is_real() const { return !is_integer(type_); }
    [[nodiscard]] ScalarKind kind() const { return scalar_kind(type_); }
    [[nodiscard]] Precision precision() const { return is_dual(type_) ? Precision::dual : Precision::single; }

    /// A chain is in the precision of its cells, and a product that is added to it is not rounded by itself: it stands
    /// in one expression with the sum.
    [[nodiscard]] bool in_chain() const { return fold_.chained && fold_.op == FoldOperator::sum && is_real(); }

    [[nodiscard]] static bool is_word(const FieldStatement& value) {
        return std::holds_alternative<OperandUse>(value.value->node);
    }
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
    /// The value, whose operands come behind these.
    static ExpressionRef behind_others(const FieldStatement& value, std::vector<Operand>& operands) {
        const std::size_t first = operands.size();
        for (Operand read : value.operands) {
            // Positions count the operands before them.
            for (AxisIndex& index : read.indices)
                if (auto* computed = std::get_if<Computed>(&index))
                    computed->position = behind(computed->position, first);
            operands.push_back(std::move(read));
        }
        return behind(value.value, first);
    }
    static ExpressionRef behind(const ExpressionRef& e, std::size_t first) {
        return with_leaves(e, [&](const ExpressionRef& leaf) -> ExpressionRef {
            const auto* use = std::get_if<OperandUse>(&leaf->node);
            return use == nullptr ? leaf : make_expression(OperandUse{first + use->operand}, leaf->kind, leaf->span);
        });
    }
    ExpressionRef own_field(FieldStatement value, std::vector<Operand>& operands) {
        const bool dual = value.precision == Precision::dual;
        const CellType type = value.value->kind != ScalarKind::integer ? (dual ? CellType::float64 : CellType::float32)
                              : computes_long(program_, value)         ? CellType::int64
                                                                       : CellType::int32;
        return read(add_field(std::move(value), type), operands);
    }
    /// A hidden field over the cells of the result, which the statement assigns.
    VariableId add_field(FieldStatement statement, CellType type) {
        const VariableId target = new_field(program_, program_.variables[from_.target].name + "_word",
                                            free_axes(program_, result_), type, from_.span);
        statement.target = target;
        statement.target_indices.assign(field_shape(program_, target).axes.size(), AxisIndex{Offset{0}});
        statement.listed.clear();
        statement.where = nullptr;
        finish(std::move(statement));
        return target;
    }
    ExpressionRef read(VariableId field, std::vector<Operand>& operands) const {
        const FieldShape& shape = field_shape(program_, field);
        operands.push_back({field, std::vector<AxisIndex>(shape.axes.size(), AxisIndex{Offset{0}}), from_.span});
        return make_expression(OperandUse{operands.size() - 1}, scalar_kind(shape.type), from_.span);
    }
    [[nodiscard]] ExpressionRef joined(BinaryOperator op, const ExpressionRef& left, const ExpressionRef& right,
                                       ScalarKind kind) const {
        return make_expression(BinaryOperation{op, left, right}, kind, from_.span);
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
            FieldStatement value = is_compared_as_it_is(values_[k]) ? std::move(values_[k])
                                                                    : word_of(add_field(std::move(values_[k]), type_));
            if (k < count)
                lanes.push_back(std::move(value));
            else
                lanes[k % count] = chosen(lanes[k % count], value);
        }
        join_halves(lanes, [&](const FieldStatement& a, const FieldStatement& b) { return chosen(a, b); });
        result_.operands.clear();
        result_.value = behind_others(lanes.front(), result_.operands);
        result_.precision = precision();
        finish(std::move(result_));
    }
    /// A word of the fold's type, or a number.
    [[nodiscard]] bool is_compared_as_it_is(const FieldStatement& value) const {
        const auto* use = std::get_if<OperandUse>(&value.value->node);
        if (use != nullptr) return field_shape(program_, value.operands[use->operand].variable).type == type_;
        return value.value->kind == kind() && known_value(*value.value, value.precision);
    }
    /// What reads the field at the cell itself.
    [[nodiscard]] FieldStatement word_of(VariableId field) const {
        FieldStatement word = result_;
        word.operands.clear();
        word.value = read(field, word.operands);
        return word;
    }
    FieldStatement chosen(const FieldStatement& first, const FieldStatement& second) {
        FieldStatement choice = result_;
        choice.operands.clear();
        const ExpressionRef a = behind_others(first, choice.operands), b = behind_others(second, choice.operands);
        const BinaryOperator beyond =
            fold_.op == FoldOperator::minimum ? BinaryOperator::less : BinaryOperator::greater;
        ExpressionRef takes = joined(beyond, b, a, ScalarKind::boolean);
        if (is_real())
            takes = joined(BinaryOperator::logical_or, takes,
                           joined(BinaryOperator::not_equal, a, a, ScalarKind::boolean), ScalarKind::boolean);
        choice.value = make_expression(Conditional{takes, b, a}, kind(), from_.span);
        choice.precision = precision();
        return word_of(add_field(std::move(choice), type_));
    }
};

}  // namespace

void add_fold_of_words(Program& program, const WordFields& fields, const FieldStatement& statement,
                       std::vector<Statement>& made, std::string& fault) {
    FoldOfWords(program, fields, statement, made, fault).run();
}

}  // namespace kasc::rewriting
