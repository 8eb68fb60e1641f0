// With int px[p] and a loop over n that leaves px as it is,
//
//   T[x = px, y = 2] += w[t = n];          of T[x, y] and w[p, t]
//
// becomes, before the loop,
//
//   T_cell = px >= 0 && px < extent(x) ? px : extent(x);       of each entry its cell
//   T_order = order(T_cell);                                   the entry at each place, ordered by cell
//   T_sorted = T_cell[p = T_order];                            the cell at each place
//   T_places = runs(T_sorted);                                 which places a cell has
//   T_starts = starts(T_sorted);                               where cells begin
//   T_begun = T_sorted[p = T_starts];                          which ones these are
//
// and in it, along parts of p (chunks) and along p (cells),
//
//   T_sums = … + w[p = T_order, t = n]                         of a cell that has more than one chunk
//   T[x = T_begun, y = 2] = … + w[p = T_order, t = n]
//
// What entries read of fields over p alone that the loop leaves as they are, weight[p], is brought into the list's
// order before the loop as well, weight_ordered = weight[p = T_order]: threads beside each other then read words that
// lie beside each other. (2^24 entries, two such fields: the loop reads 128 MB in place of 1 GB of sectors.) Of entries
// along several axes so is what lacks short ones alone, stiffness[e] of a list over corner and e.
//
// Positions along several axes are one number, (y * extent(x)) + x; entries along several axes are counted along one.
#include "rewrite/order_lists.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "frontend/expression_parts.hpp"
#include "frontend/list_entries.hpp"
#include "frontend/new_field.hpp"
#include "frontend/rewrite_expression.hpp"
#include "graph/field_target.hpp"
#include "rewrite/list_pieces.hpp"
#include "rewrite/moved_expression.hpp"
#include "rewrite/statements.hpp"

namespace kasc {

namespace {

using rewriting::targets;

/// One ordered list.
struct Ordered {
    std::string list;  ///< text, which says positions, field and what its boundary keeps completely
    std::set<VariableId> made_of;
    VariableId order, places, starts, begun;
    std::map<VariableId, VariableId> taken{};  ///< fields of entries in this order, by those that they were made of
};

class ListOrdering {
public:
    explicit ListOrdering(const Program& program) : given_variables_(program.variables.size()) {
        result_.program = program;
    }

    OrderedLists run() {
        result_.program.statements = in_order(result_.program.statements);
        return std::move(result_);
    }

private:
    /// A list of statements that is gone through: the program's, or a loop's body.
    struct Level {
        std::optional<LoopId> loop{};
        std::set<VariableId> assigned{};  ///< in the loop
        std::vector<Statement> before{};  ///< what goes before the loop
        std::vector<Ordered> ordered{};   ///< at this level
    };
    OrderedLists result_;
    std::vector<Level> levels_{1};
    std::size_t given_variables_;  ///< those behind were made here

    [[nodiscard]] const FieldShape& shape(VariableId variable) const { return field_shape(result_.program, variable); }

    std::vector<Statement> in_order(const std::vector<Statement>& list) {
        std::vector<Statement> made;
        for (const Statement& statement : list) {
            const auto* field = std::get_if<FieldStatement>(&statement);
            if (const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&statement)) {
                levels_.push_back({(*loop)->loop, targets(statement)});
                LoopStatement inside = **loop;
                inside.body = in_order(inside.body);
                std::move(levels_.back().before.begin(), levels_.back().before.end(), std::back_inserter(made));
                levels_.pop_back();
                made.emplace_back(std::make_shared<const LoopStatement>(std::move(inside)));
            } else if (field != nullptr && field->adding && field->adding->part == Adding::Part::entries &&
                       !adds_in_any_order(result_.program, *field)) {
                result_.changed = true;
                add(*field, made);
            } else {
                made.push_back(statement);
            }
            forget_lists_of(targets(statement));
        }
        return made;
    }

