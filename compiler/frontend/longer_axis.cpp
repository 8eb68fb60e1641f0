#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "frontend/expression_parts.hpp"
#include "frontend/line_axes.hpp"
#include "frontend/new_field.hpp"
#include "frontend/rewrite_expression.hpp"
#include "frontend/with_operands.hpp"

// n cells have n + 1 faces. A field of the cells, p[x], lies along the faces in memory, with a cell behind its last one
// that nothing sees; so its statements run along the faces too, and fuse with theirs.
//
//     p           0   1   2  (3)           cell i and the face below it have one number
//     u         0   1   2   3
//
//     axis xf = staggered(x);      float p[x] boundary mirror, u[xf];
//     u = u - k*(p[x = xf] - p[x = xf - 1]);     →     u = u - k*((xf >= extent(x) ? p[xf - 1] : p) - p[xf - 1]);
//     p = p - k*(u[xf = x + 1] - u[xf = x]);     →     p = p - k*(u[xf + 1] - u);
//
// What p sees beyond its high face is written out, since it is not the axis' end; the low faces of both are one. Inputs
// and outputs keep their own extents: they are copied before the first statement, and behind the last. Series that
// files have row by row, what is transformed or keeps layers stay along x, and are read at positions; so are
// the cells that a sum along x adds. A read so far away that a narrow grid would mirror it twice requires a wider one.

namespace kasc::frontend {

namespace {

class Longer {
public:
    Longer(Program program, const LineAxes& line, Checking& checking)
        : program_(std::move(program)), line_(line), checking_(checking) {}

    Program run() {
        find_apart(program_.statements);
        std::erase_if(apart_, [&](VariableId v) { return whole_.contains(v); });
        const std::vector<VariableId> all = variables_of_cells();
        for (const VariableId v : all) {
            const FieldShape& shape = field_shape(program_, v);
            if (is_periodic(shape)) report_periodic(v, shape.faces[*place_of_line(shape, line_.cells)].low);
        }
        if (checking_.report.has_errors()) return std::move(program_);
        for (const VariableId v : all)
            if (bound_.contains(v) || field_shape(program_, v).keeps_layers()) apart_.insert(v);
        std::vector<Statement> before, behind;
        for (const VariableId v : all) {
            if (apart_.contains(v) || !whole_.contains(v)) continue;
            const FieldShape shape = field_shape(program_, v);
            if (!is_of_file(v)) {
                moved_[v] = v;
                continue;
            }
            moved_[v] =
                new_field(program_, program_.variables[v].name, shape.axes, shape.type, program_.variables[v].span);
            field_of(moved_[v]).faces = shape.faces;
            before_.insert({v, shape});
            field_of(v).faces.assign(shape.axes.size(), Faces{});
        }
        for (const VariableId v : all) {
            if (!apart_.contains(v) && !before_.contains(v)) before_.insert({v, field_shape(program_, v)});
        }
        program_.statements = with_each(program_.statements, [&](const Statement& s) { return remade(s); });
        require_widths();
        for (const auto& [v, to] : moved_) {
            if (v != to) copies(v, to, before, behind);
            lengthen(field_of(to));
        }
        for (const VariableId v : near_) bound_nearest(field_of(v));
        before.insert(before.end(), roundings_.begin(), roundings_.end());
        before.insert(before.end(), program_.statements.begin(), program_.statements.end());
        before.insert(before.end(), behind.begin(), behind.end());
        program_.statements = std::move(before);
        return std::move(program_);
    }

private:
    Program program_;
    const LineAxes& line_;
    Checking& checking_;
    std::set<VariableId> apart_;               ///< fields of the cells that stay along them
    std::set<VariableId> whole_, bound_;       ///< used, not as series; transformed, summed up, folded for a file
    std::map<VariableId, VariableId> moved_;   ///< the others, and what they become
    std::map<VariableId, FieldShape> before_;  ///< of those, as the program says them
    std::set<VariableId> assigned_;
    std::set<VariableId> near_;                                                ///< read at neighbours along the line
    std::map<AxisId, int> widths_;                                             ///< cells that there must be
    std::map<std::tuple<VariableId, std::size_t, bool>, VariableId> rounded_;  ///< values of faces, as words of fields
    std::vector<Statement> roundings_;                                         ///< that compute them

