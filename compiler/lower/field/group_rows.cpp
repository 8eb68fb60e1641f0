// Rows that a group reads: which words of each some cell needs, and how they come from memory.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "lower/field/group.hpp"

namespace kasc::kernel {

std::string GroupWriter::value_name(ValueId value, const At& at) {
    return context_.register_name(value, register_key(value, at), step_suffix(context_, at));
}

std::string GroupWriter::row_name(const FieldRead& read, const At& at) {
    const bool positioned = std::any_of(read.indices.begin(), read.indices.end(),
                                        [](const FieldIndex& i) { return std::holds_alternative<Absolute>(i); });
    if (!positioned) return value_name(read.value, at);
    const std::string suffix = step_suffix(context_, at);
    return context_.register_name(read.value, register_key(read.value, at) + context_.layout(read.value, read.indices),
                                  suffix == "0" ? "at" : "at_" + suffix);
}

FieldRow GroupWriter::row_of(const CellValue& value) {
    // Three words beside a group of four are fetched as four: an aligned access is one.
    // Beyond a group on either side, whole groups are.
    const auto words = [&](int reach) {
        if (reach > width_ && width_ > 1) return (reach + width_ - 1) / width_ * width_;
        return reach <= 0 ? 0 : reach == 3 && width_ == 4 ? 4 : reach;
    };
    return {value.read, sums(program_.at(value)), row_name(*value.read, program_.at(value)), words(-value.low),
            words(value.high)};
}

FieldRow GroupWriter::row_of(const FieldRead& read, const std::vector<int>& offset) {
    for (const CellValue& value : program_.values) {
        if (value.read != nullptr && value.whole && reads_alike(*value.read, read) &&
            sums(program_.at(value)) == offset)
            return row_of(value);
    }
    return {&read, offset, row_name(read, place_of(offset)), 0, 0};
}

ExprRef GroupWriter::address(const FieldRead& read, const std::vector<int>& offset) {
    ExprRef index = base_index(read.value, read.indices);
    for (std::size_t k = read.indices.size(); k-- > 0;) {
        const auto* moving = std::get_if<Moving>(&read.indices[k]);
        const int o = moving && moving->axis != 0 ? offset[moving->axis] : 0;
        if (o == 0) continue;
        if (maps_rows_) {
            index = add(index, mapped_words(read, k, o));
            continue;
        }
        const ExprRef words = multiply(integer(std::abs(o)), context_.stride(read.value, k));
        index = o < 0 ? subtract(index, words) : add(index, words);
    }
    return index;
}

ExprRef GroupWriter::load(const CellValue& value, const Lane& lane) {
    const FieldRead& read = *value.read;
    if (same_for_all(read.indices)) return uniform_load(read);
    const FieldRow row = row_of(value);
    if (!moves_along(read.indices, 0)) {
        if (known(row.name)) return name(row.name);
        ExprRef word = element(context_.array_in(read.value), address(read, row.offset));
        for (const ExprRef& turned : turns_of(row)) word = select(turned, negate(word), word);
        for (const BeyondFace& beyond : faces_beyond(row))
            word = select(beyond.inside, word, context_.beyond(*beyond.face, context_.cell_type(read.value)));
        hold(row.name);
        place(read.indices).push_back({Let{register_type(context_.cell_type(read.value)), row.name, word}});
        return name(row.name);
    }
    if (!known(row.name)) {
        hold(row.name);
        load_row(place(read.indices), row);
    }
    return element(row.name, add(lane.at, integer(lane.shift + row.low)));
}

void GroupWriter::load_words(Body& into, const FieldRow& row, int first, const ExprRef& at, int words,
                             const std::string& array) {
    if (width_ > 1 && words > width_) {
        for (int k = 0; k < words; k += width_) load_words(into, row, first + k, add(at, integer(k)), width_, array);
    } else if (width_ > 1 && (words == 2 || words == 4 || words == 8)) {
        into.push_back({LoadVector{row.name, integer(first), array, at, words}});
    } else {
        for (int k = 0; k < words; ++k)
            into.push_back({Assign{element(row.name, integer(first + k)), element(array, add(at, integer(k)))}});
    }
}

void GroupWriter::load_row(Body& into, const FieldRow& row) {
    const bool held = held_groups_.contains(row.name);
    const auto shared = tile_index(*row.read, row.offset, row.low, row.high);
    const ExprRef index = shared ? *shared : address(*row.read, row.offset);
    const Type type = row_type(context_.cell_type(row.read->value));
    if (!held) into.push_back({RegisterArray{row.name, row.low + width_ + row.high, type}});
    Body filled;
    fill_row(filled, row, index, shared.has_value());
    for (const ExprRef& turned : turns_of(row)) filled.push_back({If{turned, opposite_row(row), {}}});
    for (const BeyondFace& beyond : faces_beyond(row))
        filled = {{If{beyond.inside, std::move(filled), row_beyond(row, *beyond.face)}}};
    append(into, std::move(filled));
}

/// `index`: of the group's first word in memory, or in the tile that holds the row.
void GroupWriter::fill_row(Body& into, const FieldRow& row, const ExprRef& index, bool shared) {
    const bool held = held_groups_.contains(row.name);
    const std::string array = shared ? tile_name(row.read->value) : context_.array_in(row.read->value);
    if (ends_ == RowEnds::mapped || ends_ == RowEnds::around) {
        if (!held) load_words(into, row, row.low, index, width_, array);
        if (row.low > 0) load_side(into, row, index, -row.low);
        if (row.high > 0) load_side(into, row, index, row.high);
        return;
    }
    const auto side = [&](int words) { return shared ? beyond(index, words) : beside(row, index, words); };
    const ExprRef before = row.low > 0 ? side(-row.low) : nullptr;
    const ExprRef after = row.high > 0 ? side(row.high) : nullptr;
    if (before) load_words(into, row, 0, before, row.low, array);
    if (!held) load_words(into, row, row.low, index, width_, array);
    if (after) load_words(into, row, row.low + width_, after, row.high, array);
}

ExprRef GroupWriter::beyond(const ExprRef& index, int words) const {
    return words < 0 ? subtract(index, integer(-words)) : add(index, integer(width_));
}

/// Index of the first of `words` words in front of the group (negative) or behind it. Cells of a kept rim that share a
/// group with a visited cell are computed and not stored; where their neighbours could lie outside the array, they take
/// the group itself.
ExprRef GroupWriter::beside(const FieldRow& row, const ExprRef& index, int words) {
    const bool in_interior = context_.schedule.work->edges && ends_ == RowEnds::edge_path;
    if (width_ == 1 || in_interior || clear_of_ends(row, words)) return beyond(index, words);
    const ExprRef x = name(cell_[0]);
    const std::string n = words < 0 ? context_.once("left", "left") : context_.once("right", "right");
    if (!known(n)) {
        const ExprRef inside = words < 0 ? binary(">", x, integer(0))
                                         : binary("<", add(x, integer(width_)), context_.extent(std::size_t{0}));
        hold(n);
        // The step belongs to the column, not to the plane: it goes where the first axis is known.
        place({Moving{0, 0}})
            .push_back({Let{Type::i32, n, select(inside, integer(words < 0 ? -width_ : width_), integer(0))}});
    }
    return add(add(index, name(n)), integer(words < 0 ? width_ + words : 0));
}

/// With a row of the array to spare before (side < 0) or behind the group's own, its neighbours are words of the array.
bool GroupWriter::clear_of_ends(const FieldRow& row, int side) const {
    if (maps_rows_) return false;
    for (std::size_t k = 1; k < row.read->indices.size(); ++k) {
        const auto* moving = std::get_if<Moving>(&row.read->indices[k]);
        if (!moving) continue;
        const FieldWork& s = *context_.schedule.work;
        const int offset = row.offset[moving->axis];
        const int low = s.edges ? s.interior_low[moving->axis] : s.margin;
        const int high = s.edges ? s.interior_high[moving->axis] : s.margin;
        if (side < 0 ? low + offset >= 1 : high - offset >= 1) return true;
    }
    return false;
}

}  // namespace kasc::kernel
