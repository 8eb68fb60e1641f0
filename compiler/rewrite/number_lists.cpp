// With int px[p], py[p] and a loop over n,
//
//   T[x = px, y = py] += energy[t = n];
//
// becomes, before the loop,
//
//   T_number = -1;   T_number[x = px, y = py] = p;
//   T_marked = 0;    T_marked[x = px / 32, y = py] = 1;
//
// and in it
//
//   T = T_marked[x = x / 32] > 0 && T_number >= 0 ? T + energy[p = T_number, t = n] : T;
//
// A 32nd of each row of T_marked is used and read; T_number is read where there is a mark. Entries beyond the grid get
// no number, as they are left out of the assignment. Either of two entries at one cell may count, in both forms.
#include "rewrite/number_lists.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "frontend/new_field.hpp"
#include "frontend/rewrite_expression.hpp"
#include "graph/field_target.hpp"
#include "rewrite/statements.hpp"

namespace kasc {

namespace {

/// One list: the fields that number its cells, by what positions were written.
struct Numbers {
    std::string positions;  ///< text, which says them completely
    VariableId number, marked;
};

class ListNumbering {
public:
    explicit ListNumbering(const Program& program) { result_.program = program; }

    NumberedLists run() {
        std::vector<Statement> all;
        for (const Statement& s : result_.program.statements) {
            const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&s);
            if (loop == nullptr) {
                all.push_back(s);
                continue;
            }
            lists_.clear();
            assigned_ = rewriting::targets(s);
            const Statement rewrote = loop_cell_by_cell(**loop);
            std::move(before_.begin(), before_.end(), std::back_inserter(all));
            before_.clear();
            all.push_back(rewrote);
        }
        result_.program.statements = std::move(all);
        return std::move(result_);
    }

private:
    NumberedLists result_;
    std::set<VariableId> assigned_;  ///< in the outermost loop
    std::vector<Numbers> lists_;     ///< numbered before it
    std::vector<Statement> before_;  ///< what goes before it

    Statement loop_cell_by_cell(const LoopStatement& loop) {
        LoopStatement rewrote = loop;
        for (Statement& s : rewrote.body) {
            if (const auto* inner = std::get_if<std::shared_ptr<const LoopStatement>>(&s)) {
                s = loop_cell_by_cell(**inner);
                continue;
            }
            auto* field = std::get_if<FieldStatement>(&s);
            if (field == nullptr || !is_listed(*field)) continue;
            std::string reason;
            const auto cells = cell_by_cell(*field, reason);
            result_.verdicts.push_back({statement_text(*field), cells ? Verdict::yes(reason) : Verdict::no(reason)});
            if (!cells) continue;
            s = *cells;
            result_.changed = true;
        }
        return std::make_shared<const LoopStatement>(std::move(rewrote));
    }

    [[nodiscard]] std::string statement_text(const FieldStatement& made) const {
        const FieldStatement& s = made.adding && made.adding->written ? *made.adding->written : made;
        return to_text(Operand{s.target, s.target_indices, s.span}, result_.program, operand_texts(s, result_.program));
    }

    [[nodiscard]] const FieldShape& shape(VariableId variable) const { return field_shape(result_.program, variable); }

    /// The position of an axis of the target that the list computes.
    static ExpressionRef position(const AxisIndex& index) {
        const auto* computed = std::get_if<Computed>(&index);
        return computed ? computed->position : nullptr;
    }

    /// Why the list's positions are not the same in every iteration, or not those of one list; empty: they are.
    [[nodiscard]] std::string position_fault(const FieldStatement& s) const {
        if (s.adding) return "several of its entries may be one cell";
        if (s.listed.size() != 1) return "the list has more than one axis";
        for (const AxisIndex& index : s.target_indices) {
            if (std::holds_alternative<Absolute>(index)) return "a slice of the field is assigned";
            if (!position(index)) continue;
            bool moves = false;
            const ExpressionRef same = with_leaves(position(index), [&](const ExpressionRef& leaf) -> ExpressionRef {
                if (std::holds_alternative<LoopIndexUse>(leaf->node)) moves = true;
                const auto* use = std::get_if<OperandUse>(&leaf->node);
                if (use == nullptr) return leaf;
                const Operand& operand = s.operands.at(use->operand);
                moves = moves || assigned_.contains(operand.variable);
                return is_plain(operand) ? leaf : nullptr;
            });
            if (moves) return "its positions change within the loop";
            if (!same) return "its positions are read at other positions";
        }
        return {};
    }

