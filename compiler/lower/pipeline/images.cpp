#include "lower/pipeline/images.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "lower/field/path.hpp"
#include "lower/walk/walk.hpp"

namespace kasc::kernel {

namespace {

ExprRef moved(const ExprRef& at, std::int64_t words) {
    return words < 0 ? subtract(at, integer(-words)) : add(at, integer(words));
}

ExprRef either(const ExprRef& left, const ExprRef& right) { return left ? binary("||", left, right) : right; }

}  // namespace

CellsBeyond PipelineImages::images(const KeptPlanes& kept) const {
    if (!schedule_.has_images(kept)) return {};
    CellsBeyond beyond = kept.rows_beyond;
    if (faces(kept).low.kind == BoundaryKind::value) beyond.low = 0;
    if (faces(kept).high.kind == BoundaryKind::value) beyond.high = 0;
    return beyond;
}

bool PipelineImages::have_same_images(const KeptPlanes& one, const KeptPlanes& other) const {
    if (schedule_.has_images(one) != schedule_.has_images(other)) return false;
    if (!schedule_.has_images(one)) return true;
    const auto same = [](const Face& a, int of_a, const Face& b, int of_b) {
        return of_a == of_b && (of_a == 0 || a.kind == b.kind);
    };
    return same(faces(one).low, one.rows_beyond.low, faces(other).low, other.rows_beyond.low) &&
           same(faces(one).high, one.rows_beyond.high, faces(other).high, other.rows_beyond.high);
}

ExprRef PipelineImages::row_seen(const KeptPlanes& kept, const ExprRef& place) {
    const CellsBeyond beyond = images(kept);
    if (!beyond.any()) return place;
    return cell_seen_at(place, faces(kept), beyond.low, beyond.high, context_->extent(1));
}

ExprRef PipelineImages::holds_value(const KeptPlanes& kept, const ExprRef& place) {
    if (!schedule_.has_images(kept)) return nullptr;
    ExprRef beyond;
    if (kept.rows_beyond.low > images(kept).low) beyond = binary("<", place, integer(0));
    if (kept.rows_beyond.high > images(kept).high) beyond = either(beyond, binary(">=", place, context_->extent(1)));
    return beyond;
}

// --- before the first plane ---

Body PipelineImages::cleared() {
    const ExprRef word = named("word of ring", "w");
    std::map<int, Body> by_words;
    for (const KeptPlanes& kept : work_.kept) {
        const int words = schedule_.copies(kept) * schedule_.layout(kept).words();
        if (words > 0)
            by_words[words].push_back({Assign{element(ring_name(kept.value), word), first_word(kept, word)}});
    }
    Body all;
    for (auto& [words, body] : by_words)
        all.push_back({For{text_of(word), linear_thread(), integer(words), schedule_.threads(), 0, std::move(body)}});
    return all;
}

ExprRef PipelineImages::first_word(const KeptPlanes& kept, const ExprRef& at) {
    ExprRef word = context_->zero(kept.value);
    if (!schedule_.has_images(kept)) return word;
    const PlaneLayout layout = schedule_.layout(kept);
    const ExprRef cell = moved(modulo(at, integer(layout.words())), -layout.margin);
    const ExprRef y = add(moved(first(1), -layout.above), divide(cell, integer(layout.columns)));
    const auto stands = [&](const Face& face, int cells, const ExprRef& beyond) {
        if (cells > 0 && face.kind == BoundaryKind::value)
            word = select(beyond, context_->beyond(face, context_->cell_type(kept.value)), word);
    };
    stands(faces(kept).low, kept.rows_beyond.low, binary("<", y, integer(0)));
    stands(faces(kept).high, kept.rows_beyond.high, binary(">=", y, context_->extent(1)));
    return word;
}

// --- what stages have made ---

ExprRef PipelineImages::rim() {
    int low = 0, high = 0;
    for (const KeptPlanes& kept : work_.kept)
        if (is_left(kept)) low = std::max(low, images(kept).low), high = std::max(high, images(kept).high);
    const ExprRef last = high > 0 ? subtract(context_->extent(1), integer(high)) : context_->extent(1);
    return mask("at the rim", "is_at_rim", either(binary("<", at(1), integer(low)), binary(">=", at(1), last)));
}

Body PipelineImages::left() {
    Body rows, cells, with_images;
    bool has_images = false;
    for (const KeptPlanes& kept : work_.kept) {
        if (!is_left(kept)) continue;
        has_images = has_images || schedule_.has_images(kept);
        if (lane_) {
            store_row(rows, kept, add(slot(kept, 0), first_cell(kept)));
            append(with_images, store_with_images(kept));
        } else {
            cells.push_back({Assign{element(ring_name(kept.value), add(slot(kept, 0), cell(kept))),
                                    queued(kept.value, kept.delay)}});
        }
    }
    if (rows.empty() && cells.empty()) return {};
    if (!has_images) return each_row(std::move(rows), std::move(cells), {});
    return {
        {If{equals(rim(), integer(0)), each_row(std::move(rows), {}, {}), each_row(std::move(with_images), {}, {})}}};
}

void PipelineImages::store_row(Body& body, const KeptPlanes& kept, const ExprRef& word) {
    body.push_back(
        {StoreVector{ring_name(kept.value), word, queue_name(kept.value), row_of_queue(kept, kept.delay), vector()}});
}

Body PipelineImages::store_with_images(const KeptPlanes& kept) {
    Body body, stores;
    const ExprRef own = add(slot(kept, 0), first_cell(kept));
    store_row(stores, kept, own);
    if (!schedule_.has_images(kept)) return stores;
    const ExprRef y = at(1), ny = context_->extent(1);
    const auto image = [&](const ExprRef& place, bool low) {
        Body row;
        store_row(row, kept, add(own, multiply(subtract(place, y), integer(schedule_.layout(kept).columns))));
        // Blocks whose halo ends at the face have no row for it.
        const PlaneLayout layout = schedule_.layout(kept);
        const ExprRef first_row = moved(first(1), -layout.above);
        const ExprRef in_block =
            low ? binary(">=", place, first_row) : binary("<", place, moved(first_row, layout.rows));
        append_if(stores, both(equals(row_seen(kept, place), y), in_block), std::move(row));
    };
    for (int k = 1; k <= images(kept).low; ++k) image(integer(-k), true);
    for (int k = 1; k <= images(kept).high; ++k) image(moved(ny, k - 1), false);
    append_if(body, both(binary(">=", y, integer(0)), binary("<", y, ny)), std::move(stores));
    return body;
}

Body PipelineImages::own_images(const PipelineStage& stage) {
    if (cells_inside_ || rows() != 2) return {};
    Body cells;
    for (const FieldCall& call : stage.cells.plan().calls) {
        const KeptPlanes* kept = work_.find(call.value);
        if (kept == nullptr || kept->value != call.value || !schedule_.has_images(*kept)) continue;
        const ExprRef number = lane_, below = add(integer(vector()), lane_);
        const auto word = [&](const ExprRef& at) { return element(queue_name(call.value), at); };
        const auto seen = [&](const Face& face, const ExprRef& image) {
            return face.kind == BoundaryKind::value ? context_->beyond(face, context_->cell_type(call.value)) : image;
        };
        const ExprRef y = add(first(1), thread_row());
        if (kept->rows_beyond.low > 0)
            cells.push_back({Assign{
                word(number), select(equals(y, integer(-1)), seen(faces(*kept).low, word(below)), word(number))}});
        if (kept->rows_beyond.high > 0)
            cells.push_back({Assign{word(below), select(equals(add(y, integer(1)), context_->extent(1)),
                                                        seen(faces(*kept).high, word(number)), word(below))}});
    }
    if (cells.empty()) return {};
    return {{For{text_of(lane_), integer(0), integer(vector()), 1, -1, std::move(cells)}}};
}

}  // namespace kasc::kernel
