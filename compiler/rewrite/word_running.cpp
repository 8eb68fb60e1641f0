// A word is what the words before it, and its own value, are added up to; words of several pieces have what is before
// their piece apart:
//
//   word 2 of 20     (0 + v0) + v1) + v2                    each sum a field of double, which the next one reads
//   word 17          P + ((0 + v16) + v17)                  P = the sum of word 15
//
// What a value computes has a field of the result's type, since cells are rounded before they are added up. All words
// are assigned at the end: values may read the field that is assigned.

#include "rewrite/word_running.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "frontend/make_expression.hpp"
#include "frontend/reduction.hpp"
#include "rewrite/words_of_statement.hpp"

namespace kasc::rewriting {

namespace {

/// Beyond, there are pieces of pieces.
constexpr long long most_cells = running_base * running_base;

class RunningOfWords : WordsOfStatement {
public:
    RunningOfWords(Program& program, const WordFields& fields, const FieldStatement& from, std::vector<Statement>& made,
                   std::string& fault)
        : WordsOfStatement(program, fields, from, made, fault), running_(*from.running) {}

    void run() {
        const long long cells = *fields_.cells_of(running_.axis);
        if (running_.carries || running_.of_pieces || cells > most_cells)
            return refuse(fmt::format("{} is added up in pieces", program_.variables[from_.target].name));
        result_ = placed(0);
        type_ = field_shape(program_, from_.target).type;
        if (!is_real() && running_.op == FoldOperator::product) return refuse("products of integers go round");
        std::vector<FieldStatement> values;
        for (long long k = 0; k < cells && fault_.empty(); ++k) values.push_back(value(k));
        if (!fault_.empty()) return;
        std::vector<FieldStatement> sums;
        std::optional<FieldStatement> before;
        FieldStatement piece;
        for (std::size_t k = 0; k < values.size(); ++k) {
            const bool begins = k % static_cast<std::size_t>(running_base) == 0;
            if (begins && k > 0) before = before ? added(*before, piece) : piece;
            piece = begins ? first(values[k]) : added(piece, values[k]);
            sums.push_back(before ? added(*before, piece) : piece);
        }
        for (long long k = 0; k < cells; ++k) assign(placed(k), sums[static_cast<std::size_t>(k)]);
    }

private:
    const Running& running_;

    [[nodiscard]] FieldStatement placed(long long k) const {
        const long long cell = running_.backward ? *fields_.cells_of(running_.axis) - 1 - k : k;
        FieldStatement statement = fields_.placed(from_, {{running_.axis, cell}}, fault_);
        statement.running.reset();
        return statement;
    }
    [[nodiscard]] FieldStatement value(long long k) {
        FieldStatement made = placed(k);
        const bool reads_target = std::any_of(from_.operands.begin(), from_.operands.end(),
                                              [&](const Operand& o) { return o.variable == from_.target; });
        if (!reads_target && is_taken_as_it_is(made)) return made;
        return word_of(add_field(std::move(made), type_));
    }

    /// Sums and products of reals are of double.
    [[nodiscard]] CellType sum_type() const { return rounds(running_.op) && is_real() ? CellType::float64 : type_; }
    [[nodiscard]] Precision sum_precision() const { return is_dual(sum_type()) ? Precision::dual : Precision::single; }
    /// A sum begins with 0, which makes one of -0.
    FieldStatement first(const FieldStatement& value) {
        if (running_.op != FoldOperator::sum || !is_real()) return value;
        FieldStatement sum = result_;
        sum.operands.clear();
        const ExpressionRef zero = make_expression(Literal{0}, ScalarKind::real, from_.span);
        sum.value = joined(BinaryOperator::add, zero, behind_others(value, sum.operands), ScalarKind::real);
        return summed(std::move(sum));
    }
    FieldStatement added(const FieldStatement& before, const FieldStatement& value) {
        if (!rounds(running_.op)) return chosen(running_.op, before, value);
        FieldStatement sum = result_;
        sum.operands.clear();
        const ExpressionRef left = behind_others(before, sum.operands), right = behind_others(value, sum.operands);
        const bool adds = running_.op == FoldOperator::sum;
        sum.value = joined(adds ? BinaryOperator::add : BinaryOperator::multiply, left, right, kind());
        return summed(std::move(sum));
    }
    FieldStatement summed(FieldStatement sum) {
        sum.precision = sum_precision();
        return word_of(add_field(std::move(sum), sum_type()));
    }
    void assign(FieldStatement word, const FieldStatement& sum) {
        word.operands.clear();
        word.value = behind_others(sum, word.operands);
        word.precision = sum_precision();
        finish(std::move(word));
    }
};

}  // namespace

void add_running_of_words(Program& program, const WordFields& fields, const FieldStatement& statement,
                          std::vector<Statement>& made, std::string& fault) {
    RunningOfWords(program, fields, statement, made, fault).run();
}

}  // namespace kasc::rewriting