    /// An operand as the cell reads it; none: it is read at an entry that the cell does not know.
    [[nodiscard]] std::optional<Operand> operand_of_cell(const FieldStatement& s, const Operand& operand,
                                                         const ExpressionRef& number) const {
        const std::vector<AxisId>& target_axes = shape(s.target).axes;
        Operand made = operand;
        for (std::size_t k = 0; k < made.indices.size(); ++k) {
            const AxisId axis = shape(operand.variable).axes[k];
            if (axis == s.listed.front()) {
                const auto* offset = std::get_if<Offset>(&made.indices[k]);
                if (offset && offset->cells != 0) return std::nullopt;
                if (offset) made.indices[k] = Computed{number};
            }
            const ExpressionRef at = position(operand.indices[k]);
            if (!at) continue;
            // The cell itself, where the position is the target's own along the same axis.
            const auto own = std::find(target_axes.begin(), target_axes.end(), axis) - target_axes.begin();
            const auto index = static_cast<std::size_t>(own);
            const ExpressionRef target = index < target_axes.size() ? position(s.target_indices[index]) : nullptr;
            const auto text = [&](const ExpressionRef& e) {
                return to_text(*e, result_.program, operand_texts(s, result_.program));
            };
            if (!target || text(target) != text(at)) return std::nullopt;
            made.indices[k] = Offset{0};
        }
        return made;
    }

    std::optional<FieldStatement> cell_by_cell(const FieldStatement& s, std::string& reason) {
        reason = position_fault(s);
        if (!reason.empty()) return std::nullopt;
        const Numbers& numbers = numbers_of(s);
        FieldStatement cell = s;
        cell.listed.clear();
        cell.operands.clear();
        for (AxisIndex& index : cell.target_indices) index = Offset{0};
        const auto whole = [&](auto node) { return make_expression(std::move(node), ScalarKind::integer, s.span); };
        const auto own = [&](VariableId variable) {
            cell.operands.push_back(
                {variable, std::vector<AxisIndex>(shape(variable).axes.size(), AxisIndex{Offset{0}}), s.span});
            return cell.operands.size() - 1;
        };
        const std::size_t marked = own(numbers.marked);
        const AxisId first = shape(numbers.marked).axes.front();
        cell.operands[marked].indices.front() = Computed{whole(BinaryOperation{
            BinaryOperator::divide, whole(CoordinateUse{first}), whole(Literal{double{cells_a_mark}})})};
        // At a position, though it is the cell's own: such a read is made only where the condition asks for it.
        const std::size_t numbered = own(numbers.number);
        cell.operands[numbered].indices.front() = Computed{whole(CoordinateUse{first})};
        const ExpressionRef number = whole(OperandUse{numbered});
        const std::size_t former = own(s.target);
        std::map<std::size_t, std::size_t> moved;  // operands by their number before
        const ScalarKind kind = s.value->kind;
        const ExpressionRef value = with_leaves(s.value, [&](const ExpressionRef& leaf) -> ExpressionRef {
            if (const auto* at = std::get_if<CoordinateUse>(&leaf->node); at && at->axis == s.listed.front())
                return number;
            const auto* use = std::get_if<OperandUse>(&leaf->node);
            if (use == nullptr) return leaf;
            if (!moved.contains(use->operand)) {
                auto operand = operand_of_cell(s, s.operands.at(use->operand), number);
                if (!operand) return nullptr;
                const bool itself = operand->variable == s.target &&
                                    std::all_of(operand->indices.begin(), operand->indices.end(),
                                                [](const auto& i) { return std::holds_alternative<Offset>(i); });
                if (!itself) cell.operands.push_back(std::move(*operand));
                moved[use->operand] = itself ? former : cell.operands.size() - 1;
            }
            return make_expression(OperandUse{moved.at(use->operand)}, leaf->kind, leaf->span);
        });
        if (!value) {
            reason = "it reads other cells than its own";
            return std::nullopt;
        }
        const auto test = [&](BinaryOperator op, const ExpressionRef& left, double right) {
            return make_expression(BinaryOperation{op, left, whole(Literal{right})}, ScalarKind::boolean, s.span);
        };
        const ExpressionRef listed = make_expression(
            BinaryOperation{BinaryOperator::logical_and, test(BinaryOperator::greater, whole(OperandUse{marked}), 0),
                            test(BinaryOperator::greater_equal, number, 0)},
            ScalarKind::boolean, s.span);
        const ExpressionRef kept =
            make_expression(OperandUse{former}, is_integer(shape(s.target).type) ? ScalarKind::integer : kind, s.span);
        cell.value = make_expression(Conditional{listed, value, kept}, kind, s.span);
        reason = fmt::format("{} numbers its cells before the loop", result_.program.variables[numbers.number].name);
        return cell;
    }

