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
#include "lower/field/cell.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "frontend/reduction.hpp"

namespace kasc::kernel {

CellWriter::CellWriter(FieldContext& context, const CellProgram& program, std::vector<std::string> coordinates,
                       std::optional<std::size_t> inner)
    : FieldPath(context, std::move(coordinates), program.view.path == Path::interior ? inner : std::nullopt),
      program_(program) {}

// --- places: sums of steps, or mapped coordinates ---

/// A value that its own boundary has mapped by one step an axis has the name that it has in the interior.
std::string CellWriter::key(ValueId value, const At& at) const {
    const FieldShape& shape = context_.shape(value);
    bool plain = true;
    for (std::size_t axis = 0; axis < at.size(); ++axis) {
        if (at[axis].empty() || !program_.view.maps(axis)) continue;
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
    if (!program_.view.maps(axis)) return add(name(cell_[axis]), integer(sum(chain)));
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

namespace {

ExprRef opposite(const ExprRef& word, CellType type) {
    if (!is_complex(type)) return negate(word);
    return make_complex(negate(part(word, false)), negate(part(word, true)), real_precision(type));
}

}  // namespace

/// A read through faces that say what lies beyond: `value` where it stays on the grid, else that of the first face with
/// a value that it crosses; the opposite number behind odd mirrors.
ExprRef CellWriter::beyond_faces(const FieldRead& read, const At& from, ExprRef value) {
    const auto known_of = [&](const auto& knows, std::size_t axis) { return knows && knows(read, axis); };
    for (std::size_t k = 0; k < read.indices.size(); ++k) {
        const auto* moving = std::get_if<Moving>(&read.indices[k]);
        if (!moving || moving->step == 0 || !program_.view.maps(moving->axis)) continue;
        const Faces& faces = context_.shape(read.value).faces[k];
        if (faces.crossed_by(moving->step).kind != BoundaryKind::mirror) continue;
        if (known_of(context_.served().knows_signs, moving->axis)) continue;
        const ExprRef turned =
            is_turned(coordinate(from, moving->axis), moving->step, context_.extent(moving->axis), faces);
        if (turned) value = select(turned, opposite(value, context_.cell_type(read.value)), value);
    }
    for (std::size_t k = read.indices.size(); k-- > 0;) {
        const auto* moving = std::get_if<Moving>(&read.indices[k]);
        if (!moving || moving->step == 0 || !program_.view.maps(moving->axis)) continue;
        const Face& face = context_.shape(read.value).faces[k].crossed_by(moving->step);
        if (face.kind != BoundaryKind::value || known_of(context_.served().knows_values, moving->axis)) continue;
        const int low = std::max(-moving->step, 0), high = std::max(moving->step, 0);
        const ExprRef inside = within(coordinate(from, moving->axis), low, high, context_.extent(moving->axis));
        const CellType type = context_.cell_type(read.value);
        value = select(inside, value, context_.beyond(face, type));
    }
    return value;
}

// --- reads ---

/// As FieldContext::index, with the axes that are walked as one in place of theirs.
ExprRef CellWriter::address_as_one(const FieldRead& read, const At& at) {
    const std::vector<AxisId>& axes = context_.shape(read.value).axes;
    ExprRef index;
    const auto add_axis = [&](const ExprRef& extent, const ExprRef& place) {
        index = index ? add(multiply(index, extent), place) : place;
    };
    for (std::size_t k = read.indices.size(); k-- > 0;) {
        const auto* moving = std::get_if<Moving>(&read.indices[k]);
        if (moving && moving->axis == as_one_->axes.back()) {
            add_axis(as_one_->cells, as_one_->number);
            k -= as_one_->axes.size() - 1;
            continue;
        }
        const ExprRef place =
            moving ? coordinate(at, moving->axis) : context_.scalar(std::get<Absolute>(read.indices[k]).position);
        add_axis(context_.extent(axes[k]), index ? place : wide(place));
    }
    return index;
}

ExprRef CellWriter::address(const FieldRead& read, const At& at) {
    if (as_one_ && moves_along(read.indices, as_one_->axes.front())) return address_as_one(read, at);
    if (is_own(at) || program_.view.path == Path::interior || program_.view.path == Path::ends) {
        ExprRef index = base_index(read.value, read.indices);
        for (std::size_t k = read.indices.size(); k-- > 0;) {
            const auto* moving = std::get_if<Moving>(&read.indices[k]);
            if (!moving || at[moving->axis].empty()) continue;
            const ExprRef stride = context_.stride(read.value, k);
            if (program_.view.maps(moving->axis)) {
                const ExprRef step = subtract(coordinate(at, moving->axis), name(cell_[moving->axis]));
                index = add(index, multiply(step, stride));
                continue;
            }
            const int o = sum(at[moving->axis]);
            const ExprRef words = multiply(integer(std::abs(o)), stride);
            if (o != 0) index = o < 0 ? subtract(index, words) : add(index, words);
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

ExprRef CellWriter::at_hand(const FieldRead& read, const At& at) const {
    if (const ExprRef held = context_.held(read.value)) return held;
    return context_.served().word ? context_.served().word(read, at) : nullptr;
}

ExprRef CellWriter::memory_word(const FieldRead& read, const At& at) {
    if (const ExprRef word = at_hand(read, at)) return word;
    if (const auto& placed = context_.served().placed) {
        const ExprRef word = placed(read, [&](std::size_t k) {
            const auto* moving = std::get_if<Moving>(&read.indices[k]);
            return moving != nullptr ? coordinate(at, moving->axis)
                                     : context_.scalar(std::get<Absolute>(read.indices[k]).position);
        });
        if (word) return word;
    }
    if (program_.view.path == Path::interior) {
        if (const auto shared = tile_index(read, sums(at))) return element(tile_name(read.value), *shared);
    }
    return element(context_.array_in(read.value), address(read, at));
}

ExprRef CellWriter::load(const FieldRead& read, const At& at) {
    if (context_.runs_loop())
        if (const ExprRef word = at_hand(read, at)) return word;
    if (same_for_all(read.indices)) return uniform_load(read);
    const std::string n = load_name(read, at);
    if (known(n)) return name(n);
    const ExprRef word = memory_word(read, at);
    hold(n);
    place(read.indices).push_back({Let{register_type(context_.cell_type(read.value)), n, word}});
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
    return load_name(read, place_of(offset));
}

ExprRef CellWriter::read(const FieldRead& r, const CellUse& use, const At& from) {
    const CellValue& value = program_.values[use.value];
    return beyond_faces(r, from, value.read != nullptr ? load(*value.read, program_.at(value)) : value_of(value));
}

// --- evaluations ---

ExpressionSources CellWriter::sources(const CellValue& value) {
    const FieldCall& call = call_of(value);
    return {[this, &call, &value](std::size_t operand) {
                const FieldRead& r = call.reads.at(operand);
                if (running_ && operand == call.statement->adding->running)
                    return ExpressionSources::Word{running_, context_.cell_type(call.value)};
                const ExprRef word = is_computed(r.indices)
                                         ? gather(value, operand)
                                         : read(r, program_.operand(value, operand), program_.at(value));
                return ExpressionSources::Word{word, context_.cell_type(r.value)};
            },
            [this](const ExpressionRef& e, Precision precision) { return context_.scalar(e, precision); },
            [this, &value](AxisId axis) { return coordinate(program_.at(value), context_.kernel_axis(axis)); },
            [this](Type type, const ExprRef& part) { return part_register(type, part); },
            [this](const FunctionWord& f, const std::vector<ExprRef>& words) { return function_word(f, words); },
            settled_at(program_, value),
            context_.long_integers(*call.statement)};
}

ExprRef CellWriter::gather(const CellValue& value, std::size_t operand) {
    const FieldCall& call = call_of(value);
    const FieldRead& r = call.reads[operand];
    if (const auto& gathered = context_.served().gathered)
        if (const ExprRef word = gathered(r)) return word;
    const At& at = program_.at(program_.values[program_.operand(value, operand).value]);
    const ExprRef word = word_at(
        r, call.statement->precision, sources(value), [&](std::size_t axis) { return coordinate(at, axis); },
        [&](const std::string& n, const ExprRef& position) { return let(Type::i32, n, position); });
    return beyond_faces(r, program_.at(value), word);
}

ExprRef CellWriter::computed(const CellValue& value) {
    return lower_value(*call_of(value).statement, context_.cell_type(value.value), sources(value));
}

ExprRef CellWriter::folded(const FieldCall& call, Type type) {
    return folded_value(*call.statement, type, sources(value_stored_by(program_, call)));
}

ExprRef CellWriter::chained(const FieldCall& call, const ExprRef& sum) {
    const FieldStatement& statement = *call.statement;
    ExpressionSources from = sources(value_stored_by(program_, call));
    const CellType type = statement.precision == Precision::dual ? CellType::float64 : CellType::float32;
    from.operand = [of_cell = from.operand, &statement, &sum, type](std::size_t operand) {
        return operand == statement.operands.size() ? ExpressionSources::Word{sum, type} : of_cell(operand);
    };
    return lower_expression(chained_sum(statement), from, statement.precision);
}

/// Where the call assigns its target; elsewhere the former value stays. Null: everywhere on this path.
/// `at_position`: the cell is known to stand where a slice is assigned.
ExprRef CellWriter::assigned_where(const CellValue& value, bool at_position) {
    const FieldCall& call = call_of(value);
    if (context_.served().assigned) return context_.served().assigned(call);
    ExprRef where;
    const std::vector<AxisId>& axes = context_.shape(call.value).axes;
    for (std::size_t k = call.target.size(); k-- > 0;) {
        // A list's entry has a condition of its own; a position lies outside of kept layers (PositionCheck).
        const auto* moving = std::get_if<Moving>(&call.target[k]);
        if (!moving || call.kept[k] == KeptLayers{} || !program_.view.maps(moving->axis)) continue;
        const ExprRef position = coordinate(program_.at(value), moving->axis);
        where = both(where, within(position, call.kept[k].low, call.kept[k].high, context_.extent(axes[k])));
    }
    for (std::size_t k = call.fixed.size(); k-- > 0 && !at_position;) {
        const FixedAxis& f = call.fixed[k];
        if (f.by == FixedBy::target)
            where = both(where, equals(coordinate(program_.at(value), f.axis), context_.scalar(f.position)));
    }
    if (const ExpressionRef& mask = call.statement->where)
        where = both(where, lower_condition(mask, sources(value), call.statement->precision));
    return where;
}

std::string CellWriter::set_name(const CellValue& value) {
    return context_.register_name(value.value, "set " + key(value.value, program_.at(value)),
                                  step_suffix(context_, program_.at(value)) + "_set");
}

ExprRef CellWriter::value_of(const CellValue& value) {
    const std::string n = context_.register_name(value.value, key(value.value, program_.at(value)),
                                                 step_suffix(context_, program_.at(value)));
    if (known(n)) return name(n);
    const FieldCall& call = call_of(value);
    const ExprRef where = assigned_where(value, false);
    const Type type = register_type(context_.cell_type(value.value));
    ExprRef word = computed(value);
    if (where) {
        const ExprRef assigned = let(type, set_name(value), word);
        // Without a former value the rest of a series is zero.
        word = select(
            where, assigned,
            call.former ? read(*call.former, value.former.value(), program_.at(value)) : context_.zero(value.value));
    }
    return let(type, n, word);
}

// --- stores ---

ExprRef CellWriter::target_index(const CellStore& store) {
    const FieldCall& call = context_.plan.calls[store.call];
    if (as_one_ && moves_along(call.target, as_one_->axes.front()))
        return address_as_one({call.value, {}, call.target}, At(context_.rank()));
    return add(base_index(call.value, call.target), row_words(call.value, call.target, store.row));
}

/// A value that no other call reads is stored as it is computed.
Body CellWriter::whole_stores(bool named) {
    if (const AlongList values = along_list(); !values.empty()) {
        const bool by_cell = call_of(*values.front()).statement->adding->part == Adding::Part::cells;
        return by_cell ? sums_of_cell(values) : sums_of_chunk(values);
    }
    Body stores;
    for (const CellStore& s : program_.stores) {
        const FieldCall& call = context_.plan.calls[s.call];
        const CellValue& stored = program_.values[s.value];
        if (is_slice(call) || call.statement->fold) continue;
        if (is_computed(call.target)) {
            if (context_.served().own_word) {
                stores.push_back(added_alone(stored));
                continue;
            }
            // At once: what it declares where the entry lies on the grid, others may declare behind it.
            emit(listed_store(stored));
            continue;
        }
        if (call.statement->where) {
            stores.push_back(masked_store(stored));
            continue;
        }
        const ExprRef beside = context_.served().stored ? context_.served().stored(call) : nullptr;
        const ExprRef target = beside ? beside : element(context_.array_out(call.value), target_index(s));
        const ExprRef where = call.merges ? nullptr : assigned_where(stored, false);
        const bool in_register = call.merges || context_.plan.read_inside(s.call) || (named && !where);
        const ExprRef value = in_register ? value_of(stored) : computed(stored);
        const Statement store{Assign{target, value}};
        stores.push_back(where ? Statement{If{where, {store}, {}}} : store);
    }
    return stores;
}

/// A cell of the colour that is updated. It alone reads its neighbours: those of its colour are being written.
Statement CellWriter::masked_store(const CellValue& value) {
    const FieldCall& call = call_of(value);
    const ExprRef where = assigned_where(value, false);
    return {If{where,
               nested(true,
                      [&] {
                          const ExprRef word =
                              element(context_.array_out(call.value), base_index(call.value, call.target));
                          emit({Assign{word, computed(value)}});
                      }),
               {}}};
}

/// One cell of a list: where it lies on the grid and outside of the kept layers.
Statement CellWriter::listed_store(const CellValue& value) {
    const FieldCall& call = call_of(value);
    const ListedCell cell = listed_cell(
        call, sources(value), [&](std::size_t axis) { return coordinate(program_.at(value), axis); },
        [&](const std::string& n, const ExprRef& position) { return let(Type::i32, n, position); });
    const ExprRef word = listed_word(call, cell.coordinates);
    // What is left out reads nothing: the nearest cell may be another entry's.
    return {If{both(cell.where, assigned_where(value, false)),
               nested(true,
                      [&] {
                          emit(call.statement->adding ? added(word, value) : Statement{Assign{word, computed(value)}});
                      }),
               {}}};
}

ExprRef CellWriter::slice_position(const CellStore& store, std::size_t first) {
    const CellValue& value = program_.values[store.value];
    const FieldCall& call = call_of(value);
    ExprRef where;
    for (std::size_t k = call.fixed.size(); k-- > 0;) {
        const FixedAxis& f = call.fixed[k];
        if (f.axis >= first)
            where = both(where, equals(coordinate(program_.at(value), f.axis), context_.scalar(f.position)));
    }
    return where;
}

void CellWriter::write_slice(const CellStore& store) {
    const CellValue& value = program_.values[store.value];
    const ExprRef index = target_index(store);
    const std::string set = set_name(value);
    const ExprRef word = known(set) ? name(set) : computed(value);
    const ExprRef kept = assigned_where(value, true);
    emit_if(kept, {{Assign{element(context_.array_out(value.value), index), word}}});
}

void CellWriter::write_whole_fields() {
    for (Statement& s : whole_stores()) emit(std::move(s));
}

void CellWriter::write() {
    Body stores = whole_stores();
    for (const CellStore& s : program_.stores) {
        if (!is_slice(context_.plan.calls[s.call])) continue;
        const ExprRef where = slice_position(s);
        emit_if(where, nested(true, [&] { write_slice(s); }));
    }
    for (Statement& s : stores) emit(std::move(s));
}

}  // namespace kasc::kernel
