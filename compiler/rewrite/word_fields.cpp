#include "rewrite/word_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>
#include <utility>

#include "frontend/expression_parts.hpp"
#include "frontend/make_expression.hpp"
#include "frontend/new_field.hpp"
#include "frontend/reduction.hpp"
#include "frontend/rewrite_expression.hpp"
#include "rewrite/known_values.hpp"
#include "rewrite/statements.hpp"

namespace kasc::rewriting {

namespace {

/// By variable, how often the program assigns it, and what does so outside of loops.
struct Assigned {
    int times = 0;
    const FieldStatement* outside = nullptr;
};

std::map<VariableId, Assigned> assigned_in(const Program& program) {
    std::map<VariableId, Assigned> all;
    each_statement(program.statements, [&](const Statement& statement) {
        for (const VariableId v : targets(statement)) ++all[v].times;
    });
    for (const Statement& statement : program.statements)
        if (const auto* field = std::get_if<FieldStatement>(&statement)) all[field->target].outside = field;
    return all;
}

/// Series may pass through memory some rows at a time, which words of theirs, copied whole, could not.
std::set<VariableId> series_in(const Program& program) {
    std::set<VariableId> all;
    const auto note = [&](VariableId variable, const std::vector<AxisIndex>& indices) {
        for (const AxisIndex& index : indices)
            if (const auto* absolute = std::get_if<Absolute>(&index); absolute && uses_loop(*absolute->position))
                all.insert(variable);
    };
    each_statement(program.statements, [&](const Statement& statement) {
        const auto* field = std::get_if<FieldStatement>(&statement);
        if (field == nullptr) return;
        note(field->target, field->target_indices);
        for (const Operand& operand : field->operands) note(operand.variable, operand.indices);
    });
    return all;
}

/// A field's cells at numbers alone, as words of an axis before are copied from it and to it.
bool is_at_number(const std::vector<AxisIndex>& indices) {
    return std::any_of(indices.begin(), indices.end(), [](const AxisIndex& index) {
        const auto* absolute = std::get_if<Absolute>(&index);
        return absolute != nullptr && std::holds_alternative<Literal>(absolute->position->node);
    });
}

/// What words of an axis before are copied to, cell by cell, and nothing reads but what they are copied from before:
/// words along another axis come from there and go there as well, in place of a field for each that is put together and
/// copied once more.
std::set<VariableId> copied_to_in(const Program& program) {
    std::set<VariableId> all, others, assigned_before;
    for (const Statement& statement : program.statements) {
        std::set<VariableId> read, assigned;
        each_statement({statement}, [&](const Statement& s) {
            const std::set<VariableId> made = targets(s);
            assigned.insert(made.begin(), made.end());
            const auto* field = std::get_if<FieldStatement>(&s);
            if (field == nullptr) {
                others.insert(made.begin(), made.end());
                if (const auto* transform = std::get_if<TransformStatement>(&s)) others.insert(transform->source);
                return;
            }
            for (const Operand& operand : field->operands)
                (is_at_number(operand.indices) ? read : others).insert(operand.variable);
            (is_at_number(field->target_indices) ? all : others).insert(field->target);
        });
        assigned_before.merge(assigned);
        for (const VariableId v : read)
            if (assigned_before.contains(v)) others.insert(v);
    }
    for (const VariableId v : others) all.erase(v);
    return all;
}

/// Some statement folds all cells of each word, `nk = sum(r, n)` of `r[k, n]`: its results are a list, and what is
/// computed of them is over the list as well.
bool folds_to_lists(const Program& program, const std::map<AxisId, long long>& words) {
    bool found = false;
    each_statement(program.statements, [&](const Statement& statement) {
        const auto* s = std::get_if<FieldStatement>(&statement);
        if (s == nullptr || !s->fold || s->fold->chained) return;
        const auto is_of_words = [&](AxisId axis) { return words.contains(axis); };
        if (std::any_of(s->fold->axes.begin(), s->fold->axes.end(), is_of_words)) return;
        const std::vector<AxisId>& axes = field_shape(program, s->target).axes;
        found = found || (std::any_of(axes.begin(), axes.end(), is_of_words) &&
                          std::all_of(axes.begin(), axes.end(),
                                      [&](AxisId axis) { return is_of_words(axis) || axis == s->fold->parts; }));
    });
    return found;
}

/// Fields over the axis alone, and parts of such folds.
std::set<VariableId> lists_in(const Program& program, const std::map<AxisId, long long>& words) {
    std::set<VariableId> all;
    for (const VariableId v : program.variables.ids()) {
        const auto* field = std::get_if<FieldShape>(&program.variables[v].shape);
        if (field != nullptr && std::all_of(field->axes.begin(), field->axes.end(), [&](AxisId axis) {
                return words.contains(axis) || program.axes[axis].parts;
            }))
            all.insert(v);
    }
    return all;
}

bool has(const std::vector<VariableId>& list, VariableId variable) {
    return std::find(list.begin(), list.end(), variable) != list.end();
}

/// As memory has it.
double stored(CellType type, double value) { return type == CellType::float32 ? static_cast<float>(value) : value; }

/// One statement at coordinates.
class Placing {
public:
    Placing(const Program& program, const WordFields& fields, const FieldStatement& from, const Coordinates& at,
            std::string& fault)
        : program_(program), fields_(fields), from_(from), at_(at), fault_(fault), uses_(from.operands.size()) {}

