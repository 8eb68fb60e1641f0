#include "lower/pipeline/fetches.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lower/walk/walk.hpp"

namespace kasc::kernel {

namespace {

/// What a row is sent for at a time has to lie at a multiple of so many bytes (PTX, cp.async.bulk.prefetch).
constexpr int row_bytes_sent_for = 16;

}  // namespace

const std::vector<PipelineFetches::Fetched>& PipelineFetches::fetched() {
    if (!fetched_.empty()) return fetched_;
    for (const KeptPlanes& kept : work_.kept) {
        if (!schedule_.is_fetched(kept)) continue;
        const PlaneLayout layout = schedule_.layout(kept);
        const auto same = std::find_if(fetched_.begin(), fetched_.end(), [&](const Fetched& f) {
            return f.layout.columns == layout.columns && f.layout.rows == layout.rows &&
                   have_same_images(kept, *f.values.front());
        });
        if (same != fetched_.end()) {
            same->values.push_back(&kept);
            continue;
        }
        Fetched f{layout, {&kept}, context_->once(fmt::format("fetched {}", fetched_.size()), "fetched_x")};
        f.across = layout.columns / together();
        f.rows_at_once = walk() > 1 ? schedule_.threads() / f.across : 1;
        f.turns = walk() > 1 ? (layout.rows + f.rows_at_once - 1) / f.rows_at_once
                             : (f.across + schedule_.threads() - 1) / schedule_.threads();
        fetched_.push_back(std::move(f));
    }
    return fetched_;
}

ExprRef PipelineFetches::column_of(const Fetched& f) {
    return walk() > 1 ? modulo(linear_thread(), integer(f.across)) : linear_thread();
}

ExprRef PipelineFetches::row_of(const Fetched& f) { return divide(linear_thread(), integer(f.across)); }

ExprRef PipelineFetches::word_of(const Fetched& f, int turn) {
    const int all_words = walk() > 1 ? f.rows_at_once * f.layout.columns : schedule_.threads() * together();
    const ExprRef first_word = multiply(linear_thread(), integer(together()));
    return turn > 0 ? add(first_word, integer(std::int64_t{turn} * all_words)) : first_word;
}

ExprRef PipelineFetches::place_of(const Fetched& f, std::size_t axis, const ExprRef& number) {
    const int before = axis == 0 ? f.layout.left : f.layout.above;
    return add(before > 0 ? subtract(first(axis), integer(before)) : first(axis), number);
}

Body PipelineFetches::each_turn(const Fetched& f, const std::function<Body(int)>& body) {
    const int vectors = walk() > 1 ? f.rows_at_once * f.across : schedule_.threads();
    // Threads beyond those of whole rows have nothing to do; in the last turn, those behind the last row.
    ExprRef in_rows;
    if (vectors < schedule_.threads()) in_rows = binary("<", linear_thread(), integer(vectors));
    Body all;
    for (int turn = 0; turn < f.turns; ++turn) {
        const int left = f.layout.cells() / together() - turn * vectors;
        ExprRef has = left < vectors ? binary("<", linear_thread(), integer(left)) : in_rows;
        // A scope of its own, also where all threads have one.
        all.push_back({If{has ? has : binary(">=", linear_thread(), integer(0)), body(turn), {}}});
    }
    return all;
}

ExprRef PipelineFetches::in_slot(const Fetched& f, const ExprRef& slot, const ExprRef& word) {
    const int before = f.layout.cells_before();
    return add(before > 0 ? subtract(slot, integer(before)) : slot, word);
}

Body PipelineFetches::fetches_placed() {
    Body body;
    if (walk() == 1) return body;  // turns have columns of their own
    for (const Fetched& f : fetched()) {
        arrays_.push_back({PrivateArray{f.array, 1, Type::i32}});
        const ExprRef x = place_of(f, 0, multiply(column_of(f), integer(together())));
        // Vectors lie on the grid or beyond it as a whole: below 0 both ways.
        const ExprRef vector = work_.around[0]
                                   ? vector_on_grid(x, together())
                                   : select(binary("<", x, context_->extent(std::size_t{0})), x, integer(-1));
        const ExprRef first_word = place_of(f, 0, column_of(f));
        const ExprRef word = work_.around[0] ? on_grid(0, first_word) : first_word;
        body.push_back({Assign{element(f.array, integer(0)),
                               math_call(whole_function::kept, {where_vectors(together(), vector, word)})}});
    }
    return body;
}

Body PipelineFetches::fetched_first(int iteration) {
    const ExprRef plane = add(first(walk()), integer(iteration - work_.planes_before));
    return fetched_planes(plane, false, [&](const KeptPlanes& kept) {
        const PlaneLayout layout = schedule_.layout(kept);
        return integer(layout.first_cell() + std::int64_t{iteration} * layout.words());
    });
}

Body PipelineFetches::fetched_next() {
    const int ahead = schedule_.choice.ahead;
    return fetched_planes(add(plane_, integer(ahead)), true,
                          [&](const KeptPlanes& kept) { return slot(kept, -ahead); });
}

Body PipelineFetches::fetched_planes(const ExprRef& plane, bool walks, const SlotOfRing& slot_of_ring) {
    if (fetched().empty()) return {};
    const Planes planes{plane, walks, slot_of_ring};
    return where_vectors(together(), pieces_of(planes, true), pieces_of(planes, false));
}

Body PipelineFetches::pieces_of(const Planes& planes, bool whole) {
    Body all;
    for (const Fetched& f : fetched())
        append(all, each_turn(f, [&](int number) {
                   const Turn turn{f, planes, number};
                   return walk() > 1 ? in_rows(turn, whole) : whole ? vectors_of_line(turn) : words_of_line(turn);
               }));
    return all;
}

Body PipelineFetches::vectors_at(const Turn& turn, const ExprRef& in_plane) {
    Body vectors;
    declared_.clear();
    const auto& [f, planes, number] = turn;
    for (const KeptPlanes* kept : f.values) {
        const ExprRef z = plane_ahead(*kept, subtract(planes.plane, integer(kept->extent.lag)), vectors);
        const ExprRef at = place_in_memory(vectors, fmt::format("ahead {}", kept->extent.lag), z, in_plane);
        vectors.push_back({Fetch{ring_name(kept->value), in_slot(f, planes.slot_of_ring(*kept), word_of(f, number)),
                                 context_->array_in(kept->value), at, together()}});
    }
    // Over two axes one row in all turns.
    const ExprRef begins_row = walk() > 1    ? equals(column_of(f), integer(0))
                               : number == 0 ? equals(linear_thread(), integer(0))
                                             : nullptr;
    // Planes in front of the grid are nowhere in memory.
    if (planes.walks && schedule_.planes_sent_for > 0)
        append_if(vectors, begins_to_ask(), sent_to_cache({f.layout.columns, begins_row, f.values}, in_plane));
    return vectors;
}

Body PipelineFetches::words_at(const Turn& turn, const Words& of) {
    Body words;
    declared_.clear();
    const Fetched& f = turn.of;
    const Planes& planes = turn.planes;
    const ExprRef v = named("word of vector", "v"), nx = context_->extent(std::size_t{0});
    const ExprRef behind = multiply(v, integer(of.apart)), x = add(of.x, behind);
    const auto fetched = [&](const ExprRef& from_first) {
        Body each;
        for (const KeptPlanes* kept : f.values) {
            const ExprRef z = plane_ahead(*kept, subtract(planes.plane, integer(kept->extent.lag)), words);
            const ExprRef at = place_in_memory(words, fmt::format("ahead {}", kept->extent.lag), z, of.in_plane);
            const ExprRef to = in_slot(f, planes.slot_of_ring(*kept), add(of.word, behind));
            each.push_back(
                {Fetch{ring_name(kept->value), to, context_->array_in(kept->value), add(at, counted(from_first))}});
        }
        return each;
    };
    const auto each_word = [&](Body body, int unroll) {
        return Body{{For{text_of(v), integer(0), integer(together()), 1, unroll, std::move(body)}}};
    };
    if (!work_.around[0]) {
        Body each;
        append_if(each, both(binary(">=", x, integer(0)), binary("<", x, nx)), fetched(behind));
        append(words, each_word(std::move(each), -1));
        return words;
    }
    // The first lies on the grid, and the last beyond one end of the row, but where rows are shorter than the block's.
    Body once = each_word(fetched(select(binary("<", x, nx), behind, subtract(behind, nx))), -1);
    Body often = each_word(fetched(subtract(modulo(x, nx), of.x)), 1);
    const ExprRef is_long = binary(">=", nx, integer(std::int64_t{together()} * of.apart));
    words.push_back({If{is_long, std::move(once), std::move(often)}});
    return words;
}

Body PipelineFetches::vectors_of_line(const Turn& turn) {
    const ExprRef x = vector_on_grid(place_of(turn.of, 0, word_of(turn.of, turn.number)), together());
    return vectors_at(turn, counted(x));
}

Body PipelineFetches::words_of_line(const Turn& turn) {
    const int before = turn.number * schedule_.threads();
    const int vectors = std::min(schedule_.threads(), turn.of.across - before);
    const ExprRef word =
        before > 0 ? add(integer(std::int64_t{before} * together()), linear_thread()) : linear_thread();
    const ExprRef place = place_of(turn.of, 0, word), x = work_.around[0] ? on_grid(0, place) : place;
    return words_at(turn, {x, counted(x), word, vectors});
}

Body PipelineFetches::in_rows(const Turn& turn, bool whole) {
    const Fetched& f = turn.of;
    const ExprRef nx = context_->extent(std::size_t{0}), ny = context_->extent(1), x = element(f.array, integer(0));
    const ExprRef y = named("row fetched", context_->coordinate(1) + "_at");
    const int rows_before = turn.number * f.rows_at_once;
    const ExprRef number = rows_before > 0 ? add(row_of(f), integer(rows_before)) : row_of(f);
    Body placed{{Let{Type::i32, text_of(y), place_of(f, 1, number)}}};
    ExprRef there = work_.around[0] || !whole ? nullptr : binary(">=", x, integer(0)), row = on_grid(1, y);
    if (!work_.around[1]) {
        const KeptPlanes& one = *f.values.front();
        const CellsBeyond beyond = images(one);
        there = both(there, binary(">=", y, integer(-beyond.low)));
        there = both(there, binary("<", y, beyond.high > 0 ? add(ny, integer(beyond.high)) : ny));
        row = row_seen(one, y);
    }
    const ExprRef in_plane = add(multiply(counted(row), nx), counted(x));
    const ExprRef word = add(multiply(number, integer(f.layout.columns)), column_of(f));
    append_if(placed, there, whole ? vectors_at(turn, in_plane) : words_at(turn, {x, in_plane, word, f.across}));
    return placed;
}

Body PipelineFetches::sent_to_cache(const SentFor& all, const ExprRef& in_plane_of_it) {
    const int planes = schedule_.planes_sent_for;
    if (planes == 0) return {};
    Body sent, words, row;
    bool whole = true;
    for (const KeptPlanes* kept : all.values) {
        const std::string array = context_->array_in(kept->value);
        const ExprRef index = place_in_memory(sent, fmt::format("sent for {}", kept->extent.lag),
                                              add(next(*kept), integer(planes)), in_plane_of_it);
        whole = whole && cell_bytes(context_->cell_type(kept->value)) * (schedule_.fetches() ? together() : vector()) >=
                             row_bytes_sent_for;
        row.push_back({Prefetch{array, index, all.row_words}});
        words.push_back({Prefetch{array, index}});
    }
    if (whole) {
        Body rows;
        if (all.begins_row) rows.push_back({If{all.begins_row, std::move(row), {}}});
        words = {{If{has_cells_inside(), std::move(rows), std::move(words)}}};
    }
    append(sent, std::move(words));
    const ExprRef on_grid = binary("<", add(plane_, integer(planes)), named("asked last", "asked_last"));
    return {{If{on_grid, std::move(sent), {}}}};
}

}  // namespace kasc::kernel