    void forget_lists_of(const std::set<VariableId>& assigned) {
        for (Ordered& list : levels_.back().ordered)
            for (const VariableId v : assigned) list.taken.erase(v);
        std::erase_if(levels_.back().ordered, [&](const Ordered& list) {
            return std::any_of(assigned.begin(), assigned.end(),
                               [&](VariableId v) { return list.made_of.contains(v); });
        });
    }

    // --- what is written ---

    [[nodiscard]] static ExpressionRef whole(auto node, const Span& span) {
        return make_expression(std::move(node), ScalarKind::integer, span);
    }
    [[nodiscard]] static ExpressionRef both(BinaryOperator op, ExpressionRef left, ExpressionRef right) {
        const Span span = left->span;
        const bool compares =
            op == BinaryOperator::less || op == BinaryOperator::greater_equal || op == BinaryOperator::logical_and;
        return make_expression(BinaryOperation{op, std::move(left), std::move(right)},
                               compares ? ScalarKind::boolean : ScalarKind::integer, span);
    }
    /// Where a number stands along one of the axes along which it counts, the first of them fastest.
    [[nodiscard]] static ExpressionRef along(const ExpressionRef& number, const std::vector<AxisId>& axes,
                                             std::size_t k) {
        const auto extent = [&](std::size_t of) { return whole(ExtentUse{axes[of]}, number->span); };
        ExpressionRef before;
        for (std::size_t i = 0; i < k; ++i)
            before = before ? both(BinaryOperator::multiply, before, extent(i)) : extent(i);
        const ExpressionRef left = before ? both(BinaryOperator::divide, number, before) : number;
        return k + 1 == axes.size() ? left : both(BinaryOperator::modulo, left, extent(k));
    }
    [[nodiscard]] static ExpressionRef along(const ExpressionRef& number, const std::vector<AxisId>& axes,
                                             AxisId axis) {
        const auto at = std::find(axes.begin(), axes.end(), axis);
        return at == axes.end() ? nullptr : along(number, axes, static_cast<std::size_t>(at - axes.begin()));
    }
    [[nodiscard]] static std::vector<AxisIndex> own(std::size_t axes) {
        return std::vector<AxisIndex>(axes, AxisIndex{Offset{0}});
    }
    [[nodiscard]] static FieldStatement assignment(VariableId target, std::size_t axes, const FieldStatement& by) {
        return {by.span, target, own(axes), {}, nullptr, Precision::single, {}, nullptr};
    }
    [[nodiscard]] VariableId hidden(const FieldStatement& by, const char* what, const std::vector<AxisId>& axes,
                                    CellType type) {
        return new_field_of_list(result_.program, by.target, what, axes, type, by.span);
    }

    /// Neighbours along the entries' axes, at the boundary too, are fields of their own.
    FieldStatement without_neighbours(const FieldStatement& s, const std::vector<AxisId>& entries,
                                      std::vector<Statement>& made) {
        FieldStatement plain = s;
        for (std::size_t number = 0; number < s.operands.size(); ++number) {
            const std::vector<AxisId>& axes = shape(s.operands[number].variable).axes;
            bool moves = false;
            for (std::size_t k = 0; k < axes.size(); ++k) {
                const auto* offset = std::get_if<Offset>(&s.operands[number].indices[k]);
                moves = moves || (offset && offset->cells != 0 &&
                                  std::find(entries.begin(), entries.end(), axes[k]) != entries.end());
            }
            if (!moves) continue;
            const CellType type = shape(s.operands[number].variable).type;
            FieldStatement copy = assignment({}, 0, s);
            Moved moved(result_.program, s, copy, [](AxisId) { return nullptr; });
            const ScalarKind kind = scalar_kind(type);
            copy.value = moved.expression(make_expression(OperandUse{number}, kind, s.span));
            copy.precision = real_precision(type);
            const std::vector<AxisId> over = axes_of(copy);
            copy.target = hidden(s, "_beside", over, type);
            copy.target_indices = own(over.size());
            plain.operands[number] = {copy.target, own(over.size()), s.operands[number].span};
            made.emplace_back(std::move(copy));
        }
        return plain;
    }
    /// Along which a statement's only operand, and those of its positions, move.
    [[nodiscard]] std::vector<AxisId> axes_of(const FieldStatement& copy) const {
        std::vector<AxisId> axes;
        const auto take = [&](AxisId axis) {
            if (std::find(axes.begin(), axes.end(), axis) == axes.end()) axes.push_back(axis);
        };
        for (const Operand& operand : copy.operands) {
            for (std::size_t k = 0; k < operand.indices.size(); ++k) {
                if (std::holds_alternative<Offset>(operand.indices[k])) take(shape(operand.variable).axes[k]);
                if (const auto* computed = std::get_if<Computed>(&operand.indices[k])) {
                    for_each_part(*computed->position, [&](const Expression& part) {
                        if (const auto* at = std::get_if<CoordinateUse>(&part.node)) take(at->axis);
                    });
                }
            }
        }
        return axes;
    }

