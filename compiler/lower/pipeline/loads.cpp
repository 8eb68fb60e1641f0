#include "lower/pipeline/loads.hpp"

#include <algorithm>

#include "lower/walk/walk.hpp"

namespace kasc::kernel {

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
        const int cells = schedule_.cells_of_thread();
        const QueuedPlanes queue = schedule_.queue(kept);
        if (queue.count() > 0)
            arrays_.push_back({PrivateArray{queue_name(kept.value), queue.count() * cells, type_of(kept.value)}});
        for (int age = queue.end - 1; age > queue.first; --age)
            body.push_back({Assign{queued(kept.value, age), queued(kept.value, age - 1)}});
        if (schedule_.is_fetched(kept)) {
            if (queue.count() > 0)
                arrived.push_back(
                    {LoadVector{queue_name(kept.value), row_of_queue(kept, queue.first), ring_name(kept.value),
                                add(slot_of(kept, queue.first), first_cell(kept)), vector()}});
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

/// Thread level, of a row of registers: the plane that is loaded some iterations later is on its way to the cache.
Body PipelineLoads::sent_for() {
    SentFor sent{schedule_.choice.threads_x * vector(), equals(thread_index(Dimension::x), integer(0)), {}};
    for (const KeptPlanes& kept : work_.kept)
        if (kept.loaded) sent.values.push_back(&kept);
    return sent_to_cache(sent, in_plane());
}

}  // namespace kasc::kernel
