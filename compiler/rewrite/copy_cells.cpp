// With int count[k] and int label[x, y],
//
//   count[k = label] += 1;
//
// becomes, along an axis of copies that the program has for it,
//
//   count_copies = 0;
//   count_copies[k = label, copy = (x + y) % extent(copy)] += 1;
//   count_sums = sum(count_copies, copy);
//   count = count + count_sums;
#include "rewrite/copy_cells.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/list_entries.hpp"
#include "frontend/make_expression.hpp"
#include "frontend/new_field.hpp"
#include "frontend/reduction.hpp"
#include "graph/field_target.hpp"
#include "rewrite/statements.hpp"

namespace kasc {

namespace {

/// Copies are set to zero and summed up: of so many cells (a megabyte of words of 32 bits) that takes some
/// microseconds, as long as the additions of so many entries.
constexpr long long most_cells = 1024, least_entries = 1 << 16;

ExpressionRef whole(auto node, const Span& span) { return make_expression(std::move(node), ScalarKind::integer, span); }

ExpressionRef of_two(BinaryOperator op, ExpressionRef left, ExpressionRef right) {
    const Span span = left->span;
    return whole(BinaryOperation{op, std::move(left), std::move(right)}, span);
}

std::vector<AxisIndex> own(std::size_t axes) { return std::vector<AxisIndex>(axes, AxisIndex{Offset{0}}); }

class CellCopying {
public:
    CellCopying(const Program& program, const std::vector<long long>* extents) : extents_(extents) {
        result_.program = program;
    }

    CopiedCells run() {
        result_.program.statements = with_copies(result_.program.statements);
        return std::move(result_);
    }

private:
    CopiedCells result_;
    const std::vector<long long>* extents_;

    std::vector<Statement> with_copies(const std::vector<Statement>& list) {
        std::vector<Statement> made;
        for (const Statement& statement : list) {
            const auto* field = std::get_if<FieldStatement>(&statement);
            if (const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&statement)) {
                LoopStatement inside = **loop;
                inside.body = with_copies(inside.body);
                made.emplace_back(std::make_shared<const LoopStatement>(std::move(inside)));
            } else if (field != nullptr && adds_in_any_order(result_.program, *field) && take(*field)) {
                add(*field, made);
            } else {
                made.push_back(statement);
            }
        }
        return made;
    }

    bool take(const FieldStatement& s) {
        Verdict verdict = may_copy(s);
        if (verdict && extents_ != nullptr) verdict = pays(s);
        result_.verdicts.push_back({rewriting::statement_text(result_.program, s), verdict});
        return static_cast<bool>(verdict);
    }

    [[nodiscard]] Verdict may_copy(const FieldStatement& s) const {
        for (std::size_t k = 0; k < s.operands.size(); ++k) {
            if (k != s.adding->running && s.operands[k].variable == s.target)
                return Verdict::no("what is added is made of the cells themselves");
        }
        const auto moves = [](const AxisIndex& index) { return std::holds_alternative<Offset>(index); };
        if (std::any_of(s.target_indices.begin(), s.target_indices.end(), moves))
            return Verdict::no("along some axis entries add to all cells");
        if (s.where) return Verdict::no("some of the entries add alone");
        return Verdict::yes("each entry adds to one of several copies of the cells");
    }

    [[nodiscard]] Verdict pays(const FieldStatement& s) const {
        const auto number = [&](const std::vector<AxisId>& axes) {
            double all = 1;
            for (const AxisId axis : axes) all *= static_cast<double>(extents_->at(axis.index));
            return all;
        };
        const double cells = number(computed_axes(s));
        const double entries = number(entry_axes(result_.program, s));
        if (cells > most_cells) return Verdict::no(fmt::format("entries seldom meet in one of {:.0f} cells", cells));
        if (entries < least_entries) return Verdict::no(fmt::format("it has {:.0f} entries", entries));
        return Verdict::yes(fmt::format("{:.0f} entries would meet in {:.0f} cells: each adds to one of several copies",
                                        entries, cells));
    }

    VariableId hidden(const FieldStatement& by, const char* what, const std::vector<AxisId>& axes) {
        const CellType type = field_shape(result_.program, by.target).type;
        return new_field_of_list(result_.program, by.target, what, axes, type, by.span);
    }

    /// Axes of the target along which entries say where they add; along the others it stands at one position.
    [[nodiscard]] std::vector<AxisId> computed_axes(const FieldStatement& s) const {
        std::vector<AxisId> axes;
        for (std::size_t k = 0; k < s.target_indices.size(); ++k) {
            if (std::holds_alternative<Computed>(s.target_indices[k]))
                axes.push_back(field_shape(result_.program, s.target).axes[k]);
        }
        return axes;
    }

    [[nodiscard]] ExpressionRef copy_of_entry(const FieldStatement& s, AxisId copies) const {
        ExpressionRef sum;
        for (const AxisId axis : entry_axes(result_.program, s)) {
            const ExpressionRef at = whole(CoordinateUse{axis}, s.span);
            sum = sum ? of_two(BinaryOperator::add, sum, at) : at;
        }
        return of_two(BinaryOperator::modulo, sum, whole(ExtentUse{copies}, s.span));
    }

    void add(const FieldStatement& s, std::vector<Statement>& made) {
        result_.changed = true;
        const std::vector<AxisId> cells = computed_axes(s);
        const AxisId copies = axis_of_copies(result_.program, entry_axes(result_.program, s)).value();
        std::vector<AxisId> axes = cells;
        axes.push_back(copies);
        const VariableId copied = hidden(s, "_copies", axes), sums = hidden(s, "_sums", cells);
        const auto assignment = [&](VariableId target, std::size_t along) {
            return FieldStatement{s.span, target, own(along), {}, nullptr, s.precision, {}, nullptr};
        };

        FieldStatement zero = assignment(copied, axes.size());
        zero.value = whole(Literal{0}, s.span);
        FieldStatement adding = s;
        adding.target = copied;
        std::erase_if(adding.target_indices, [](const AxisIndex& i) { return !std::holds_alternative<Computed>(i); });
        adding.target_indices.emplace_back(Computed{copy_of_entry(s, copies)});
        adding.operands.at(s.adding->running) = {copied, adding.target_indices, s.span};
        adding.adding->written = std::make_shared<const FieldStatement>(s);
        FieldStatement sum = assignment(sums, cells.size());
        sum.operands.push_back({copied, own(axes.size()), s.span});
        sum.value = whole(OperandUse{0}, s.span);
        sum.fold = Fold{FoldOperator::sum, {copies}, joined_lanes, std::nullopt, true};
        FieldStatement last = assignment(s.target, 0);
        for (const AxisIndex& index : s.target_indices)
            last.target_indices.push_back(std::holds_alternative<Computed>(index) ? AxisIndex{Offset{0}} : index);
        last.operands.push_back({s.target, last.target_indices, s.span});
        last.operands.push_back({sums, own(cells.size()), s.span});
        last.value = of_two(BinaryOperator::add, whole(OperandUse{0}, s.span), whole(OperandUse{1}, s.span));
        for (FieldStatement* each : {&zero, &adding, &sum, &last}) made.emplace_back(std::move(*each));
    }
};

}  // namespace

CopiedCells copy_cells(const Program& program, const std::vector<long long>* extents) {
    return has_streams(program) ? CopiedCells{program, {}, false} : CellCopying(program, extents).run();
}

}  // namespace kasc