    /// The outermost level at which the list's positions are known: they are the same from there on.
    [[nodiscard]] std::size_t level_of(const FieldStatement& s, std::set<VariableId>& made_of) const {
        std::set<LoopId> loops;
        const std::function<void(const Expression&)> look = [&](const Expression& e) {
            for_each_part(e, [&](const Expression& part) {
                if (const auto* index = std::get_if<LoopIndexUse>(&part.node)) loops.insert(index->loop);
                const auto* use = std::get_if<OperandUse>(&part.node);
                if (use == nullptr) return;
                const Operand& operand = s.operands.at(use->operand);
                made_of.insert(operand.variable);
                for (const AxisIndex& index : operand.indices) {
                    if (const auto* computed = std::get_if<Computed>(&index)) look(*computed->position);
                    if (const auto* absolute = std::get_if<Absolute>(&index)) look(*absolute->position);
                }
            });
        };
        for (const AxisIndex& index : s.target_indices) {
            if (const auto* computed = std::get_if<Computed>(&index)) look(*computed->position);
        }
        std::size_t level = levels_.size() - 1;
        const auto moves = [&](const Level& loop) {
            return loops.contains(*loop.loop) ||
                   std::any_of(made_of.begin(), made_of.end(), [&](VariableId v) { return loop.assigned.contains(v); });
        };
        while (level > 0 && !moves(levels_[level])) --level;
        return level;
    }

    /// Axes of the target whose positions tell its cells apart.
    [[nodiscard]] std::vector<AxisId> axes_of_cells(const FieldStatement& s, const std::vector<AxisId>& entries) const {
        std::vector<AxisId> axes;
        for (std::size_t k = 0; k < s.target_indices.size(); ++k) {
            const AxisId axis = shape(s.target).axes[k];
            const bool differs = std::find(entries.begin(), entries.end(), axis) != entries.end();
            if (std::holds_alternative<Computed>(s.target_indices[k]) ||
                (differs && std::holds_alternative<Offset>(s.target_indices[k])))
                axes.push_back(axis);
        }
        return axes;
    }

