#include "lower/pipeline/loads.hpp"

#include <algorithm>

#include "lower/walk/walk.hpp"

namespace kasc::kernel {

namespace {

/// What a row is sent for at a time has to lie at a multiple of so many bytes (PTX, cp.async.bulk.prefetch).
constexpr int row_bytes_sent_for = 16;

}  // namespace

/// The word of a plane that is asked for, of the cell at hand.
Statement PipelineLoads::load_ahead(const KeptPlanes& kept, const ExprRef& plane, Body& body) {
    const ExprRef z = plane_ahead(kept, plane, body);
    return {Assign{element(ahead_name(kept.value), number_in_thread()),
                   element(context_->array_in(kept.value), index_in(z))}};
}

/// Block level: queues move on, and the next planes are asked for.
Body PipelineLoads::loads() {
    Body body, arrived, words, vectors;
    arrays_.push_back({PrivateArray{context_->once("in plane", "in_plane"), rows(), wide_ ? Type::i64 : Type::i32}});
    declared_.clear();
    Body& asked = lane_ ? words : body;
    for (const KeptPlanes& kept : work_.kept) {
        const int cells = schedule_.cells_of_thread(), queue = schedule_.queue(kept);
        if (queue > 0) arrays_.push_back({PrivateArray{queue_name(kept.value), queue * cells, type_of(kept.value)}});
        for (int age = queue - 1; age > 0; --age)
            body.push_back({Assign{queued(kept.value, age), queued(kept.value, age - 1)}});
        if (schedule_.is_fetched(kept)) {
            if (queue > 0)
                arrived.push_back({LoadVector{queue_name(kept.value), row_of_queue(0), ring_name(kept.value),
                                              add(slot_of(kept, 0), first_cell()), vector()}});
            continue;
        }
        if (!kept.loaded) continue;
        arrays_.push_back({PrivateArray{ahead_name(kept.value), cells, type_of(kept.value)}});
        body.push_back({Assign{queued(kept.value, 0), element(ahead_name(kept.value), number_in_thread())}});
        asked.push_back(load_ahead(kept, next(kept), asked));
        const std::string array = context_->array_in(kept.value);
        vectors.push_back({LoadVector{ahead_name(kept.value), multiply(row_, integer(vector())), array,
                                      index_of_row(next(kept)), vector()}});
    }
    Body all{{Threads{each_row({}, std::move(body), std::move(arrived))}}};
    if (lane_ && !words.empty()) all.push_back({Threads{asked_for(std::move(vectors), std::move(words))}});
    return all;
}

/// Thread level: vectors where the block and the plane lie on the grid; on their way to the cache some planes before.
Body PipelineLoads::asked_for(Body vectors, Body words) {
    append(vectors, sent_for());
    return {{If{has_planes_to_ask_for(), each_row(std::move(vectors), {}, {}), each_cell(std::move(words))}}};
}

/// Thread level: what is fetched at the plane, word by word, to where rings of so many planes have it.
Body PipelineLoads::fetched_words(const ExprRef& plane, const std::function<ExprRef(int copies)>& slot_of_ring) {
    Body words;
    declared_.clear();
    for (const KeptPlanes& kept : work_.kept) {
        if (!schedule_.is_fetched(kept)) continue;
        const ExprRef z = plane_ahead(kept, subtract(plane, integer(kept.extent.lag)), words);
        words.push_back({Fetch{ring_name(kept.value), add(slot_of_ring(schedule_.copies(kept)), cell()),
                               context_->array_in(kept.value), index_in(z)}});
    }
    return words;
}

Body PipelineLoads::fetched_first(int iteration) {
    const auto first_slot = [&](int) {
        return integer(schedule_.margin_words() + std::int64_t{iteration} * schedule_.plane_words());
    };
    Body words = fetched_words(add(first(walk()), integer(iteration - work_.planes_before)), first_slot);
    return words.empty() ? Body{} : each_cell(std::move(words));
}

Body PipelineLoads::fetched_next() {
    Body vectors;
    declared_.clear();
    for (const KeptPlanes& kept : work_.kept) {
        if (!schedule_.is_fetched(kept)) continue;
        const ExprRef at = row_in_memory(vectors, fmt::format("ahead {}", kept.extent.lag), next(kept));
        vectors.push_back(
            {Fetch{ring_name(kept.value), add(slot(schedule_.copies(kept), -schedule_.choice.ahead), first_cell()),
                   context_->array_in(kept.value), at, vector()}});
    }
    if (vectors.empty()) return {};
    // The last block along an axis may lie beyond the grid for the most part. There all threads of a row would fetch one
    // vector, which takes longer than rows do: that block took 1.4 times as long as others, and all of them wait for it
    // (13 points, 512³, blocks of 56 cells, H100).
    if (const ExprRef needed = cells_looked_at()) {
        Body fetched;
        append_if(fetched, has_bit(needed, multiply(row_, integer(vector()))), std::move(vectors));
        vectors = std::move(fetched);
    }
    const auto next_slot = [&](int copies) { return slot(copies, -schedule_.choice.ahead); };
    return asked_for(std::move(vectors), fetched_words(add(plane_, integer(schedule_.choice.ahead)), next_slot));
}

/// Thread level, of a row: the plane that is loaded some iterations later is on its way to the cache. Of a block within
/// the grid a thread sends for a whole row, where rows lie at multiples of what is sent for at a time.
Body PipelineLoads::sent_for() {
    if (schedule_.planes_sent_for == 0) return {};
    Body sent, words, row;
    bool whole = true;
    const int planes = schedule_.planes_sent_for;
    for (const KeptPlanes& kept : work_.kept) {
        if (!kept.loaded) continue;
        const std::string array = context_->array_in(kept.value);
        const ExprRef index =
            row_in_memory(sent, fmt::format("sent for {}", kept.extent.lag), add(next(kept), integer(planes)));
        whole = whole && cell_bytes(context_->cell_type(kept.value)) * vector() >= row_bytes_sent_for;
        row.push_back({Prefetch{array, index, schedule_.choice.threads_x * vector()}});
        words.push_back({Prefetch{array, index}});
    }
    if (whole) {
        const ExprRef first_thread = equals(thread_index(Dimension::x), integer(0));
        words = {{If{has_cells_inside(), {{If{first_thread, std::move(row), {}}}}, std::move(words)}}};
    }
    const ExprRef on_grid = binary("<", add(plane_, integer(planes)), named("asked last", "asked_last"));
    append(sent, std::move(words));
    return {{If{on_grid, std::move(sent), {}}}};
}

}  // namespace kasc::kernel
