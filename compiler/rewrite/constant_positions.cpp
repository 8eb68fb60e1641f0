#include "rewrite/constant_positions.hpp"

#include <map>
#include <optional>
#include <set>

#include "rewrite/statements.hpp"

namespace kasc::rewriting {

namespace {

/// coordinate · x + extents · extent(x) + constant.
struct Place {
    long long coordinate = 0, extents = 0, constant = 0;
};

Place joined(const Place& a, const Place& b, int sign) {
    return {a.coordinate + sign * b.coordinate, a.extents + sign * b.extents, a.constant + sign * b.constant};
}

std::optional<Place> place_of(const Expression& e, AxisId axis) {
    if (e.kind != ScalarKind::integer) return std::nullopt;
    if (const auto* literal = std::get_if<Literal>(&e.node)) return Place{0, 0, static_cast<long long>(literal->value)};
    if (const auto* at = std::get_if<CoordinateUse>(&e.node); at && at->axis == axis) return Place{1, 0, 0};
    if (const auto* cells = std::get_if<ExtentUse>(&e.node); cells && cells->axis == axis) return Place{0, 1, 0};
    if (const auto* u = std::get_if<UnaryOperation>(&e.node); u && u->op == UnaryOperator::negate) {
        const auto of = place_of(*u->operand, axis);
        return of ? std::optional(joined({}, *of, -1)) : std::nullopt;
    }
    const auto* b = std::get_if<BinaryOperation>(&e.node);
    if (b == nullptr || (b->op != BinaryOperator::add && b->op != BinaryOperator::subtract)) return std::nullopt;
    const auto left = place_of(*b->left, axis), right = place_of(*b->right, axis);
    if (!left || !right) return std::nullopt;
    return joined(*left, *right, b->op == BinaryOperator::add ? 1 : -1);
}

struct Neighbour {
    int step = 0;
    BoundaryKind beyond = BoundaryKind::keep;
};

std::optional<Neighbour> neighbour_at(const Expression& position, AxisId axis) {
    constexpr long long farthest = 64;
    const auto is_near = [](long long step) { return step >= -farthest && step <= farthest; };
    const auto* b = std::get_if<BinaryOperation>(&position.node);
    if (b != nullptr && b->op == BinaryOperator::modulo) {
        const auto* cells = std::get_if<ExtentUse>(&b->right->node);
        const auto place = cells && cells->axis == axis ? place_of(*b->left, axis) : std::nullopt;
        // An extent is one at least, so that what is divided is not negative for any.
        if (!place || place->coordinate != 1 || place->constant < -place->extents || !is_near(place->constant))
            return std::nullopt;
        return Neighbour{static_cast<int>(place->constant), BoundaryKind::periodic};
    }
    const auto place = place_of(position, axis);
    if (!place || place->coordinate != 1 || place->extents != 0 || !is_near(place->constant)) return std::nullopt;
    return Neighbour{static_cast<int>(place->constant), BoundaryKind::keep};
}

using FieldAxis = std::pair<VariableId, std::size_t>;

/// Cells of a statement that runs over whole fields, each at its own place.
bool runs_over_cells(const FieldStatement& s) { return !s.adding && !s.running && !s.where && s.listed.empty(); }

std::optional<Neighbour> read_at(const Program& program, const FieldStatement& s, const Operand& operand,
                                 std::size_t k) {
    const auto* computed = std::get_if<Computed>(&operand.indices[k]);
    if (computed == nullptr || !runs_over_cells(s)) return std::nullopt;
    return neighbour_at(*computed->position, field_shape(program, operand.variable).axes[k]);
}

/// Fields and axes that are read at neighbours, which see their faces.
std::set<FieldAxis> read_at_neighbours(const Program& program) {
    std::set<FieldAxis> all;
    each_statement(program.statements, [&](const Statement& statement) {
        const auto* s = std::get_if<FieldStatement>(&statement);
        if (s == nullptr) return;
        for (const Operand& operand : s->operands)
            for (std::size_t k = 0; k < operand.indices.size(); ++k)
                if (const auto* offset = std::get_if<Offset>(&operand.indices[k]); offset && offset->cells != 0)
                    all.emplace(operand.variable, k);
    });
    return all;
}

/// What reads beyond the grid see of each field and axis; none where they do not agree. A face that neighbours see, or
/// that keeps layers, stays: what sees the same is a neighbour.
std::map<FieldAxis, std::optional<BoundaryKind>> seen_beyond(const Program& program) {
    const std::set<FieldAxis> seen = read_at_neighbours(program);
    std::map<FieldAxis, std::optional<BoundaryKind>> all;
    each_statement(program.statements, [&](const Statement& statement) {
        const auto* s = std::get_if<FieldStatement>(&statement);
        if (s == nullptr) return;
        for (const Operand& operand : s->operands) {
            const FieldShape& shape = field_shape(program, operand.variable);
            for (std::size_t k = 0; k < operand.indices.size(); ++k) {
                const auto near = read_at(program, *s, operand, k);
                const BoundaryKind low = shape.faces[k].low.kind, high = shape.faces[k].high.kind;
                if (!near || near->step == 0) continue;
                const bool stays =
                    low == BoundaryKind::keep || high == BoundaryKind::keep || seen.contains({operand.variable, k});
                if (stays && low != BoundaryKind::none && (low != high || low != near->beyond)) continue;
                const auto [at, first] = all.try_emplace({operand.variable, k}, near->beyond);
                if (!first && at->second != near->beyond) at->second = std::nullopt;
            }
        }
    });
    return all;
}

}  // namespace

Program with_neighbours(Program program) {
    std::map<FieldAxis, BoundaryKind> beyond;
    for (const auto& [of, kind] : seen_beyond(program))
        if (kind) beyond.emplace(of, *kind);
    for (const auto& [of, kind] : beyond) {
        Faces& faces = std::get<FieldShape>(program.variables[of.first].shape).faces[of.second];
        if (faces.low.kind != kind || faces.high.kind != kind) faces.low = faces.high = {kind, 0, nullptr, {}};
    }
    program.statements = with_lists(program.statements, [&](Statements list) {
        for (Statement& statement : list) {
            auto* s = std::get_if<FieldStatement>(&statement);
            if (s == nullptr) continue;
            FieldStatement made = *s;
            bool changed = false;
            for (std::size_t o = 0; o < s->operands.size(); ++o)
                for (std::size_t k = 0; k < s->operands[o].indices.size(); ++k) {
                    const auto near = read_at(program, *s, s->operands[o], k);
                    if (!near) continue;
                    const auto seen = beyond.find({s->operands[o].variable, k});
                    if (near->step != 0 && (seen == beyond.end() || seen->second != near->beyond)) continue;
                    made.operands[o].indices[k] = Offset{near->step};
                    changed = true;
                }
            // Positions are gone, and with them what only they have read.
            if (changed) *s = with_equal_operands_once(made);
        }
        return list;
    });
    return program;
}

}  // namespace kasc::rewriting
