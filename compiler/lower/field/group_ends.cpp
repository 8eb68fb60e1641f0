// Words of a row beyond the end of the grid, where groups map them themselves (RowEnds::mapped, around). A row begins
// at a group and ends with one, so that the words beyond are those in front of the first group, or behind the last one;
// no read reaches farther than a group. A group of four that is the first, and reads at -2:
//
//   mirror, keep    if (x == 0) { T_0[0] = T_0[3]; T_0[1] = T_0[2]; } else { load2(T_0 + 0, T + i - 2); }
//   -mirror         if (x == 0) { T_0[0] = -T_0[3]; T_0[1] = -T_0[2]; } else { … }
//   value(v)        if (x == 0) { T_0[0] = v; T_0[1] = v; } else { … }
//   periodic        load2(T_0 + 0, T + i + (x == 0 ? nx : 0) - 2)
#include <cstdlib>

#include "lower/field/group.hpp"

namespace kasc::kernel {

ExprRef GroupWriter::at_end(int words) {
    const ExprRef x = name(cell_[0]);
    return words < 0 ? binary("==", x, integer(0))
                     : binary("==", add(x, integer(width_)), context_.extent(std::size_t{0}));
}

const Face& GroupWriter::face_of(ValueId value, int words) const {
    const FieldShape& shape = context_.shape(value);
    std::size_t k = 0;
    while (shape.axes[k] != context_.plan.axes[0]) ++k;
    return shape.faces[k].crossed_by(words);
}

Body GroupWriter::words_beyond(ValueId value, const std::string& row, int own, int words) {
    const Face& face = face_of(value, words);
    Body body;
    for (int k = 1; k <= std::abs(words); ++k) {
        const int image = face.kind == BoundaryKind::mirror ? k - 1 : 0;  // cells from the end
        const int to = words < 0 ? own - k : own + width_ - 1 + k;
        const int from = words < 0 ? own + image : own + width_ - 1 - image;
        const ExprRef image_word = element(row, integer(from));
        const ExprRef word = face.kind == BoundaryKind::value ? context_.beyond(face, context_.cell_type(value))
                             : face.odd                       ? negate(image_word)
                                                              : image_word;
        body.push_back({Assign{element(row, integer(to)), word}});
    }
    return body;
}

/// `words` words in front of the group (negative) or behind it; `index`: of the group's first.
void GroupWriter::load_side(Body& into, const FieldRow& row, const ExprRef& index, int words) {
    const ValueId value = row.read->value;
    const std::string array = context_.array_in(value);
    const int first = words < 0 ? 0 : row.low + width_, count = std::abs(words);
    const auto from = [&](const ExprRef& own) {
        return words < 0 ? subtract(own, integer(count)) : add(own, integer(width_));
    };
    if (ends_ == RowEnds::around || face_of(value, words).kind == BoundaryKind::periodic) {
        const std::string n = words < 0 ? context_.once("around the low end", "around_low")
                                        : context_.once("around the high end", "around_high");
        if (!known(n)) {
            hold(n);
            const ExprRef around = select(at_end(words), context_.extent(std::size_t{0}), integer(0));
            place({Moving{0, 0}}).push_back({Let{Type::i32, n, around}});
        }
        return load_words(into, row, first, from(words < 0 ? add(index, name(n)) : subtract(index, name(n))), count,
                          array);
    }
    Body load;
    load_words(load, row, first, from(index), count, array);
    into.push_back({If{at_end(words), words_beyond(value, row.name, row.low, words), std::move(load)}});
}

/// Corrects the ends of a row that is computed: what stands beyond the end was made of words beyond it.
void GroupWriter::map_ends(const CellValue& value, const std::string& row) {
    for (const int words : {value.low, value.high}) {
        if (words == 0 || face_of(value.value, words).kind == BoundaryKind::periodic) continue;
        emit({If{at_end(words), words_beyond(value.value, row, -value.low, words), {}}});
    }
}

}  // namespace kasc::kernel
