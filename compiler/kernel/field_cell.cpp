// A cell is written from its stores back to memory: each operand is read when the expression that uses it is lowered,
// and what was read or computed once is a named register from then on.
//
//   interior                                   edge (mirror)
//   const long long i = y * nx + x             const int xm1 = max(x - 1, 0)
//   const float T_0 = T[i]                     const float T_xm1 = T[y * nx + xm1]
//   const float T_xm1 = T[i - 1]               …
//
// Order of a cell: everything that whole fields need, then the slices (they may read what is stored next), then the
// stores; so an output may lie where an input lies that is read at the cell itself only.
#include "kernel/field_cell.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "kernel/field_expression.hpp"

namespace kasc::kernel {

CellWriter::CellWriter(FieldContext& context, Path path, std::vector<std::string> coordinates,
                       std::optional<std::size_t> inner)
    : FieldPath(context, std::move(coordinates), path == Path::interior ? inner : std::nullopt), path_(path) {}

// --- places: sums of steps, or mapped coordinates ---

namespace {

int sum(const Chain& chain) { return chain.empty() ? 0 : chain.front().step; }

bool is_own(const std::vector<Chain>& at) {
    return std::all_of(at.begin(), at.end(), [](const Chain& c) { return c.empty(); });
}

}  // namespace

CellWriter::At CellWriter::step(const FieldRead& read, const At& from) const {
    At at(context_.rank());
    if (read.producer) {
        for (const FixedAxis& f : context_.plan.calls[*read.producer].fixed) {
            if (f.by == FixedBy::operand) at[f.axis] = from[f.axis];
        }
    }
    for (std::size_t k = 0; k < read.indices.size(); ++k) {
        const auto* moving = std::get_if<Moving>(&read.indices[k]);
        if (!moving) continue;
        // Periodic steps add up, as all steps do in the interior.
        const BoundaryKind kind = path_ == Path::edge
                                      ? context_.shape(read.value).faces[k].crossed_by(moving->step).kind
                                      : BoundaryKind::periodic;
        at[moving->axis] = extend(from[moving->axis], kind, moving->step);
    }
    return at;
}

/// A value that its own boundary has mapped by one step an axis has the name that it has in the interior.
std::string CellWriter::key(ValueId value, const At& at) const {
    const FieldShape& shape = context_.shape(value);
    bool plain = true;
    for (std::size_t axis = 0; axis < at.size() && path_ == Path::edge; ++axis) {
        if (at[axis].empty()) continue;
        const auto k = std::find(shape.axes.begin(), shape.axes.end(), context_.plan.axes[axis]) - shape.axes.begin();
        const int step = at[axis].front().step;
        const bool has_axis = static_cast<std::size_t>(k) < shape.axes.size();
        const BoundaryKind kind =
            has_axis ? shape.faces[static_cast<std::size_t>(k)].crossed_by(step).kind : BoundaryKind::none;
        plain = plain && at[axis] == extend({}, kind, step);
    }
    if (plain) return register_key(value, at);
    std::string text = fmt::format("chain {}", value.index);
    for (const Chain& chain : at) {
        text += " |";
        for (const MappedStep& s : chain) text += fmt::format(" {} {}", static_cast<int>(s.kind), s.step);
    }
    return text;
}

ExprRef CellWriter::coordinate(const At& at, std::size_t axis) {
    const Chain& chain = at[axis];
    if (path_ == Path::interior) return add(name(cell_[axis]), integer(sum(chain)));
    if (chain.empty()) return name(cell_[axis]);
    At only(context_.rank());
    only[axis] = chain;
    std::string key = fmt::format("mapped {} {}", axis, cell_[axis]);
    for (const MappedStep& s : chain) key += fmt::format(" {} {}", static_cast<int>(s.kind), s.step);
    const std::string n = context_.once(key, step_suffix(context_, only));
    if (known(n)) return name(n);
    only[axis].pop_back();
    const ExprRef before = coordinate(only, axis);
    return let(Type::i32, n, boundary_image(before, chain.back(), context_.extent(axis)));
}

/// A read through faces with a value: `value` where it stays on the grid, else that of the first face that it crosses.
ExprRef CellWriter::beyond_faces(const FieldRead& read, const At& from, ExprRef value) {
    if (path_ == Path::interior) return value;
    for (std::size_t k = read.indices.size(); k-- > 0;) {
        const auto* moving = std::get_if<Moving>(&read.indices[k]);
        if (!moving || moving->step == 0) continue;
        const Face& face = context_.shape(read.value).faces[k].crossed_by(moving->step);
        if (face.kind != BoundaryKind::value) continue;
        const int low = std::max(-moving->step, 0), high = std::max(moving->step, 0);
        const ExprRef inside = within(coordinate(from, moving->axis), low, high, context_.extent(moving->axis));
        value = select(inside, value, context_.scalar(face.value));
    }
    return value;
}

// --- reads ---

ExprRef CellWriter::address(const FieldRead& read, const At& at) {
    if (is_own(at) || path_ == Path::interior) {
        ExprRef index = base_index(read.value, read.indices);
        for (std::size_t k = read.indices.size(); k-- > 0;) {
            const auto* moving = std::get_if<Moving>(&read.indices[k]);
            const int o = moving ? sum(at[moving->axis]) : 0;
            if (o == 0) continue;
            const ExprRef words = multiply(integer(std::abs(o)), context_.stride(read.value, k));
            index = o < 0 ? subtract(index, words) : add(index, words);
        }
        return index;
    }
    std::vector<ExprRef> coordinates;
    for (const FieldIndex& index : read.indices) {
        const auto* moving = std::get_if<Moving>(&index);
        coordinates.push_back(moving ? coordinate(at, moving->axis)
                                     : context_.scalar(std::get<Absolute>(index).position));
    }
    return context_.index(read.value, coordinates);
}

ExprRef CellWriter::load(const FieldRead& read, const At& at) {
    if (same_for_all(read.indices)) return uniform_load(read);
    const std::string n = load_name(read, at);
    if (!in_slice_ && path_ == Path::interior &&
        std::none_of(loads_.begin(), loads_.end(), [&](const FieldLoad& l) { return l.name == n; })) {
        FieldLoad record{&read, {}, n};
        for (const Chain& chain : at) record.offset.push_back(sum(chain));
        loads_.push_back(std::move(record));
    }
    if (known(n)) return name(n);
    const ExprRef word = element(context_.array_in(read.value), address(read, at));
    hold(n);
    place(read.indices).push_back({Let{Type::f32, n, word}});
    return name(n);
}

std::string CellWriter::load_name(const FieldRead& read, const At& at) {
    const bool positioned = std::any_of(read.indices.begin(), read.indices.end(),
                                        [](const FieldIndex& i) { return std::holds_alternative<Absolute>(i); });
    const std::string suffix = step_suffix(context_, at);
    if (!positioned) return context_.register_name(read.value, key(read.value, at), suffix);
    return context_.register_name(read.value, key(read.value, at) + context_.layout(read.value, read.indices),
                                  suffix == "0" ? "at" : "at_" + suffix);
}

std::string CellWriter::load_name(const FieldRead& read, const std::vector<int>& offset) {
    At at(context_.rank());
    for (std::size_t k = 0; k < at.size(); ++k) at[k] = extend({}, BoundaryKind::periodic, offset[k]);
    return load_name(read, at);
}

ExprRef CellWriter::read(const FieldRead& r, const At& from) {
    const At at = step(r, from);
    return beyond_faces(r, from, r.producer ? value_of(context_.plan.calls[*r.producer], at) : load(r, at));
}

// --- evaluations ---

ExprRef CellWriter::computed(const FieldCall& call, const At& at) {
    return lower_expression(call.statement->value,
                            {[&](std::size_t operand) { return read(call.reads.at(operand), at); },
                             [&](const ExpressionRef& e) { return context_.scalar(e); }});
}

/// Where the call assigns its target; elsewhere the former value stays. Null: everywhere on this path.
/// `at_position`: the cell is known to stand where a slice is assigned.
ExprRef CellWriter::assigned_where(const FieldCall& call, const At& at, bool at_position) {
    ExprRef where;
    const std::vector<AxisId>& axes = context_.shape(call.value).axes;
    for (std::size_t k = call.target.size(); k-- > 0;) {
        const auto* moving = std::get_if<Moving>(&call.target[k]);
        if (call.kept[k] == KeptLayers{} || (moving && path_ == Path::interior)) continue;
        const ExprRef position =
            moving ? coordinate(at, moving->axis) : context_.scalar(std::get<Absolute>(call.target[k]).position);
        where = both(where, within(position, call.kept[k].low, call.kept[k].high, context_.extent(axes[k])));
    }
    for (std::size_t k = call.fixed.size(); k-- > 0 && !at_position;) {
        const FixedAxis& f = call.fixed[k];
        if (f.by == FixedBy::target) where = both(where, equals(coordinate(at, f.axis), context_.scalar(f.position)));
    }
    return where;
}

std::string CellWriter::set_name(const FieldCall& call, const At& at) {
    return context_.register_name(call.value, "set " + key(call.value, at), step_suffix(context_, at) + "_set");
}

ExprRef CellWriter::value_of(const FieldCall& call, const At& at) {
    const std::string n = context_.register_name(call.value, key(call.value, at), step_suffix(context_, at));
    if (known(n)) return name(n);
    const ExprRef where = assigned_where(call, at, false);
    ExprRef value = computed(call, at);
    if (where) {
        const ExprRef assigned = let(Type::f32, set_name(call, at), value);
        // Without a former value the rest of a series is zero.
        value = select(where, assigned, call.former ? read(*call.former, at) : real(0));
    }
    return let(Type::f32, n, value);
}

// --- stores ---

/// Emits what the stores need and returns the stores. A value that no other call reads is stored as it is computed.
Body CellWriter::whole_stores() {
    const At own(context_.rank());
    Body stores;
    for (std::size_t k = 0; k < context_.plan.calls.size(); ++k) {
        const FieldCall& call = context_.plan.calls[k];
        if (!call.stored || is_slice(call)) continue;
        const ExprRef index = base_index(call.value, call.target);
        const ExprRef where = call.merges ? nullptr : assigned_where(call, own, false);
        const ExprRef value = call.merges || context_.plan.read_inside(k) ? value_of(call, own) : computed(call, own);
        const Statement store{Assign{element(context_.array_out(call.value), index), value}};
        stores.push_back(where ? Statement{If{where, {store}, {}}} : store);
    }
    return stores;
}

ExprRef CellWriter::slice_position(const FieldCall& call, std::size_t first) {
    ExprRef where;
    for (std::size_t k = call.fixed.size(); k-- > 0;) {
        const FixedAxis& f = call.fixed[k];
        if (f.axis >= first) where = both(where, equals(name(cell_[f.axis]), context_.scalar(f.position)));
    }
    return where;
}

void CellWriter::write_slice(const FieldCall& call) {
    const At own(context_.rank());
    const ExprRef index = base_index(call.value, call.target);
    const std::string set = set_name(call, own);
    const ExprRef value = known(set) ? name(set) : computed(call, own);
    const ExprRef kept = assigned_where(call, own, true);
    emit_if(kept, {{Assign{element(context_.array_out(call.value), index), value}}});
}

void CellWriter::write_whole_fields() {
    for (Statement& s : whole_stores()) emit(std::move(s));
}

void CellWriter::write() {
    Body stores = whole_stores();
    for (const FieldCall& call : context_.plan.calls) {
        if (!call.stored || !is_slice(call)) continue;
        const ExprRef where = slice_position(call);
        emit_if(where, nested(true, [&] { write_slice(call); }));
    }
    for (Statement& s : stores) emit(std::move(s));
}

}  // namespace kasc::kernel