    // State of the statement that is made anew.
    AxisId own_{}, written_{};  ///< along which it runs, and was to run
    Precision precision_ = Precision::single;
    std::vector<Operand> operands_;
    std::vector<ExpressionRef> read_;  ///< by operand as it was written

    [[nodiscard]] FieldShape& field_of(VariableId v) { return std::get<FieldShape>(program_.variables[v].shape); }
    [[nodiscard]] bool is_of_file(VariableId v) const {
        const auto in = [&](const std::vector<VariableId>& all) {
            return std::find(all.begin(), all.end(), v) != all.end();
        };
        return in(program_.inputs) || in(program_.outputs);
    }
    [[nodiscard]] std::vector<VariableId> variables_of_cells() const {
        std::vector<VariableId> all;
        for (const VariableId v : program_.variables.ids()) {
            const auto* shape = std::get_if<FieldShape>(&program_.variables[v].shape);
            if (shape && place_of_line(*shape, line_.cells)) all.push_back(v);
        }
        return all;
    }
    [[nodiscard]] static std::optional<std::size_t> place_of_line(const FieldShape& shape, AxisId axis) {
        const auto found = std::find(shape.axes.begin(), shape.axes.end(), axis);
        if (found == shape.axes.end()) return std::nullopt;
        return static_cast<std::size_t>(found - shape.axes.begin());
    }
    [[nodiscard]] bool is_periodic(const FieldShape& shape) const {
        return shape.faces[*place_of_line(shape, line_.cells)].low.kind == BoundaryKind::periodic;
    }
    void report_periodic(VariableId v, const Face& face) {
        const std::string &cells = program_.axes[line_.cells].name, &faces = program_.axes[line_.faces].name;
        Diagnostic& d =
            checking_.report.error("K0272",
                                   fmt::format("'{}' is periodic along '{}', which has one cell less than '{}'",
                                               program_.variables[v].name, cells, faces),
                                   face.span, "the last face would be the first");
        d.notes.push_back({program_.axes[line_.faces].span, fmt::format("'{}' is declared here", faces)});
        d.help = fmt::format("as many faces as cells: 'axis {} = staggered({}, same);'", faces, cells);
    }

    // --- what stays along the cells ---

    void find_apart(const std::vector<Statement>& statements) {
        for (const Statement& s : statements) {
            if (const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&s)) {
                find_apart((*loop)->body);
            } else if (const auto* transform = std::get_if<TransformStatement>(&s)) {
                bound_.insert({transform->source, transform->target});
            } else if (const auto* field = std::get_if<FieldStatement>(&s)) {
                assigned_.insert(field->target);
                // Copies of files are read and made where they are.
                if (is_copy(*field)) continue;
                look_at(field->target, field->target_indices);
                for (const Operand& operand : field->operands) look_at(operand.variable, operand.indices);
                if (field->fold && is_of_file(field->target)) folded_apart(*field);
                // From the last cell down, what lies behind that would count.
                if (field->running && field->running->axis == line_.cells) bound_.insert(field->target);
            }
        }
    }
    [[nodiscard]] bool is_copy(const FieldStatement& s) const {
        const bool plain =
            std::holds_alternative<OperandUse>(s.value->node) && !s.where && !s.adding && !s.fold && !s.running;
        if (!plain || s.operands.size() != 1) return false;
        const Operand& from = s.operands.front();
        return (is_of_file(s.target) || is_of_file(from.variable)) &&
               std::none_of(from.indices.begin(), from.indices.end(), [](const AxisIndex& index) {
                   const auto* offset = std::get_if<Offset>(&index);
                   return offset && (offset->cells != 0 || offset->across);
               });
    }
    /// What is folded for a file, and the parts that it is folded in.
    void folded_apart(const FieldStatement& s) {
        bound_.insert(s.target);
        for (const Operand& operand : s.operands) {
            const std::vector<AxisId>& axes = field_shape(program_, operand.variable).axes;
            if (std::any_of(axes.begin(), axes.end(),
                            [&](AxisId axis) { return program_.axes[axis].parts.has_value(); }))
                bound_.insert(operand.variable);
        }
    }
    void look_at(VariableId v, const std::vector<AxisIndex>& indices) {
        const FieldShape& shape = field_shape(program_, v);
        if (!place_of_line(shape, line_.cells)) return;
        bool slice = false;
        for (std::size_t k = 0; k < indices.size() && is_of_file(v); ++k)
            slice = slice || (shape.axes[k] != line_.cells && !std::holds_alternative<Offset>(indices[k]));
        (slice ? apart_ : whole_).insert(v);
    }

