#include "rewrite/running_pieces.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/make_expression.hpp"
#include "frontend/new_field.hpp"
#include "frontend/reduction.hpp"
#include "graph/field_target.hpp"
#include "rewrite/statements.hpp"

namespace kasc {

namespace {

using namespace rewriting;

/// Lines that fill a device by themselves: some blocks for each of its multiprocessors.
constexpr long long most_lines = 4096;
/// Pieces of a line from which on it is worth two kernels more.
constexpr long long least_pieces = 4;

class CuttingLines {
public:
    CuttingLines(const Program& program, const std::vector<long long>* extents)
        : extents_(extents), result_{program, {}, false} {}

    RunningPieces run() {
        Statements cut = with_lists(result_.program.statements, [&](Statements list) {
            Statements made;
            for (Statement& statement : list) {
                const auto* field = std::get_if<FieldStatement>(&statement);
                if (field == nullptr || !field->running || !in_whole_lines(*field->running)) {
                    made.push_back(std::move(statement));
                    continue;
                }
                Verdict verdict = pays(*field);
                const bool cuts = static_cast<bool>(verdict);
                result_.verdicts.push_back({statement_text(result_.program, statement), std::move(verdict)});
                if (cuts)
                    add(*field, made);
                else
                    made.push_back(std::move(statement));
            }
            return made;
        });
        result_.program.statements = std::move(cut);
        return std::move(result_);
    }

private:
    const std::vector<long long>* extents_;
    RunningPieces result_;

    static bool in_whole_lines(const Running& running) { return !running.carries && !running.of_pieces; }

    [[nodiscard]] const std::vector<AxisId>& axes_of(const FieldStatement& s) const {
        return field_shape(result_.program, s.target).axes;
    }

    [[nodiscard]] Verdict pays(const FieldStatement& s) const {
        if (extents_ == nullptr) return Verdict::yes("its pieces may stand side by side");
        long long lines = 1;
        for (const AxisId axis : axes_of(s))
            if (axis != s.running->axis) lines *= std::min(extents_->at(axis.index), most_lines + 1);
        const long long pieces = extents_->at(s.running->axis.index) / running_piece;
        if (lines > most_lines) return Verdict::no("there are lines for all of a device's threads");
        if (pieces < least_pieces) return Verdict::no(fmt::format("a line is {} pieces long", pieces));
        return Verdict::yes(fmt::format("{} pieces of each of {} lines may stand side by side", pieces, lines));
    }

    /// What accumulators of the statement are, as words of a field.
    [[nodiscard]] CellType type_of_sums(const FieldStatement& s) const {
        const CellType type = field_shape(result_.program, s.target).type;
        if (is_integer(type)) {
            const bool wide = s.running->op == FoldOperator::sum || is_long(type) || computes_long(result_.program, s);
            return wide ? CellType::int64 : CellType::int32;
        }
        return rounds(s.running->op) || s.precision == Precision::dual ? CellType::float64 : CellType::float32;
    }

    void add(const FieldStatement& s, std::vector<Statement>& made) {
        result_.changed = true;
        Program& program = result_.program;
        const AxisId along = s.running->axis;
        const AxisId pieces = find_parts_axis(program, pieces_of(along)).value();
        std::vector<AxisId> axes;
        for (const AxisId axis : axes_of(s))
            if (axis != along) axes.push_back(axis);
        axes.push_back(pieces);
        const std::vector<AxisIndex> own(axes.size(), AxisIndex{Offset{0}});
        const std::string name = program.variables[s.target].name;
        const CellType type = type_of_sums(s);
        const VariableId sums = new_field(program, name + "_sums", axes, type, s.span);
        const VariableId carries = new_field(program, name + "_carries", axes, type, s.span);

        FieldStatement sum = s;
        sum.target = sums, sum.target_indices = own;
        sum.running.reset();
        sum.fold = Fold{s.running->op, {along}, 1, pieces, axes_of(s).front() != along, false, s.running};
        const ScalarKind kind = is_integer(type) ? ScalarKind::integer : ScalarKind::real;
        FieldStatement carry{s.span,
                             carries,
                             own,
                             {{sums, own, s.span}},
                             make_expression(OperandUse{0}, kind, s.span),
                             is_dual(type) ? Precision::dual : Precision::single,
                             {},
                             nullptr};
        carry.running = Running{s.running->op, pieces, false, std::nullopt, true};
        FieldStatement cells = s;
        cells.running->carries = cells.operands.size();
        std::vector<AxisIndex> at = own;
        at.back() = AxisIndex{Computed{piece_of_cell(s)}};
        cells.operands.push_back({carries, std::move(at), s.span});
        for (FieldStatement* each : {&sum, &carry, &cells}) made.emplace_back(std::move(*each));
    }

    /// The piece of its line that the cell at hand is in.
    [[nodiscard]] static ExpressionRef piece_of_cell(const FieldStatement& s) {
        const auto whole = [&](auto node) { return make_expression(std::move(node), ScalarKind::integer, s.span); };
        const auto of_two = [&](BinaryOperator op, ExpressionRef left, ExpressionRef right) {
            return whole(BinaryOperation{op, std::move(left), std::move(right)});
        };
        ExpressionRef number = whole(CoordinateUse{s.running->axis});
        if (s.running->backward)
            number =
                of_two(BinaryOperator::subtract,
                       of_two(BinaryOperator::subtract, whole(ExtentUse{s.running->axis}), whole(Literal{1})), number);
        return of_two(BinaryOperator::divide, number, whole(Literal{double(running_piece)}));
    }
};

}  // namespace

RunningPieces running_pieces(const Program& program, const std::vector<long long>* extents) {
    return CuttingLines(program, extents).run();
}

}  // namespace kasc
