#include "rewrite/position_cells.hpp"

#include <optional>
#include <set>

#include "frontend/expression_parts.hpp"
#include "frontend/rewrite_expression.hpp"
#include "frontend/same_expression.hpp"
#include "rewrite/statements.hpp"

namespace kasc {

namespace {

using namespace rewriting;

class Positions {
public:
    explicit Positions(const Program& program) : made_{program, false} {}

    PositionCells run() {
        valued_.insert(made_.program.inputs.begin(), made_.program.inputs.end());
        for (Statement& statement : made_.program.statements) {
            const std::set<VariableId> assigned = targets(statement);
            if (const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&statement)) {
                assigned_ = assigned;
                statement = written_anew(**loop);
            }
            valued_.insert(assigned.begin(), assigned.end());
        }
        return std::move(made_);
    }

private:
    PositionCells made_;
    std::set<VariableId> assigned_;  ///< in the outermost loop
    std::set<VariableId> valued_;    ///< have a value where the walk stands: what is beside the position has it

    Statement written_anew(const LoopStatement& loop) {
        LoopStatement made = loop;
        const std::set<VariableId> before = valued_;
        for (Statement& statement : made.body) {
            if (const auto* inner = std::get_if<std::shared_ptr<const LoopStatement>>(&statement)) {
                statement = written_anew(**inner);
            } else if (const auto* field = std::get_if<FieldStatement>(&statement)) {
                if (is_whole(made_.program, *field)) valued_.insert(field->target);
                auto cells = cell_by_cell(*field);
                if (!cells) continue;
                statement = *std::move(cells);
                made_.changed = true;
            }
        }
        valued_ = before;  // it may run zero times
        return std::make_shared<const LoopStatement>(std::move(made));
    }

    /// None: it assigns whole fields, lists, or sums, at a position that moves, or of other cells that the loop
    /// assigns; or nothing has assigned the field before.
    [[nodiscard]] std::optional<FieldStatement> cell_by_cell(const FieldStatement& s) const {
        if (!assigns_slice(s) || updates_some_cells(s) || joins_cells(s)) return std::nullopt;
        if (!valued_.contains(s.target)) return std::nullopt;
        const std::vector<AxisId>& axes = field_shape(made_.program, s.target).axes;
        FieldStatement made = s;
        made.at = s.target_indices;
        ExpressionRef here;
        for (std::size_t k = 0; k < axes.size(); ++k) {
            const auto* absolute = std::get_if<Absolute>(&s.target_indices[k]);
            if (absolute == nullptr) continue;
            if (any_part(*absolute->position,
                         [](const Expression& part) { return std::holds_alternative<LoopIndexUse>(part.node); }))
                return std::nullopt;
            made.target_indices[k] = Offset{0};
            for (Operand& operand : made.operands) {
                const std::vector<AxisId>& read = field_shape(made_.program, operand.variable).axes;
                for (std::size_t i = 0; i < operand.indices.size(); ++i) {
                    const auto* at = std::get_if<Absolute>(&operand.indices[i]);
                    if (read[i] == axes[k] && at != nullptr && same_expression(at->position, absolute->position))
                        operand.indices[i] = Offset{0};
                }
            }
            const auto test = [&](auto node, ScalarKind kind) {
                return make_expression(std::move(node), kind, s.span);
            };
            const ExpressionRef stands =
                test(BinaryOperation{BinaryOperator::equal, test(CoordinateUse{axes[k]}, ScalarKind::integer),
                                     absolute->position},
                     ScalarKind::boolean);
            here =
                here ? test(BinaryOperation{BinaryOperator::logical_and, here, stands}, ScalarKind::boolean) : stands;
        }
        for (const Operand& operand : made.operands)
            if (assigned_.contains(operand.variable) && !is_plain(operand)) return std::nullopt;
        const std::size_t former = made.operands.size();
        made.operands.push_back({s.target, std::vector<AxisIndex>(axes.size(), AxisIndex{Offset{0}}), s.span});
        // An integer that a real field is assigned must not make one of the cells beside it.
        const ScalarKind kind = scalar_kind(field_shape(made_.program, s.target).type);
        made.value = make_expression(Conditional{here, s.value, make_expression(OperandUse{former}, kind, s.span)},
                                     kind, s.span);
        return with_equal_operands_once(made);
    }
};

}  // namespace

PositionCells position_cells(const Program& program) { return Positions(program).run(); }

}  // namespace kasc
