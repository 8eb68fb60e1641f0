// With float centre[k, d], p[i, d], int label[i], and 16 clusters k in 3 dimensions d,
//
//   centre[k = label] += p;
//
// becomes, along the pieces of i that the program has for it,
//
//   centre_pieces[k = label, i_pieces = i/4096] += p[d = 0];       all of it, of nothing (Adding::Part::pieces)
//   … centre_pieces_2 of p[d = 1], centre_pieces_3 of p[d = 2]
//   centre_parts, centre_sums = sum(d == 2 ? centre_pieces_3 : d == 1 ? centre_pieces_2 : centre_pieces, i_pieces);
//   centre = centre + centre_sums;
//
// With more than a few d there is one sum for all of them, centre_pieces[k = label, d, i_pieces = i/4096].
#include "rewrite/list_pieces.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "frontend/list_entries.hpp"
#include "frontend/make_expression.hpp"
#include "frontend/new_field.hpp"
#include "frontend/reduction.hpp"
#include "frontend/with_operands.hpp"
#include "rewrite/moved_expression.hpp"

namespace kasc {

namespace {

/// Cells along the target's other axes, such as components of a vector, that have statements of their own: they and
/// others by the same labels may share a kernel, which reads these once. More of them take a block each.
constexpr std::size_t most_places = 4;
using Place = std::map<AxisId, long long>;

std::vector<AxisIndex> at_cells(std::size_t axes) { return std::vector<AxisIndex>(axes, AxisIndex{Offset{0}}); }

class PieceAdding {
public:
    explicit PieceAdding(const Program& program) : result_{program, false} {}

    ListPieces run() {
        result_.program.statements = in_pieces(result_.program.statements);
        return std::move(result_);
    }

private:
    ListPieces result_;

    [[nodiscard]] static ExpressionRef whole(auto node, const Span& span) {
        return make_expression(std::move(node), ScalarKind::integer, span);
    }
    [[nodiscard]] static ExpressionRef real_operand(std::size_t number, const Span& span) {
        return make_expression(OperandUse{number}, ScalarKind::real, span);
    }

    std::vector<Statement> in_pieces(const std::vector<Statement>& list) {
        std::vector<Statement> made;
        for (const Statement& statement : list) {
            const auto* field = std::get_if<FieldStatement>(&statement);
            if (const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&statement)) {
                LoopStatement inside = **loop;
                inside.body = in_pieces(inside.body);
                made.emplace_back(std::make_shared<const LoopStatement>(std::move(inside)));
            } else if (field != nullptr && adds_in_pieces(result_.program, *field)) {
                add(*field, made);
            } else {
                made.push_back(statement);
            }
        }
        return made;
    }

    /// The number of an entry's piece.
    [[nodiscard]] static ExpressionRef piece_of_entry(const FieldStatement& s) {
        ExpressionRef number;
        for (std::size_t k = s.listed.size(); k-- > 0;) {
            const ExpressionRef at = whole(CoordinateUse{s.listed[k]}, s.span);
            if (number)
                number = whole(BinaryOperation{BinaryOperator::multiply, number, whole(ExtentUse{s.listed[k]}, s.span)},
                               s.span);
            number = number ? whole(BinaryOperation{BinaryOperator::add, number, at}, s.span) : at;
        }
        return whole(BinaryOperation{BinaryOperator::divide, number, whole(Literal{piece_entries}, s.span)}, s.span);
    }
    /// A cell of the target is at this place.
    [[nodiscard]] static ExpressionRef stands_at(const Place& place, const Span& span) {
        const auto condition = [&](BinaryOperator op, ExpressionRef left, ExpressionRef right) {
            return make_expression(BinaryOperation{op, std::move(left), std::move(right)}, ScalarKind::boolean, span);
        };
        ExpressionRef all;
        for (const auto& [axis, at] : place) {
            const ExpressionRef here = condition(BinaryOperator::equal, whole(CoordinateUse{axis}, span),
                                                 whole(Literal{static_cast<double>(at)}, span));
            all = all ? condition(BinaryOperator::logical_and, all, here) : here;
        }
        return all;
    }

    [[nodiscard]] const std::vector<AxisId>& axes_of(const FieldStatement& s) const {
        return field_shape(result_.program, s.target).axes;
    }
    /// Axes of the target at positions, or at none.
    template <class Kind>
    [[nodiscard]] std::vector<AxisId> axes_at(const FieldStatement& s) const {
        std::vector<AxisId> axes;
        for (std::size_t k = 0; k < s.target_indices.size(); ++k)
            if (std::holds_alternative<Kind>(s.target_indices[k])) axes.push_back(axes_of(s)[k]);
        return axes;
    }

    /// Places along the target's other axes, each of which has statements of its own where they are few; else one for
    /// all, which says nothing of them.
    [[nodiscard]] std::vector<Place> places(const FieldStatement& s) const {
        std::vector<Place> all{{}};
        for (const AxisId axis : axes_at<Offset>(s)) {
            const std::vector<Place> before = std::exchange(all, {});
            const long long cells = declared_length(result_.program.axes[axis]).value();
            for (long long at = 0; at < cells && all.size() <= most_places; ++at)
                for (Place place : before) {
                    place[axis] = at;
                    all.push_back(std::move(place));
                }
        }
        return all.size() <= most_places && stays(s) ? all : std::vector<Place>{{}};
    }
    /// No operand looks at neighbours along the target's other axes.
    [[nodiscard]] bool stays(const FieldStatement& s) const {
        const std::vector<AxisId> others = axes_at<Offset>(s);
        return std::all_of(s.operands.begin(), s.operands.end(), [&](const Operand& operand) {
            const std::vector<AxisId>& axes = field_shape(result_.program, operand.variable).axes;
            for (std::size_t k = 0; k < axes.size(); ++k) {
                const auto* offset = std::get_if<Offset>(&operand.indices[k]);
                if (offset && offset->cells != 0 && std::find(others.begin(), others.end(), axes[k]) != others.end())
                    return false;
            }
            return true;
        });
    }

