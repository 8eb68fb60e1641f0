#pragma once
// Planes that come into rings from memory, asynchronously, some iterations before they are looked at. What of a plane a
// block wants are vectors, which all threads fetch in turn, whichever cells they have: as many whole rows at a time as
// there are threads for. A thread has the same column of all of them, and keeps its place:
//
//   rows 0 … R - 1      thread t: vector t mod W of row t / W         turn 0
//   rows R … 2 R - 1    the same, R rows further                      turn 1
//
// Over two axes there is one row, of which all threads have a piece in turn. Of rows beyond the grid images are fetched
// (images.hpp). Where rows of the grid are no whole vectors, a thread fetches as many words of the same row one by one,
// each as far from the next as a row has vectors: threads beside each other fetch words beside each other.

#include <functional>
#include <string>
#include <vector>

#include "lower/pipeline/images.hpp"

namespace kasc::kernel {

class PipelineFetches : public PipelineImages {
public:
    using PipelineImages::PipelineImages;

protected:
    /// Thread level: the planes of one of the first iterations; those of the iteration that is so far ahead. None:
    /// empty.
    Body fetched_first(int iteration);
    Body fetched_next();
    /// Thread level: where columns are in rows of memory.
    Body fetches_placed();
    ExprRef next(const KeptPlanes& kept) { return add(plane_, integer(schedule_.choice.ahead - kept.extent.lag)); }
    /// What is on its way to the cache some planes before it is asked for.
    struct SentFor {
        int row_words = 0;   ///< of a row of the block
        ExprRef begins_row;  ///< what is at hand is the first of its row; null: it never is
        std::vector<const KeptPlanes*> values;
    };
    /// Thread level, of a vector, which the body has named the places of. Of a block within the grid a thread sends for
    /// a whole row, where rows lie at multiples of what is sent for at a time.
    Body sent_to_cache(const SentFor& all, const ExprRef& in_plane_of_it);

private:
    /// Values of which a block has the same cells, with the same images around the grid.
    struct Fetched {
        PlaneLayout layout;
        std::vector<const KeptPlanes*> values;
        std::string array;  ///< the thread's column along the first axis; below 0: beyond the grid
        int across = 0;     ///< vectors of a row
        int rows_at_once = 0, turns = 0;
    };
    std::vector<Fetched> fetched_;
    using SlotOfRing = std::function<ExprRef(const KeptPlanes&)>;

    const std::vector<Fetched>& fetched();
    [[nodiscard]] int together() const { return schedule_.fetched_together(); }
    /// The thread's vector in the first turn: its column, and its row; in a turn, its first word in the plane.
    ExprRef column_of(const Fetched& f);
    static ExprRef row_of(const Fetched& f);
    ExprRef word_of(const Fetched& f, int turn);
    /// The place of the block's plane's first cell, or of one so many behind it.
    ExprRef place_of(const Fetched& f, std::size_t axis, const ExprRef& number);
    Body each_turn(const Fetched& f, const std::function<Body(int)>& body);
    struct Planes {
        ExprRef plane;  ///< of the iteration that is fetched for
        bool walks;     ///< within the walk: later ones are sent for
        const SlotOfRing& slot_of_ring;
    };
    struct Turn {
        const Fetched& of;
        const Planes& planes;
        int number;
    };
    /// Thread level: planes beyond the grid are the nearest, or those that they see where the axis goes round.
    Body fetched_planes(const ExprRef& plane, bool walks, const SlotOfRing& slot_of_ring);
    /// As vectors, or word by word.
    Body pieces_of(const Planes& planes, bool whole);
    Body in_rows(const Turn& turn, bool whole);
    Body vectors_of_line(const Turn& turn);
    Body words_of_line(const Turn& turn);
    /// The vectors of a turn, which lie there in a plane of memory.
    Body vectors_at(const Turn& turn, const ExprRef& in_plane);
    /// As many words of a row, so many apart: of the first its place along the row, where the axis goes round on the
    /// grid; in a plane of memory; in the ring's. Those beyond the row's ends stay away.
    struct Words {
        ExprRef x, in_plane, word;
        int apart;
    };
    Body words_at(const Turn& turn, const Words& of);
    static ExprRef in_slot(const Fetched& f, const ExprRef& slot, const ExprRef& word);
};

}  // namespace kasc::kernel