    // --- fields ---

    void lengthen(FieldShape& shape) {
        const std::size_t k = *place_of_line(shape, line_.cells);
        shape.axes[k] = line_.faces;
        // What lies there is written out.
        if (shape.faces[k].low.kind != BoundaryKind::none) shape.faces[k].high = {BoundaryKind::keep, 0, nullptr, {}};
    }
    /// Where no read goes beyond the last face, the program need not say what lies there.
    void bound_nearest(FieldShape& shape) const {
        for (std::size_t k = 0; k < shape.axes.size(); ++k) {
            Faces& faces = shape.faces[k];
            if (line_.has(shape.axes[k]) && faces.low.kind == BoundaryKind::none)
                faces.low = faces.high = {BoundaryKind::keep, 0, nullptr, {}};
        }
    }
    void copies(VariableId v, VariableId to, std::vector<Statement>& before, std::vector<Statement>& behind) {
        const bool input = std::find(program_.inputs.begin(), program_.inputs.end(), v) != program_.inputs.end();
        const bool output = std::find(program_.outputs.begin(), program_.outputs.end(), v) != program_.outputs.end();
        if (input) before.push_back(copy(v, to, line_.faces));
        if (output && (assigned_.contains(v) || !input)) behind.push_back(copy(to, v, line_.cells));
    }
    [[nodiscard]] FieldStatement copy(VariableId from, VariableId to, AxisId along) const {
        const FieldShape& shape = before_.at(moved_.contains(from) ? from : to);
        const Span& span = program_.variables[from].span;
        std::vector<AxisIndex> indices(shape.axes.size(), Offset{0});
        indices[*place_of_line(shape, line_.cells)] =
            Computed{make_expression(CoordinateUse{along}, ScalarKind::integer, span)};
        const ScalarKind kind = scalar_kind(shape.type);
        FieldStatement made{span,
                            to,
                            std::vector<AxisIndex>(shape.axes.size(), Offset{0}),
                            {{from, std::move(indices), span}},
                            make_expression(OperandUse{0}, kind, span),
                            real_precision(shape.type),
                            {},
                            nullptr};
        return made;
    }

    // --- statements ---

    Statement remade(const Statement& s) {
        const auto* field = std::get_if<FieldStatement>(&s);
        return field ? Statement(remade(*field)) : s;
    }
    FieldStatement remade(const FieldStatement& s) {
        const std::set<AxisId> along = axes_run_along(program_, s, line_);
        written_ = along.empty() ? line_.faces : *along.begin();
        const bool moves = moved_.contains(s.target) && moves_along_line(s);
        own_ = written_ == line_.faces || moves ? line_.faces : line_.cells;
        precision_ = s.precision;
        operands_.clear();
        read_.clear();
        FieldStatement made = s;
        for (std::size_t i = 0; i < s.operands.size(); ++i) {
            const bool running = s.adding && s.adding->running == i;
            read_.push_back(read(s, i, running));
            if (running) made.adding->running = operands_.size() - 1;
        }
        for (AxisIndex& index : made.target_indices) positions_of_operands(index);
        made.target = moved(s.target);
        made.value = translated(s.value);
        made.where = s.where ? translated(s.where) : nullptr;
        made.operands = std::move(operands_);
        return with_equal_operands_once(made);
    }
    [[nodiscard]] bool moves_along_line(const FieldStatement& s) const {
        const FieldShape& shape = before_.at(s.target);
        const std::size_t k = *place_of_line(shape, line_.cells);
        return std::holds_alternative<Offset>(s.target_indices[k]);
    }
    [[nodiscard]] VariableId moved(VariableId v) const {
        const auto to = moved_.find(v);
        return to == moved_.end() ? v : to->second;
    }

    void positions_of_operands(AxisIndex& index) {
        if (auto* absolute = std::get_if<Absolute>(&index)) absolute->position = translated(absolute->position);
        if (auto* computed = std::get_if<Computed>(&index)) computed->position = translated(computed->position);
    }
    [[nodiscard]] ExpressionRef translated(const ExpressionRef& e) const {
        return with_leaves(e, [&](const ExpressionRef& leaf) {
            if (const auto* use = std::get_if<OperandUse>(&leaf->node)) return read_.at(use->operand);
            const auto* use = std::get_if<CoordinateUse>(&leaf->node);
            if (use && line_.has(use->axis)) return make_expression(CoordinateUse{own_}, leaf->kind, leaf->span);
            return leaf;
        });
    }

