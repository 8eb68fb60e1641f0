#include "rewrite/boxes.hpp"

#include <algorithm>
#include <optional>

#include "frontend/cell_boxes.hpp"
#include "frontend/make_expression.hpp"
#include "graph/field_target.hpp"
#include "rewrite/statements.hpp"

namespace kasc {

namespace {

using namespace rewriting;

/// What the statement assigns, and where: elsewhere cells stay as they were.
struct Assigned {
    ExpressionRef where, value;
};

std::optional<Assigned> assigned(const Program& program, const FieldStatement& s) {
    const auto is_former = [&](const ExpressionRef& e) {
        const auto* use = std::get_if<OperandUse>(&e->node);
        return use != nullptr && s.operands[use->operand].variable == s.target &&
               is_own_cell(program, s, s.operands[use->operand]);
    };
    std::vector<Conditional> choices;  // one in the other's `otherwise`
    ExpressionRef rest = s.value;
    while (const auto* choice = std::get_if<Conditional>(&rest->node)) {
        if (operands_end(*choice->condition) > 0) break;  // not of coordinates alone
        choices.push_back(*choice);
        rest = choice->otherwise;
    }
    if (choices.empty() || !is_former(rest)) return std::nullopt;
    Assigned made{choices.back().condition, choices.back().then};
    for (std::size_t k = choices.size() - 1; k-- > 0;) {
        const Conditional& c = choices[k];
        made.where = make_expression(BinaryOperation{BinaryOperator::logical_or, c.condition, made.where},
                                     ScalarKind::boolean, s.value->span);
        made.value = make_expression(Conditional{c.condition, c.then, made.value}, s.value->kind, s.value->span);
    }
    return made;
}

/// None of the cells in the boxes reads another one of them.
Verdict reads_outside(const FieldStatement& s, const std::vector<CellBox>& boxes, const Program& program) {
    const std::vector<AxisId>& axes = field_shape(program, s.target).axes;
    for (const Operand& operand : s.operands) {
        if (operand.variable != s.target || is_plain(operand)) continue;
        const bool outside = std::all_of(boxes.begin(), boxes.end(), [&](const CellBox& box) {
            for (std::size_t k = 0; k < axes.size(); ++k) {
                const auto* at = std::get_if<Absolute>(&operand.indices[k]);
                if (at != nullptr && leaves_out(box, axes[k], at->position)) return true;
            }
            return false;
        });
        if (!outside) return Verdict::no("it reads cells that it may assign");
    }
    return Verdict::yes("cells outside of the box are left alone");
}

/// Some box is smaller than the grid.
bool bounds_cells(const std::vector<CellBox>& boxes) {
    return std::all_of(boxes.begin(), boxes.end(), [](const CellBox& box) {
        return std::any_of(box.begin(), box.end(),
                           [](const CoordinateBound& b) { return b.op != BinaryOperator::not_equal; });
    });
}

/// Within the lists of loops, too, but for those that kernels run: a cell of these goes through its iterations whole.
class Writing {
public:
    explicit Writing(const Program& program) : program_(program), made_{program, {}, false} {}

    Boxes run() {
        made_.program.statements = list(program_.statements);
        return std::move(made_);
    }

private:
    const Program& program_;
    Boxes made_;

    Statements list(Statements statements) {
        for (Statement& statement : statements) {
            if (const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&statement)) {
                if (program_.loops[(*loop)->loop].inside) continue;
                LoopStatement made = **loop;
                made.body = list(std::move(made.body));
                statement = std::make_shared<const LoopStatement>(std::move(made));
            } else if (auto* s = std::get_if<FieldStatement>(&statement); s != nullptr && is_whole(program_, *s)) {
                write(*s);
            }
        }
        return statements;
    }
    void write(FieldStatement& s) {
        const auto made = assigned(program_, s);
        if (!made) return;
        FieldStatement updated = s;
        updated.where = made->where, updated.value = made->value;
        updated = with_equal_operands_once(updated);
        const std::vector<CellBox> cells = boxes_of(made->where);
        if (!bounds_cells(cells)) return;
        const Verdict verdict = reads_outside(updated, cells, program_);
        made_.verdicts.push_back({statement_text(program_, s), verdict});
        if (!verdict) return;
        s = std::move(updated);
        made_.changed = true;
    }
};

}  // namespace

Boxes boxes(const Program& program) { return Writing(program).run(); }

}  // namespace kasc
