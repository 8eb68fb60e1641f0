#include "lower/pipeline/rows.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lower/block.hpp"
#include "lower/walk/walk.hpp"

namespace kasc::kernel {

namespace {

/// Words of one access at least, where more than one lie beside each other.
constexpr int pair = 2;

}  // namespace

void PipelineRows::hold_rows_of(const PipelineStage& stage) {
    rows_.clear();
    if (!lane_) return;
    for (const FieldCall& call : stage.cells.plan().calls) {
        for (const FieldRead& read : call.reads) hold(stage, read);
        if (call.former) hold(stage, *call.former);
    }
    for (const auto& [row, beside] : rows_) {
        const std::string array = row_name(row);
        const int all = words(beside) * (is_exchanged(row) ? rows() : 1);
        if (row_arrays_.insert(array).second) arrays_.push_back({PrivateArray{array, all, type_of(row.value)}});
    }
}

void PipelineRows::hold(const PipelineStage& stage, const FieldRead& read) {
    const KeptPlanes* kept = work_.find(read.value);
    if (kept == nullptr || !moves_everywhere(read.indices)) return;
    const FieldShape& shape = field_shape(program_, graph_.values[read.value].variable);
    // What is read along the row and the walk; images beyond the grid are among it.
    PlanesRead along, planes;
    CellsBeyond beyond;
    const Faces* faces = nullptr;
    int row = 0;
    for (std::size_t k = 0; k < read.indices.size(); ++k) {
        const auto& [axis, step] = std::get<Moving>(read.indices[k]);
        const bool mapped = may_cross_face(work_, stage, read.value, axis, step);
        const BoundaryKind kind = shape.faces[k].crossed_by(step).kind;
        const PlanesRead all =
            mapped && kind != BoundaryKind::value ? planes_read(kind, step, false) : PlanesRead{step, step};
        if (axis == walk())
            planes = all;
        else if (axis == 0)
            along = all, faces = &shape.faces[k], beyond = mapped ? CellsBeyond{-step, step} : CellsBeyond{};
        else
            row = step;
    }
    const QueuedPlanes queue = schedule_.queue(*kept);
    const bool at_own_cell = along.low == 0 && along.high == 0 && row == 0;
    const int age = stage.extent.lag - kept->extent.lag;
    for (int plane = planes.low; plane <= planes.high; ++plane) {
        // Later readers find what is read at its own cell alone in a cache.
        if (at_own_cell && queue.count() > 0 && age - plane >= queue.first) continue;
        Beside& beside = rows_[{kept->value, row, age - plane}];
        beside.low = std::max(beside.low, -along.low);
        beside.high = std::max(beside.high, along.high);
        beside.beyond = {std::max(beside.beyond.low, beyond.low), std::max(beside.beyond.high, beyond.high)};
        beside.faces = faces;
    }
}

std::string PipelineRows::row_name(const RowOf& row) {
    const Beside& beside = rows_.at(row);
    return context_->once(fmt::format("row {} {} {} {} {}", row.value.index, row.row, row.age, beside.low, beside.high),
                          variable(row.value) + "_row");
}

ExprRef PipelineRows::in_row(const RowOf& row, int step) {
    const Beside& beside = rows_.at(row);
    const ExprRef word = add(integer(beside.low + step), lane_);
    return element(row_name(row), is_exchanged(row) ? add(multiply(row_, integer(words(beside))), word) : word);
}

ExprRef PipelineRows::in_ring(const RowOf& row, int step) {
    const KeptPlanes& kept = *work_.find(row.value);
    const int columns = schedule_.layout(kept).columns;
    const auto beside = [](const ExprRef& at, int words) {
        return words < 0 ? subtract(at, integer(-words)) : add(at, integer(words));
    };
    return add(slot_of(kept, row.age), beside(first_cell(kept), row.row * columns + step));
}

bool PipelineRows::exchanges() const {
    return std::any_of(rows_.begin(), rows_.end(), [&](const auto& row) { return is_exchanged(row.first); });
}

Body PipelineRows::rows_filled() {
    Body body;
    for (const auto& [row, beside] : rows_)
        if (!is_exchanged(row)) append(body, filled(row, beside));
    return body;
}

Body PipelineRows::filled(const RowOf& row, const Beside& beside) {
    const std::string array = row_name(row), ring = ring_name(row.value);
    Body body, own;
    const Statement load{LoadVector{array, integer(beside.low), ring, in_ring(row, 0), vector()}};
    const bool in_queue =
        schedule_.queue(*work_.find(row.value)).has(row.age) && std::abs(row.row) < rows() && !has_images_alone(row);
    if (in_queue) {
        const Statement word{Assign{in_row(row, 0), queued(row.value, row.age, row.row)}};
        own.push_back({For{text_of(lane_), integer(0), integer(vector()), 1, -1, {word}}});
    }
    if (!in_queue)
        body.push_back(load);
    else if (row.row == 0)
        append(body, std::move(own));
    else
        body.push_back(
            {If{row.row < 0 ? binary(">=", row_, integer(-row.row)) : binary("<", row_, integer(rows() - row.row)),
                std::move(own),
                {load}}});
    const auto beside_own = [&](int first, int words) {
        // In pairs where they lie at one: vectors, and so the words in front of and behind them, are a multiple apart.
        for (int k = 0; k < words; ++k) {
            const int step = first + k;
            const ExprRef to = integer(beside.low + step);
            if (step % pair == 0 && k + 1 < words)
                body.push_back({LoadVector{array, to, ring, in_ring(row, step), pair}}), ++k;
            else
                body.push_back({Assign{element(array, to), element(ring, in_ring(row, step))}});
        }
    };
    beside_own(-beside.low, beside.low);
    beside_own(vector(), beside.high);
    append(body, ends(row, beside, integer(beside.low)));
    return body;
}

Body PipelineRows::ends(const RowOf& row, const Beside& beside, const ExprRef& first_word) {
    if (cells_inside_ || !beside.beyond.any()) return {};
    if (!planes_inside_) return ends(row, beside, first_word, 1);
    return where_vectors(vector(), ends(row, beside, first_word, vector()), ends(row, beside, first_word, 1));
}

Body PipelineRows::ends(const RowOf& row, const Beside& beside, const ExprRef& first_word, int unit) {
    const int farthest = std::max(beside.beyond.low, beside.beyond.high);
    Body ends = ends_apart(row, beside, first_word, unit);
    if (farthest <= unit) return ends;
    Body narrow;
    for (int cells = unit; cells < farthest; cells += unit)
        append(narrow, ends_of_narrow(row, beside, first_word, cells));
    const ExprRef is_narrow = binary("<", context_->extent(std::size_t{0}), integer(farthest));
    return {{If{is_narrow, std::move(narrow), std::move(ends)}}};
}

ExprRef PipelineRows::word_at(const RowOf& row, const ExprRef& first_word, int step) {
    return element(row_name(row), step < 0 ? subtract(first_word, integer(-step)) : add(first_word, integer(step)));
}

ExprRef PipelineRows::seen_beyond(const RowOf& row, const Face& face, ExprRef image, bool turned) {
    if (face.kind == BoundaryKind::value) return context_->beyond(face, context_->cell_type(row.value));
    return turned ? negate(std::move(image)) : image;
}

Body PipelineRows::ends_apart(const RowOf& row, const Beside& beside, const ExprRef& first_word, int unit) {
    const ExprRef x = add(first(0), named("first column", "first_column"));
    const ExprRef last_vector = subtract(context_->extent(std::size_t{0}), integer(vector()));
    Body body;
    // The nth image beyond a face, where the grid has so many words between the thread's and the face; below 0: it ends
    // so many words before them.
    const auto put = [&](bool high, int n, int between) {
        const Face& face = high ? beside.faces->high : beside.faces->low;
        const auto towards = [&](int words) { return word_at(row, first_word, high ? vector() - 1 + words : -words); };
        ExprRef image = towards(face.kind == BoundaryKind::mirror ? between + 1 - n : between);
        const ExprRef place =
            between < 0 ? add(last_vector, integer(-between)) : subtract(last_vector, integer(between));
        const ExprRef there = equals(x, high ? place : integer(between)), word = towards(between + n);
        body.push_back({Assign{word, select(there, seen_beyond(row, face, std::move(image), face.odd), word)}});
    };
    // The last vector may have any number of cells of so many on the grid.
    const int least = unit - vector();
    for (int n = 1; n <= beside.beyond.low; ++n)
        for (int between = 0; between + n <= beside.beyond.low; between += vector()) put(false, n, between);
    for (int n = 1; n <= beside.beyond.high; ++n)
        for (int between = least; between + n <= beside.beyond.high; between += unit) put(true, n, between);
    return body;
}

Body PipelineRows::ends_of_narrow(const RowOf& row, const Beside& beside, const ExprRef& first_word, int cells) {
    const ExprRef x = add(first(0), named("first column", "first_column"));
    const ExprRef is_so_wide = equals(context_->extent(std::size_t{0}), integer(cells));
    Body body;
    for (int at = 0; at < cells; at += vector()) {
        const auto put = [&](bool high, int n) {
            const Face& face = high ? beside.faces->high : beside.faces->low;
            const Face& other = high ? beside.faces->low : beside.faces->high;
            // Beyond the first image the faces are seen in turn, as if both mirrored; the nearest cell is the same
            // however far away.
            const bool mirrors = face.kind == BoundaryKind::mirror;
            const int place = (n - 1) % (2 * cells), again = (n - 1) / cells;
            int seen = mirrors ? std::min(place, 2 * cells - 1 - place) : 0;
            if (high) seen = cells - 1 - seen;
            const bool turns = face.odd, there = other.kind == BoundaryKind::mirror ? other.odd : face.odd;
            const bool turned = turns && there ? again % 2 == 0
                                : turns        ? again % 4 < 2
                                               : mirrors && there && (again + 1) % 4 >= 2;
            const ExprRef word = word_at(row, first_word, (high ? cells - 1 + n : -n) - at);
            const ExprRef image = seen_beyond(row, face, word_at(row, first_word, seen - at), turned);
            body.push_back({Assign{word, select(both(is_so_wide, equals(x, integer(at))), image, word)}});
        };
        for (int n = 1; n + at <= beside.low && n <= beside.beyond.low; ++n) put(false, n);
        for (int n = 1; n <= beside.beyond.high && cells - 1 + n - at < vector() + beside.high; ++n)
            if (cells - 1 + n - at >= 0) put(true, n);
    }
    return body;
}

bool PipelineRows::finds_value(const FieldRead& read, std::size_t axis) const {
    const KeptPlanes* kept = work_.find(read.value);
    if (kept == nullptr || axis == walk() || !moves_everywhere(read.indices)) return false;
    if (axis == 0 ? !lane_ : !schedule_.has_images(*kept)) return false;
    // A value goes before what other faces make of it: behind an odd mirror the word would be turned, and what lies
    // beyond a face along the walk is known as it is read.
    for (std::size_t other = 0; other < read.indices.size(); ++other) {
        const int step = std::get<Moving>(read.indices[other]).step;
        if (other == axis || step == 0) continue;
        const Face& face = context_->shape(read.value).faces[other].crossed_by(step);
        if (face.odd || (other == walk() && face.kind == BoundaryKind::value)) return false;
    }
    return true;
}

Body PipelineRows::rows_exchanged() {
    Body own, between;
    for (const auto& [row, beside] : rows_) {
        if (!is_exchanged(row)) continue;
        const std::string array = row_name(row);
        own.push_back({Assign{in_row(row, 0), queued(row.value, row.age)}});
        for (int r = 0; r < rows(); ++r) {
            const int own_words = r * words(beside) + beside.low;
            append(between, exchanged_before(array, own_words, vector(), beside.low, true));
            append(between, exchanged_behind(array, own_words, vector(), beside.high, true));
        }
    }
    Body body{{Threads{each_cell(std::move(own))}}};
    append(body, std::move(between));
    Body ends_of_all;
    for (const auto& [row, beside] : rows_)
        if (is_exchanged(row))
            append(ends_of_all, ends(row, beside, add(multiply(row_, integer(words(beside))), integer(beside.low))));
    if (!ends_of_all.empty()) body.push_back({Threads{each_row({}, {}, std::move(ends_of_all))}});
    return body;
}

}  // namespace kasc::kernel