    /// The sums of pieces at a place.
    [[nodiscard]] FieldStatement by_pieces(const FieldStatement& s, const Place& place) {
        FieldStatement made{s.span, {}, {}, {}, nullptr, s.precision, s.listed, nullptr};
        Moved moved(result_.program, s, made, [&](AxisId axis) -> ExpressionRef {
            const auto at = place.find(axis);
            return at == place.end() ? nullptr : whole(Literal{static_cast<double>(at->second)}, s.span);
        });
        std::vector<AxisId> axes;
        for (std::size_t k = 0; k < s.target_indices.size(); ++k) {
            const auto* label = std::get_if<Computed>(&s.target_indices[k]);
            const bool other = std::holds_alternative<Offset>(s.target_indices[k]);
            if (label == nullptr && (!other || place.contains(axes_of(s)[k]))) continue;
            axes.push_back(axes_of(s)[k]);
            made.target_indices.push_back(label ? AxisIndex{Computed{moved.expression(label->position)}}
                                                : s.target_indices[k]);
        }
        made.target_indices.emplace_back(Computed{piece_of_entry(s)});
        axes.push_back(axis_of_pieces(result_.program, s.listed).value());
        made.target = new_field_of_list(result_.program, s.target, "_pieces", axes, type_of_lanes(s), s.span);
        made.value = moved.expression(std::get<BinaryOperation>(s.value->node).right);
        made.adding = Adding{Adding::Part::pieces};
        made.adding->written = std::make_shared<const FieldStatement>(s);
        return frontend::with_equal_operands_once(made);
    }
    struct PiecesAtPlace {
        Place place;
        FieldStatement pieces;
    };
    /// What parts of the pieces have, in double: at each place its own pieces.
    [[nodiscard]] FieldStatement folded(const FieldStatement& s, const std::vector<PiecesAtPlace>& all,
                                        const std::vector<AxisId>& cells) {
        const AxisId along = axes_of(all.front().pieces).back();
        const AxisId part = make_axis_of_folded_pieces(result_.program, along, s.span);
        std::vector<AxisId> axes = cells;
        axes.push_back(part);
        const VariableId parts =
            new_field_of_list(result_.program, s.target, "_parts", axes, CellType::float64, s.span);
        FieldStatement made{s.span, parts, at_cells(axes.size()), {}, nullptr, s.precision, {}, nullptr};
        for (const auto& [place, pieces] : all) {
            const ExpressionRef here = real_operand(made.operands.size(), s.span);
            made.operands.push_back({pieces.target, at_cells(axes_of(pieces).size()), s.span});
            made.value = made.value ? make_expression(Conditional{stands_at(place, s.span), here, made.value},
                                                      ScalarKind::real, s.span)
                                    : here;
        }
        made.fold = Fold{FoldOperator::sum, {along}, column_lanes, part, true};
        return made;
    }
    /// What all parts have, as of any sum along an axis.
    [[nodiscard]] FieldStatement joined(const FieldStatement& s, const FieldStatement& parts,
                                        const std::vector<AxisId>& cells) {
        const VariableId sums = new_field_of_list(result_.program, s.target, "_sums", cells, type_of_lanes(s), s.span);
        FieldStatement made{s.span, sums,   at_cells(cells.size()), {}, real_operand(0, s.span), Precision::dual,
                            {},     nullptr};
        made.operands.push_back({parts.target, at_cells(cells.size() + 1), s.span});
        made.fold = Fold{FoldOperator::sum, {axes_of(parts).back()}, joined_lanes, std::nullopt, true};
        return made;
    }

    void add(const FieldStatement& s, std::vector<Statement>& made) {
        result_.changed = true;
        std::vector<AxisId> cells;
        FieldStatement last{s.span, s.target, {}, {}, nullptr, s.precision, {}, nullptr};
        for (std::size_t k = 0; k < s.target_indices.size(); ++k) {
            const AxisIndex& index = s.target_indices[k];
            if (!std::holds_alternative<Absolute>(index)) cells.push_back(axes_of(s)[k]);
            last.target_indices.push_back(std::holds_alternative<Computed>(index) ? AxisIndex{Offset{0}} : index);
        }
        std::vector<PiecesAtPlace> all;
        for (const Place& place : places(s)) all.push_back({place, by_pieces(s, place)});
        const FieldStatement parts = folded(s, all, cells), sums = joined(s, parts, cells);
        last.operands.push_back({s.target, last.target_indices, s.span});
        last.operands.push_back({sums.target, at_cells(cells.size()), s.span});
        last.value =
            make_expression(BinaryOperation{BinaryOperator::add, real_operand(0, s.span), real_operand(1, s.span)},
                            ScalarKind::real, s.span);
        for (PiecesAtPlace& each : all) made.emplace_back(std::move(each.pieces));
        for (const FieldStatement& each : {parts, sums, last}) made.emplace_back(each);
    }
};

}  // namespace

ListPieces list_pieces(const Program& program) { return PieceAdding(program).run(); }

}  // namespace kasc