    // --- numbering ---

    /// Two assignments over one list share its numbers.
    const Numbers& numbers_of(const FieldStatement& s) {
        const FieldShape& target = shape(s.target);
        std::vector<AxisId> axes;
        std::vector<ExpressionRef> positions;
        std::string text;
        for (std::size_t k = 0; k < target.axes.size(); ++k) {
            const ExpressionRef at = position(s.target_indices[k]);
            if (!at) continue;
            axes.push_back(target.axes[k]);
            positions.push_back(at);
            text += fmt::format("{} = {}, ", result_.program.axes[axes.back()].name,
                                to_text(*at, result_.program, operand_texts(s, result_.program)));
        }
        for (const Numbers& known : lists_) {
            if (known.positions == text) return known;
        }
        const std::string name = result_.program.variables[s.target].name;
        const VariableId number = new_field(result_.program, name + "_number", axes, CellType::int32, s.span);
        const VariableId marked = new_field(result_.program, name + "_marked", axes, CellType::uint8, s.span);
        const auto whole = [&](auto node) { return make_expression(std::move(node), ScalarKind::integer, s.span); };
        const std::vector<AxisIndex> everywhere(axes.size(), AxisIndex{Offset{0}});
        const auto fill = [&](VariableId variable, double value) {
            before_.emplace_back(FieldStatement{
                s.span, variable, everywhere, {}, whole(Literal{value}), Precision::single, {}, nullptr});
        };
        const auto assign = [&](VariableId variable, const std::vector<ExpressionRef>& at, const ExpressionRef& value) {
            FieldStatement listed{s.span, variable, {}, s.operands, value, Precision::single, s.listed, nullptr};
            keep_positions(listed, at);
            before_.emplace_back(std::move(listed));
        };
        fill(number, -1);
        assign(number, positions, whole(CoordinateUse{s.listed.front()}));
        fill(marked, 0);
        positions.front() =
            whole(BinaryOperation{BinaryOperator::divide, positions.front(), whole(Literal{double{cells_a_mark}})});
        assign(marked, positions, whole(Literal{1}));
        lists_.push_back({text, number, marked});
        return lists_.back();
    }

    /// The target's positions, and of the operands only those that they use.
    static void keep_positions(FieldStatement& listed, const std::vector<ExpressionRef>& positions) {
        std::vector<Operand> used;
        std::map<std::size_t, std::size_t> moved;
        for (const ExpressionRef& at : positions) {
            listed.target_indices.emplace_back(
                Computed{with_leaves(at, [&](const ExpressionRef& leaf) -> ExpressionRef {
                    const auto* use = std::get_if<OperandUse>(&leaf->node);
                    if (use == nullptr) return leaf;
                    if (moved.try_emplace(use->operand, used.size()).second)
                        used.push_back(listed.operands.at(use->operand));
                    return make_expression(OperandUse{moved.at(use->operand)}, leaf->kind, leaf->span);
                })});
        }
        listed.operands = std::move(used);
    }
};

}  // namespace

NumberedLists number_lists(const Program& program) { return ListNumbering(program).run(); }

}  // namespace kasc