    FieldStatement run() {
        made_ = from_;
        made_.operands.clear();
        place_target();
        made_.value = expression(from_.value);
        if (from_.where) made_.where = expression(from_.where);
        return with_equal_operands_once(made_);
    }

    /// What it assigns there, where the text says it; its operands may be any.
    std::optional<double> known() {
        const ExpressionRef value = expression(from_.value);
        return fault_.empty() ? known_value(*value, from_.precision) : std::nullopt;
    }

private:
    const Program& program_;
    const WordFields& fields_;
    const FieldStatement& from_;
    const Coordinates& at_;
    std::string& fault_;
    std::vector<ExpressionRef> uses_;  ///< by operand as it was: what it is now
    FieldStatement made_;

    void refuse(std::string why) {
        if (fault_.empty()) fault_ = std::move(why);
    }
    [[nodiscard]] const std::string& name(VariableId variable) const { return program_.variables[variable].name; }

    void place_target() {
        for (AxisIndex& index : made_.target_indices) index = moved(index);
        const auto place = fields_.place_in(from_.target);
        if (!place) return;
        const auto cell = cell_of(from_.target, *place, made_.target_indices[*place]);
        if (!cell) return refuse(fmt::format("which cell of {} is assigned is known as it runs", name(from_.target)));
        if (fields_.stays(from_.target)) {
            made_.target_indices[*place] =
                Absolute{rewriting::number(static_cast<double>(*cell), ScalarKind::integer, from_.span)};
            return;
        }
        const auto word = fields_.word(from_.target, *cell);
        if (!word) return refuse(fmt::format("{} is assigned beyond its ends", name(from_.target)));
        made_.target = *word;
        made_.target_indices.erase(made_.target_indices.begin() + static_cast<std::ptrdiff_t>(*place));
    }

    /// With positions as they are at the coordinates.
    AxisIndex moved(const AxisIndex& index) {
        if (const auto* absolute = std::get_if<Absolute>(&index)) return Absolute{expression(absolute->position)};
        const auto* computed = std::get_if<Computed>(&index);
        return computed == nullptr ? index : Computed{expression(computed->position)};
    }

    [[nodiscard]] std::optional<long long> cell_of(VariableId variable, std::size_t place, const AxisIndex& index) {
        if (const auto* offset = std::get_if<Offset>(&index)) {
            const auto at = at_.find(field_shape(program_, variable).axes[place]);
            return at == at_.end() ? std::nullopt : std::optional(at->second + offset->cells);
        }
        const auto* absolute = std::get_if<Absolute>(&index);
        const ExpressionRef position = absolute != nullptr ? absolute->position : std::get<Computed>(index).position;
        const auto value = known_value(*position, Precision::dual);
        return value ? std::optional(static_cast<long long>(*value)) : std::nullopt;
    }