    // --- reads ---

    [[nodiscard]] static ExpressionRef whole(decltype(Expression::node) node, const Span& span) {
        return make_expression(std::move(node), ScalarKind::integer, span);
    }
    [[nodiscard]] static ExpressionRef further(ExpressionRef from, int cells, const Span& span) {
        if (cells == 0) return from;
        const auto op = cells < 0 ? BinaryOperator::subtract : BinaryOperator::add;
        return whole(BinaryOperation{op, std::move(from), whole(Literal{static_cast<double>(std::abs(cells))}, span)},
                     span);
    }

    std::size_t add(Operand operand) {
        operands_.push_back(std::move(operand));
        return operands_.size() - 1;
    }

    /// What the statement has in place of an operand.
    ExpressionRef read(const FieldStatement& s, std::size_t number, bool running) {
        Operand operand = s.operands[number];
        const VariableId v = operand.variable;
        const FieldShape shape = before_.contains(v) ? before_.at(v) : field_shape(program_, v);
        operand.variable = moved(v);
        std::optional<std::size_t> along;
        for (std::size_t k = 0; k < shape.axes.size(); ++k) {
            positions_of_operands(operand.indices[k]);
            if (line_.has(shape.axes[k])) along = k;
        }
        const ScalarKind kind = scalar_kind(shape.type);
        const auto use = [&](Operand made) {
            return make_expression(OperandUse{add(std::move(made))}, kind, operand.span);
        };
        if (running || !along) return use(operand);
        AxisIndex& index = operand.indices[*along];
        if (auto* computed = std::get_if<Computed>(&index); computed && moved_.contains(v)) {
            const ExpressionRef last = further(whole(ExtentUse{line_.cells}, operand.span), -1, operand.span);
            computed->position = whole(IntrinsicCall{Intrinsic::minimum, {computed->position, last}}, operand.span);
        }
        const auto* offset = std::get_if<Offset>(&index);
        if (!offset) return use(operand);
        return neighbour(operand, shape, *along, *offset, [&](int cells) {
            Operand made = operand;
            made.indices[*along] = index_at(v, shape.axes[*along], cells, operand.span);
            return use(std::move(made));
        });
    }
    /// The index of a cell at an offset from the statement's.
    AxisIndex index_at(VariableId v, AxisId axis, int cells, const Span& span) {
        if (lies_along(v, axis) == own_) {
            if (cells != 0) near_.insert(moved(v));
            return Offset{cells};
        }
        ExpressionRef position = further(whole(CoordinateUse{own_}, span), cells, span);
        return Computed{std::move(position)};
    }
    [[nodiscard]] AxisId lies_along(VariableId v, AxisId axis) const { return moved_.contains(v) ? line_.faces : axis; }

