// Rows that lie beyond the grid, or not, where groups stand anywhere along the axes behind the first
// (schedule/field/rim_rows). Each row has one image; one beyond a face with a value is that value:
//
//   mirror, keep, periodic   const int ym2 = …; load4(T_ym2, T + i + (ym2 - y) * nx);
//   -mirror                  the same; if (y < 2) { T_ym2[0] = -T_ym2[0]; … }
//   value(v)                 if (y >= 2) { load4(T_ym2, …); } else { T_ym2[0] = v; … }
#include <fmt/format.h>

#include <algorithm>

#include "lower/field/group.hpp"

namespace kasc::kernel {

ExprRef GroupWriter::mapped_words(const FieldRead& read, std::size_t k, int step) {
    const std::size_t axis = std::get<Moving>(read.indices[k]).axis;
    const MappedStep mapped{context_.shape(read.value).faces[k].crossed_by(step).kind, step};
    std::vector<int> offset(context_.rank(), 0);
    offset[axis] = step;
    const std::string key = fmt::format("mapped {} {} {} {}", axis, cell_[axis], static_cast<int>(mapped.kind), step);
    const std::string n = context_.once(key, step_suffix(context_, place_of(offset)));
    const ExprRef image = let(Type::i32, n, boundary_image(name(cell_[axis]), mapped, context_.extent(axis)));
    return multiply(wide(subtract(image, name(cell_[axis]))), context_.stride(read.value, k));
}

std::vector<GroupWriter::RowStep> GroupWriter::steps_of(const FieldRow& row) const {
    std::vector<RowStep> all;
    const std::vector<FieldIndex>& indices = row.read->indices;
    for (std::size_t k = 0; maps_rows_ && k < indices.size(); ++k) {
        const auto* moving = std::get_if<Moving>(&indices[k]);
        const int step = moving && moving->axis > 0 ? row.offset[moving->axis] : 0;
        if (step != 0) all.push_back({moving->axis, step, &context_.shape(row.read->value).faces[k]});
    }
    return all;
}

std::vector<GroupWriter::BeyondFace> GroupWriter::faces_beyond(const FieldRow& row) {
    std::vector<BeyondFace> all;
    for (const RowStep& s : steps_of(row)) {
        const Face& face = s.faces->crossed_by(s.step);
        if (face.kind != BoundaryKind::value) continue;
        const ExprRef at = name(cell_[s.axis]);
        all.push_back({&face, within(at, std::max(-s.step, 0), std::max(s.step, 0), context_.extent(s.axis))});
    }
    std::reverse(all.begin(), all.end());
    return all;
}

std::vector<ExprRef> GroupWriter::turns_of(const FieldRow& row) {
    std::vector<ExprRef> all;
    for (const RowStep& s : steps_of(row)) {
        if (s.faces->crossed_by(s.step).kind != BoundaryKind::mirror) continue;
        const ExprRef turned = is_turned(name(cell_[s.axis]), s.step, context_.extent(s.axis), *s.faces);
        if (turned) all.push_back(turned);
    }
    return all;
}

/// What lies beyond the row's ends where the first axis's faces say so: whatever the row's own do, that is seen there.
void GroupWriter::set_ends(const FieldRow& row, Body& body) {
    for (const int words : {-row.low, row.high}) {
        if (words == 0 || ends_ != RowEnds::mapped) continue;
        if (face_of(row.read->value, words).kind != BoundaryKind::value) continue;
        body.push_back({If{at_end(words), words_beyond(row.read->value, row.name, row.low, words), {}}});
    }
}

Body GroupWriter::opposite_row(const FieldRow& row) {
    Body body;
    for (int k = 0; k < row.low + width_ + row.high; ++k) {
        const ExprRef word = element(row.name, integer(k));
        body.push_back({Assign{word, negate(word)}});
    }
    set_ends(row, body);
    return body;
}

Body GroupWriter::row_beyond(const FieldRow& row, const Face& face) {
    Body body;
    const ExprRef value = context_.beyond(face, context_.cell_type(row.read->value));
    for (int k = 0; k < row.low + width_ + row.high; ++k)
        body.push_back({Assign{element(row.name, integer(k)), value}});
    set_ends(row, body);
    return body;
}

}  // namespace kasc::kernel