    ExpressionRef expression(const ExpressionRef& e) {
        const ExpressionRef made = with_leaves(e, [&](const ExpressionRef& leaf) -> ExpressionRef {
            if (const auto* along = std::get_if<CoordinateUse>(&leaf->node)) {
                const auto at = at_.find(along->axis);
                if (at != at_.end()) return number(static_cast<double>(at->second), leaf->kind, leaf->span);
                if (fields_.cells_of(along->axis)) refuse("a coordinate along it stands where no cell of it is meant");
                return leaf;
            }
            if (const auto* extent = std::get_if<ExtentUse>(&leaf->node)) {
                const auto cells = fields_.cells_of(extent->axis);
                return cells ? number(static_cast<double>(*cells), leaf->kind, leaf->span) : leaf;
            }
            const auto* use = std::get_if<OperandUse>(&leaf->node);
            return use == nullptr ? leaf : operand(use->operand, leaf);
        });
        return with_known_values(made, from_.precision);
    }

    ExpressionRef operand(std::size_t number, const ExpressionRef& leaf) {
        if (uses_[number]) return uses_[number];
        Operand operand = from_.operands[number];
        for (std::size_t k = 0; k < operand.indices.size(); ++k) {
            AxisIndex& index = operand.indices[k];
            const bool computes = std::holds_alternative<Computed>(index);
            index = moved(index);
            if (computes && !fields_.place_in(operand.variable)) place_known(operand, k);
        }
        ExpressionRef constant = place(operand, leaf);
        if (constant) return uses_[number] = constant;
        made_.operands.push_back(std::move(operand));
        return uses_[number] = make_expression(OperandUse{made_.operands.size() - 1}, leaf->kind, leaf->span);
    }

    /// A computed position that is a number at the coordinates, which sees the nearest cell of the grid.
    void place_known(Operand& operand, std::size_t place) {
        const ExpressionRef& position = std::get<Computed>(operand.indices[place]).position;
        const auto known = known_value(*position, Precision::dual);
        if (!known) return;
        const auto cells = declared_length(program_.axes[field_shape(program_, operand.variable).axes[place]]);
        if (!cells)
            return refuse(fmt::format("{} is read at a position that a list of the program's text decides",
                                      name(operand.variable)));
        const auto cell = std::clamp(static_cast<long long>(*known), 0LL, *cells - 1);
        operand.indices[place] =
            Absolute{rewriting::number(static_cast<double>(cell), ScalarKind::integer, position->span)};
    }

    /// Which word the operand is; not null: the number that it is.
    ExpressionRef place(Operand& operand, const ExpressionRef& leaf) {
        const std::vector<std::size_t> places = fields_.places_in(operand.variable);
        if (places.empty()) return nullptr;
        std::vector<long long> cell;
        for (const std::size_t place : places) {
            auto known = cell_of(operand.variable, place, operand.indices[place]);
            if (known) known = cell_beyond(operand, place, *known);
            if (!known) {
                const bool positioned = !std::holds_alternative<Offset>(operand.indices[place]);
                if (positioned && fields_.is_given(operand.variable)) continue;  // read in place, wherever
                refuse(fmt::format("which cell of {} is read is known as it runs", name(operand.variable)));
                return rewriting::number(0, leaf->kind, leaf->span);  // no operand: they are numbered anew
            }
            operand.indices[place] =
                Absolute{rewriting::number(static_cast<double>(*known), ScalarKind::integer, leaf->span)};
            cell.push_back(*known);
        }
        if (const ExpressionRef known = fields_.constant(operand.variable, cell))
            return rewriting::number(*known_value(*known, Precision::dual), leaf->kind, leaf->span);
        if (fields_.is_given(operand.variable)) return nullptr;
        if (const auto word = fields_.word(operand.variable, cell.front())) {
            operand.variable = *word;
            operand.indices.erase(operand.indices.begin() + static_cast<std::ptrdiff_t>(places.front()));
        }
        return nullptr;
    }