    /// `at` gives the word at an offset. Where an image lies is written out, cell by cell from the face, where it is
    /// not that of the axis in memory.
    template <class At>
    ExpressionRef neighbour(const Operand& operand, const FieldShape& shape, std::size_t k, const Offset& offset,
                            const At& at) {
        const VariableId written = original(operand.variable);
        const AxisId axis = shape.axes[k];
        const bool as_stored = lies_along(written, axis) == own_;
        const int cells = offset.cells;
        ExpressionRef value = at(cells);
        // The field's own axis may be shorter or longer than the one that the statement was to run along.
        const int more = !offset.across ? 0 : axis == line_.cells ? 1 : -1;
        const bool high_is_axis_end = as_stored && axis == own_, low_is_axis_end = as_stored;
        // What statements choose there stands around the read.
        const auto chosen = [&](bool high) { return checking_.chosen_faces.contains({written, k, high}); };
        // All cells beyond have a face's value; of others each image is another one.
        const auto images = [](const Face& face, int beyond) {
            return face.kind == BoundaryKind::value ? std::min(beyond, 1) : beyond;
        };
        const int above = images(shape.faces[k].high, cells + more), below = images(shape.faces[k].low, -cells);
        for (int j = 1; j <= above && !high_is_axis_end && !chosen(true); ++j) {
            const ExpressionRef end = further(whole(ExtentUse{axis}, operand.span), j - 1 - cells, operand.span);
            value = beyond(value, seen_face(written, shape, k, true), BinaryOperator::greater_equal, end, at,
                           cells + 1 - 2 * j, cells - j, operand.span);
        }
        for (int j = 1; j <= below && !low_is_axis_end && !chosen(false); ++j) {
            const ExpressionRef end = whole(Literal{static_cast<double>(-cells - j + 1)}, operand.span);
            value = beyond(value, seen_face(written, shape, k, false), BinaryOperator::less, end, at, 2 * j - 1 + cells,
                           cells + j, operand.span);
        }
        const bool own_mirrors = as_stored && axis == own_;
        if (cells < 0 && !own_mirrors && shape.faces[k].low.kind == BoundaryKind::mirror) ask_for(axis, -cells);
        if (!high_is_axis_end && shape.faces[k].high.kind == BoundaryKind::mirror)
            ask_for(axis, as_stored ? (cells + more + 1) / 2 : cells + more);
        return value;
    }
    /// Its value is a word of the field: where the statement computes in another precision, it reads one.
    Face seen_face(VariableId v, const FieldShape& shape, std::size_t k, bool high) {
        Face face = high ? shape.faces[k].high : shape.faces[k].low;
        const bool rounds = is_short(shape.type) || real_precision(shape.type) != precision_;
        if (face.kind != BoundaryKind::value || is_integer(shape.type) || !rounds || is_small_integer(*face.value))
            return face;
        const auto [at, added] = rounded_.insert({{v, k, high}, {}});
        if (added) {
            const CellType part = is_dual(shape.type) ? CellType::float64 : CellType::float32;
            const CellType type = is_complex(shape.type) ? part : shape.type;
            at->second = new_field(program_, program_.variables[v].name + "_beyond", {}, type, face.span);
            roundings_.push_back(
                FieldStatement{face.span, at->second, {}, {}, face.value, real_precision(shape.type), {}, nullptr});
        }
        face.value = make_expression(OperandUse{add({at->second, {}, face.span})}, ScalarKind::real, face.span);
        return face;
    }
    /// The value is an integer that all types hold.
    [[nodiscard]] static bool is_small_integer(const Expression& value) {
        constexpr double most = 256;  // the mantissa of a bfloat16
        const auto* literal = std::get_if<Literal>(&value.node);
        return literal && std::abs(literal->value) <= most && literal->value == std::floor(literal->value);
    }
    /// Images of images are those of the axis in memory: a grid is to be so wide that none is looked for.
    void ask_for(AxisId axis, int cells) { widths_[axis] = std::max(widths_[axis], cells); }
    void require_widths() {
        for (const auto& [axis, cells] : widths_) {
            if (cells < 2) continue;
            const Span& span = program_.axes[line_.faces].span;
            program_.requirements.push_back(
                {{},
                 {},
                 make_expression(BinaryOperation{BinaryOperator::greater_equal, whole(ExtentUse{axis}, span),
                                                 whole(Literal{static_cast<double>(cells)}, span)},
                                 ScalarKind::boolean, span)});
        }
    }
    [[nodiscard]] VariableId original(VariableId v) const {
        for (const auto& [from, to] : moved_)
            if (to == v) return from;
        return v;
    }
    template <class At>
    ExpressionRef beyond(ExpressionRef value, const Face& face, BinaryOperator op, const ExpressionRef& end,
                         const At& at, int image, int nearest, const Span& span) {
        ExpressionRef seen = face.kind == BoundaryKind::value    ? face.value
                             : face.kind == BoundaryKind::mirror ? at(image)
                                                                 : at(nearest);
        const ScalarKind kind = value->kind;
        if (face.odd) seen = make_expression(UnaryOperation{UnaryOperator::negate, seen}, kind, span);
        ExpressionRef where =
            make_expression(BinaryOperation{op, whole(CoordinateUse{own_}, span), end}, ScalarKind::boolean, span);
        return make_expression(Conditional{std::move(where), std::move(seen), std::move(value)}, kind, span);
    }
};

}  // namespace

Program with_longer_axis(Program program, const LineAxes& line, Checking& checking) {
    return Longer(std::move(program), line, checking).run();
}

}  // namespace kasc::frontend
