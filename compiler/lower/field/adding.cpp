// Additions by entries of a list (Adding, frontend/program.hpp). Where cells are integers, each thread adds its entry:
//
//   kasc_add(&T[…], e)              of c ? e : 0 where c holds: an atomic addition waits for those before it
//
// Along an ordered list a thread has a cell that begins, adds its first chunk, and what the others gave; of these a
// thread has one, before: the one that begins within `least_chunk` places, if any. What several calls add by one list,
// as the words of a vector, has a sum each in the same loops.
//
//   cells                                                chunks
//     if (starts[p] >= 0) {                                if (places[64*c] < 0) {
//         n = (starts[p + 1] or -1 - that) - starts[p]         first = -1 - places[64*c], n = places[first]
//         float sum = T[…]                                     begin = first + (64*c - first, up to a whole chunk)
//         for (e = starts[p]; e < starts[p] + min(n, chunk))   if (begin < min(64*c + 64, first + n)) {
//             sum = sum + w[order[e]]                              float sum = 0
//         for (e = starts[p] + chunk; e < end; += chunk)           for (e = begin; e < min(begin + chunk, first + n))
//             sum = sum + sums[e/64]                                   sum = sum + w[order[e]]
//         T[…] = sum                                               sums[c] = sum
//     }                                                        }
//                                                          }
#include <fmt/format.h>

#include "frontend/expression_parts.hpp"
#include "frontend/list_entries.hpp"
#include "graph/field_target.hpp"
#include "lower/field/cell.hpp"