    /// The number of each entry's cell, where it may be assigned.
    FieldStatement cells_of_entries(const FieldStatement& s, const std::vector<AxisId>& entries, AxisId place,
                                    const std::vector<AxisId>& cells) {
        FieldStatement made = assignment(hidden(s, "_cell", {place}, CellType::int32), 1, s);
        made.precision = s.precision;
        const ExpressionRef entry = whole(CoordinateUse{place}, s.span);
        Moved moved(result_.program, s, made, [&](AxisId axis) -> ExpressionRef {
            return entries.size() == 1 ? nullptr : along(entry, entries, axis);
        });
        ExpressionRef number, all, on_grid;
        const FieldShape& field = shape(s.target);
        for (std::size_t k = field.axes.size(); k-- > 0;) {
            if (std::find(cells.begin(), cells.end(), field.axes[k]) == cells.end()) continue;
            const auto* computed = std::get_if<Computed>(&s.target_indices[k]);
            const ExpressionRef at =
                moved.expression(computed ? computed->position : whole(CoordinateUse{field.axes[k]}, s.span));
            const ExpressionRef extent = whole(ExtentUse{field.axes[k]}, s.span);
            const auto literal = [&](int n) { return whole(Literal{static_cast<double>(n)}, s.span); };
            const int low = field.faces[k].low.layers, high = field.faces[k].high.layers;
            const ExpressionRef end = high == 0 ? extent : both(BinaryOperator::subtract, extent, literal(high));
            const ExpressionRef inside =
                both(BinaryOperator::logical_and, both(BinaryOperator::greater_equal, at, literal(low)),
                     both(BinaryOperator::less, at, end));
            on_grid = on_grid ? both(BinaryOperator::logical_and, on_grid, inside) : inside;
            number = number ? both(BinaryOperator::add, both(BinaryOperator::multiply, number, extent), at) : at;
            all = all ? both(BinaryOperator::multiply, all, extent) : extent;
        }
        made.value = whole(Conditional{on_grid, number, all}, s.span);
        return made;
    }

    /// Where statements stand that are made at this level: in front of the loop in it.
    [[nodiscard]] std::vector<Statement>& statements_at(std::size_t level, std::vector<Statement>& made) {
        return level + 1 == levels_.size() ? made : levels_[level + 1].before;
    }