    [[nodiscard]] std::optional<long long> cell_beyond(const Operand& operand, std::size_t place,
                                                       long long cell) const {
        const long long cells = *fields_.cells_of(field_shape(program_, operand.variable).axes[place]);
        if (cell >= 0 && cell < cells) return cell;
        if (std::holds_alternative<Offset>(operand.indices[place])) return fields_.cell_at(operand.variable, cell);
        if (std::holds_alternative<Absolute>(operand.indices[place])) return std::nullopt;
        return std::clamp(cell, 0LL, cells - 1);  // a computed position sees the nearest cell
    }
};

}  // namespace

long long WordAxes::cells() const { return std::accumulate(lengths.begin(), lengths.end(), 1LL, std::multiplies<>()); }

Coordinates WordAxes::at(long long k) const {
    Coordinates at;
    for (std::size_t n = 0; n < axes.size(); ++n) {
        at[axes[n]] = k % lengths[n];
        k /= lengths[n];
    }
    return at;
}

WordFields::WordFields(Program& program, const WordAxes& of) : program_(program) {
    for (std::size_t n = 0; n < of.axes.size(); ++n) cells_[of.axes[n]] = of.lengths[n];
    std::set<AxisId> of_parts;
    for (const AxisId other : program.axes.ids())
        if (const auto& parts = program.axes[other].parts; parts && parts->of == of.axes) {
            cells_[other] = part_count(of.cells(), *parts);
            of_parts.insert(other);
        }
    const auto assigned = assigned_in(program);
    for (const auto& [variable, by] : assigned)
        if (by.times == 1 && by.outside != nullptr) add_constants(*by.outside);
    in_place_ = series_in(program);
    in_place_.merge(copied_to_in(program));
    lists_ = !of.window && folds_to_lists(program, cells_);
    if (lists_) in_place_.merge(lists_in(program, cells_));
    for (const VariableId v : program.variables.ids()) {
        const auto place = place_in(v);
        if (!place || !assigned.contains(v) || is_constant(v) || stays(v)) continue;
        if (!of.window || of_parts.contains(field_shape(program, v).axes[*place])) make_words(v);
    }
}

std::optional<long long> WordFields::cells_of(AxisId axis) const {
    const auto found = cells_.find(axis);
    return found == cells_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::size_t> WordFields::place_in(VariableId variable) const {
    const std::vector<std::size_t> places = places_in(variable);
    return places.empty() ? std::nullopt : std::optional(places.front());
}

std::vector<std::size_t> WordFields::places_in(VariableId variable) const {
    std::vector<std::size_t> places;
    if (const auto* field = std::get_if<FieldShape>(&program_.variables[variable].shape))
        for (std::size_t k = 0; k < field->axes.size(); ++k)
            if (cells_.contains(field->axes[k])) places.push_back(k);
    return places;
}

std::optional<VariableId> WordFields::word(VariableId variable, long long cell) const {
    const auto found = words_.find(variable);
    if (found == words_.end() || cell < 0 || cell >= static_cast<long long>(found->second.size())) return std::nullopt;
    return found->second[static_cast<std::size_t>(cell)];
}

ExpressionRef WordFields::constant(VariableId variable, const std::vector<long long>& cell) const {
    const auto found = constants_.find(variable);
    return found == constants_.end() ? nullptr : found->second.at(cell);
}

/// What a read beyond the ends sees, by the field's boundary: periodic, mirror without a sign, or the nearest one that
/// is kept.
std::optional<long long> WordFields::cell_at(VariableId variable, long long cell) const {
    const FieldShape& shape = field_shape(program_, variable);
    const std::size_t place = *place_in(variable);
    const long long cells = cells_.at(shape.axes[place]);
    const Faces& faces = shape.faces[place];
    bool mirrored = false;  // the other face then counts as a mirror as well
    while (cell < 0 || cell >= cells) {
        const Face& face = cell < 0 ? faces.low : faces.high;
        if (face.kind == BoundaryKind::mirror && face.odd) return std::nullopt;
        if (mirrored || face.kind == BoundaryKind::mirror) {
            cell = cell < 0 ? -1 - cell : 2 * cells - 1 - cell;
            mirrored = true;
        } else if (face.kind == BoundaryKind::periodic) {
            cell += cell < 0 ? cells : -cells;
        } else if (face.kind == BoundaryKind::keep) {
            cell = std::clamp(cell, 0LL, cells - 1);
        } else {
            return std::nullopt;
        }
    }
    return cell;
}

bool WordFields::is_of_lists(const FieldStatement& statement) const {
    const auto becomes_other = [&](VariableId v) { return words_.contains(v) || is_constant(v); };
    return lists_ && stays(statement.target) && !is_constant(statement.target) &&
           std::none_of(statement.operands.begin(), statement.operands.end(),
                        [&](const Operand& operand) { return becomes_other(operand.variable); });
}

bool WordFields::is_given(VariableId variable) const {
    return !words_.contains(variable) && !is_constant(variable) && !stays(variable);
}

bool WordFields::concerns(const FieldStatement& statement) const {
    const auto is_along = [&](const Expression& e) {
        return any_part(e, [&](const Expression& part) {
            const auto* at = std::get_if<CoordinateUse>(&part.node);
            return at != nullptr && cells_.contains(at->axis);
        });
    };
    const auto reads = [&](const Operand& operand) { return place_in(operand.variable).has_value(); };
    const bool folds = statement.fold && std::any_of(statement.fold->axes.begin(), statement.fold->axes.end(),
                                                     [&](AxisId axis) { return cells_.contains(axis); });
    return place_in(statement.target) || folds || is_along(*statement.value) ||
           std::any_of(statement.operands.begin(), statement.operands.end(), reads);
}

FieldStatement WordFields::placed(const FieldStatement& statement, const Coordinates& at, std::string& fault) const {
    return Placing(program_, *this, statement, at, fault).run();
}

/// Lists of numbers of the text: `int ex[q] = {0, 1, …};`.
void WordFields::add_constants(const FieldStatement& statement) {
    const VariableId variable = statement.target;
    if (!place_in(variable) || !is_whole(program_, statement)) return;
    const FieldShape& shape = field_shape(program_, variable);
    const bool known =
        shape.type == CellType::float32 || shape.type == CellType::float64 || shape.type == CellType::int32;
    const bool lies_along = places_in(variable).size() == shape.axes.size();
    if (!lies_along || !known || has(program_.inputs, variable) || has(program_.outputs, variable)) return;
    WordAxes all{shape.axes, {}};
    for (const AxisId axis : shape.axes) all.lengths.push_back(cells_.at(axis));
    std::map<std::vector<long long>, ExpressionRef> values;
    for (long long k = 0; k < all.cells(); ++k) {
        std::string fault;
        const Coordinates at = all.at(k);
        const auto value = Placing(program_, *this, statement, at, fault).known();
        if (!value) return;
        std::vector<long long> cell;
        for (const AxisId axis : shape.axes) cell.push_back(at.at(axis));
        values[cell] = number(stored(shape.type, *value), scalar_kind(shape.type), statement.value->span);
    }
    constants_.emplace(variable, std::move(values));
}

void WordFields::make_words(VariableId variable) {
    const std::size_t place = *place_in(variable);
    FieldShape shape = field_shape(program_, variable);
    const std::string name = program_.variables[variable].name;
    // Layers that nothing assigns would have to be handed to each word.
    if (shape.keeps_layers()) fault_ = fmt::format("{} keeps layers at an edge", name);
    const long long cells = cells_.at(shape.axes[place]);
    shape.axes.erase(shape.axes.begin() + static_cast<std::ptrdiff_t>(place));
    shape.faces.erase(shape.faces.begin() + static_cast<std::ptrdiff_t>(place));
    const Span span = program_.variables[variable].span;
    for (long long k = 0; k < cells; ++k) {
        const VariableId word = new_field(program_, fmt::format("{}_{}", name, k), shape.axes, shape.type, span);
        std::get<FieldShape>(program_.variables[word].shape).faces = shape.faces;
        words_[variable].push_back(word);
    }
    if (has(program_.inputs, variable)) copied_in_.push_back(variable);
    if (has(program_.outputs, variable)) copied_out_.push_back(variable);
}

}  // namespace kasc::rewriting