namespace kasc::kernel {

namespace {

constexpr std::int64_t most_entries = 2147483647;

/// chunk_entries(entries), which is known when the kernel runs.
ExprRef chunk_of(const ExprRef& entries, std::int64_t chunk = chunk_entries(1)) {
    if (chunk * chunk >= most_entries) return integer(chunk);
    return select(binary("<=", entries, integer(chunk * chunk)), integer(chunk), chunk_of(entries, 2 * chunk));
}

ExprRef sum_of(const ExprRef& a, const ExprRef& b, CellType type) {
    if (is_complex(type))
        return make_complex(binary("+", part(a, false), part(b, false)), binary("+", part(a, true), part(b, true)),
                            real_precision(type));
    const ExprRef sum = binary("+", a, b);
    return type == CellType::uint8 ? convert(Type::u8, sum) : sum;
}

/// A thread adds one entry behind the other, and loads so many ahead.
constexpr int loads_of_chunk = 16, loads_of_cell = 8;

}  // namespace

FieldPath::ListedCell FieldPath::listed_cell(
    const FieldCall& call, const ExpressionSources& sources, const std::function<ExprRef(std::size_t axis)>& coordinate,
    const std::function<ExprRef(const std::string& name, const ExprRef& position)>& named) {
    const std::vector<AxisId>& axes = context_.shape(call.value).axes;
    ListedCell cell;
    for (std::size_t k = 0; k < axes.size(); ++k) {
        if (makes_pieces(*call.statement) && k + 1 == axes.size()) break;  // the walk knows its piece
        if (const auto* listed = std::get_if<Computed>(&call.target[k])) {
            const std::string axis = context_.program.axes[axes[k]].name;
            const std::string n =
                context_.once(fmt::format("listed {} of {}", axis, call.node.index), axis + "_listed");
            const ExprRef at = named(n, lower_position(listed->position, sources, call.statement->precision));
            cell.where = both(cell.where, binary(">=", at, integer(call.kept[k].low)));
            // Words of threads are of as many cells as the text says.
            const auto declared = declared_length(context_.program.axes[axes[k]]);
            const ExprRef extent =
                context_.served().own_word && declared ? integer(*declared) : context_.extent(axes[k]);
            const ExprRef end = subtract(extent, integer(call.kept[k].high));
            cell.where = both(cell.where, binary("<", at, end));
            cell.coordinates.push_back(at);
            continue;
        }
        const auto* moving = std::get_if<Moving>(&call.target[k]);
        cell.coordinates.push_back(moving ? coordinate(moving->axis)
                                          : context_.scalar(std::get<Absolute>(call.target[k]).position));
    }
    return cell;
}

ExprRef FieldPath::listed_word(const FieldCall& call, const std::vector<ExprRef>& coordinates) {
    if (const auto& copy = context_.served().added_to) return copy(call, coordinates);
    return element(context_.array_out(call.value), context_.index(call.value, coordinates));
}

FieldPath::AddedEntry FieldPath::added_entry(const FieldStatement& statement, const ExpressionSources& sources) {
    const ExpressionRef& entry = std::get<BinaryOperation>(statement.value->node).right;
    const auto* choice = std::get_if<Conditional>(&entry->node);
    if (choice == nullptr || written_integer(*choice->otherwise) != 0)
        return {lower_integer(entry, sources, statement.precision), nullptr};
    const ExprRef adds = lower_condition(choice->condition, sources, statement.precision);
    return {lower_integer(choice->then, sources, statement.precision), adds};
}

Statement CellWriter::added(const ExprRef& word, const CellValue& value) {
    const AddedEntry entry = added_entry(*call_of(value).statement, sources(value));
    const Statement adds{Assign{word, entry.value, true}};
    return entry.where ? Statement{If{entry.where, {adds}, {}}} : adds;
}

/// To a word of the thread's own. Nothing branches: loads of several entries are under way together, and words of
/// several sums are there before one is stored. An entry that is left out stores the first word as it is.
Statement CellWriter::added_alone(const CellValue& value) {
    const FieldCall& call = call_of(value);
    const ListedCell cell = listed_cell(
        call, sources(value), [&](std::size_t axis) { return coordinate(program_.at(value), axis); },
        [&](const std::string& n, const ExprRef& position) { return let(Type::i32, n, position); });
    const ExprRef on_grid = name(context_.fresh("on_grid"));
    const ExprRef where = both(cell.where, assigned_where(value, false));
    emit({Let{Type::i32, text_of(on_grid), select(where, integer(1), integer(0))}});
    ExprRef adds = binary("!=", on_grid, integer(0));
    const Type type = register_type(context_.cell_type(call.value));
    const ExprRef place = context_.served().own_word(call, cell.coordinates, adds);
    const ExprRef word = name(context_.fresh("word"));
    emit({Let{type, text_of(word), place}});
    ExprRef sum;
    if (makes_pieces(*call.statement)) {
        sum = chained(call, word);
    } else {
        const AddedEntry entry = added_entry(*call.statement, sources(value));
        adds = both(adds, entry.where);
        sum = binary("+", word, entry.value);
    }
    const ExprRef next = name(context_.fresh("sum"));
    emit({Let{type, text_of(next), select(adds, sum, word)}});
    return {Assign{place, next}};
}

ExprRef CellWriter::own_place(const CellValue& value) {
    return name(cell_[context_.kernel_axis(call_of(value).statement->adding->along)]);
}

ExprRef CellWriter::word_at_place(const CellValue& value, std::size_t operand, const ExprRef& place) {
    const ValueId of = call_of(value).reads.at(operand).value;
    return element(context_.array_in(of), context_.index(of, {place}));
}

CellWriter::AlongList CellWriter::along_list() const {
    AlongList values;
    for (const CellStore& store : program_.stores) {
        const auto& adding = context_.plan.calls[store.call].statement->adding;
        if (adding && (adding->part == Adding::Part::chunks || adding->part == Adding::Part::cells))
            values.push_back(&program_.values[store.value]);
    }
    return values;
}

/// for (entry = from; entry < to; ++entry) sum = …, each of these at the place `entry`.
Statement CellWriter::entries_added(const AlongList& values, const std::vector<std::string>& sums, const ExprRef& from,
                                    const ExprRef& to, int unroll) {
    const std::string entry = context_.fresh("entry");
    std::vector<std::string> coordinates = cell_;
    coordinates[context_.kernel_axis(call_of(*values.front()).statement->adding->along)] = entry;
    CellWriter each(context_, program_, coordinates);
    for (std::size_t k = 0; k < values.size(); ++k) {
        each.running_ = name(sums[k]);
        const ExprRef next = each.computed(*values[k]);
        each.emit({Assign{name(sums[k]), next}});
    }
    return {For{entry, from, to, 1, unroll, each.take_body()}};
}

Body CellWriter::sums_of_chunk(const AlongList& values) {
    const CellValue& first_value = *values.front();
    const Adding& adding = *call_of(first_value).statement->adding;
    const auto fresh = [&](const char* stem) { return name(context_.fresh(stem)); };
    const ExprRef here = fresh("here"), places = fresh("places"), first = fresh("first"), count = fresh("entries"),
                  chunk = fresh("chunk"), begin = fresh("begin"), end = fresh("end");
    std::vector<std::string> sums;
    Body begins, stores;
    for (const CellValue* value : values) {
        const FieldCall& call = call_of(*value);
        sums.push_back(context_.fresh("sum"));
        const Type type = register_type(context_.cell_type(call.value));
        begins.push_back({Variable{type, sums.back(), context_.zero(call.value)}});
        std::vector<ExprRef> own;
        for (const FieldIndex& index : call.target) own.push_back(name(cell_[std::get<Moving>(index).axis]));
        const ExprRef word = element(context_.array_out(call.value), context_.index(call.value, own));
        stores.push_back({Assign{word, name(sums.back())}});
    }
    begins.push_back(entries_added(values, sums, begin, minimum(add(begin, chunk), end), loads_of_chunk));
    append(begins, std::move(stores));
    // In whole chunks, whose number of entries is a power of two.
    const ExprRef behind = binary("&", add(subtract(here, first), subtract(chunk, integer(1))), negate(chunk));
    Body inside{{Let{Type::i32, text_of(first), subtract(integer(-1), places)}},
                {Let{Type::i32, text_of(count), word_at_place(first_value, adding.places, first)}},
                {Let{Type::i32, text_of(chunk), chunk_of(count)}},
                {Let{Type::i32, text_of(begin), add(first, behind)}},
                {Let{Type::i32, text_of(end), add(first, count)}},
                {If{binary("<", begin, minimum(add(here, integer(least_chunk)), end)), std::move(begins), {}}}};
    return {{Let{Type::i32, text_of(here), multiply(integer(least_chunk), own_place(first_value))}},
            {Let{Type::i32, text_of(places), word_at_place(first_value, adding.places, here)}},
            {If{binary("<", places, integer(0)), std::move(inside), {}}}};
}

Body CellWriter::sums_of_cell(const AlongList& values) {
    const CellValue& first_value = *values.front();
    const FieldCall& first_call = call_of(first_value);
    const Adding& adding = *first_call.statement->adding;
    const ExprRef place = own_place(first_value), next = add(place, integer(1));
    const auto fresh = [&](const char* stem) { return name(context_.fresh(stem)); };
    const ExprRef begin = fresh("begin"), end = fresh("end"), chunk = fresh("chunk"), other = fresh("entry");
    ExpressionSources at_place = sources(first_value);
    at_place.operand = [&](std::size_t operand) {
        return ExpressionSources::Word{word_at_place(first_value, operand, place), CellType::int32};
    };
    Body body, joined, stores;
    std::vector<ExprRef> coordinates;
    for (const FieldIndex& index : first_call.target) {
        if (const auto* computed = std::get_if<Computed>(&index)) {
            const ExprRef at = fresh("at");
            body.push_back({Let{Type::i32, text_of(at),
                                lower_position(computed->position, at_place, first_call.statement->precision)}});
            coordinates.push_back(at);
        } else if (const auto* moving = std::get_if<Moving>(&index)) {
            coordinates.push_back(name(cell_[moving->axis]));
        } else {
            coordinates.push_back(context_.scalar(std::get<Absolute>(index).position));
        }
    }
    body.push_back({Let{Type::i32, text_of(chunk), chunk_of(subtract(end, begin))}});
    std::vector<std::string> names;
    for (const CellValue* value : values) {
        const FieldCall& call = call_of(*value);
        const CellType type = context_.cell_type(call.value);
        names.push_back(context_.fresh("sum"));
        const ExprRef sum = name(names.back()), more = fresh("more");
        const FieldRead& sums = call.reads.at(call.statement->adding->sums);
        std::vector<ExprRef> in_sums;
        for (const FieldIndex& index : sums.indices) {
            const auto* moving = std::get_if<Moving>(&index);
            in_sums.push_back(moving ? name(cell_[moving->axis]) : divide(other, integer(least_chunk)));
        }
        const ExprRef word = element(context_.array_out(call.value), context_.index(call.value, coordinates));
        const ExprRef sum_there = element(context_.array_in(sums.value), context_.index(sums.value, in_sums));
        const ExprRef former =
            element(context_.array_in(call.former->value), context_.index(call.former->value, coordinates));
        body.push_back({Variable{register_type(type), names.back(), former}});
        joined.push_back({Let{register_type(type), text_of(more), sum_there}});
        joined.push_back({Assign{sum, sum_of(sum, more, type)}});
        stores.push_back({Assign{word, sum}});
    }
    body.push_back(entries_added(values, names, begin, minimum(add(begin, chunk), end), loads_of_cell));
    body.push_back({For{text_of(other), add(begin, chunk), end, 1, 0, std::move(joined), chunk}});
    append(body, std::move(stores));
    // Behind the last place as many places are over.
    const ExprRef places = context_.extent(adding.along), behind = fresh("behind");
    Body cell{
        {Let{Type::i32, text_of(behind),
             select(binary("<", next, places), word_at_place(first_value, adding.places, next), places)}},
        {Let{Type::i32, text_of(end), select(binary("<", behind, integer(0)), subtract(integer(-1), behind), behind)}}};
    append(cell, std::move(body));
    const ExprRef begins = both(binary(">=", begin, integer(0)), assigned_where(first_value, false));
    return {{Let{Type::i32, text_of(begin), word_at_place(first_value, adding.places, place)}},
            {If{begins, std::move(cell), {}}}};
}

}  // namespace kasc::kernel