    /// `at`: the level at which the list is ordered.
    Ordered& ordered(const FieldStatement& s, const std::vector<AxisId>& entries, AxisId place,
                     const std::vector<AxisId>& cells, std::vector<Statement>& made, std::size_t& at) {
        Ordered list;
        at = level_of(s, list.made_of);
        for (const AxisId axis : cells) list.list += result_.program.axes[axis].name + ", ";
        list.list += positions_text(result_.program, s.target_indices, operand_texts(s, result_.program));
        for (const Faces& faces : shape(s.target).faces)
            list.list += " " + std::to_string(faces.low.layers) + "/" + std::to_string(faces.high.layers);
        std::vector<Ordered>& known = levels_[at].ordered;
        for (Ordered& other : known) {
            if (other.list == list.list) return other;
        }
        std::vector<Statement>& into = statements_at(at, made);
        FieldStatement cell = cells_of_entries(s, entries, place, cells);
        const VariableId of_entry = cell.target;
        into.emplace_back(std::move(cell));
        list.order = hidden(s, "_order", {place}, CellType::int32);
        into.emplace_back(TransformStatement{s.span, list.order, of_entry, Direction::order, {}, cells});
        const VariableId sorted = hidden(s, "_sorted", {place}, CellType::int32);
        into.emplace_back(taken_from(s, sorted, of_entry, list.order, whole(OperandUse{0}, s.span)));
        list.places = hidden(s, "_places", {place}, CellType::int32);
        into.emplace_back(TransformStatement{s.span, list.places, sorted, Direction::runs, {}, cells});
        list.starts = hidden(s, "_starts", {place}, CellType::int32);
        into.emplace_back(TransformStatement{s.span, list.starts, sorted, Direction::starts, {}, cells});
        list.begun = hidden(s, "_begun", {place}, CellType::int32);
        const ExpressionRef start = whole(OperandUse{0}, s.span), none = whole(Literal{0}, s.span);
        const ExpressionRef begin = whole(Conditional{both(BinaryOperator::less, start, none), none, start}, s.span);
        into.emplace_back(taken_from(s, list.begun, sorted, list.starts, begin));
        known.push_back(std::move(list));
        return known.back();
    }
    /// Operands that an entry's expression needs, those of their positions included.
    static void needed(const FieldStatement& s, const Expression& e, std::set<std::size_t>& operands) {
        for_each_part(e, [&](const Expression& part) {
            const auto* use = std::get_if<OperandUse>(&part.node);
            if (use == nullptr || use->operand == s.adding->running || !operands.insert(use->operand).second) return;
            for (const AxisIndex& index : s.operands.at(use->operand).indices)
                if (const auto* computed = std::get_if<Computed>(&index)) needed(s, *computed->position, operands);
        });
    }
    /// The field has a word for each entry, or for so few of them that L1 would not hold all.
    [[nodiscard]] bool is_along(const std::vector<AxisId>& axes, const std::vector<AxisId>& entries) const {
        constexpr long long few = 32;
        const auto has = [](const std::vector<AxisId>& all, AxisId axis) {
            return std::find(all.begin(), all.end(), axis) != all.end();
        };
        return std::all_of(axes.begin(), axes.end(), [&](AxisId axis) { return has(entries, axis); }) &&
               std::all_of(entries.begin(), entries.end(), [&](AxisId axis) {
                   const auto length = declared_length(result_.program.axes[axis]);
                   return has(axes, axis) || (!axes.empty() && length && *length <= few);
               });
    }
    /// By operand, the fields in the list's order that stand for fields of its entries: where it is ordered before a
    /// loop that leaves these as they are.
    std::map<std::size_t, VariableId> taken_in_order(const FieldStatement& s, Ordered& list, std::size_t at,
                                                     const std::vector<AxisId>& entries, AxisId place,
                                                     std::vector<Statement>& made) {
        std::map<std::size_t, VariableId> taken;
        if (at + 1 == levels_.size()) return taken;
        std::set<std::size_t> read;
        needed(s, *s.value, read);
        for (const std::size_t number : read) {
            const Operand& operand = s.operands[number];
            const FieldShape field = shape(operand.variable);
            const bool own_word =
                is_along(field.axes, entries) &&
                std::all_of(operand.indices.begin(), operand.indices.end(),
                            [](const AxisIndex& index) { return std::holds_alternative<Offset>(index); });
            const bool stays =
                operand.variable.index < given_variables_ &&
                std::none_of(levels_.begin() + static_cast<std::ptrdiff_t>(at) + 1, levels_.end(),
                             [&](const Level& loop) { return loop.assigned.contains(operand.variable); });
            if (!own_word || !stays) continue;
            const auto [known, added] = list.taken.try_emplace(operand.variable);
            if (added) {
                known->second =
                    new_field_of_list(result_.program, operand.variable, "_ordered", {place}, field.type, s.span);
                const ExpressionRef entry = whole(OperandUse{0}, s.span);
                FieldStatement in_order = taken_from(s, known->second, operand.variable, list.order, entry);
                in_order.operands.back().indices.clear();
                for (const AxisId axis : field.axes)
                    in_order.operands.back().indices.emplace_back(Computed{along(entry, entries, axis)});
                in_order.value = make_expression(OperandUse{1}, scalar_kind(field.type), s.span);
                in_order.precision = real_precision(field.type);
                statements_at(at, made).emplace_back(std::move(in_order));
            }
            taken[number] = known->second;
        }
        return taken;
    }
    /// target = source[at], where the operand 0 of `at` is `of`.
    [[nodiscard]] static FieldStatement taken_from(const FieldStatement& by, VariableId target, VariableId source,
                                                   VariableId of, ExpressionRef at) {
        FieldStatement made = assignment(target, 1, by);
        made.operands.push_back({of, own(1), by.span});
        made.operands.push_back({source, {Computed{std::move(at)}}, by.span});
        made.value = whole(OperandUse{1}, by.span);
        return made;
    }

    /// What is added at the place of the list that `along` counts, by the operand 0, the entry there. Operand 1: which
    /// places a cell has; 2: cells that begin.
    FieldStatement along_places(const FieldStatement& s, const Ordered& list,
                                const std::map<std::size_t, VariableId>& taken, const std::vector<AxisId>& entries,
                                const Adding& adding, const std::vector<AxisId>& cells) const {
        FieldStatement made = assignment(s.target, 0, s);
        made.precision = s.precision;
        const bool by_cell = adding.part == Adding::Part::cells;
        const AxisIndex at_place =
            by_cell ? AxisIndex{Offset{0}} : AxisIndex{Computed{whole(CoordinateUse{adding.along}, s.span)}};
        const VariableId places = by_cell ? list.starts : list.places;
        for (const VariableId v : {list.order, places, list.begun}) made.operands.push_back({v, {at_place}, s.span});
        const ExpressionRef entry = whole(OperandUse{0}, s.span), cell = whole(OperandUse{2}, s.span);
        made.target_indices = s.target_indices;
        for (std::size_t k = 0; k < made.target_indices.size(); ++k) {
            const auto at = std::find(cells.begin(), cells.end(), shape(s.target).axes[k]);
            if (at != cells.end())
                made.target_indices[k] = Computed{along(cell, cells, static_cast<std::size_t>(at - cells.begin()))};
        }
        made.operands.push_back({s.target, made.target_indices, s.span});
        made.adding = adding;
        made.adding->running = 3;
        made.adding->places = 1;
        Moved moved(result_.program, s, made, [&](AxisId axis) { return along(entry, entries, axis); });
        moved.stands_for(s.adding->running, made.adding->running);
        for (const auto& [number, variable] : taken) {
            moved.stands_for(number, made.operands.size());
            made.operands.push_back({variable, {at_place}, s.operands[number].span});
        }
        made.value = moved.expression(s.value);
        return made;
    }

    void add(const FieldStatement& written, std::vector<Statement>& made) {
        const std::vector<AxisId> entries = entry_axes(result_.program, written);
        const AxisId place = axis_of_entries(result_.program, entries).value();
        const AxisId part = make_axis_of_chunks(result_.program, place, written.span);
        const FieldStatement s = without_neighbours(written, entries, made);
        const std::vector<AxisId> cells = axes_of_cells(s, entries);
        std::size_t at = 0;
        Ordered& list = ordered(s, entries, place, cells, made, at);
        const auto taken = taken_in_order(s, list, at, entries, place, made);
        FieldStatement by_chunk = along_places(s, list, taken, entries, {Adding::Part::chunks, 0, part}, cells),
                       by_cell = along_places(s, list, taken, entries, {Adding::Part::cells, 0, place}, cells);
        std::vector<AxisId> axes{part};
        for (std::size_t k = 0; k < by_cell.target_indices.size(); ++k) {
            if (std::holds_alternative<Offset>(by_cell.target_indices[k])) axes.push_back(shape(s.target).axes[k]);
        }
        by_chunk.target = hidden(s, "_sums", axes, shape(s.target).type);
        by_chunk.target_indices = own(axes.size());
        by_cell.adding->sums = by_cell.operands.size();
        by_cell.adding->written = std::make_shared<const FieldStatement>(written);
        std::vector<AxisIndex> in_sums = own(axes.size());
        in_sums.front() = Computed{
            both(BinaryOperator::divide, whole(CoordinateUse{place}, s.span), whole(Literal{least_chunk}, s.span))};
        by_cell.operands.push_back({by_chunk.target, std::move(in_sums), s.span});
        by_cell.listed = {place};
        made.emplace_back(std::move(by_chunk));
        made.emplace_back(std::move(by_cell));
    }
};

}  // namespace

OrderedLists order_lists(const Program& program) {
    if (has_streams(program)) return {program, false};
    const ListPieces pieces = list_pieces(program);
    OrderedLists ordered = ListOrdering(pieces.program).run();
    ordered.changed = ordered.changed || pieces.changed;
    return ordered;
}

}  // namespace kasc
